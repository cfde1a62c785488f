/* A bot for Hive Arena in plain C: picks flowers up and carries them home.
 *
 * It is started as `./agent HOST PORT`, connects, says its name, and then answers every view line
 *     turn,player,bee,row,col,CELLS
 * with one command line
 *     action,direction
 * until it reads `gameover`. HOST is a dotted IPv4 address.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EMPTY = 0, FLOWER = 5, WALL = 6, HIVE = 7, SIDE = 7, MIDDLE = 3, ROWS = 25, COLS = 30 };
enum { MOVE = 0, FORAGE = 1, GUARD = 3 };

/* Directions clockwise from north. */
static const int ROW_STEP[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
static const int COL_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

struct view {
    int turn, player, bee, row, col;
    char cells[SIDE * SIDE + 1];
};

static int cell(const struct view *view, int row, int col) {
    return view->cells[(MIDDLE + row) * SIDE + MIDDLE + col] - '0';
}

static int beside(const struct view *view, int direction) {
    return cell(view, ROW_STEP[direction], COL_STEP[direction]);
}

static int distance(int rows, int cols) {
    rows = abs(rows);
    cols = abs(cols);
    return rows > cols ? rows : cols;
}

/* The direction of the free neighbour nearest to (rows, cols) away; any wall in the way is torn down. */
static void walk(const struct view *view, int rows, int cols, int *action, int *direction) {
    int best = 1000, first = rand() % 8;
    *action = MOVE;
    *direction = first;
    for (int at = 0; at < 8; at++) {
        int d = (first + at) % 8;
        int left = distance(rows - ROW_STEP[d], cols - COL_STEP[d]);
        int there = beside(view, d);
        if (left < best && (there == EMPTY || there == WALL)) {
            best = left;
            *direction = d;
            *action = there == WALL ? GUARD : MOVE;
        }
    }
}

static void decide(const struct view *view, int *action, int *direction) {
    int carrying = cell(view, 0, 0) == 3 + view->player;
    int wanted = carrying ? HIVE + view->player : FLOWER;
    for (int d = 0; d < 8; d++)
        if (beside(view, d) == wanted) {
            *action = FORAGE;
            *direction = d;
            return;
        }
    if (carrying) {
        int home = view->player == 0 ? 1 : COLS - 2;
        walk(view, ROWS / 2 - view->row, home - view->col, action, direction);
        return;
    }
    int rows = 0, cols = 0, nearest = 1000;
    for (int r = -MIDDLE; r <= MIDDLE; r++)
        for (int c = -MIDDLE; c <= MIDDLE; c++)
            if (cell(view, r, c) == FLOWER && distance(r, c) < nearest) {
                nearest = distance(r, c);
                rows = r;
                cols = c;
            }
    if (nearest == 1000) { /* nothing in sight: each bee keeps a direction of its own and changes it now and then */
        static int heading[64];
        int *own = &heading[view->bee & 63];
        if (view->turn % 40 < 2 || beside(view, *own) != EMPTY) *own = rand() % 8;
        rows = 9 * ROW_STEP[*own];
        cols = 9 * COL_STEP[*own];
    }
    walk(view, rows, cols, action, direction);
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: %s HOST PORT\n", words[0]);
        return 2;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[2]))};
    int link = socket(AF_INET, SOCK_STREAM, 0);
    if (inet_pton(AF_INET, words[1], &address.sin_addr) != 1 ||
        connect(link, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        return 1;
    }
    srand((unsigned)getpid());
    FILE *from = fdopen(link, "r");
    FILE *to = fdopen(dup(link), "w");
    fprintf(to, "carrier\n");
    fflush(to);

    char line[256];
    struct view view;
    while (fgets(line, sizeof line, from) && strcmp(line, "gameover\n") != 0) {
        int action = GUARD, direction = 0;
        if (sscanf(line, "%d,%d,%d,%d,%d,%49[0-9]", &view.turn, &view.player, &view.bee, &view.row, &view.col,
                   view.cells) != 6) {
            fprintf(stderr, "not a view: %s", line);
            return 1;
        }
        decide(&view, &action, &direction);
        fprintf(to, "%d,%d\n", action, direction);
        fflush(to);
    }
    return 0;
}
