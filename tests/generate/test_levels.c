// Every generator of floor plans at five sizes, with default and random settings, over many keys.
#include "tests/generate/level_check.h"

#include "ploy/base/rng.h"
#include "ploy/generate/dungeon.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/subdivision.h"

static const int32_t sizes[5][2] = {{5, 5}, {12, 9}, {24, 24}, {40, 25}, {64, 48}};

typedef union any_def {
    double align;
    unsigned char bytes[4096];
} any_def;

typedef struct random_settings {
    ploy_rng *rng;
    unsigned char *def;
} random_settings;

// A value from the field's whole range; wide ranges by their magnitude, so that small ones come too.
static void random_field(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    random_settings *settings = user;
    (void)path;
    void *at = settings->def + offset;
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: {
        bool value = ploy_rng_chance(settings->rng, 0.5f);
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_ENUM: {
        double span = field->max - field->min;
        float share = ploy_rng_float(settings->rng);
        if (span > 100.0) share = share * share * share * share;
        int32_t value = (int32_t)(field->min + (double)share * span + 0.5);
        memcpy(at, &value, sizeof value);
        break;
    }
    case PLOY_FIELD_TYPE_F32: {
        float value = ploy_rng_range(settings->rng, (float)field->min, (float)field->max);
        if (ploy_rng_int(settings->rng, 0, 9) == 0) value = (float)field->min;
        if (ploy_rng_int(settings->rng, 0, 9) == 0) value = (float)field->max;
        memcpy(at, &value, sizeof value);
        break;
    }
    default: break;
    }
}

static void set_size(test_context *t, const ploy_generator_type *type, void *def, const char *path,
                     int32_t value) {
    uint32_t offset = 0;
    const ploy_field *field = ploy_fields_find(type->fields(), path, &offset);
    CHECK(field != NULL);
    if (value < (int32_t)field->min) value = (int32_t)field->min;
    memcpy((unsigned char *)def + offset, &value, sizeof value);
}

static void check_level(test_context *t, const ploy_generator_type *type, const void *def,
                        uint64_t seed, bool defaults) {
    ploy_env env = ploy_env_default();
    ploy_generator generator;
    t->row = type->name;
    TEST_SEED(seed);
    CHECK_OK(ploy_generator_run(type, def, ploy_rng_key_make(seed), NULL, NULL, &env, &generator));
    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
    CHECK(outcome.done);
    CHECK(outcome.partial == (outcome.limit[0] != '\0'));
    CHECK(!defaults || !outcome.partial);
    if (outcome.partial) CHECK(ploy_fields_find(type->fields(), outcome.limit, NULL) != NULL);
    level_check(t, ploy_generator_content(generator).plan);
    ploy_generator_cancel(generator);
}

static void check_sized(test_context *t, const ploy_generator_type *type, int64_t seed,
                        const int32_t size[2], bool defaults) {
    any_def def;
    CHECK(type->fields().size <= sizeof def);
    ploy_fields_default(type->fields(), &def);
    if (!defaults) {
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        random_settings settings = {&rng, def.bytes};
        ploy_fields_each(type->fields(), random_field, &settings);
    }
    set_size(t, type, &def, "width", size[0]);
    set_size(t, type, &def, "height", size[1]);
    check_level(t, type, &def, (uint64_t)seed, defaults);
}

// 10,000 seeds in the soak, each at five sizes with default and with random settings; the suite takes one
// of these for each of 2,000 seeds.
TEST(every_level_is_whole_whatever_the_settings) {
    bool soak = test_rounds(1) > 1;
    int64_t kinds = 0;
    for (int32_t n = 0; ploy_generators_at(n) != NULL; n++) {
        const ploy_generator_type *type = ploy_generators_at(n);
        if (type->makes != PLOY_CONTENT_PLAN || type->takes != 0) continue;
        kinds++;
        for (int64_t seed = 0; seed < 2000 && !soak; seed++) {
            check_sized(t, type, seed, sizes[seed % 5], seed % 4 == 0);
        }
        for (int64_t seed = 0; seed < 10000 && soak; seed++) {
            for (int32_t size = 0; size < 5; size++) {
                check_sized(t, type, seed, sizes[size], true);
                check_sized(t, type, seed, sizes[size], false);
            }
        }
    }
    CHECK(kinds >= 6);
}

TEST(defaults_never_reach_a_limit) {
    for (int32_t n = 0; ploy_generators_at(n) != NULL; n++) {
        const ploy_generator_type *type = ploy_generators_at(n);
        if (type->makes != PLOY_CONTENT_PLAN || type->takes != 0) continue;
        any_def def;
        ploy_fields_default(type->fields(), &def);
        for (int64_t seed = 0; seed < test_rounds(40); seed++) {
            check_level(t, type, &def, (uint64_t)seed + 777, true);
        }
    }
}

TEST(rooms_keep_their_gap_however_they_are_placed) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_dungeon_def def = ploy_dungeon_def_default();
        def.placing = (int32_t)(seed % 4);
        def.links = (int32_t)(seed / 4 % 3);
        def.tree = (int32_t)(seed / 12 % 2);
        def.incidental = 0.0f;
        def.loops = 0.0f;
        ploy_dungeon *dungeon = NULL;
        CHECK_OK(ploy_dungeon_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, &env, &dungeon));
        CHECK_OK(ploy_dungeon_step(dungeon, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_dungeon_plan(dungeon));
        CHECK(view.room_count > 3);
        CHECK_INT(view.link_count, view.room_count - 1); // a tree, and it spans: level_check floods
        for (int32_t a = 0; a < view.room_count; a++) {
            for (int32_t b = a + 1; b < view.room_count; b++) {
                const ploy_plan_room *p = &view.rooms[a], *q = &view.rooms[b];
                bool apart =
                    p->x + p->width + def.gap <= q->x || q->x + q->width + def.gap <= p->x ||
                    p->y + p->height + def.gap <= q->y || q->y + q->height + def.gap <= p->y;
                CHECK(apart);
            }
        }
        level_check(t, ploy_dungeon_plan(dungeon));
        ploy_dungeon_cancel(dungeon);
    }
}

TEST(leaves_tile_the_space_and_hold_their_rooms) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_subdivision_def def = ploy_subdivision_def_default();
        def.join = (int32_t)(seed % 3);
        ploy_subdivision *self = NULL;
        CHECK_OK(ploy_subdivision_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, NULL, NULL,
                                        &env, &self));
        CHECK_OK(ploy_subdivision_step(self, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_subdivision_plan(self));
        int32_t count = 0, leaves = 0;
        const ploy_subdivision_space *spaces = ploy_subdivision_spaces(self, &count);
        uint8_t *cover = calloc((size_t)def.width * (size_t)def.height, 1);
        for (int32_t i = 0; i < count; i++) {
            if (spaces[i].child[0] >= 0) {
                CHECK_INT(spaces[spaces[i].child[0]].parent, i);
                CHECK_INT(spaces[spaces[i].child[1]].parent, i);
                continue;
            }
            leaves++;
            CHECK(spaces[i].width >= def.space_min && spaces[i].height >= def.space_min);
            for (int32_t y = spaces[i].y; y < spaces[i].y + spaces[i].height; y++) {
                for (int32_t x = spaces[i].x; x < spaces[i].x + spaces[i].width; x++) {
                    CHECK_INT(cover[y * def.width + x]++, 0);
                }
            }
            const ploy_plan_room *room = &view.rooms[spaces[i].room];
            CHECK(room->x >= spaces[i].x + def.border && room->y >= spaces[i].y + def.border);
            CHECK(room->x + room->width <= spaces[i].x + spaces[i].width - def.border);
            CHECK(room->y + room->height <= spaces[i].y + spaces[i].height - def.border);
        }
        for (int32_t i = 0; i < def.width * def.height; i++) CHECK_INT(cover[i], 1);
        CHECK_INT(leaves, view.room_count);
        CHECK_INT(spaces[0].leaves, leaves);
        CHECK_INT(view.link_count, leaves - 1);
        level_check(t, ploy_subdivision_plan(self));
        free(cover);
        ploy_subdivision_cancel(self);
    }
}

static bool even_leaves(void *user, const ploy_subdivision_space *spaces, int32_t count,
                        int32_t root) {
    (void)count;
    (*(int32_t *)user)++;
    return spaces[root].parent >= 0 || spaces[root].leaves % 2 == 0;
}

TEST(sub_trees_that_fail_are_rebuilt) {
    ploy_env env = ploy_env_default();
    int32_t rebuilds = 0;
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_subdivision_def def = ploy_subdivision_def_default();
        def.max_tall = 0.5f;
        def.max_hard = 0.5f;
        def.min_rooms = 8;
        def.max_tries = 64;
        int32_t calls = 0;
        ploy_subdivision *self = NULL;
        CHECK_OK(ploy_subdivision_begin(&def, ploy_rng_key_make((uint64_t)seed), even_leaves,
                                        &calls, NULL, &env, &self));
        CHECK_OK(ploy_subdivision_step(self, NULL));
        CHECK(calls > 0);
        CHECK(!ploy_subdivision_outcome(self).partial);
        rebuilds += ploy_subdivision_rebuilds(self);
        int32_t count = 0;
        const ploy_subdivision_space *spaces = ploy_subdivision_spaces(self, &count);
        CHECK(spaces[0].leaves >= 8 && spaces[0].leaves % 2 == 0);
        for (int32_t i = 0; i < count; i++) {
            if (spaces[i].leaves < 4) continue;
            CHECK(spaces[i].tall * 2 <= spaces[i].leaves);
            CHECK(spaces[i].hard * 2 <= spaces[i].leaves);
        }
        ploy_subdivision_cancel(self);
    }
    CHECK(rebuilds > 100);
}

TEST(rings_enclose_exactly_the_open_tiles) {
    ploy_env env = ploy_env_default();
    for (int32_t n = 0; ploy_generators_at(n) != NULL; n++) {
        const ploy_generator_type *type = ploy_generators_at(n);
        if (type->makes != PLOY_CONTENT_PLAN || type->takes != 0) continue;
        t->row = type->name;
        for (uint64_t seed = 0; seed < 5; seed++) {
            TEST_SEED(seed);
            any_def def;
            ploy_fields_default(type->fields(), &def);
            set_size(t, type, &def, "width", 24);
            set_size(t, type, &def, "height", 16);
            ploy_generator generator;
            CHECK_OK(ploy_generator_run(type, &def, ploy_rng_key_make(seed), NULL, NULL, &env,
                                        &generator));
            const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
            ploy_plan_grid grid = ploy_floor_plan_grid(plan, 2);
            uint8_t *tiles = malloc((size_t)grid.width * (size_t)grid.height);
            ploy_floor_plan_tiles(plan, 2, tiles);
            ploy_rings *rings = NULL;
            CHECK_OK(ploy_rings_create(&env, &rings));
            CHECK_OK(ploy_floor_plan_rings(plan, &env, rings));
            int32_t open = 0;
            for (int32_t i = 0; i < grid.width * grid.height; i++) {
                ploy_vec2 at = {grid.origin.x + ((float)(i % grid.width) + 0.5f) * grid.size,
                                grid.origin.y + ((float)(i / grid.width) + 0.5f) * grid.size};
                open += tiles[i] != 0;
                CHECK(ploy_rings_contains(rings, at, PLOY_FILL_NON_ZERO) == (tiles[i] != 0));
            }
            CHECK_NEAR(ploy_rings_area(rings), (float)open * grid.size * grid.size, 1e-3);
            int32_t outer = 0; // everything hangs together: one outer ring, all others are holes
            for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
                outer += !ploy_rings_is_hole(rings, i);
            }
            CHECK_INT(outer, 1);
            ploy_rings_destroy(rings);
            free(tiles);
            ploy_generator_cancel(generator);
        }
    }
}

TEST(a_copy_takes_roles_by_rules) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.roles.treasures = def.roles.guards = 0;
    ploy_dungeon *dungeon = NULL;
    CHECK_OK(ploy_dungeon_begin(&def, ploy_rng_key_make(4), NULL, &env, &dungeon));
    CHECK_OK(ploy_dungeon_step(dungeon, NULL));
    ploy_floor_plan *copy = NULL;
    CHECK_OK(ploy_floor_plan_copy(ploy_dungeon_plan(dungeon), &env, &copy));
    ploy_dungeon_cancel(dungeon);
    level_check(t, copy);
    enum { SHOP = PLOY_PLAN_ROLES, SHRINE };
    const ploy_plan_rule rules[] = {{SHOP, PLOY_PLAN_ANYWHERE, 1, 0.4f, 0.8f, false},
                                    {SHRINE, PLOY_PLAN_DEAD_END, 3, 0.0f, 1.0f, true}};
    int32_t given = ploy_floor_plan_assign(copy, rules, 2), shops = 0, shrines = 0;
    ploy_floor_plan_view view = ploy_floor_plan_get(copy);
    int32_t far = ploy_floor_plan_stats_of(copy).farthest;
    for (int32_t i = 0; i < view.room_count; i++) {
        shops += view.rooms[i].role == SHOP;
        shrines += view.rooms[i].role == SHRINE;
        if (view.rooms[i].role == SHRINE) CHECK(view.rooms[i].doors <= 1);
        if (view.rooms[i].role == SHOP) CHECK(view.rooms[i].distance * 10 <= far * 9);
    }
    CHECK_INT(shops, 1);
    CHECK_INT(shops + shrines, given);
    CHECK_TEXT(ploy_plan_role_text(SHOP), "other");
    ploy_floor_plan_destroy(copy);
}

static ploy_result copy_one(const ploy_env *env, void *arg) {
    ploy_floor_plan *copy = NULL;
    ploy_result result = ploy_floor_plan_copy(arg, env, &copy);
    ploy_floor_plan_destroy(copy);
    return result;
}

static ploy_result rings_one(const ploy_env *env, void *arg) {
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_floor_plan_rings(arg, env, rings);
    ploy_rings_destroy(rings);
    return result;
}

TEST(copies_and_rings_survive_failed_allocations) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = 24;
    ploy_dungeon *dungeon = NULL;
    CHECK_OK(ploy_dungeon_begin(&def, ploy_rng_key_make(4), NULL, &env, &dungeon));
    CHECK_OK(ploy_dungeon_step(dungeon, NULL));
    CHECK_FAIL_NTH(copy_one, (void *)ploy_dungeon_plan(dungeon));
    CHECK_FAIL_NTH(rings_one, (void *)ploy_dungeon_plan(dungeon));
    ploy_dungeon_cancel(dungeon);
}

// Any level generator, with small settings: begin and step run out of memory at every allocation.
static ploy_result level_one(const ploy_env *env, void *arg) {
    const ploy_generator_type *type = arg;
    any_def def;
    ploy_fields_default(type->fields(), &def);
    int32_t width = 20, height = 14;
    uint32_t at = 0;
    if (ploy_fields_find(type->fields(), "width", &at) != NULL) memcpy(def.bytes + at, &width, 4);
    if (ploy_fields_find(type->fields(), "height", &at) != NULL) memcpy(def.bytes + at, &height, 4);
    ploy_generator generator;
    ploy_result result =
        ploy_generator_run(type, &def, ploy_rng_key_make(2), NULL, NULL, env, &generator);
    if (result == PLOY_OK) ploy_generator_cancel(generator);
    return result;
}

TEST(levels_survive_every_failed_allocation) {
    for (int32_t n = 0; ploy_generators_at(n) != NULL; n++) {
        const ploy_generator_type *type = ploy_generators_at(n);
        if (type->makes != PLOY_CONTENT_PLAN || type->takes != 0) continue;
        t->row = type->name;
        CHECK_FAIL_NTH(level_one, (void *)(uintptr_t)type);
    }
}

// Between the end of growth and the exit there is one unit for every thousand cells, so that no step of
// one unit looks at the whole level.
TEST(finishing_a_level_takes_units_for_its_cells) {
    static const char *const names[] = {"maze",      "dungeon",     "caves",
                                        "accretion", "subdivision", "pieces"};
    ploy_env env = ploy_env_default();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        t->row = names[n];
        const ploy_generator_type *type = ploy_generators_find(names[n]);
        any_def def;
        ploy_fields_default(type->fields(), &def);
        set_size(t, type, &def, "width", 250);
        set_size(t, type, &def, "height", 250);
        ploy_generator generator;
        CHECK_OK(
            ploy_generator_begin(type, &def, ploy_rng_key_make(3), NULL, NULL, &env, &generator));
        ploy_result result = PLOY_IN_PROGRESS;
        int64_t steps = 0, finishing = 0;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_generator_step(generator, &budget);
            ploy_floor_plan_view view = ploy_floor_plan_get(ploy_generator_content(generator).plan);
            finishing += view.entrance >= 0;
            steps++;
        }
        CHECK_OK(result);
        ploy_generate_outcome outcome = ploy_generator_outcome(generator);
        ploy_floor_plan_stats stats =
            ploy_floor_plan_stats_of(ploy_generator_content(generator).plan);
        CHECK(finishing >= stats.open / 1024);
        CHECK(outcome.units >= steps - 1);
        ploy_generator_cancel(generator);
    }
}

TEST(slices_and_traces_change_nothing) {
    ploy_env env = ploy_env_default();
    for (int32_t n = 0; ploy_generators_at(n) != NULL; n++) {
        const ploy_generator_type *type = ploy_generators_at(n);
        if (type->makes != PLOY_CONTENT_PLAN || type->takes != 0) continue;
        t->row = type->name;
        for (uint64_t seed = 0; seed < 40; seed++) {
            TEST_SEED(seed);
            any_def def;
            ploy_fields_default(type->fields(), &def);
            ploy_rng rng = ploy_rng_make(seed);
            random_settings settings = {&rng, def.bytes};
            if (seed % 2 == 1) ploy_fields_each(type->fields(), random_field, &settings);
            set_size(t, type, &def, "width", 30);
            set_size(t, type, &def, "height", 20);
            uint64_t hashes[3];
            for (int32_t k = 0; k < 3; k++) {
                static const int64_t units[3] = {1, 7, PLOY_BUDGET_UNLIMITED};
                ploy_generator generator;
                CHECK_OK(ploy_generator_begin(type, &def, ploy_rng_key_make(seed), NULL, NULL, &env,
                                              &generator));
                ploy_result result = PLOY_IN_PROGRESS;
                while (result == PLOY_IN_PROGRESS) {
                    ploy_budget budget = ploy_budget_units(units[k]);
                    result = ploy_generator_step(generator, &budget);
                }
                CHECK_OK(result);
                hashes[k] = ploy_generator_hash(generator);
                ploy_generator_cancel(generator);
            }
            CHECK_UINT(hashes[0], hashes[2]);
            CHECK_UINT(hashes[1], hashes[2]);
        }
    }
}
