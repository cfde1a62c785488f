// One end of a channel between two caged bots, for bench/channels.py: `agent CHANNEL FILE`, orders on standard input.
//
//   send AT BITS      from the moment AT (nanoseconds of the monotonic clock) on, with the other side listening
//   receive AT COUNT  the same, listening; answers with the bits, or with one number per bit, and how long it took
//   leave 0 BITS      in a turn of our own: leaves something that the other side finds in its turn
//   arm 0 COUNT       in a turn of our own: makes ready for what the other side will leave
//   look 0 COUNT      in a turn of our own: the bits that have been left, or a number for the only one
//
// FILE is a file of the system that both cages show, read-only.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 1 << 16, SYMBOL_BITS = 4, SYMBOLS = 1 << SYMBOL_BITS, ACKS = 2 * SYMBOLS, CROWD = 32, STACK = 16384 };
#define SLOT_LOAD 50000000ll
#define SLOT_CROWD 5000000ll
#define SLOT_PAGES 5000000ll
#define PATIENCE_NS 2000000l

static const char *channel;
static uint32_t *words;  // the file, mapped
static char *pages;
static char bits[MOST + 1];
static int count;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void wait_until(long long moment) {
    struct timespec time = {moment / 1000000000ll, moment % 1000000000ll};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

// Shared futexes: a wake by a call, or by the end of a thread whose "clear my number" points into the file.

static int nothing(void *unused) { return unused != NULL; }

static void wake(uint32_t *word) {
    static char stacks[64][STACK];
    static int next;
    if (strcmp(channel, "exit") == 0) {
        int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
        clone(nothing, stacks[next++ % 64] + STACK, flags, NULL, NULL, NULL, word);
        return;
    }
    for (int tries = 0; tries < 200 && syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL) <= 0; tries++) sched_yield();
}

static int woken(uint32_t *word, long patience_ns) {
    struct timespec patience = {0, patience_ns};
    return syscall(SYS_futex, word, FUTEX_WAIT, *word, patience_ns ? &patience : NULL) == 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn, received;
static volatile int armed[MOST];

static void *hear_symbol(void *at) {
    int word = (int)(intptr_t)at;
    for (;;) {
        if (!woken(words + word, 0)) continue;
        pthread_mutex_lock(&lock);
        if ((word & 1) == turn) {
            for (int bit = 0; bit < SYMBOL_BITS; bit++) bits[received++] = '0' + (word >> (bit + 1) & 1);
            turn ^= 1;
        }
        wake(words + ACKS + (word & 1));
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void send_symbols(void) {
    for (int at = 0; at < count; at += SYMBOL_BITS, turn ^= 1) {
        int symbol = 0;
        for (int bit = 0; bit < SYMBOL_BITS; bit++) symbol |= (bits[at + bit] == '1') << bit;
        do wake(words + 2 * symbol + turn);
        while (!woken(words + ACKS + turn, PATIENCE_NS));
    }
}

static void receive_symbols(void) {
    for (intptr_t word = 0; word < 2 * SYMBOLS; word++) {
        pthread_t thread;
        pthread_create(&thread, NULL, hear_symbol, (void *)word);
    }
    for (long long end = now() + 30000000000ll; received < count && now() < end;) usleep(1000);
    bits[received] = 0;
}

static void *hear_once(void *at) {
    int word = (int)(intptr_t)at;
    while (!woken(words + word, 0)) continue;
    armed[word] = 0;
    return NULL;
}

static void arm(void) {
    for (intptr_t word = 0; word < count; word++) {
        if (armed[word]) continue;
        pthread_t thread;
        armed[word] = 1;
        pthread_create(&thread, NULL, hear_once, (void *)word);
        pthread_detach(thread);
    }
    usleep(2000);
}

// How busy the machine is: one burns, the other counts how far it gets.

static void burn(long long until) { while (now() < until) continue; }

static void *send_load(void *start) {
    long long moment = *(long long *)start;
    for (int at = 0; at < count; at++, moment += SLOT_LOAD) {
        wait_until(moment);
        if (bits[at] == '1') burn(moment + SLOT_LOAD);
    }
    return NULL;
}

// How many threads the machine has.

static pthread_t crowd[CROWD];
static int crowded;

static void *linger(void *unused) { pause(); return unused; }

static void gather(int wanted) {
    for (; crowded < wanted; crowded++) pthread_create(&crowd[crowded], NULL, linger, NULL);
    for (; crowded > wanted; crowded--) {
        pthread_cancel(crowd[crowded - 1]);
        pthread_join(crowd[crowded - 1], NULL);
    }
}

static int threads(void) {
    struct sysinfo told;
    sysinfo(&told);
    return told.procs;
}

// Which pages of the file somebody else has mapped, and which ones had to be read from the disk.

static void touch(void) { for (int at = 0; at < count; at++) (void)*(volatile char *)(pages + at * PAGE); }

static void map_pages(void) {
    touch();
    for (int at = 0; at < count; at++)
        if (bits[at] == '0') madvise(pages + at * PAGE, PAGE, MADV_DONTNEED);
}

static void see_pages(void) {
    static uint64_t told[MOST];
    touch();
    int map = open("/proc/self/pagemap", O_RDONLY);
    if (map < 0 || pread(map, told, count * 8, (uintptr_t)pages / PAGE * 8) < 0) perror("pagemap");
    close(map);
    for (int at = 0; at < count; at++) bits[at] = told[at] >> 56 & 1 ? '0' : '1';
}

static void warm_pages(void) {
    for (int at = 0; at < count; at++)
        if (bits[at] == '1') (void)*(volatile char *)(pages + at * PAGE);
}

static void feel_pages(void) {
    for (int at = 0; at < count; at++) {
        struct rusage before, after;
        getrusage(RUSAGE_SELF, &before);
        (void)*(volatile char *)(pages + at * PAGE);
        getrusage(RUSAGE_SELF, &after);
        bits[at] = after.ru_majflt > before.ru_majflt ? '0' : '1';
    }
}

static int is(const char *name) { return strcmp(channel, name) == 0; }

static void send(long long start) {
    pthread_t other;
    wait_until(start);
    if (is("wake") || is("exit")) send_symbols();
    if (is("load")) {
        pthread_create(&other, NULL, send_load, &start);
        send_load(&start);
        pthread_join(other, NULL);
    }
    for (int at = 0; is("threads") && at < count; at++) {
        wait_until(start + at * SLOT_CROWD);
        gather(bits[at] == '1' ? CROWD : 0);
    }
    if (is("mapped")) map_pages();
    if (is("cold")) warm_pages();
    printf("%lld\n", now() - start);
}

static void receive(long long start) {
    if (is("wake") || is("exit")) receive_symbols();
    if (is("mapped") || is("cold")) {
        wait_until(start + SLOT_PAGES);
        is("mapped") ? see_pages() : feel_pages();
    }
    for (int at = 0; is("load") && at < count; at++) {
        long long moment = start + at * SLOT_LOAD, steps = 0;
        wait_until(moment);
        for (; now() < moment + SLOT_LOAD * 9 / 10; steps++) continue;
        printf("%lld ", steps);
    }
    for (int at = 0; is("threads") && at < count; at++) {
        wait_until(start + at * SLOT_CROWD + SLOT_CROWD * 3 / 4);
        printf("%d ", threads());
    }
    printf("%s %lld\n", is("load") || is("threads") ? "" : bits, now() - start);
}

static void leave(void) {
    for (int at = 0; (is("wake") || is("exit")) && at < count; at++)
        if (bits[at] == '1') wake(words + at);
    if (is("threads")) gather(bits[0] == '1' ? CROWD : 0);
    if (is("mapped")) map_pages();
    if (is("cold")) warm_pages();
    printf("left\n");
}

static void look(void) {
    if (is("wake") || is("exit")) {
        usleep(2000);
        for (int at = 0; at < count; at++) bits[at] = armed[at] ? '0' : '1';
    }
    if (is("mapped")) see_pages();
    if (is("cold")) feel_pages();
    if (is("threads")) printf("%d\n", threads());
    else printf("%s\n", bits);
}

int main(int argc, char **argv) {
    static char line[MOST + 64], order[16];
    long long start = 0;
    channel = argv[argc - 2];
    int file = open(argv[argc - 1], O_RDONLY);
    words = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    pages = mmap(NULL, (size_t)lseek(file, 0, SEEK_END), PROT_READ, MAP_SHARED, file, 0);
    madvise(pages, (size_t)lseek(file, 0, SEEK_END), MADV_RANDOM);
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    printf("ready\n");
    for (fflush(stdout); fgets(line, sizeof line, stdin); fflush(stdout)) {
        char text[MOST + 1] = "";
        sscanf(line, "%15s %lld %65536s", order, &start, text);
        if (strcmp(order, "send") == 0 || strcmp(order, "leave") == 0) strcpy(bits, text), count = strlen(bits);
        else count = atoi(text), memset(bits, 0, sizeof bits);
        if (strcmp(order, "send") == 0) send(start);
        if (strcmp(order, "receive") == 0) receive(start);
        if (strcmp(order, "leave") == 0) leave();
        if (strcmp(order, "arm") == 0) arm(), printf("armed\n");
        if (strcmp(order, "look") == 0) look();
    }
}
