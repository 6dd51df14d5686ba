// The front: every generator in the list keeps the contract of ploy/generate/generator.h. New
// generators are covered by being in the list; each needs a row in golden.h.
#include "ploy/base/alloc.h"
#include "ploy/generate/generator.h"
#include "tests/generate/golden.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

TEST(streams_are_independent_of_each_other) {
    ploy_rng_key key = ploy_rng_key_make(7);
    CHECK(ploy_generate_stream(key, "rooms").bits != ploy_generate_stream(key, "doors").bits);
    CHECK_UINT(ploy_generate_stream(key, "rooms").bits, ploy_generate_stream(key, "rooms").bits);
    ploy_rng rng = ploy_rng_from_key(key, 0);
    CHECK_UINT(ploy_generate_draws(&rng), 0);
    for (uint64_t i = 1; i < 20; i++) {
        ploy_rng_u32(&rng);
        CHECK_UINT(ploy_generate_draws(&rng), i);
    }
}

TEST(generators_have_different_names) {
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        const ploy_generator_type *type = ploy_generators_at(i);
        t->row = type->name;
        CHECK(ploy_generators_find(type->name) == type);
        CHECK(strlen(type->help) > 0 && strlen(type->unit) > 0 && type->makes != 0);
        CHECK_OK(ploy_fields_check_table(type->fields(), NULL));
    }
    CHECK(ploy_generators_find("nothing") == NULL);
    CHECK(ploy_generators_at(-1) == NULL);
}

// ---- input: for each kind that a generator takes, the content of the first generator that makes
// it from nothing. Tiles come from a drawing.

static const char *const tile_lines[] = {
    "##########", "#...##...#", "#........#", "#...##...#", "##.####.##",
    "##.####.##", "#...##...#", "#........#", "#...##...#", "##########",
};
enum { TILE_SIDE = 10 };

static ploy_content drawn_tiles(void) {
    static int32_t tiles[TILE_SIDE * TILE_SIDE];
    for (int32_t i = 0; i < TILE_SIDE * TILE_SIDE; i++) {
        tiles[i] = tile_lines[i / TILE_SIDE][i % TILE_SIDE] == '#';
    }
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_TILES;
    content.tiles = tiles;
    content.tile_columns = content.tile_rows = TILE_SIDE;
    content.tile_size = 1.0f;
    return content;
}

typedef struct source {
    ploy_generator parts[PLOY_CONTENT_KINDS];
    int32_t count;
    ploy_content content;
} source;

static void source_init(test_context *t, source *s, const ploy_generator_type *type) {
    static ploy_env env;
    env = ploy_env_default();
    s->count = 0;
    s->content = ploy_content_none();
    for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
        if ((type->takes & kind) == 0) continue;
        const ploy_generator_type *maker = NULL;
        for (int32_t i = 0; maker == NULL && ploy_generators_at(i) != NULL; i++) {
            const ploy_generator_type *other = ploy_generators_at(i);
            if (other->takes == 0 && (other->makes & kind) != 0) maker = other;
        }
        if (kind == PLOY_CONTENT_TILES) {
            ploy_content drawn = drawn_tiles();
            s->content = ploy_content_merge(&s->content, &drawn);
            continue;
        }
        CHECK(maker != NULL); // the kind can be made from nothing
        ploy_generator *part = &s->parts[s->count];
        CHECK_OK(ploy_generator_run(maker, NULL, ploy_rng_key_make(4), NULL, NULL, &env, part));
        s->count++;
        ploy_content made = ploy_generator_content(*part);
        s->content = ploy_content_merge(&s->content, &made);
    }
}

static void source_fini(source *s) {
    for (int32_t i = 0; i < s->count; i++) ploy_generator_cancel(s->parts[i]);
}

#define EACH_GENERATOR(type)                \
    const ploy_generator_type *type = NULL; \
    for (int32_t g = 0; (type = ploy_generators_at(g)) != NULL && (t->row = type->name); g++)

// ---- same bits

static uint64_t sliced_hash(test_context *t, const ploy_generator_type *type, uint64_t seed,
                            int64_t slice, ploy_trace *trace, ploy_generate_outcome *outcome) {
    ploy_env env = ploy_env_default();
    source input;
    source_init(t, &input, type);
    ploy_generator generator;
    CHECK_OK(ploy_generator_begin(type, NULL, ploy_rng_key_make(seed), &input.content, trace, &env,
                                  &generator));
    ploy_result result = PLOY_IN_PROGRESS;
    int64_t spent = 0;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_generator_step(generator, &budget);
        CHECK(budget.spent > 0 || result == PLOY_OK); // no step without progress
        spent += budget.spent;
    }
    CHECK_OK(result);
    *outcome = ploy_generator_outcome(generator);
    CHECK(outcome->done);
    CHECK_INT(outcome->units, spent);
    uint64_t hash = ploy_generator_hash(generator);
    CHECK_OK(ploy_generator_step(generator, NULL)); // done stays done
    CHECK_UINT(ploy_generator_hash(generator), hash);
    CHECK_UINT(ploy_generator_content(generator).kinds & type->makes, type->makes);
    ploy_generator_cancel(generator);
    source_fini(&input);
    return hash;
}

TEST(slices_give_the_same_bits) {
    EACH_GENERATOR(type) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            TEST_SEED(seed);
            ploy_generate_outcome whole, ones, sevens;
            uint64_t hash = sliced_hash(t, type, seed, PLOY_BUDGET_UNLIMITED, NULL, &whole);
            CHECK_UINT(sliced_hash(t, type, seed, 1, NULL, &ones), hash);
            CHECK_UINT(sliced_hash(t, type, seed, 7, NULL, &sevens), hash);
            CHECK_INT(ones.units, whole.units);
            CHECK_UINT(ones.draws, whole.draws);
        }
    }
}

TEST(defaults_give_the_golden_hash) {
    EACH_GENERATOR(type) {
        const struct golden_hash *row = NULL;
        for (size_t i = 0; i < COUNT_OF(golden_hashes); i++) {
            if (strcmp(golden_hashes[i].name, type->name) == 0) row = &golden_hashes[i];
        }
        ploy_generate_outcome outcome;
        uint64_t hash = sliced_hash(t, type, 4, PLOY_BUDGET_UNLIMITED, NULL, &outcome);
        CHECK(!outcome.partial);
        CHECK_TEXT(outcome.limit, "");
        CHECK(outcome.count > 0);
        if (row == NULL || row->hash != hash) {
            fprintf(stderr, "{\"%s\", UINT64_C(0x%016llX)},\n", type->name,
                    (unsigned long long)hash);
        }
        CHECK(row != NULL);
        CHECK_UINT(hash, row->hash);
    }
}

static void trace_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}
static void trace_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)outcome, (void)score;
    if (name != NULL && reason != NULL) (*(int32_t *)user)++;
}
static void trace_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void trace_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void trace_end(void *user) {
    (void)user;
}

TEST(a_trace_reports_choices_and_changes_nothing) {
    EACH_GENERATOR(type) {
        int32_t calls = 0;
        ploy_trace trace = {trace_begin, trace_option, trace_value, trace_note, trace_end, &calls};
        ploy_generate_outcome outcome;
        uint64_t plain = sliced_hash(t, type, 2, 100, NULL, &outcome);
        CHECK_UINT(sliced_hash(t, type, 2, 100, &trace, &outcome), plain);
        CHECK(calls > 0);
    }
}

// ---- memory

TEST(cancel_at_any_unit_frees_everything) {
    EACH_GENERATOR(type) {
        source input;
        source_init(t, &input, type);
        int64_t stride = 1;
        for (int64_t units = 0, tries = 0;; units += stride, tries++) {
            if (tries > 40) stride = units / 4 + 1;
            ploy_counting_allocator counting;
            ploy_counting_allocator_init(&counting, NULL, true);
            ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
            ploy_generator generator;
            CHECK_OK(ploy_generator_begin(type, NULL, ploy_rng_key_make(3), &input.content, NULL,
                                          &env, &generator));
            ploy_budget budget = ploy_budget_units(units);
            ploy_result result = ploy_generator_step(generator, &budget);
            CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
            int64_t reported = 0;
            ploy_generator_memory(generator, test_sum_memory, &reported);
            CHECK_INT(reported, counting.live_bytes);
            ploy_generator_cancel(generator);
            CHECK(ploy_counting_allocator_fini(&counting));
            if (result == PLOY_OK) break;
        }
        source_fini(&input);
    }
}

typedef struct memory_case {
    const ploy_generator_type *type;
    const ploy_content *input;
} memory_case;

static ploy_result run_once(const ploy_env *env, void *arg) {
    const memory_case *c = arg;
    ploy_generator generator;
    ploy_result result =
        ploy_generator_run(c->type, NULL, ploy_rng_key_make(3), c->input, NULL, env, &generator);
    if (result == PLOY_OK) ploy_generator_cancel(generator);
    return result;
}

TEST(every_allocation_may_fail) {
    EACH_GENERATOR(type) {
        source input;
        source_init(t, &input, type);
        memory_case c = {type, &input.content};
        CHECK_FAIL_NTH(run_once, &c);
        source_fini(&input);
    }
}

// ---- settings

// Draws a value of a field: mostly near its default, often anywhere in its range, sometimes at an
// end of it.
typedef struct setter {
    ploy_rng rng;
    unsigned char *def;
} setter;

static double setter_number(setter *s, const ploy_field *field, int32_t part) {
    double low = field->min, high = field->max, initial = field->initial[part];
    switch (ploy_rng_int(&s->rng, 0, 7)) {
    case 0: return low;
    case 1: return high;
    case 2: return low + (high - low) * ploy_rng_double(&s->rng);
    case 3: { // small values of a wide range
        double share = ploy_rng_double(&s->rng);
        return low + (high - low) * share * share * share * share * share * share;
    }
    default: {
        double value = initial * (0.25 + 2.0 * ploy_rng_double(&s->rng));
        return value < low ? low : value > high ? high : value;
    }
    }
}

static void setter_set(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    setter *s = user;
    (void)path;
    unsigned char *at = s->def + offset;
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: {
        bool value = ploy_rng_u32(&s->rng) % 2 == 0;
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_I32: {
        int32_t value = (int32_t)floor(setter_number(s, field, 0));
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_U64: {
        uint64_t value = ploy_rng_u64(&s->rng);
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_F64: {
        double value = setter_number(s, field, 0);
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_ENUM: {
        int32_t value = ploy_rng_int(&s->rng, 0, field->choice_count - 1);
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_F32:
    case PLOY_FIELD_TYPE_VEC2:
    case PLOY_FIELD_TYPE_VEC3: {
        int32_t parts = field->type == PLOY_FIELD_TYPE_VEC3   ? 3
                        : field->type == PLOY_FIELD_TYPE_VEC2 ? 2
                                                              : 1;
        for (int32_t i = 0; i < parts; i++) {
            float value = (float)setter_number(s, field, i);
            memcpy(at + (size_t)i * sizeof value, &value, sizeof value);
        }
        break;
    }
    case PLOY_FIELD_TYPE_DEF: break;
    }
}

// An allocator with a limit: settings may ask for more than a test should take.
typedef struct limited {
    ploy_allocator inner;
    size_t live, limit;
} limited;

static void *limited_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    limited *l = user;
    size_t old = ptr == NULL ? 0 : old_size;
    if (new_size > old && new_size - old > l->limit - l->live) return NULL;
    void *block = l->inner.resize(l->inner.user, ptr, old_size, new_size);
    if (block != NULL || new_size == 0) l->live = l->live - old + new_size;
    return block;
}

typedef struct draw_counts {
    int64_t items, not_finite;
} draw_counts;

static void count_item(void *user, const ploy_draw_item *item) {
    draw_counts *counts = user;
    if (item->shape == PLOY_SHAPE_KEY) return; // for legends: nothing is drawn
    counts->items++;
    bool finite = isfinite(item->radius) && isfinite(item->angle) && isfinite(item->alpha);
    for (int32_t i = 0; i < item->count; i++) {
        finite = finite && isfinite(item->points[i].x) && isfinite(item->points[i].y) &&
                 isfinite(item->points[i].z);
    }
    counts->not_finite += !finite;
}

static void check_seen(test_context *t, ploy_generator generator, bool done) {
    draw_counts counts = {0, 0};
    ploy_draw draw = {count_item, &counts, UINT32_MAX};
    ploy_generator_draw(generator, &draw);
    CHECK(counts.items > 0 || !done);
    CHECK_INT(counts.not_finite, 0);
    ploy_draw nothing = {count_item, &counts, 0};
    int64_t before = counts.items;
    ploy_generator_draw(generator, &nothing);
    CHECK_INT(counts.items, before); // no layer is wanted, so nothing is drawn
    (void)ploy_generator_hash(generator);
}

TEST(draw_and_describe_work_at_any_time) {
    EACH_GENERATOR(type) {
        ploy_env env = ploy_env_default();
        source input;
        source_init(t, &input, type);
        ploy_generator generator;
        CHECK_OK(ploy_generator_begin(type, NULL, ploy_rng_key_make(6), &input.content, NULL, &env,
                                      &generator));
        check_seen(t, generator, false);
        for (int32_t i = 0; i < 20; i++) {
            ploy_budget budget = ploy_budget_units(1 + i * i);
            if (ploy_generator_step(generator, &budget) == PLOY_OK) break;
            check_seen(t, generator, false);
        }
        CHECK_OK(ploy_generator_step(generator, NULL));
        check_seen(t, generator, true);
        ploy_generate_outcome outcome = ploy_generator_outcome(generator);
        CHECK(outcome.total == 0 || outcome.units <= outcome.total);
        CHECK(outcome.total > 0 ||
              (strcmp(type->name, "droplets") != 0 && strcmp(type->name, "scatter") != 0));
        ploy_generator_cancel(generator);
        source_fini(&input);
    }
}

TEST(any_settings_end_or_are_refused) {
    enum { MEMORY = 48 << 20, UNITS = 4000 };
    EACH_GENERATOR(type) {
        source input;
        source_init(t, &input, type);
        ploy_env plain = ploy_env_default();
        unsigned char *def = ploy_env_alloc(&plain, type->fields().size);
        CHECK(def != NULL);
        int64_t ended = 0, rounds = test_rounds(60);
        for (int64_t seed = 0; seed < rounds; seed++) {
            TEST_SEED(seed);
            ploy_fields_default(type->fields(), def);
            setter s = {ploy_rng_make((uint64_t)seed), def};
            ploy_fields_each(type->fields(), setter_set, &s);
            limited memory = {plain.allocator, 0, MEMORY};
            ploy_allocator allocator = {limited_resize, &memory};
            ploy_env env = ploy_env_with_allocator(allocator);
            ploy_generator generator;
            ploy_result result = ploy_generator_begin(type, def, ploy_rng_key_make((uint64_t)seed),
                                                      &input.content, NULL, &env, &generator);
            if (result == PLOY_OK) {
                ploy_budget budget = ploy_budget_units(UNITS);
                result = ploy_generator_step(generator, &budget);
                CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS || result == PLOY_ERR_MEMORY);
                if (result == PLOY_OK) {
                    ended++;
                    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
                    CHECK(outcome.done);
                    CHECK(outcome.partial || outcome.limit[0] == 0);
                    // A limit is named by its setting, so that a reader knows what to raise. Without
                    // one there is no such result at all.
                    CHECK(!outcome.partial || outcome.limit[0] == 0 ||
                          ploy_fields_find(type->fields(), outcome.limit, NULL) != NULL);
                }
                if (result >= 0) check_seen(t, generator, false);
                ploy_generator_cancel(generator);
            } else {
                CHECK(result == PLOY_ERR_ARGUMENT || result == PLOY_ERR_MEMORY);
            }
            CHECK_INT(memory.live, 0);
        }
        CHECK(ended > 0);
        ploy_env_free(&plain, def, type->fields().size);
        source_fini(&input);
    }
}

// Every setting "max_..." is a limit: at its least it gives a result.
typedef struct limits {
    test_context *t;
    const ploy_generator_type *type;
    const ploy_content *input;
} limits;

static void limits_try(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    limits *l = user;
    test_context *t = l->t;
    (void)path;
    if (field->type != PLOY_FIELD_TYPE_I32 || strncmp(field->name, "max_", 4) != 0) return;
    ploy_env env = ploy_env_default();
    size_t size = l->type->fields().size;
    unsigned char *def = ploy_env_alloc(&env, size);
    CHECK(def != NULL);
    ploy_fields_default(l->type->fields(), def);
    int32_t least = (int32_t)field->min;
    memcpy(def + offset, &least, sizeof least);
    ploy_generator generator;
    CHECK_OK(
        ploy_generator_run(l->type, def, ploy_rng_key_make(9), l->input, NULL, &env, &generator));
    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
    CHECK(outcome.done);
    ploy_generator_cancel(generator);
    ploy_env_free(&env, def, size);
}

TEST(reaching_a_limit_is_a_result) {
    EACH_GENERATOR(type) {
        source input;
        source_init(t, &input, type);
        limits l = {t, type, &input.content};
        ploy_fields_each(type->fields(), limits_try, &l);
        source_fini(&input);
    }
}

TEST(bad_settings_and_missing_input_are_refused) {
    EACH_GENERATOR(type) {
        ploy_env env = ploy_env_default();
        source input;
        source_init(t, &input, type);
        unsigned char *def = ploy_env_alloc_zero(&env, type->fields().size);
        CHECK(def != NULL);
        ploy_generator generator;
        ploy_rng_key key = ploy_rng_key_make(1);
        CHECK_INT(ploy_generator_begin(type, def, key, &input.content, NULL, &env, &generator),
                  PLOY_ERR_ARGUMENT); // without a cookie
        CHECK(generator.type == NULL);
        if (type->takes != 0) {
            CHECK_INT(ploy_generator_begin(type, NULL, key, NULL, NULL, &env, &generator),
                      PLOY_ERR_ARGUMENT);
        }
        ploy_env_free(&env, def, type->fields().size);
        source_fini(&input);
    }
    ploy_generator none = {NULL, NULL};
    ploy_generator_cancel(none);
    CHECK(!ploy_generator_outcome(none).done);
    CHECK_UINT(ploy_generator_content(none).kinds, 0);
}
