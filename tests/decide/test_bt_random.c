// Random trees with random leaf scripts against a naive recursive interpreter, which visits the
// whole tree from its root in every step. What happens to each leaf must be the same, in order.
#include "ploy/base/rng.h"
#include "tests/decide/bt_script.h"
#include "tests/decide/saved.h"

enum { NAIVE_NODES = 60, NAIVE_LEAVES = 60, NAIVE_LOG = 4000 };

typedef struct naive_leaf {
    char script[8];
    int32_t at, number;
    struct naive_log *log;
} naive_leaf;

typedef struct naive_log {
    char text[NAIVE_LOG];
    int32_t length;
    bool plain; // the leaves are steps alone: no starts and stops are noted
} naive_log;

typedef struct naive_node {
    ploy_bt_kind kind;
    int32_t children[4], count, limit, leaf; // limit: of repeats and parallels
    // state
    bool running;
    int32_t place, tally, answers[4];
    double since;                 // of what looks at the clock
    int32_t order[4], candidates; // of a UtilityFallback
    int32_t score;                // as a child of one
} naive_node;

typedef struct naive_tree {
    bool simple; // of sequences, fallbacks and inverters, now and then a reactive one
    naive_node nodes[NAIVE_NODES];
    int32_t count, leaf_count;
    double now;       // s, which are steps
    int32_t taken[4]; // of the semaphore whose maximum that is
    naive_leaf leaves[NAIVE_LEAVES];
} naive_tree;

static void naive_note(naive_leaf *leaf, char what) {
    naive_log *log = leaf->log;
    if (log->plain && (what == 's' || what == 'f' || what == 'h')) return;
    if (log->length > NAIVE_LOG - 3) return;
    log->text[log->length++] = (char)('0' + leaf->number);
    log->text[log->length++] = what;
}

static char naive_next(naive_leaf *leaf) {
    char letter = leaf->script[leaf->at++];
    if (leaf->script[leaf->at] == 0) leaf->at = 0;
    return letter;
}

// What ends with a run, however it ends.
static void naive_end(naive_tree *tree, naive_node *node) {
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) tree->taken[node->limit]--;
    if (node->kind == PLOY_BT_COOLDOWN) {
        node->tally = 1;
        node->since = tree->now;
    }
}

static void naive_halt(naive_tree *tree, int32_t at) {
    naive_node *node = &tree->nodes[at];
    if (!node->running) return;
    for (int32_t i = 0; i < node->count; i++) naive_halt(tree, node->children[i]);
    if (node->kind == PLOY_BT_LEAF) naive_note(&tree->leaves[node->leaf], 'h');
    if (node->kind == PLOY_BT_REPEAT || node->kind == PLOY_BT_RETRY) node->tally = 0;
    naive_end(tree, node);
    node->running = false;
}

static void naive_halt_others(naive_tree *tree, naive_node *node, int32_t keep) {
    for (int32_t i = 0; i < node->count; i++) {
        if (i != keep) naive_halt(tree, node->children[i]);
    }
}

static char naive_tick(naive_tree *tree, int32_t at);

// Sequences: `on` is what lets them go on, 'S', or 'F' for fallbacks.
static char naive_line(naive_tree *tree, naive_node *node, char on, bool again, bool slow) {
    if (again || (!node->running && node->kind != PLOY_BT_SEQUENCE_WITH_MEMORY)) node->place = 0;
    if (!node->running) node->tally = 1; // all skipped so far
    node->running = true;
    for (int32_t i = node->place; i < node->count; i++) {
        char answer = naive_tick(tree, node->children[i]);
        node->place = i;
        if (again && i == 0) node->tally = 1;
        if (answer != 'K') node->tally = 0;
        if (answer == 'R') {
            if (again) naive_halt_others(tree, node, i);
            return 'R';
        }
        if (answer != 'K' && answer != on) {
            naive_halt_others(tree, node, -1);
            return answer;
        }
        node->place = i + 1;
        if (slow && answer != 'K' && i + 1 < node->count) return 'R';
    }
    node->place = 0;
    return node->tally != 0 ? 'K' : on;
}

static char naive_parallel(naive_tree *tree, naive_node *node) {
    bool all = node->kind == PLOY_BT_PARALLEL_ALL;
    if (!node->running) memset(node->answers, 0, sizeof node->answers);
    node->running = true;
    int32_t good = 0, bad = 0, skipped = 0;
    for (int32_t i = 0; i < node->count; i++) {
        good += node->answers[i] == 'S';
        bad += node->answers[i] == 'F';
    }
    for (int32_t i = 0; i < node->count; i++) {
        if (node->answers[i] != 0) continue;
        char answer = naive_tick(tree, node->children[i]);
        if (answer == 'S' || answer == 'F') node->answers[i] = answer;
        good += answer == 'S';
        bad += answer == 'F';
        skipped += answer == 'K';
        if (all) continue;
        if (good >= node->limit) {
            naive_halt_others(tree, node, -1);
            return 'S';
        }
        if (bad >= 1) { // one failure is the default
            naive_halt_others(tree, node, -1);
            return 'F';
        }
    }
    if (skipped == node->count) return 'K';
    if (all && good + bad + skipped == node->count) return bad >= 1 ? 'F' : 'S';
    return 'R';
}

static char naive_branch(naive_tree *tree, naive_node *node, bool again) {
    if (!node->running || again) node->place = 0;
    node->running = true;
    if (node->place == 0) {
        char answer = naive_tick(tree, node->children[0]);
        if (answer == 'R') return 'R';
        node->place = answer == 'S' ? 1 : 2;
        if (answer == 'K' || node->place >= node->count) {
            naive_halt_others(tree, node, -1);
            return answer;
        }
        naive_halt_others(tree, node, node->place);
    }
    return naive_tick(tree, node->children[node->place]);
}

static char naive_try(naive_tree *tree, naive_node *node) {
    if (!node->running) {
        node->place = 0;
        node->tally = 1; // all skipped so far
    }
    node->running = true;
    while (node->place < node->count - 1) {
        char answer = naive_tick(tree, node->children[node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer == 'R') return 'R';
        node->place = answer == 'F' ? node->count : node->place + 1;
    }
    if (node->place == node->count - 1) return node->tally != 0 ? 'K' : 'S';
    return naive_tick(tree, node->children[node->count - 1]) == 'R' ? 'R' : 'F';
}

static char naive_utility(naive_tree *tree, naive_node *node) {
    if (!node->running) {
        node->place = node->candidates = 0;
        node->tally = 1;
        for (int32_t score = 3; score > 0; score--) {
            for (int32_t i = 0; i < node->count; i++) {
                if (tree->nodes[node->children[i]].score != score) continue;
                node->order[node->candidates++] = node->children[i];
            }
        }
    }
    if (node->candidates == 0) return 'F';
    node->running = true;
    for (; node->place < node->candidates; node->place++) {
        char answer = naive_tick(tree, node->order[node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer == 'R' || answer == 'S') return answer;
    }
    return node->tally != 0 ? 'K' : 'F';
}

// Decorators that decide before their child is asked: 0 if it is to be asked.
static char naive_before(naive_tree *tree, naive_node *node) {
    bool child_runs = tree->nodes[node->children[0]].running;
    bool clocked = node->kind == PLOY_BT_TIMEOUT || node->kind == PLOY_BT_DELAY;
    if (clocked && !node->running) node->since = tree->now;
    bool over = tree->now - node->since >= node->limit;
    switch (node->kind) {
    case PLOY_BT_TIMEOUT:
        if (!node->running || !over) return 0;
        naive_halt(tree, node->children[0]);
        return 'F';
    case PLOY_BT_DELAY: return child_runs || over ? 0 : 'R';
    case PLOY_BT_COOLDOWN: return !node->running && node->tally != 0 && !over ? 'F' : 0;
    case PLOY_BT_PRECONDITION:
        return child_runs || naive_next(&tree->leaves[node->leaf]) == 'S' ? 0 : 'F';
    case PLOY_BT_GATE: return node->limit == 1 ? 'F' : 0;
    case PLOY_BT_SEMAPHORE_GUARD:
        if (node->running) return 0;
        if (tree->taken[node->limit] >= node->limit) return 'F';
        tree->taken[node->limit]++;
        return 0;
    case PLOY_BT_RESTART:
        if (!node->running) node->tally = 0;
        return 0;
    default: return 0;
    }
}

static char naive_inner(naive_tree *tree, naive_node *node) {
    char answer;
    switch (node->kind) {
    case PLOY_BT_ALWAYS_SUCCESS: return 'S';
    case PLOY_BT_ALWAYS_FAILURE: return 'F';
    case PLOY_BT_SLEEP:
        if (!node->running) node->since = tree->now;
        return tree->now - node->since >= node->limit ? 'S' : 'R';
    case PLOY_BT_TRY_CATCH: return naive_try(tree, node);
    case PLOY_BT_UTILITY_FALLBACK: return naive_utility(tree, node);
    case PLOY_BT_SEQUENCE: return naive_line(tree, node, 'S', false, false);
    case PLOY_BT_SEQUENCE_WITH_MEMORY: return naive_line(tree, node, 'S', false, false);
    case PLOY_BT_ASYNC_SEQUENCE: return naive_line(tree, node, 'S', false, true);
    case PLOY_BT_REACTIVE_SEQUENCE: return naive_line(tree, node, 'S', true, false);
    case PLOY_BT_FALLBACK: return naive_line(tree, node, 'F', false, false);
    case PLOY_BT_ASYNC_FALLBACK: return naive_line(tree, node, 'F', false, true);
    case PLOY_BT_REACTIVE_FALLBACK: return naive_line(tree, node, 'F', true, false);
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: return naive_parallel(tree, node);
    case PLOY_BT_IF_THEN_ELSE: return naive_branch(tree, node, false);
    case PLOY_BT_WHILE_DO_ELSE: return naive_branch(tree, node, true);
    default: break;
    }
    bool was_running = node->running;
    char before = naive_before(tree, node);
    if (before != 0) return before;
    if (node->kind == PLOY_BT_RUN_ONCE && node->tally != 0) return 'K';
    if (node->kind == PLOY_BT_LIMIT && !was_running && node->tally++ >= node->limit) return 'F';
    node->running = true;
    do {
        answer = naive_tick(tree, node->children[0]);
        char again = node->kind == PLOY_BT_REPEAT ? 'S' : 'F';
        if (node->kind != PLOY_BT_REPEAT && node->kind != PLOY_BT_RETRY) break;
        if (answer == 'R' || answer == 'K') return answer;
        if (answer == again && ++node->tally < node->limit) continue;
        node->tally = 0;
        return answer;
    } while (true);
    if (answer == 'R') return 'R';
    naive_end(tree, node);
    switch (node->kind) {
    case PLOY_BT_UNTIL_SUCCESS: return answer == 'F' ? 'R' : answer;
    case PLOY_BT_RESTART: return ++node->tally < node->limit ? 'R' : 'S';
    case PLOY_BT_INVERTER: return answer == 'K' ? 'K' : answer == 'S' ? 'F' : 'S';
    case PLOY_BT_FORCE_SUCCESS: return answer == 'K' ? 'K' : 'S';
    case PLOY_BT_FORCE_FAILURE: return answer == 'K' ? 'K' : 'F';
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE: return answer == 'F' ? 'F' : 'R';
    case PLOY_BT_UNTIL_FAIL: return answer == 'K' ? 'K' : answer == 'F' ? 'S' : 'R';
    case PLOY_BT_RUN_ONCE: node->tally = answer != 'K'; return answer;
    default: return answer;
    }
}

static char naive_tick(naive_tree *tree, int32_t at) {
    naive_node *node = &tree->nodes[at];
    char answer;
    if (node->kind == PLOY_BT_LEAF) {
        naive_leaf *leaf = &tree->leaves[node->leaf];
        if (!node->running) naive_note(leaf, 's');
        answer = naive_next(leaf);
        naive_note(leaf, answer);
        if (answer != 'R') naive_note(leaf, 'f');
    } else {
        answer = naive_inner(tree, node);
    }
    node->running = answer == 'R';
    return answer;
}

// ---- the same tree as ours ----

static ploy_result random_start(ploy_bt_call *call) {
    naive_note(call->user, 's');
    return PLOY_OK;
}

static ploy_result random_step(ploy_bt_call *call, ploy_status *status) {
    char answer = naive_next(call->user);
    naive_note(call->user, answer);
    *status = answer == 'S'   ? PLOY_STATUS_SUCCESS
              : answer == 'F' ? PLOY_STATUS_FAILURE
              : answer == 'R' ? PLOY_STATUS_RUNNING
                              : PLOY_STATUS_SKIPPED;
    return PLOY_OK;
}

static void random_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    naive_note(call->user, reason == PLOY_EXIT_FINISHED ? 'f' : 'h');
}

static const ploy_bt_leaf random_leaf = {
    .name = "random", .start = random_start, .step = random_step, .stop = random_stop};

static const ploy_bt_leaf random_plain_leaf = {.name = "plain", .step = random_step};

// A script of up to six of the ten letters.
static int32_t random_script(naive_tree *tree, ploy_rng *rng, const char *ten) {
    naive_leaf *leaf = &tree->leaves[tree->leaf_count];
    memset(leaf, 0, sizeof *leaf);
    leaf->number = tree->leaf_count;
    int32_t letters = ploy_rng_int(rng, 1, 6);
    for (int32_t i = 0; i < letters; i++) leaf->script[i] = ten[ploy_rng_int(rng, 0, 9)];
    return tree->leaf_count++;
}

static int32_t random_grow(naive_tree *tree, ploy_rng *rng, int32_t depth) {
    static const ploy_bt_kind kinds[] = {
        PLOY_BT_SEQUENCE,
        PLOY_BT_SEQUENCE_WITH_MEMORY,
        PLOY_BT_ASYNC_SEQUENCE,
        PLOY_BT_REACTIVE_SEQUENCE,
        PLOY_BT_FALLBACK,
        PLOY_BT_ASYNC_FALLBACK,
        PLOY_BT_REACTIVE_FALLBACK,
        PLOY_BT_PARALLEL,
        PLOY_BT_PARALLEL_ALL,
        PLOY_BT_IF_THEN_ELSE,
        PLOY_BT_WHILE_DO_ELSE,
        PLOY_BT_INVERTER,
        PLOY_BT_FORCE_SUCCESS,
        PLOY_BT_FORCE_FAILURE,
        PLOY_BT_REPEAT,
        PLOY_BT_RETRY,
        PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE,
        PLOY_BT_UNTIL_FAIL,
        PLOY_BT_RUN_ONCE,
        PLOY_BT_LIMIT,
        PLOY_BT_TRY_CATCH,
        PLOY_BT_UTILITY_FALLBACK,
        PLOY_BT_UNTIL_SUCCESS,
        PLOY_BT_RESTART,
        PLOY_BT_TIMEOUT,
        PLOY_BT_DELAY,
        PLOY_BT_COOLDOWN,
        PLOY_BT_PRECONDITION,
        PLOY_BT_SEMAPHORE_GUARD,
        PLOY_BT_GATE,
        PLOY_BT_SUBTREE,
    };
    int32_t at = tree->count++;
    naive_node *node = &tree->nodes[at];
    memset(node, 0, sizeof *node);
    if (depth == 0 || tree->count > NAIVE_NODES - 16 || ploy_rng_chance(rng, 0.25f)) {
        static const ploy_bt_kind quiet[] = {PLOY_BT_ALWAYS_SUCCESS, PLOY_BT_ALWAYS_FAILURE,
                                             PLOY_BT_SLEEP};
        node->kind = PLOY_BT_LEAF;
        node->limit = ploy_rng_int(rng, 1, 3);
        node->score = ploy_rng_int(rng, 0, 3);
        if (!tree->simple && ploy_rng_chance(rng, 0.1f)) {
            node->kind = quiet[ploy_rng_int(rng, 0, 2)];
        } else {
            node->leaf = random_script(tree, rng, "SSSFFFRRRK");
        }
        return at;
    }
    static const ploy_bt_kind simple[] = {
        PLOY_BT_SEQUENCE, PLOY_BT_FALLBACK, PLOY_BT_SEQUENCE,         PLOY_BT_FALLBACK,
        PLOY_BT_INVERTER, PLOY_BT_INVERTER, PLOY_BT_REACTIVE_FALLBACK};
    node->kind = tree->simple ? simple[ploy_rng_int(rng, 0, (int32_t)COUNT_OF(simple) - 1)]
                              : kinds[ploy_rng_int(rng, 0, (int32_t)COUNT_OF(kinds) - 1)];
    bool branch = node->kind == PLOY_BT_IF_THEN_ELSE || node->kind == PLOY_BT_WHILE_DO_ELSE;
    int32_t children = node->kind >= PLOY_BT_INVERTER    ? 1
                       : branch                          ? ploy_rng_int(rng, 2, 3)
                       : node->kind == PLOY_BT_TRY_CATCH ? ploy_rng_int(rng, 2, 4)
                                                         : ploy_rng_int(rng, 1, 4);
    node->limit =
        node->kind == PLOY_BT_PARALLEL ? ploy_rng_int(rng, 1, children) : ploy_rng_int(rng, 1, 3);
    node->count = children;
    node->score = ploy_rng_int(rng, 0, 3);
    if (node->kind == PLOY_BT_PRECONDITION) node->leaf = random_script(tree, rng, "SSSSSFFFFF");
    for (int32_t i = 0; i < children; i++) {
        int32_t child = random_grow(tree, rng, depth - 1);
        tree->nodes[at].children[i] = child;
    }
    return at;
}

static float random_score(ploy_bt_call *call) {
    const naive_node *node = call->user;
    return (float)node->score;
}

static bool random_test(ploy_bt_call *call) {
    return naive_next(call->user) == 'S';
}

static ploy_bt_node_def random_def(naive_tree *tree, const naive_node *node) {
    static const char *const semaphores[] = {"", "one", "two", "three"};
    ploy_bt_node_def def = ploy_bt_node_make(node->kind, NULL);
    switch (node->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
    case PLOY_BT_PARALLEL:
    case PLOY_BT_RESTART:
    case PLOY_BT_LIMIT: def.count = node->limit; break;
    case PLOY_BT_SEMAPHORE_GUARD:
        def.count = node->limit;
        def.text = semaphores[node->limit];
        break;
    case PLOY_BT_PRECONDITION:
        def.condition = ploy_bt_condition_call(random_test, &tree->leaves[node->leaf]);
        break;
    case PLOY_BT_GATE: def.flag = node->limit != 1; break;
    default: def.seconds = node->limit; break;
    }
    return def;
}

// A SubTree is built for itself and copied in.
static void random_build(naive_tree *tree, int32_t at, bool plain, ploy_bt_builder *builder) {
    naive_node *node = &tree->nodes[at];
    const ploy_bt_leaf *leaf = plain ? &random_plain_leaf : &random_leaf;
    bool leafless = node->count == 0;
    if (node->kind == PLOY_BT_LEAF) {
        ploy_bt_add_leaf(builder, leaf, NULL, &tree->leaves[node->leaf], NULL, 0);
    } else if (node->kind == PLOY_BT_SUBTREE) {
        ploy_env env = ploy_env_default();
        ploy_bt_builder *inner = NULL;
        ploy_bt *bt = NULL;
        (void)ploy_bt_builder_create("inner", NULL, &env, &inner);
        random_build(tree, node->children[0], plain, inner);
        (void)ploy_bt_build(inner, NULL, &bt);
        ploy_bt_add_subtree(builder, bt, NULL, NULL, 0, false);
        ploy_bt_destroy(bt);
        ploy_bt_builder_destroy(inner);
        leafless = true;
    } else {
        ploy_bt_node_def def = random_def(tree, node);
        (void)(leafless ? ploy_bt_add_node(builder, &def) : ploy_bt_open_node(builder, &def));
    }
    if (!tree->simple) ploy_bt_score(builder, random_score, node);
    if (leafless) return;
    for (int32_t i = 0; i < node->count; i++) {
        random_build(tree, node->children[i], plain, builder);
    }
    ploy_bt_close(builder);
}

static void random_set_log(naive_tree *tree, naive_log *log) {
    log->length = 0;
    for (int32_t i = 0; i < tree->leaf_count; i++) tree->leaves[i].log = log;
}

static uint64_t random_hash(const ploy_bt_instance *instance) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_bt_instance_describe(instance, &out);
    return ploy_hash_sink_result(&sink);
}

// Plain sub-trees are asked another way while nobody looks on: with a budget nobody could use up
// they are walked through node by node. What is described afterwards must be the same.
TEST(looking_on_changes_nothing_in_plain_trees) {
    static naive_tree alone, watched;
    static naive_log first, second;
    for (int64_t round = 0; round < test_rounds(3000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        alone.count = alone.leaf_count = 0;
        alone.simple = true;
        random_grow(&alone, &rng, 5);
        watched = alone;
        first.plain = second.plain = true;
        bt_bench one, other;
        bt_bench_begin(t, &one, NULL);
        bt_bench_begin(t, &other, NULL);
        random_build(&alone, 0, true, one.builder);
        random_build(&watched, 0, true, other.builder);
        bt_bench_build(t, &one);
        bt_bench_build(t, &other);
        for (int32_t step = 0; step < 12; step++) {
            ploy_budget budget = ploy_budget_units(1000000);
            random_set_log(&alone, &first);
            random_set_log(&watched, &second);
            other.context.budget = &budget;
            CHECK_INT(bt_bench_step(&one), bt_bench_step(&other));
            first.text[first.length] = second.text[second.length] = 0;
            CHECK_TEXT(first.text, second.text);
            CHECK_UINT(random_hash(one.instance), random_hash(other.instance));
        }
        bt_bench_end(&one);
        bt_bench_end(&other);
    }
}

// A random tree, twice, and the bench that runs the second one.
static void random_open(test_context *t, int64_t round, naive_tree *naive, naive_tree *ours,
                        bool plain, bt_bench *bench) {
    ploy_rng rng = ploy_rng_make((uint64_t)round);
    naive->count = naive->leaf_count = 0;
    memset(naive->taken, 0, sizeof naive->taken);
    naive->simple = round % 5 == 0;
    random_grow(naive, &rng, 4);
    *ours = *naive;
    bt_bench_begin(t, bench, NULL);
    random_build(ours, 0, plain, bench->builder);
    bt_bench_build(t, bench);
}

// Saves the bench's tree and takes it up in a fresh instance.
static void random_reload(test_context *t, bt_bench *bench) {
    ploy_json *doc = saved_take(t, ploy_bt_instance_behavior(bench->instance), &bench->env);
    ploy_bt_instance_destroy(bench->instance);
    ploy_bt_instance_def plain = ploy_bt_instance_def_default();
    CHECK_OK(ploy_bt_instance_create(&plain, bench->bt, bench->semaphores, &bench->env,
                                     &bench->instance));
    CHECK_INT(saved_give(t, ploy_bt_instance_behavior(bench->instance), &bench->context, doc,
                         &bench->env),
              0);
}

TEST(a_saved_tree_goes_on_as_a_naive_interpreter_does_that_was_never_saved) {
    static naive_tree naive, ours;
    static naive_log want, got, unheard;
    for (int64_t round = 0; round < test_rounds(1500); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        random_open(t, round, &naive, &ours, want.plain, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            naive.now = bench.context.now = step;
            CHECK_INT(bt_bench_step(&bench), naive_tick(&naive, 0));
            want.text[want.length] = got.text[got.length] = 0;
            CHECK_TEXT(got.text, want.text);
            random_set_log(&ours, &unheard); // the old instance stops its leaves when it goes
            uint64_t hash = random_hash(bench.instance);
            random_reload(t, &bench);
            CHECK_UINT(random_hash(bench.instance), hash);
        }
        bt_bench_end(&bench);
    }
}

TEST(random_trees_do_what_a_naive_interpreter_does) {
    static naive_tree naive, ours;
    static naive_log want, got;
    for (int64_t round = 0; round < test_rounds(20000); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        random_open(t, round, &naive, &ours, want.plain, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            naive.now = step;
            char answer = naive_tick(&naive, 0);
            // In half of the rounds the budget cuts our steps into pieces.
            char mine = 'R';
            int32_t pieces = 0;
            do {
                ploy_budget budget = ploy_budget_units(round % 2 == 0 ? 1000000 : 1 + step % 3);
                bench.context.budget = round % 4 == 0 ? NULL : &budget;
                bench.context.now = step;
                mine = bt_bench_step(&bench);
                pieces++;
                if (mine != 'R' || !ploy_budget_empty(&budget)) break;
                // Empty: cut off, or done with the last unit. The cursor tells which.
            } while (round % 2 == 1 && got.length < want.length && pieces < 1000);
            want.text[want.length] = got.text[got.length] = 0;
            if (round % 2 == 0) {
                CHECK_TEXT(got.text, want.text);
                CHECK_INT(mine, answer);
            } else {
                CHECK_TEXT(got.text, want.text);
                break; // one step in pieces; after it the two may be out of phase
            }
            if (step == 8) { // halted at the same time, they stay together
                random_set_log(&naive, &want);
                random_set_log(&ours, &got);
                naive_halt(&naive, 0);
                bench.context.now = step; // the bench's clock has gone on
                ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
                want.text[want.length] = got.text[got.length] = 0;
                CHECK_TEXT(got.text, want.text);
            }
        }
        bench.context.budget = NULL;
        bt_bench_end(&bench);
    }
}
