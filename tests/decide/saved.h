// Saving behaviors to text and back, for the tests of saved minds, and what every kind of mind must
// do when it is saved.
#pragma once

#include "ploy/base/hash.h"
#include "ploy/base/rng.h"
#include "ploy/base/writer.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/maker.h"
#include "tests/test.h"

// A behavior as a document; the caller destroys it.
static inline ploy_json *saved_take(test_context *t, ploy_behavior behavior, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 2);
    ploy_behavior_save(behavior, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "saved", &def, env, NULL, &doc));
    ploy_buffer_fini(&buffer);
    return doc;
}

static inline ploy_json *saved_read(test_context *t, const char *text, const ploy_env *env) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, strlen(text), "saved", &def, env, NULL, &doc));
    return doc;
}

// Loads the document's root, destroys the document and tells how many warnings there were.
static inline int32_t saved_give(test_context *t, ploy_behavior behavior,
                                 ploy_step_context *context, ploy_json *doc, const ploy_env *env) {
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(32, env, &diags));
    CHECK_OK(ploy_behavior_load(behavior, context, doc, ploy_json_root(doc), diags));
    int32_t warnings = ploy_diags_count(diags);
    for (int32_t i = 0; i < warnings; i++) {
        CHECK_INT(ploy_diags_get(diags, i)->severity, PLOY_SEVERITY_WARNING);
        CHECK(ploy_diags_get(diags, i)->line > 0);
    }
    ploy_diags_destroy(diags);
    ploy_json_destroy(doc);
    return warnings;
}

static inline uint64_t saved_hash(ploy_behavior behavior) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(behavior, &out);
    return ploy_hash_sink_result(&sink);
}

// ---- a mind of some kind, and a world that is the same at the same tick ----

typedef struct saved_bench {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_step_context context;
    ploy_behavior mind;
    ploy_rng_key key;  // of what happens
    uint64_t trace;    // folds what hooks and behaviors did
    uint64_t world[4]; // what lies outside the mind: goes along when it is saved
    void *type, *more; // the kind's own
} saved_bench;

typedef struct saved_kind {
    const char *row;
    // Makes the definition and the mind; edition 1 is the edited one. Frees what it made on
    // failure.
    ploy_result (*build)(saved_bench *bench, int32_t edition);
    void (*unbuild)(saved_bench *bench);
    // Something from outside, such as an event; may be NULL.
    ploy_result (*poke)(saved_bench *bench, uint64_t tick);
    const char *(*where)(const saved_bench *bench); // the state, option, ... that it is at
    const char *kept, *gone;                        // places that edition 1 has, and has not
    bool shown;                                     // all of its state is described
} saved_kind;

static const ploy_blackboard_key saved_keys[] = {
    {"a", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"b", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"c", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"x", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
};

static inline void saved_note(saved_bench *bench, uint64_t what) {
    bench->trace = ploy_hash_combine(bench->trace, what);
}

// What happens at a tick, drawn from the key alone.
static inline int32_t saved_draw(const saved_bench *bench, uint64_t tick, uint32_t draw,
                                 int32_t most) {
    return ploy_rng_int_at(bench->key, 0, tick, draw, 0, most);
}

static inline void saved_close(saved_bench *bench, const saved_kind *kind) {
    if (bench->mind.type != NULL) kind->unbuild(bench);
    ploy_blackboard_destroy(bench->board);
    ploy_blackboard_layout_destroy(bench->layout);
    memset(bench, 0, sizeof *bench);
}

static inline ploy_result saved_open(saved_bench *bench, const saved_kind *kind, int32_t edition,
                                     uint64_t seed, const ploy_env *env) {
    memset(bench, 0, sizeof *bench);
    bench->env = *env;
    bench->key = ploy_rng_key_make(seed);
    bench->context.key = ploy_rng_key_make(seed + 1);
    bench->context.dt = 0.25f;
    ploy_result result = ploy_blackboard_layout_create(saved_keys, (int32_t)COUNT_OF(saved_keys),
                                                       "saved", env, NULL, &bench->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(bench->layout, env, &bench->board);
    bench->context.blackboard = bench->board;
    if (result == PLOY_OK) result = kind->build(bench, edition);
    if (result != PLOY_OK) saved_close(bench, kind);
    return result;
}

static inline void saved_set(saved_bench *bench, uint64_t tick) {
    for (uint32_t i = 0; i < 3; i++) {
        ploy_slot slot = {i + 1};
        (void)ploy_blackboard_set_bool(bench->board, slot, saved_draw(bench, tick, i, 1) == 1);
    }
    ploy_slot slot = {4};
    (void)ploy_blackboard_set_f32(bench->board, slot,
                                  (float)saved_draw(bench, tick, 3, 100) / 100.0f);
    bench->context.tick = tick;
    bench->context.now = 0.25 * (double)tick;
}

// One tick; a mind that is done begins anew.
static inline ploy_result saved_tick(saved_bench *bench, const saved_kind *kind, uint64_t tick) {
    ploy_status status = PLOY_STATUS_RUNNING;
    saved_set(bench, tick);
    ploy_result result = kind->poke != NULL ? kind->poke(bench, tick) : PLOY_OK;
    if (result == PLOY_OK) result = ploy_behavior_step(bench->mind, &bench->context, &status);
    if (result != PLOY_OK) return result;
    saved_note(bench, (uint64_t)status);
    if (status == PLOY_STATUS_RUNNING) return PLOY_OK;
    ploy_behavior_exit(bench->mind, &bench->context, PLOY_EXIT_FINISHED);
    return ploy_behavior_enter(bench->mind, &bench->context);
}

static inline ploy_result saved_run(saved_bench *bench, const saved_kind *kind, uint64_t from,
                                    uint64_t to) {
    saved_set(bench, from);
    ploy_result result = ploy_behavior_enter(bench->mind, &bench->context);
    for (uint64_t i = from; i < to && result == PLOY_OK; i++) result = saved_tick(bench, kind, i);
    return result;
}

// A fresh mind that takes up what another one saved. @return how many warnings there were.
static inline int32_t saved_hand_over(test_context *t, saved_bench *fresh, const saved_bench *old,
                                      const saved_kind *kind, int32_t edition, uint64_t tick) {
    CHECK_OK(saved_open(fresh, kind, edition, t->seed, &old->env));
    saved_set(fresh, tick - 1);
    memcpy(fresh->world, old->world, sizeof old->world);
    ploy_json *doc = saved_take(t, old->mind, &old->env);
    return saved_give(t, fresh->mind, &fresh->context, doc, &fresh->env);
}

// A mind that was saved and taken up goes on as one that never was.
static inline void saved_check_round_trip(test_context *t, const saved_kind *kind, int64_t rounds) {
    t->row = kind->row;
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round + 1);
        saved_bench old, fresh;
        ploy_env env = ploy_env_default();
        uint64_t ticks = 1 + (uint64_t)(round * 7 % 41);
        CHECK_OK(saved_open(&old, kind, 0, t->seed, &env));
        CHECK_OK(saved_run(&old, kind, 0, ticks));
        CHECK_INT(saved_hand_over(t, &fresh, &old, kind, 0, ticks), 0);
        CHECK_UINT(fresh.trace, 0); // nothing was entered
        old.trace = 0;
        for (uint64_t i = ticks; i < ticks + 20; i++) {
            if (kind->shown) CHECK_UINT(saved_hash(fresh.mind), saved_hash(old.mind));
            CHECK_TEXT(kind->where(&fresh), kind->where(&old));
            CHECK_OK(saved_tick(&old, kind, i));
            CHECK_OK(saved_tick(&fresh, kind, i));
            CHECK_UINT(fresh.trace, old.trace);
        }
        ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
        ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
        CHECK_UINT(fresh.trace, old.trace);
        saved_close(&fresh, kind);
        saved_close(&old, kind);
    }
}

// In an edited definition what is still known goes on, and what is gone begins anew and says so.
static inline void saved_check_edited(test_context *t, const saved_kind *kind) {
    t->row = kind->row;
    for (int32_t gone = 0; gone < 2; gone++) {
        const char *wanted = gone != 0 ? kind->gone : kind->kept;
        bool met = false;
        for (uint64_t seed = 1; seed < 200 && !met; seed++) {
            TEST_SEED(seed);
            saved_bench old, fresh;
            ploy_env env = ploy_env_default();
            CHECK_OK(saved_open(&old, kind, 0, seed, &env));
            uint64_t ticks = 1 + seed % 17;
            CHECK_OK(saved_run(&old, kind, 0, ticks));
            met = strcmp(kind->where(&old), wanted) == 0;
            if (met) {
                int32_t warnings = saved_hand_over(t, &fresh, &old, kind, 1, ticks);
                if (gone != 0) {
                    CHECK(warnings > 0);
                    CHECK(strcmp(kind->where(&fresh), wanted) != 0);
                } else {
                    CHECK_TEXT(kind->where(&fresh), wanted);
                }
                for (uint64_t i = ticks; i < ticks + 10; i++) {
                    CHECK_OK(saved_tick(&fresh, kind, i));
                }
                ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
                saved_close(&fresh, kind);
            }
            ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
            saved_close(&old, kind);
        }
        CHECK(met);
    }
}

// A file that was cut off is no document; one that was altered is taken up as far as it means
// something, and what it gives behaves.
static inline void saved_check_altered(test_context *t, const saved_kind *kind, int64_t rounds) {
    static const char letters[] = "0123456789abcdef\"{}[],:-. ";
    t->row = kind->row;
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make(t->seed);
        ploy_env env = ploy_env_default();
        saved_bench bench;
        CHECK_OK(saved_open(&bench, kind, 0, t->seed, &env));
        CHECK_OK(saved_run(&bench, kind, 0, 1 + t->seed % 13));
        uint64_t world[4];
        memcpy(world, bench.world, sizeof world);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_behavior_save(bench.mind, &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        ploy_behavior_exit(bench.mind, &bench.context, PLOY_EXIT_REMOVED);
        saved_close(&bench, kind);
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        size_t cut = (size_t)ploy_rng_below(&rng, buffer.size);
        CHECK_INT(ploy_json_load(buffer.bytes, cut, "x", &def, &env, NULL, &doc), PLOY_ERR_FORMAT);
        for (int32_t i = 0; i < 3; i++) {
            char *at = &buffer.bytes[ploy_rng_below(&rng, buffer.size)];
            bool digit = *at >= '0' && *at <= '9', text = *at >= 'a' && *at <= 'z';
            uint64_t draw = ploy_rng_below(&rng, sizeof letters - 1);
            // Mostly so that it stays a document.
            if (digit) *at = (char)('0' + draw % 10);
            if (text) *at = (char)('a' + draw % 6);
            if (round % 8 == 0) *at = letters[draw];
        }
        if (ploy_json_load(buffer.bytes, buffer.size, "x", &def, &env, NULL, &doc) == PLOY_OK) {
            CHECK_OK(saved_open(&bench, kind, 0, t->seed, &env));
            memcpy(bench.world, world, sizeof world);
            saved_set(&bench, 13);
            ploy_result result =
                ploy_behavior_load(bench.mind, &bench.context, doc, ploy_json_root(doc), NULL);
            CHECK(result == PLOY_OK || result == PLOY_ERR_LIMIT);
            for (uint64_t i = 14; i < 20 && result == PLOY_OK; i++) {
                result = saved_tick(&bench, kind, i);
                CHECK(result == PLOY_OK || result == PLOY_ERR_CAPACITY);
            }
            ploy_behavior_exit(bench.mind, &bench.context, PLOY_EXIT_REMOVED);
            saved_close(&bench, kind);
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&buffer);
    }
}

typedef struct saved_fail {
    const saved_kind *kind;
    ploy_json *doc;
    uint64_t world[4];
} saved_fail;

static inline ploy_result saved_fail_load(const ploy_env *env, void *arg) {
    const saved_fail *it = arg;
    saved_bench bench;
    ploy_result result = saved_open(&bench, it->kind, 0, 1, env);
    if (result != PLOY_OK) return result;
    memcpy(bench.world, it->world, sizeof it->world);
    saved_set(&bench, 6);
    result = ploy_behavior_load(bench.mind, &bench.context, it->doc, ploy_json_root(it->doc), NULL);
    ploy_behavior_exit(bench.mind, &bench.context, PLOY_EXIT_REMOVED);
    saved_close(&bench, it->kind);
    return result;
}

static inline void saved_check_fail(test_context *t, const saved_kind *kind) {
    t->row = kind->row;
    saved_bench bench;
    saved_fail it = {kind, NULL, {0}};
    ploy_env env = ploy_env_default();
    CHECK_OK(saved_open(&bench, kind, 0, 1, &env));
    CHECK_OK(saved_run(&bench, kind, 0, 7));
    it.doc = saved_take(t, bench.mind, &env);
    memcpy(it.world, bench.world, sizeof it.world);
    ploy_behavior_exit(bench.mind, &bench.context, PLOY_EXIT_REMOVED);
    saved_close(&bench, kind);
    CHECK_FAIL_NTH(saved_fail_load, &it);
    ploy_json_destroy(it.doc);
}

// ---- what runs inside: three steps, of which it keeps count ----

typedef struct saved_walk {
    ploy_env env;
    saved_bench *bench;
    int32_t steps, reserved;
} saved_walk;

static inline ploy_result saved_walk_enter(void *self, ploy_step_context *context) {
    saved_walk *walk = self;
    (void)context;
    walk->steps = 0;
    saved_note(walk->bench, 100);
    return PLOY_OK;
}

static inline ploy_result saved_walk_step(void *self, ploy_step_context *context,
                                          ploy_status *status) {
    saved_walk *walk = self;
    (void)context;
    *status = ++walk->steps >= 3 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    saved_note(walk->bench, (uint64_t)walk->steps);
    return PLOY_OK;
}

static inline void saved_walk_exit(void *self, ploy_step_context *context,
                                   ploy_exit_reason reason) {
    (void)context;
    saved_note(((saved_walk *)self)->bench, 200 + (uint64_t)reason);
}

static inline void saved_walk_destroy(void *self) {
    ploy_env env = ((saved_walk *)self)->env;
    ploy_env_free(&env, self, sizeof(saved_walk));
}

static inline void saved_walk_visit(ploy_visit *v, void *object) {
    ploy_visit_i32_in(v, "steps", PLOY_SAVED, &((saved_walk *)object)->steps, 0, 3);
}

static inline ploy_result saved_walk_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "walk",
                                            .enter = saved_walk_enter,
                                            .step = saved_walk_step,
                                            .exit = saved_walk_exit,
                                            .destroy = saved_walk_destroy,
                                            .visit = saved_walk_visit};
    saved_walk *walk = ploy_env_alloc_zero(env, sizeof *walk);
    if (walk == NULL) return PLOY_ERR_MEMORY;
    walk->env = *env;
    walk->bench = user;
    out->type = &type;
    out->self = walk;
    return PLOY_OK;
}

static inline ploy_maker saved_walk_maker(saved_bench *bench) {
    ploy_maker maker = ploy_maker_of(saved_walk_make, bench);
    return maker;
}
