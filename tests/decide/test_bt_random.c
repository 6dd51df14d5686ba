// Random trees with random leaf scripts against a naive recursive interpreter, which visits the
// whole tree from its root in every step. What happens to each leaf must be the same, in order.
#include <stdio.h>

#include "tests/decide/bt_naive.h"
#include "tests/decide/bt_script.h"
#include "tests/decide/saved.h"

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

typedef struct random_place_kept {
    int32_t place;
    bool ran;
    char reserved[3];
} random_place_kept;

static ploy_result random_choose(ploy_bt_call *call, int32_t child, ploy_status answer,
                                 int32_t *next, ploy_status *status) {
    random_place_kept *kept = call->state;
    ploy_bt_node_info info;
    ploy_result result = ploy_bt_node_at(ploy_bt_instance_bt(call->instance), call->node, &info);
    if (child >= 0) {
        kept->ran = kept->ran || answer != PLOY_STATUS_SKIPPED;
        *status = answer;
        if (answer == PLOY_STATUS_RUNNING || answer == PLOY_STATUS_FAILURE) return result;
        kept->place++;
    }
    *status = kept->ran ? PLOY_STATUS_SUCCESS : PLOY_STATUS_SKIPPED;
    *next = info.children - 1 - kept->place;
    return result;
}

static const ploy_bt_leaf random_control = {.name = "reverse",
                                            .start = random_start,
                                            .stop = random_stop,
                                            .choose = random_choose,
                                            .state_size = sizeof(random_place_kept)};

// The same as a behavior.
static ploy_result random_behave(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_bt_call call = {context, NULL, 0, self, NULL};
    return random_step(&call, status);
}

static ploy_result random_enter(void *self, ploy_step_context *context) {
    (void)context;
    naive_note(self, 's');
    return PLOY_OK;
}

static void random_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    naive_note(self, reason == PLOY_EXIT_FINISHED ? 'f' : 'h');
}

static const ploy_behavior_type random_behavior = {
    .name = "random", .enter = random_enter, .step = random_behave, .exit = random_exit};

static ploy_result random_make(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    out->type = &random_behavior;
    out->self = user;
    return PLOY_OK;
}

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

// The keys that a node sees: one of them may be a scope's own.
typedef struct random_place {
    int32_t slots[NAIVE_KEYS];
    int32_t region; // the SubTree around it, or -1
} random_place;

static int32_t random_grow(naive_tree *tree, ploy_rng *rng, int32_t depth, random_place place) {
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
        PLOY_BT_SWITCH,
        PLOY_BT_LOOP,
        PLOY_BT_SKIP_UNLESS_UPDATED,
        PLOY_BT_WAIT_VALUE_UPDATE,
        PLOY_BT_HOLD,
        PLOY_BT_INTERRUPTER,
        PLOY_BT_BLACKBOARD_SCOPE,
        PLOY_BT_CONTROL,
        PLOY_BT_RANDOM_SELECTOR, // what draws numbers stands last
        PLOY_BT_SHUFFLED_SEQUENCE,
        PLOY_BT_SHUFFLED_FALLBACK,
    };
    enum { DRAWING = 3 };
    int32_t at = tree->count++;
    naive_node *node = &tree->nodes[at];
    memset(node, 0, sizeof *node);
    node->key = place.slots[ploy_rng_int(rng, 0, NAIVE_KEYS - 1)];
    node->region = place.region;
    if (depth == 0 || tree->count > NAIVE_NODES - 16 || ploy_rng_chance(rng, 0.25f)) {
        static const ploy_bt_kind quiet[] = {PLOY_BT_ALWAYS_SUCCESS,
                                             PLOY_BT_ALWAYS_FAILURE,
                                             PLOY_BT_SLEEP,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_UNSET_BLACKBOARD,
                                             PLOY_BT_WAS_ENTRY_UPDATED,
                                             PLOY_BT_CONDITION,
                                             PLOY_BT_SIGNAL,
                                             PLOY_BT_SIGNAL,
                                             PLOY_BT_SIGNAL};
        node->kind = PLOY_BT_LEAF;
        node->limit = ploy_rng_int(rng, 1, 3);
        node->score = ploy_rng_int(rng, 0, 3);
        bool simple = tree->taste == TASTE_SIMPLE;
        if (!simple && ploy_rng_chance(rng, tree->taste == TASTE_ALL ? 0.25f : 0.5f)) {
            node->kind = quiet[ploy_rng_int(rng, 0, (int32_t)COUNT_OF(quiet) - 1)];
            node->result = "SFK"[ploy_rng_int(rng, 0, 2)];
        } else {
            if (!simple && !tree->saved && ploy_rng_chance(rng, 0.1f)) {
                node->kind = PLOY_BT_BEHAVIOR;
            }
            node->leaf = random_script(tree, rng, "SSSFFFRRRK");
        }
        return at;
    }
    static const ploy_bt_kind simple[] = {
        PLOY_BT_SEQUENCE, PLOY_BT_FALLBACK, PLOY_BT_SEQUENCE,         PLOY_BT_FALLBACK,
        PLOY_BT_INVERTER, PLOY_BT_INVERTER, PLOY_BT_REACTIVE_FALLBACK};
    static const ploy_bt_kind listening[] = {
        PLOY_BT_PARALLEL, PLOY_BT_PARALLEL_ALL, PLOY_BT_INTERRUPTER, PLOY_BT_INTERRUPTER,
        PLOY_BT_HOLD,     PLOY_BT_GATE,         PLOY_BT_SEQUENCE,    PLOY_BT_REACTIVE_SEQUENCE};
    static const ploy_bt_kind watching[] = {PLOY_BT_BLACKBOARD_SCOPE,
                                            PLOY_BT_WAIT_VALUE_UPDATE,
                                            PLOY_BT_SKIP_UNLESS_UPDATED,
                                            PLOY_BT_SWITCH,
                                            PLOY_BT_LOOP,
                                            PLOY_BT_SEQUENCE,
                                            PLOY_BT_FALLBACK,
                                            PLOY_BT_PARALLEL_ALL};
    static const struct {
        const ploy_bt_kind *kinds;
        int32_t count;
    } tastes[] = {{kinds, COUNT_OF(kinds)},
                  {simple, COUNT_OF(simple)},
                  {listening, COUNT_OF(listening)},
                  {watching, COUNT_OF(watching)}};
    int32_t last = tastes[tree->taste].count - 1;
    if (tree->taste == TASTE_ALL && tree->cut) last -= DRAWING;
    node->kind = tastes[tree->taste].kinds[ploy_rng_int(rng, 0, last)];
    bool branch = node->kind == PLOY_BT_IF_THEN_ELSE || node->kind == PLOY_BT_WHILE_DO_ELSE;
    int32_t children = node->kind >= PLOY_BT_INVERTER    ? 1
                       : branch                          ? ploy_rng_int(rng, 2, 3)
                       : node->kind == PLOY_BT_TRY_CATCH ? ploy_rng_int(rng, 2, 4)
                       : node->kind == PLOY_BT_SWITCH    ? ploy_rng_int(rng, 2, 4)
                                                         : ploy_rng_int(rng, 1, 4);
    node->limit =
        node->kind == PLOY_BT_PARALLEL ? ploy_rng_int(rng, 1, children) : ploy_rng_int(rng, 1, 3);
    node->count = children;
    node->score = ploy_rng_int(rng, 0, 3);
    if (node->kind == PLOY_BT_BLACKBOARD_SCOPE) {
        place.slots[NAIVE_KEYS - 1] = node->own = tree->slot_count++;
    }
    if (node->kind == PLOY_BT_SUBTREE) place.region = at;
    if (node->kind == PLOY_BT_CONTROL) node->leaf = random_script(tree, rng, "SSSSSSSSSS");
    if (node->kind == PLOY_BT_PRECONDITION) node->leaf = random_script(tree, rng, "SSSSSFFFFF");
    for (int32_t i = 0; i < children; i++) {
        int32_t child = random_grow(tree, rng, depth - 1, place);
        tree->nodes[at].children[i] = child;
    }
    return at;
}

static bool random_listens(const naive_tree *tree, int32_t at, int32_t region) {
    ploy_bt_kind kind = tree->nodes[at].kind;
    return tree->nodes[at].region == region &&
           (kind == PLOY_BT_INTERRUPTER || kind == PLOY_BT_HOLD || kind == PLOY_BT_GATE ||
            kind == PLOY_BT_LIMIT);
}

// A tree, and for each Signal a node of the same sub-tree that listens; without any it is quiet.
static void random_tree(naive_tree *tree, ploy_rng *rng, int32_t depth) {
    random_place place = {{0, 1, 2}, -1};
    tree->count = tree->leaf_count = 0;
    tree->slot_count = NAIVE_KEYS;
    tree->draws = 0;
    memset(tree->taken, 0, sizeof tree->taken);
    memset(tree->slots, 0, sizeof tree->slots);
    random_grow(tree, rng, depth, place);
    for (int32_t i = 0; i < tree->count; i++) {
        naive_node *node = &tree->nodes[i];
        if (node->kind != PLOY_BT_SIGNAL) continue;
        int32_t found = 0;
        for (int32_t k = 0; k < tree->count; k++) {
            if (!random_listens(tree, k, node->region)) continue;
            if (ploy_rng_int(rng, 0, found++) == 0) node->target = k;
        }
        if (found == 0) node->kind = PLOY_BT_ALWAYS_SUCCESS;
    }
}

static float random_score(void *user, const ploy_moment *moment, const float *args) {
    const naive_node *node = user;
    (void)moment, (void)args;
    return (float)node->score;
}

static bool random_test(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return naive_next(user) == 'S';
}

// The layouts of the boards: of the tree and its sub-trees, and of each scope.
typedef struct random_boards {
    ploy_blackboard_layout *main, *scope;
} random_boards;

static const char *const random_names[NAIVE_KEYS] = {"k0", "k1", "k2"};

static void random_boards_open(test_context *t, random_boards *boards) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_key keys[NAIVE_KEYS];
    memset(keys, 0, sizeof keys);
    for (int32_t i = 0; i < NAIVE_KEYS; i++) {
        keys[i].name = random_names[i];
        keys[i].type = PLOY_VALUE_I64;
    }
    CHECK_OK(ploy_blackboard_layout_create(keys, NAIVE_KEYS, "main", &env, NULL, &boards->main));
    CHECK_OK(ploy_blackboard_layout_create(&keys[NAIVE_KEYS - 1], 1, "scope", &env, NULL,
                                           &boards->scope));
}

static void random_boards_close(random_boards *boards) {
    ploy_blackboard_layout_destroy(boards->scope);
    ploy_blackboard_layout_destroy(boards->main);
}

// What a def points to.
typedef struct random_texts {
    char name[16], target[16], condition[32];
    ploy_value values[4];
} random_texts;

static ploy_bt_node_def random_def(naive_tree *tree, const naive_node *node,
                                   const random_boards *boards, ploy_conditions *set,
                                   random_texts *texts) {
    static const char *const semaphores[] = {"", "one", "two", "three"};
    snprintf(texts->name, sizeof texts->name, "n%d", (int)(node - tree->nodes));
    snprintf(texts->target, sizeof texts->target, "n%d", node->target);
    ploy_bt_node_def def = ploy_bt_node_make(node->kind, texts->name);
    def.key = random_names[node->key < NAIVE_KEYS ? node->key : NAIVE_KEYS - 1];
    def.values = texts->values;
    switch (node->kind) {
    case PLOY_BT_SWITCH:
        def.value_count = node->count - 1;
        for (int32_t i = 0; i < 4; i++) texts->values[i] = ploy_value_i64(i);
        break;
    case PLOY_BT_LOOP:
        def.value_count = node->limit;
        for (int32_t i = 0; i < 4; i++) texts->values[i] = ploy_value_i64((i + 1) % NAIVE_KEYS);
        break;
    case PLOY_BT_SET_BLACKBOARD:
        def.value_count = 1;
        texts->values[0] = ploy_value_i64(node->limit);
        break;
    case PLOY_BT_CONDITION:
        snprintf(texts->condition, sizeof texts->condition, "%s == %d", def.key, (int)node->limit);
        def.condition = ploy_bt_condition_text(texts->condition);
        break;
    case PLOY_BT_SIGNAL:
        def.text = texts->target;
        def.result = node->result == 'S'   ? PLOY_STATUS_SUCCESS
                     : node->result == 'F' ? PLOY_STATUS_FAILURE
                                           : PLOY_STATUS_SKIPPED;
        break;
    case PLOY_BT_BLACKBOARD_SCOPE: def.layout = boards->scope; break;
    case PLOY_BT_RANDOM_SELECTOR:
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
        def.condition = ploy_bt_condition_of(
            set, ploy_condition_call(set, "test", random_test, &tree->leaves[node->leaf]));
        break;
    case PLOY_BT_GATE: def.flag = node->limit != 1; break;
    default: def.seconds = node->limit; break;
    }
    return def;
}

// A SubTree is built for itself and copied in.
static void random_build(naive_tree *tree, int32_t at, bool plain, const random_boards *boards,
                         ploy_conditions *set, ploy_bt_builder *builder) {
    naive_node *node = &tree->nodes[at];
    const ploy_bt_leaf *leaf = plain ? &random_plain_leaf : &random_leaf;
    bool leafless = node->count == 0;
    if (node->kind == PLOY_BT_LEAF) {
        ploy_bt_builder_add_leaf(builder, leaf, NULL, &tree->leaves[node->leaf], NULL, 0);
    } else if (node->kind == PLOY_BT_BEHAVIOR) {
        ploy_bt_builder_add_behavior(
            builder, NULL, ploy_maker_of(random_make, &tree->leaves[node->leaf]), node->limit == 1);
    } else if (node->kind == PLOY_BT_CONTROL) {
        ploy_bt_builder_open_control(builder, &random_control, NULL, &tree->leaves[node->leaf],
                                     NULL, 0);
    } else if (node->kind == PLOY_BT_SUBTREE) {
        ploy_env env = ploy_env_default();
        ploy_bt_builder *inner = NULL;
        ploy_bt *bt = NULL;
        ploy_bt_bind binds[NAIVE_KEYS];
        memset(binds, 0, sizeof binds);
        for (int32_t i = 0; i < NAIVE_KEYS; i++) {
            binds[i].port = binds[i].key = random_names[i];
        }
        (void)ploy_bt_builder_create("inner", boards->main, &env, &inner);
        random_build(tree, node->children[0], plain, boards, set, inner);
        (void)ploy_bt_builder_build(inner, NULL, &bt);
        ploy_bt_builder_add_subtree(builder, bt, NULL, binds, NAIVE_KEYS, false);
        ploy_bt_destroy(bt);
        ploy_bt_builder_destroy(inner);
        leafless = true;
    } else {
        random_texts texts;
        ploy_bt_node_def def = random_def(tree, node, boards, set, &texts);
        (void)(leafless ? ploy_bt_builder_add_node(builder, &def)
                        : ploy_bt_builder_open_node(builder, &def));
    }
    if (tree->taste != TASTE_SIMPLE) {
        ploy_bt_builder_score(builder, set, ploy_score_call(set, "score", random_score, node));
    }
    if (leafless) return;
    for (int32_t i = 0; i < node->count; i++) {
        random_build(tree, node->children[i], plain, boards, set, builder);
    }
    ploy_bt_builder_close(builder);
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
    for (int64_t round = 0; round < test_rounds(1500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        alone.taste = TASTE_SIMPLE;
        random_tree(&alone, &rng, 5);
        watched = alone;
        first.plain = second.plain = true;
        bt_bench one, other;
        bt_bench_begin(t, &one, NULL);
        bt_bench_begin(t, &other, NULL);
        random_build(&alone, 0, true, NULL, one.set, one.builder);
        random_build(&watched, 0, true, NULL, other.set, other.builder);
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

// A random tree, twice, and the bench that runs the second one on a board of its own.
static void random_open(test_context *t, int64_t round, naive_tree *naive, naive_tree *ours,
                        bool plain, const random_boards *boards, bt_bench *bench) {
    ploy_rng rng = ploy_rng_make((uint64_t)round);
    static const naive_taste tastes[] = {TASTE_SIMPLE, TASTE_ALL, TASTE_LISTENING, TASTE_ALL,
                                         TASTE_WATCHING};
    naive->taste = tastes[round % 5];
    random_tree(naive, &rng, 4);
    *ours = *naive;
    bt_bench_begin(t, bench, boards->main);
    random_build(ours, 0, plain, boards, bench->set, bench->builder);
    bt_bench_build(t, bench);
    CHECK_OK(ploy_blackboard_create(boards->main, &bench->env, &bench->context.blackboard));
    ploy_bt_node_info root;
    CHECK_OK(ploy_bt_node_at(bench->bt, 0, &root));
    naive->key = ploy_rng_key_split(bench->context.key, root.id);
}

static void random_close(bt_bench *bench) {
    ploy_blackboard *board = bench->context.blackboard;
    bt_bench_end(bench);
    ploy_blackboard_destroy(board);
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
    random_boards boards;
    random_boards_open(t, &boards);
    naive.cut = false;
    naive.saved = true;
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        random_open(t, round, &naive, &ours, want.plain, &boards, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            bench.context.now = step;
            char answer = naive_step(&naive, bench.context.tick, step);
            CHECK_INT(bt_bench_step(&bench), answer);
            want.text[want.length] = got.text[got.length] = 0;
            CHECK_TEXT(got.text, want.text);
            random_set_log(&ours, &unheard); // the old instance stops its leaves when it goes
            uint64_t hash = random_hash(bench.instance);
            random_reload(t, &bench);
            // Boards of the tree's own count their changes anew, which their description tells.
            bool scopes = naive.slot_count > NAIVE_KEYS;
            if (!scopes) CHECK_UINT(random_hash(bench.instance), hash);
        }
        random_close(&bench);
    }
    random_boards_close(&boards);
}

TEST(random_trees_do_what_a_naive_interpreter_does) {
    static naive_tree naive, ours;
    static naive_log want, got;
    random_boards boards;
    random_boards_open(t, &boards);
    naive.saved = false;
    for (int64_t round = 0; round < test_rounds(6000); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        naive.cut = round % 2 == 1;
        random_open(t, round, &naive, &ours, want.plain, &boards, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            char answer = naive_step(&naive, bench.context.tick, step);
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
        random_close(&bench);
    }
    random_boards_close(&boards);
}
