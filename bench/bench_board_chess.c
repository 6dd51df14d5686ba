// Leaves of the tree of chess, beside Debian's stockfish: both as processes, by CPU time.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "bench/bench.h"

void bench_board_chess_perft(bench_run *run) {
    const char *position = bench_size(run) == 6 ? "start" : "kiwipete";
    char self[512], ours[600], peer[64];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size <= 0) {
        bench_fail(run, "the path of this program is not known");
        return;
    }
    self[size] = 0;
    snprintf(ours, sizeof ours, "%s:%s", self, position);
    snprintf(peer, sizeof peer, "stockfish:%s", position);
    bench_side own = bench_node_with(run, "chess_perft.mjs", ours);
    bench_measure(run, own, bench_node_with(run, "chess_perft.mjs", peer), bench_nothing());
}
