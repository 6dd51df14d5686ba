#include "apps/ploy/cli.h"

#ifdef PLOY_HAS_BENCH
#include "bench/bench.h"

int cmd_bench(int argc, char **argv) {
    return ploy_bench_main(argc, argv);
}
#else
int cmd_bench(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return cli_error("cannot measure: built without benchmarks (configure with -DPLOY_PROGRAMS=ON)",
                     NULL);
}
#endif
