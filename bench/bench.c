// The harness: selecting, measuring in turns, printing.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_child.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/name.h"
#include "ploy/base/os.h"

enum { BENCH_PASSES = 15, BENCH_PASSES_MAX = 1000, BENCH_CHILDREN = 4 };
// Short passes are repeated for so long in all, because a machine that others share has slow moments
// that last longer than fifteen of them.
static const uint64_t bench_least_ns = 500000000;

struct bench_run {
    const bench_entry *entry;
    bench_child children[BENCH_CHILDREN];
    int32_t child_count;
    double ours, peer, floor; // ns per operation; 0 if not measured
    char peer_name[128];
    char note[256]; // why something is missing or worth nothing
    bool failed;    // by bench_fail
};

int64_t bench_size(const bench_run *run) {
    return run->entry->size;
}

bench_side bench_call(void (*work)(void *self), void *self, double operations) {
    return bench_call_sliced(work, self, operations, 1);
}

bench_side bench_call_sliced(void (*work)(void *self), void *self, double operations,
                             int32_t slices) {
    bench_side side = {work, self, operations, -1, slices};
    return side;
}

bench_side bench_nothing(void) {
    return bench_call(NULL, NULL, 0.0);
}

static bench_side bench_start(bench_run *run, const char *program, const char *file,
                              const char *argument) {
    bench_side side = bench_nothing();
    if (run->child_count == BENCH_CHILDREN) {
        snprintf(run->note, sizeof run->note, "too many peers in one benchmark");
        return side;
    }
    bench_child *child = &run->children[run->child_count];
    char ready[128];
    if (bench_child_start(child, program, file, argument, ready, sizeof ready, run->note,
                          sizeof run->note)) {
        side.child = run->child_count++;
        snprintf(run->peer_name, sizeof run->peer_name, "%s", ready);
    }
    return side;
}

bench_side bench_node(bench_run *run, const char *file) {
    return bench_start(run, "node", file, NULL);
}

bench_side bench_node_with(bench_run *run, const char *file, const char *argument) {
    return bench_start(run, "node", file, argument);
}

bench_side bench_program(bench_run *run, const char *file, const char *argument) {
    return bench_start(run, NULL, file, argument);
}

bool bench_ask(bench_run *run, bench_side side, const char *word, double *out) {
    if (side.child < 0) return false;
    char answer[128];
    if (!bench_child_ask(&run->children[side.child], word, answer, sizeof answer)) return false;
    char *end = NULL;
    double value = strtod(answer, &end);
    if (end == answer) return false;
    *out = value;
    return true;
}

void bench_fail(bench_run *run, const char *why) {
    run->failed = true;
    snprintf(run->note, sizeof run->note, "%s", why);
}

void bench_note(bench_run *run, const char *text) {
    snprintf(run->note, sizeof run->note, "%s", text);
}

void bench_keep(const void *result) {
    // A read that the compiler must not leave out: the result must be there by then.
    (void)*(const volatile unsigned char *)result;
}

static bool bench_is(bench_side side) {
    return side.work != NULL || side.child >= 0;
}

// One pass of a side, in ns per operation; keeps the best. False if a child went away.
static bool bench_pass(bench_run *run, bench_side side, double *best) {
    double value = 0.0;
    if (side.work != NULL) {
        for (int32_t i = 0; i < side.slices; i++) {
            uint64_t begin = ploy_os_clock_ns();
            side.work(side.self);
            double slice = (double)(ploy_os_clock_ns() - begin) / side.operations;
            if (i == 0 || slice < value) value = slice;
        }
    } else if (!bench_ask(run, side, "pass", &value)) {
        return false;
    }
    if (*best == 0.0 || value < *best) *best = value;
    return true;
}

void bench_measure(bench_run *run, bench_side ours, bench_side peer, bench_side floor) {
    double unused = 0.0;
    uint64_t begin = ploy_os_clock_ns();
    // The first pass of each side warms caches and compilers and does not count.
    for (int32_t pass = -1; pass < BENCH_PASSES_MAX; pass++) {
        if (pass >= BENCH_PASSES && ploy_os_clock_ns() - begin >= bench_least_ns) break;
        bench_pass(run, ours, pass < 0 ? &unused : &run->ours);
        if (bench_is(floor)) bench_pass(run, floor, pass < 0 ? &unused : &run->floor);
        if (bench_is(peer) && !bench_pass(run, peer, pass < 0 ? &unused : &run->peer)) {
            snprintf(run->note, sizeof run->note, "the peer stopped answering");
            run->peer = 0.0;
            peer = bench_nothing();
        }
    }
}

// ---- printing ----

static void json_number(ploy_json_writer *json, const char *key, double value) {
    ploy_json_write_key(json, key);
    if (value > 0.0) {
        // Four digits are more than a measurement has.
        char text[32];
        snprintf(text, sizeof text, "%.4g", value);
        ploy_json_write_f64(json, strtod(text, NULL));
    } else {
        ploy_json_write_null(json);
    }
}

static void json_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    if (text != NULL && text[0] != '\0') {
        ploy_json_write_text(json, text);
    } else {
        ploy_json_write_null(json);
    }
}

static ploy_result bench_write(void *user, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, user) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static double bench_ratio(const bench_run *run) {
    return run->peer > 0.0 && run->ours > 0.0 ? run->peer / run->ours : 0.0;
}

static const char *bench_peer_name(const bench_run *run) {
    return run->peer_name[0] != '\0' ? run->peer_name : run->entry->peer_name;
}

static void print_json(const bench_run *run) {
    ploy_writer writer = ploy_writer_make(bench_write, stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_json_write_begin_object(&json);
    json_text(&json, "bench", run->entry->name);
    json_text(&json, "unit", "ns");
    json_number(&json, "ours", run->ours);
    json_text(&json, "peer_name", bench_peer_name(run));
    json_number(&json, "peer", run->peer);
    json_number(&json, "ratio", bench_ratio(run));
    json_text(&json, "floor_name", run->entry->floor_name);
    json_number(&json, "floor", run->floor);
    json_number(&json, "want", run->entry->want);
    if (run->note[0] != '\0') json_text(&json, "note", run->note);
    ploy_json_write_end_object(&json);
    if (ploy_json_writer_finish(&json) == PLOY_OK) printf("\n");
    fflush(stdout);
}

static void print_cell(double value, const char *format) {
    char text[32];
    snprintf(text, sizeof text, format, value);
    printf(" %10s", value > 0.0 ? text : "-");
}

static void print_head(void) {
    printf("%-24s %10s %10s %10s %10s %8s  %s\n", "ns per operation", "ours", "peer", "floor",
           "ratio", "want", "peer and floor");
}

static void print_row(const bench_run *run) {
    printf("%-24s", run->entry->name);
    print_cell(run->ours, "%.4g");
    print_cell(run->peer, "%.4g");
    print_cell(run->floor, "%.4g");
    print_cell(bench_ratio(run), "%.1f");
    char want[16] = "-";
    if (run->entry->want > 0.0) snprintf(want, sizeof want, "%g", run->entry->want);
    printf(" %8s  %s", want, run->entry->peer_name == NULL ? "" : bench_peer_name(run));
    if (run->entry->floor_name != NULL) {
        printf("%s%s", run->entry->peer_name == NULL ? "" : "; ", run->entry->floor_name);
    }
    printf("\n");
    if (run->note[0] != '\0') printf("%24s %s\n", "", run->note);
    fflush(stdout);
}

// ---- selecting ----

// "move.seek" selects "move.seek" and "move.seek/...", not "move.seek.batch".
static bool name_selects(const char *word, const char *name) {
    size_t length = strlen(word);
    return strncmp(word, name, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

static bool is_selected(const char *name, char *const *words, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (name_selects(words[i], name)) return true;
    }
    return count == 0;
}

// The exit status 2 if a word selects nothing, with the nearest name; 0 otherwise.
static int check_words(char *const *words, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const char *nearest = NULL;
        int32_t best = INT32_MAX;
        bool found = false;
        for (const bench_entry *entry = ploy_benches(); entry->name != NULL; entry++) {
            found = found || name_selects(words[i], entry->name);
            int32_t distance = ploy_edit_distance(words[i], entry->name);
            if (distance < best) {
                best = distance;
                nearest = entry->name;
            }
        }
        if (found) continue;
        fprintf(stderr, "ploy: unknown benchmark '%s'", words[i]);
        if (nearest != NULL) fprintf(stderr, " (did you mean '%s'?)", nearest);
        fprintf(stderr, "\n");
        return 2;
    }
    return 0;
}

// What a peer needs to be built. Peers from npm name their package themselves.
static const struct {
    const char *peer; // how its name in the table begins
    const char *package;
} bench_packages[] = {
    {"Boost.Graph", "libboost-dev"},
    {"CGAL", "libcgal-dev"},
    {"CLIPS", "clips"},
    {"Detour", "librecast-dev"},
    {"FANN", "libfann-dev"},
    {"Lua", "liblua5.4-dev"},
    {"OpenCV", "libopencv-imgproc-dev"},
    {"expat", "libexpat1-dev"},
    {"fuzzylite", "libfuzzylite-dev"},
    {"libnoise", "libnoise-dev"},
    {"libtcod", "libtcod-dev"},
};

// A row whose peer did not run says which package brings it.
static void bench_explain(bench_run *run) {
    const char *peer = run->entry->peer_name;
    bool explained = run->note[0] != '\0' && strstr(run->note, BENCH_NOT_BUILT) == NULL;
    if (peer == NULL || run->peer > 0.0 || explained) return;
    for (size_t i = 0; i < sizeof bench_packages / sizeof bench_packages[0]; i++) {
        size_t length = strlen(bench_packages[i].peer);
        if (strncmp(peer, bench_packages[i].peer, length) != 0) continue;
        snprintf(run->note, sizeof run->note,
                 "no peer: %s is not installed: apt-get install %s, then make bench",
                 bench_packages[i].peer, bench_packages[i].package);
        return;
    }
}

// The largest multiple of the floor that a benchmark may cost; 0 if there is no limit.
static double bench_most(const bench_entry *entry) {
    for (const bench_limit *limit = ploy_bench_limits(); limit->name != NULL; limit++) {
        if (name_selects(limit->name, entry->name)) return limit->most;
    }
    return 0.0;
}

// A cost that could not be compared was not held.
static bool bench_within_limit(const bench_run *run) {
    double most = bench_most(run->entry);
    return most == 0.0 || (run->floor > 0.0 && run->ours <= most * run->floor);
}

static void print_help(void) {
    printf("usage: ploy bench [NAME...] [--json] [--check] [--list]\n\n"
           "Measures ploy and its peers alternately in one run: nanoseconds per\n"
           "operation, best of at least %d passes each; ratio = peer / ours.\n"
           "NAME also selects NAME/...\n\n"
           "  --json   print one JSON object per line\n"
           "  --check  exit status 1 if a ratio is below its required minimum, a cost above\n"
           "           its largest multiple of the floor, or one of them is unknown\n"
           "  --list   print only the names\n",
           BENCH_PASSES);
}

static void print_list(const bench_entry *entry, bool json) {
    if (!json) {
        printf("%-24s %s\n", entry->name, entry->help);
        return;
    }
    ploy_writer writer = ploy_writer_make(bench_write, stdout);
    ploy_json_writer out;
    ploy_json_writer_init(&out, &writer, 0);
    ploy_json_write_begin_object(&out);
    json_text(&out, "bench", entry->name);
    json_text(&out, "help", entry->help);
    json_text(&out, "peer_name", entry->peer_name);
    json_text(&out, "floor_name", entry->floor_name);
    json_number(&out, "want", entry->want);
    ploy_json_write_end_object(&out);
    if (ploy_json_writer_finish(&out) == PLOY_OK) printf("\n");
}

static int32_t count_selected(char **words, int32_t count) {
    int32_t selected = 0;
    for (const bench_entry *entry = ploy_benches(); entry->name != NULL; entry++) {
        selected += is_selected(entry->name, words, count);
    }
    return selected;
}

int ploy_bench_main(int argc, char **argv, const bench_watch *watch) {
    bool json = false, check = false, list = false;
    char **words = argv; // options are squeezed out
    int32_t count = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--check") == 0) {
            check = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            list = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return 0;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "ploy: unknown option '%s'; 'ploy bench --help' lists them\n", argv[i]);
            return 2;
        } else {
            words[count++] = argv[i];
        }
    }
    int status = check_words(words, count);
    if (status != 0) return status;
    signal(SIGPIPE, SIG_IGN); // a peer that goes away is a note in its row, not our end
    if (!list && !json) print_head();
    int32_t done = 0, of = count_selected(words, count);
    if (list) watch = NULL;
    for (const bench_entry *entry = ploy_benches(); entry->name != NULL; entry++) {
        if (!is_selected(entry->name, words, count)) continue;
        if (list) {
            print_list(entry, json);
            continue;
        }
        bench_run run;
        memset(&run, 0, sizeof run);
        run.entry = entry;
        if (watch != NULL) watch->at(watch->user, done++, of);
        entry->run(&run);
        for (int32_t i = 0; i < run.child_count; i++) bench_child_stop(&run.children[i]);
        if (watch != NULL) watch->at(watch->user, -1, of);
        bench_explain(&run);
        if (json) {
            print_json(&run);
        } else {
            print_row(&run);
        }
        // A ratio that could not be taken was not held.
        if (check && (run.failed || bench_ratio(&run) < entry->want)) {
            bool unknown = bench_ratio(&run) == 0.0 && run.note[0] != '\0';
            fprintf(stderr, "ploy: %s does not hold its ratio of %g%s%s\n", entry->name,
                    entry->want, unknown ? ": " : "", unknown ? run.note : "");
            status = 1;
        }
        if (check && !bench_within_limit(&run)) {
            fprintf(stderr, "ploy: %s needs %.1f times its floor; at most %g is allowed\n",
                    entry->name, run.floor > 0.0 ? run.ours / run.floor : 0.0, bench_most(entry));
            status = 1;
        }
    }
    return status;
}
