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
    fprintf(file, "(load* \"%s/clips/%s\")\n(reset)\n(load-facts \"%s\")\n(run)\n(exit)\n",
            rules_data_dir(), program, facts);
}

// The guests of manners64 twice, the second time under other names.
static void rules_write_guests(FILE *from, FILE *to) {
    char line[256], sex[16], hobby[16];
    for (int round = 0; round < 2; round++) {
        int name;
        rewind(from);
        while (fgets(line, sizeof line, from) != NULL) {
            const char *form = "(guest (name %d) (sex %15[a-z]) (hobby %15[a-z0-9]))";
            if (sscanf(line, form, &name, sex, hobby) != 3) continue;
            fprintf(to, "(guest (name %d) (sex %s) (hobby %s))\n", name + 64 * round, sex, hobby);
        }
    }
    fprintf(to, "(last_seat (seat 128))\n(count (c 1))\n(context (state start))\n");
}

// Copies the lines of a drawing's region, moved to the right by some regions.
static void rules_write_region(FILE *from, FILE *to, int region, int moved) {
    enum { RULES_REGION = 120000 };
    char line[256];
    int a, b;
    rewind(from);
    while (fgets(line, sizeof line, from) != NULL) {
        if (sscanf(line, "(line (p1 %d) (p2 %d))", &a, &b) != 2) continue;
        if ((a < b ? a : b) / RULES_REGION != region) continue;
        fprintf(to, "(line (p1 %d) (p2 %d))\n", a + moved * RULES_REGION, b + moved * RULES_REGION);
    }
}

// The drawing of waltz12 with 50 regions: its first, its second 49 times, and its end.
static void rules_write_regions(FILE *from, FILE *to) {
    fprintf(to, "(stage (value duplicate))\n");
    rules_write_region(from, to, 0, 0);
    for (int i = 0; i < 49; i++) rules_write_region(from, to, 1, i);
    rules_write_region(from, to, 12, 38);
}

// Makes larger facts from a file of them; NULL if it is not there.
static FILE *rules_enlarge(const char *name, void (*write)(FILE *from, FILE *to)) {
    FILE *from = fopen(name, "r");
    FILE *to = from == NULL ? NULL : tmpfile();
    if (to != NULL) write(from, to);
    if (to != NULL) fflush(to);
    if (from != NULL) fclose(from);
    return to;
}

// enlarge: makes the facts from those of the file, or NULL.
static void rules_measure(bench_run *run, const char *program, const char *facts,
                          void (*enlarge)(FILE *from, FILE *to)) {
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
    FILE *larger = NULL;
    if (program == NULL) {
        rules_write_join(data.batch);
    } else {
        char name[1200];
        snprintf(name, sizeof name, "%s/clips/%s", rules_data_dir(), facts);
        if (enlarge != NULL) larger = rules_enlarge(name, enlarge);
        if (enlarge != NULL && larger == NULL) bench_fail(run, "the facts are not there");
        if (larger != NULL) snprintf(name, sizeof name, "/dev/fd/%d", fileno(larger));
        rules_write_batch(data.batch, program, name);
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
    if (larger != NULL) fclose(larger);
}

void bench_decide_rules_manners(bench_run *run) {
    rules_measure(run, "manners/manners.clp", "manners/manners64.fct",
                  bench_size(run) == 128 ? rules_write_guests : NULL);
}
void bench_decide_rules_waltz(bench_run *run) {
    rules_measure(run, "waltz/waltz.clp", "waltz/waltz12.fct",
                  bench_size(run) == 50 ? rules_write_regions : NULL);
}
void bench_decide_rules_join(bench_run *run) {
    rules_measure(run, NULL, NULL, NULL);
}
