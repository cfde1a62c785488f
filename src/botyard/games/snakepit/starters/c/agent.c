/* A bot for Snakepit in plain C: the shortest way to the pellet, but never into a corner.
 *
 * It is started as `./agent HOST PORT ID`, connects, keeps its own map from what it is told, and answers every `mov`
 * with one letter: r, l, u or d. HOST is a dotted IPv4 address.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIDE = 256, SNAKES = 64, LONGEST = 8192, FAR = 1 << 30 };

static const char LETTERS[4] = {'r', 'l', 'u', 'd'};
static const int STEP_X[4] = {1, -1, 0, 0};
static const int STEP_Y[4] = {0, 0, -1, 1};

struct cell {
    int x, y;
};

/* A body is a ring of cells: the head is the newest, the tail the oldest. */
struct snake {
    struct cell cells[LONGEST];
    int head, length, moved;
};

static struct snake snakes[SNAKES];
static struct cell pellet;
static int width, height, own;

static struct cell part(const struct snake *snake, int from_head) {
    return snake->cells[(snake->head - from_head + LONGEST) % LONGEST];
}

static struct cell beside(struct cell cell, int direction) {
    return (struct cell){cell.x + STEP_X[direction], cell.y + STEP_Y[direction]};
}

static int inside(struct cell cell) {
    return cell.x >= 1 && cell.x <= width && cell.y >= 1 && cell.y <= height;
}

/* What was told */

static void hear(const char *line) {
    int id, x, y, left_x, left_y;
    if (sscanf(line, "bi %d,%d", &width, &height) == 2 && (width >= SIDE || height >= SIDE)) {
        fprintf(stderr, "a board of %d x %d is too large for this bot\n", width, height);
        exit(1);
    }
    sscanf(line, "p %d,%d", &pellet.x, &pellet.y);
    if (sscanf(line, "si %d %d,%d", &id, &x, &y) == 3 && id < SNAKES) { /* head first, so each goes behind the last */
        struct snake *snake = &snakes[id];
        snake->cells[(snake->head - snake->length++ + LONGEST) % LONGEST] = (struct cell){x, y};
    }
    if (sscanf(line, "s %d %d,%d,%d,%d", &id, &x, &y, &left_x, &left_y) == 5 && id < SNAKES) {
        struct snake *snake = &snakes[id];
        snake->head = (snake->head + 1) % LONGEST;
        snake->cells[snake->head] = (struct cell){x, y};
        if (left_x == -1) snake->length++; /* it grows: its tail stays */
        snake->moved = 1;
    }
}

/* Takes dead snakes off the map: every living snake has moved. */
static void bury(void) {
    if (!snakes[own].moved) return;
    for (int id = 0; id < SNAKES; id++) {
        if (!snakes[id].moved) snakes[id].length = 0;
        snakes[id].moved = 0;
    }
}

/* What to do */

static char taken[SIDE][SIDE];
static int away[SIDE][SIDE]; /* distances found by the last spread */

/* Spreads from a cell through free ones until `most` are found; gives how many. */
static int spread(struct cell start, int most) {
    static struct cell queue[SIDE * SIDE];
    int first = 0, count = 0;
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++) away[x][y] = FAR;
    away[start.x][start.y] = 0;
    queue[count++] = start;
    while (first < count && count < most) {
        struct cell cell = queue[first++];
        for (int d = 0; d < 4; d++) {
            struct cell there = beside(cell, d);
            if (!inside(there) || taken[there.x][there.y] || away[there.x][there.y] != FAR) continue;
            away[there.x][there.y] = away[cell.x][cell.y] + 1;
            queue[count++] = there;
        }
    }
    return count;
}

static int beside_rival(struct cell cell) {
    for (int id = 0; id < SNAKES; id++) {
        if (id == own || !snakes[id].length) continue;
        struct cell head = part(&snakes[id], 0);
        if (abs(head.x - cell.x) + abs(head.y - cell.y) == 1) return 1;
    }
    return 0;
}

/* This is the place to make the bot better: the direction that costs least is taken. */
static int decide(void) {
    const struct snake *me = &snakes[own];
    struct cell head = part(me, 0);
    int best = 0, ways[4];
    long costs[4];

    memset(taken, 0, sizeof taken);
    for (int id = 0; id < SNAKES; id++)
        for (int at = 0; at < snakes[id].length; at++) {
            struct cell cell = part(&snakes[id], at);
            if (inside(cell)) taken[cell.x][cell.y] = 1;
        }
    spread(pellet, SIDE * SIDE);
    for (int d = 0; d < 4; d++) {
        struct cell there = beside(head, d);
        ways[d] = inside(there) ? away[there.x][there.y] : FAR;
    }
    for (int d = 0; d < 4; d++) {
        struct cell there = beside(head, d);
        int deadly = !inside(there) || taken[there.x][there.y];
        int cramped = !deadly && spread(there, me->length) < me->length;
        costs[d] = 8L * FAR * deadly + 4L * FAR * cramped + 2L * FAR * beside_rival(there) + ways[d];
        if (costs[d] < costs[best]) best = d;
    }
    return best;
}

/* The conversation */

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: %s HOST PORT ID\n", words[0]);
        return 2;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[2]))};
    int link = socket(AF_INET, SOCK_STREAM, 0);
    if (inet_pton(AF_INET, words[1], &address.sin_addr) != 1 ||
        connect(link, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        return 1;
    }
    own = atoi(words[3]);

    FILE *from = fdopen(link, "r");
    char line[256];
    while (fgets(line, sizeof line, from) && strcmp(line, "quit\n") != 0) {
        if (strcmp(line, "mov\n") != 0) {
            hear(line);
            continue;
        }
        bury();
        if (write(link, &LETTERS[decide()], 1) != 1) return 1; /* one byte, no line end */
    }
    return 0;
}
