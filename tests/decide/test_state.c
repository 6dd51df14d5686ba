// Every decision technique names each field of its state in one visitor.
#include "tests/state.h"

#include "tests/decide/nest.h"

typedef struct mind {
    nest n;
    ploy_maker maker;
    ploy_behavior behavior;
    ploy_blackboard *board;
    ploy_arena *scratch;
    ploy_step_context context;
} mind;

// A mind that has not been entered; it alone is made with the env.
static void mind_make(test_context *t, mind *m, const ploy_blackboard_layout *layout,
                      ploy_maker maker, const ploy_env *env) {
    ploy_env plain = ploy_env_default();
    memset(&m->context, 0, sizeof m->context);
    m->maker = maker;
    CHECK_OK(ploy_blackboard_create(layout, &plain, &m->board));
    CHECK_OK(ploy_arena_create(1024, 0, &plain, &m->scratch));
    CHECK_OK(ploy_maker_make(maker, env, &m->behavior));
    m->context.blackboard = m->board;
    m->context.scratch = m->scratch;
    m->context.dt = 0.125f;
    m->context.agent = ploy_agent_id_make(3, 1);
}

// A mind around the probe after some steps.
static void mind_open(test_context *t, mind *m, const nest_technique *technique,
                      const ploy_env *env) {
    ploy_env plain = ploy_env_default();
    ploy_status status = PLOY_STATUS_RUNNING;
    CHECK_OK(nest_begin(&m->n, &plain));
    ploy_maker maker = technique->make(&m->n, ploy_function_maker(&m->n.probe), false);
    CHECK_OK(m->n.result);
    mind_make(t, m, m->n.layout, maker, env);
    CHECK_OK(ploy_behavior_enter(m->behavior, &m->context));
    for (int32_t i = 0; i < 4; i++) {
        m->context.tick++;
        m->context.now += 0.125;
        CHECK_OK(ploy_behavior_step(m->behavior, &m->context, &status));
        CHECK_OK(ploy_behavior_commit(m->behavior, &m->context));
        ploy_arena_reset(m->scratch);
    }
}

static void mind_destroy(mind *m) {
    ploy_behavior_exit(m->behavior, &m->context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(m->behavior);
    ploy_arena_destroy(m->scratch);
    ploy_blackboard_destroy(m->board);
}

static void mind_close(mind *m) {
    mind_destroy(m);
    nest_end(&m->n);
}

static state_check mind_check(mind *m) {
    state_check s = {m->behavior.type->visit, m->behavior.self, &m->context, NULL, NULL};
    return s;
}

TEST(the_visitor_of_every_technique_covers_its_state) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        mind m;
        t->row = nest_techniques[i].name;
        mind_open(t, &m, &nest_techniques[i], &env);
        CHECK(m.behavior.type->visit != NULL);
        state_check s = mind_check(&m);
        state_check_cover(t, &s);
        mind_close(&m);
    }
}

TEST(every_technique_reports_its_memory) {
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        mind m;
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        t->row = nest_techniques[i].name;
        mind_open(t, &m, &nest_techniques[i], &env);
        state_check s = mind_check(&m);
        state_check_memory(t, &s, &counts);
        mind_close(&m);
    }
}

// Hashes every described value, notes included.
static void whole_begin(void *user, const char *name, ploy_id owner) {
    const ploy_describe *out = user;
    out->begin(out->user, name, owner);
}

static void whole_end(void *user) {
    const ploy_describe *out = user;
    out->end(out->user);
}

static void whole_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    const ploy_describe *out = user;
    out->value(out->user, name, mark == PLOY_NOTE ? PLOY_STATE : mark, value);
}

static uint64_t whole_hash(const state_check *s) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe inner = ploy_hash_sink_describe(&sink);
    ploy_describe out = {whole_begin, whole_end, whole_value, &inner};
    ploy_visit_describe(s->visit, s->object, s->context, &out);
    return ploy_hash_sink_result(&sink);
}

// Loads a text into another mind of the same definition, one that was not entered, at the same time.
// hashes: of its state, then of all that it describes.
static ploy_result mind_load(test_context *t, const mind *m, const char *text, uint64_t hashes[2],
                             char **again) {
    ploy_env env = ploy_env_default();
    mind fresh;
    mind_make(t, &fresh, m->n.layout, m->maker, &env);
    CHECK_OK(ploy_blackboard_copy(fresh.board, m->board));
    fresh.context.tick = m->context.tick;
    fresh.context.now = m->context.now;
    state_check s = mind_check(&fresh);
    int64_t faults = 0;
    ploy_result result = state_load(&s, text, &env, &faults);
    if (result != PLOY_OK) CHECK(faults > 0);
    hashes[0] = state_hash(&s);
    hashes[1] = whole_hash(&s);
    *again = state_save(t, &s);
    mind_destroy(&fresh);
    return result;
}

typedef struct mind_value {
    const char *technique, *value;
} mind_value;

static bool mind_lists(const mind_value *list, size_t count, const char *technique,
                       const char *value) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].technique, technique) == 0 && strcmp(list[i].value, value) == 0) {
            return true;
        }
    }
    return false;
}

// Changes each value of the state in turn: description and file change, and a strict load into
// another mind of the definition brings the change.
TEST(changes_of_the_state_are_described_saved_and_loaded) {
    static const mind_value linked[] = {
        {"decision tree", "runs"},    // the leaf that runs: what is inside would have to change too
        {"fsm", "state"},             // likewise
        {"fsm from a file", "state"}, // likewise
        {"markov", "id"},             // likewise
        {"goals", "status"},          // a goal that has ended has no behavior
        {"goals", "params"},          // bytes of the caller, which the type's describe shows
        {"goals", "data"},            // likewise
        {"rules", "fact"},            // there is one fact only
        {"group", "turns"},           // its scheduler's tick, which is described
        {"group", "last_turn"},       // at most the group's clock
    };
    ploy_env env = ploy_env_default();
    int32_t flipped = 0;
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        const nest_technique *technique = &nest_techniques[i];
        mind m;
        mind_open(t, &m, technique, &env);
        state_check s = mind_check(&m);
        state_list list = state_collect(&s);
        char *first = state_save(t, &s);
        uint64_t hash = whole_hash(&s);
        for (int32_t k = 0; k < list.count; k++) {
            ploy_visit_seen *seen = &list.items[k];
            unsigned char before[4096];
            if ((seen->mark != PLOY_STATE && seen->mark != PLOY_SAVED) ||
                seen->part == PLOY_VISIT_STRUCT || seen->size > sizeof before ||
                mind_lists(linked, COUNT_OF(linked), technique->name, seen->name)) {
                continue;
            }
            char row[128];
            snprintf(row, sizeof row, "%s: %s", technique->name, seen->name);
            t->row = row;
            memcpy(before, seen->address, seen->size);
            if (!state_change(seen) || memcmp(before, seen->address, seen->size) == 0) continue;
            uint64_t changed = whole_hash(&s), state = state_hash(&s), loaded[2];
            char *second = state_save(t, &s), *again = NULL;
            memcpy(seen->address, before, seen->size);
            CHECK_UINT(whole_hash(&s), hash);
            CHECK(changed != hash);
            CHECK(strcmp(first, second) != 0);
            CHECK_OK(mind_load(t, &m, second, loaded, &again));
            CHECK_UINT(loaded[0], state);
            CHECK_TEXT(again, second);
            flipped++;
            free(second);
            free(again);
        }
        free(list.items);
        free(first);
        mind_close(&m);
    }
    CHECK(flipped > 60);
}

// The key of the value at that place of a file; of a list, for its items.
static void mind_key(const char *text, size_t at, char key[64]) {
    size_t end = at, length = 0;
    while (end > 1 && !(text[end] == ':' && text[end - 1] == '"')) end--;
    size_t begin = end > 1 ? end - 1 : 0;
    while (begin > 0 && text[begin - 1] != '"') begin--;
    if (end > begin + 1) length = end - 1 - begin;
    snprintf(key, 64, "%.*s", (int)length, text + begin);
}

// Changes each number and each truth of the file in turn, those of parts with their own files
// included: a load refuses the change, or brings it to the description and to the next file.
TEST(every_value_of_a_file_is_loaded_or_refused) {
    static const mind_value linked[] = {
        {"hsm", "odd"},               // follows from the active states
        {"chart from a file", "odd"}, // likewise
        {"code machine", "number"},   // counts only if the state's name is gone
        {"arbiter", "depth"},         // a goal below none is dropped
        {"goap", "goal"},   // compared with the definition's goal: a difference plans again
        {"rules", "focus"}, // a module that does not exist is left out
        {"rules", "index"}, // of the fact that the key refers to
        {"rules", "tag"},   // the facts' count goes beyond it
        {"rules", "fact"},  // there is one fact only
        {"group", "turns"}, // equal to its scheduler's tick or one more
        {"group", "tick"},  // likewise
        {"group", "since"}, // at most the group's clock
        {"task", "task"},   // of this test's own task
    };
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        const nest_technique *technique = &nest_techniques[i];
        mind m;
        mind_open(t, &m, technique, &env);
        state_check s = mind_check(&m);
        char *good = state_save(t, &s), key[64], row[128];
        uint64_t hash = whole_hash(&s);
        size_t length = strlen(good);
        char *text = malloc(length + 64);
        int32_t tried = 0;
        for (size_t at = 1; at < length; at++) {
            char c = good[at], ahead = good[at - 1], other[64];
            if (ahead != ':' && ahead != ',' && ahead != '[') continue;
            size_t end = at;
            while (strchr(",]}", good[end]) == NULL) end++;
            if (c == 't' || c == 'f') {
                snprintf(other, sizeof other, "%s", c == 't' ? "false" : "true");
            } else if (c == '-' || (c >= '0' && c <= '9' && end - at < 16)) {
                snprintf(other, sizeof other, "%.17g", strtod(good + at, NULL) + 1.0);
            } else {
                continue;
            }
            mind_key(good, at, key);
            if (mind_lists(linked, COUNT_OF(linked), technique->name, key)) continue;
            snprintf(row, sizeof row, "%s: %s", technique->name, key);
            t->row = row;
            snprintf(text, length + 64, "%.*s%s%s", (int)at, good, other, good + end);
            uint64_t changed[2];
            char *again = NULL;
            if (mind_load(t, &m, text, changed, &again) == PLOY_OK) {
                CHECK(changed[1] != hash);
                if (c != 't')
                    CHECK_TEXT(again, text); // some flags are written only if they are set
            }
            free(again);
            tried++;
        }
        t->row = technique->name;
        CHECK(tried > 0);
        free(good);
        free(text);
        mind_close(&m);
    }
}
