#include "apps/ploy/cli.h"

#ifdef PLOY_HAS_BENCH
#include "bench/bench.h"

// The bar moves from benchmark to benchmark: each takes seconds, and nothing else may run beside its clock.
static void bench_at(void *user, int32_t done, int32_t of) {
    cli_progress *progress = user;
    progress->total = (uint64_t)of;
    if (done < 0) {
        cli_progress_end(progress); // a row is printed
    } else {
        cli_progress_show(progress, (uint64_t)done);
    }
}

int cmd_bench(int argc, char **argv) {
    cli_progress progress = cli_progress_begin("measuring", 0, true);
    bench_watch watch = {bench_at, &progress};
    return ploy_bench_main(argc, argv, &watch);
}
#else
int cmd_bench(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return cli_error("cannot measure: built without benchmarks (configure with -DPLOY_PROGRAMS=ON)",
                     NULL);
}
#endif
