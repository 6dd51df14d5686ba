// Benchmarks of rules: whole programs, ours and CLIPS each in a separate process, from text to
// the last firing, output discarded.
#define _POSIX_C_SOURCE 200809L // fileno, readlink

#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct rules_bench {
    char ours[1200], peer[128];
    FILE *batch; // without a name, so nothing is left behind; both programs open it as /dev/fd/N
} rules_bench;

// Where outside data lies, as for the program.
static const char *rules_data_dir(void) {
    const char *named = getenv("PLOY_DATA");
    if (named != NULL) return named;
    const char *beside = PLOY_SOURCE_DIR "/../shared/data";
    return access(beside, R_OK) == 0 ? beside : NULL;
}

static void rules_shell(const char *command) {
    if (system(command) != 0) {
        fprintf(stderr, "bench: failed: %s\n", command);
        exit(1);
    }
}

static void rules_ours(void *self) {
    rules_shell(((rules_bench *)self)->ours);
}

static void rules_peer(void *self) {
    rules_shell(((rules_bench *)self)->peer);
}

// A join of our own: 10,000 facts in three relations, two of them meeting by key.
static void rules_write_join(FILE *file) {
    fprintf(file, "(defrule seed (initial-fact) => (loop-for-count (?i 1 5000)\n"
                  " (assert (order ?i (mod (* ?i 7919) 997))) (assert (client (mod ?i 997) ?i))))\n"
                  "(defrule join (order ?o ?c) (client ?c ?n&:(< ?n ?o)) (not (paid ?o))\n"
                  " => (assert (paid ?o)))\n(reset)\n(run)\n(exit)\n");
}

static void rules_write_batch(FILE *file, const char *program, const char *facts) {
    fprintf(file, "(load* \"%s/clips/%s\")\n(reset)\n(load-facts \"%s/clips/%s\")\n(run)\n(exit)\n",
            rules_data_dir(), program, rules_data_dir(), facts);
}

static void rules_measure(bench_run *run, const char *program, const char *facts) {
    rules_bench data;
    memset(&data, 0, sizeof data);
    char self[1024];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    bool there = size > 0 && (program == NULL || rules_data_dir() != NULL);
    data.batch = there ? tmpfile() : NULL;
    if (data.batch == NULL) {
        bench_fail(run, "the rule programs are not there");
        return;
    }
    self[size] = '\0';
    if (program == NULL) {
        rules_write_join(data.batch);
    } else {
        rules_write_batch(data.batch, program, facts);
    }
    fflush(data.batch);
    int handle = fileno(data.batch);
    snprintf(data.ours, sizeof data.ours, "'%s' rules run --batch /dev/fd/%d > /dev/null", self,
             handle);
    snprintf(data.peer, sizeof data.peer, "clips -f2 /dev/fd/%d < /dev/null > /dev/null", handle);
    bool peer = system("command -v clips > /dev/null") == 0;
    bench_measure(run, bench_call(rules_ours, &data, 1.0),
                  peer ? bench_call(rules_peer, &data, 1.0) : bench_nothing(), bench_nothing());
    fclose(data.batch);
}

void bench_decide_rules_manners(bench_run *run) {
    rules_measure(run, "manners/manners.clp", "manners/manners64.fct");
}
void bench_decide_rules_waltz(bench_run *run) {
    rules_measure(run, "waltz/waltz.clp", "waltz/waltz12.fct");
}
void bench_decide_rules_join(bench_run *run) {
    rules_measure(run, NULL, NULL);
}
