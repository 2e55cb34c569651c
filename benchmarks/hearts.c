/* Hearts written by hand for this one game, as a yardstick for the executors: one deal of 52 cards, no passing, the two of
 * clubs leads, hearts (or the queen of spades) must be out before hearts are led, no points on the first trick; shooting the
 * moon gives 26 to the others. Int arrays, a uniform random choice among the legal cards, as benchmarks/hearts.yaml plays it.
 *
 *     cc -O2 -o hearts hearts.c && ./hearts GAMES SEED      prints games, decisions, options, seconds, checksum of scores
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

static inline uint64_t next64(void) {
    uint64_t x = (state += 0x9E3779B97F4A7C15ull);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

static inline uint32_t below(uint32_t n) {
    uint64_t m = (next64() >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t least = -n % n;
        while ((uint32_t)m < least) m = (next64() >> 32) * n;
    }
    return m >> 32;
}

/* card = suit * 13 + rank; suits: clubs 0, diamonds 1, hearts 2, spades 3; rank two 0 ... ace 12 */
enum { HEARTS = 2, QUEEN_OF_SPADES = 3 * 13 + 10 };

static int points_of(int card) { return card / 13 == HEARTS ? 1 : card == QUEEN_OF_SPADES ? 13 : 0; }

static long decisions, options;

static void play(int score[4]) {
    int deck[52], hand[4][13], held[4] = {13, 13, 13, 13}, leader = 0, broken = 0;
    for (int i = 0; i < 52; i++) deck[i] = i;
    for (int i = 51; i > 0; i--) {
        int j = below(i + 1), t = deck[i];
        deck[i] = deck[j];
        deck[j] = t;
    }
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < 13; i++) {
            hand[p][i] = deck[p * 13 + i];
            if (hand[p][i] == 0) leader = p;
        }
    for (int p = 0; p < 4; p++) score[p] = 0;
    for (int trick = 0; trick < 13; trick++) {
        int led = -1, best = -1, winner = leader, points = 0;
        for (int turn = 0; turn < 4; turn++) {
            int p = (leader + turn) & 3, legal[13], n = 0;
            int *h = hand[p], count = held[p];
            if (led < 0) {
                if (trick == 0) {
                    for (int i = 0; i < count; i++)
                        if (h[i] == 0) legal[n++] = i;
                } else {
                    if (!broken)
                        for (int i = 0; i < count; i++)
                            if (h[i] / 13 != HEARTS) legal[n++] = i;
                    if (n == 0)
                        for (int i = 0; i < count; i++) legal[n++] = i;
                }
            } else {
                for (int i = 0; i < count; i++)
                    if (h[i] / 13 == led) legal[n++] = i;
                if (n == 0 && trick == 0)
                    for (int i = 0; i < count; i++)
                        if (!points_of(h[i])) legal[n++] = i;
                if (n == 0)
                    for (int i = 0; i < count; i++) legal[n++] = i;
            }
            decisions++;
            options += n;
            int at = legal[n == 1 ? 0 : below(n)], card = h[at];
            h[at] = h[--held[p]];
            if (led < 0) led = card / 13;
            if (card / 13 == led && card > best) best = card, winner = p;
            points += points_of(card);
            if (points_of(card)) broken = 1;
        }
        score[winner] += points;
        leader = winner;
    }
    for (int p = 0; p < 4; p++)
        if (score[p] == 26)
            for (int q = 0; q < 4; q++) score[q] = q == p ? 0 : 26;
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 100000;
    state = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
    long sums[4] = {0, 0, 0, 0};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long g = 0; g < games; g++) {
        int score[4];
        play(score);
        for (int p = 0; p < 4; p++) sums[p] += score[p];
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double seconds = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9;
    printf("{\"games\": %ld, \"decisions\": %ld, \"options\": %ld, \"seconds\": %.6f, \"scores\": [%ld, %ld, %ld, %ld]}\n",
           games, decisions, options, seconds, sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
