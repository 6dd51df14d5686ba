// Entities: ids that never find a stranger, the two rules for ids, walks that survive removal, and
// hooks that do anything.
#include "ploy/world/entity.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/alloc.h"
#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/state.h"
#include "tests/world/world_test.h"

static ploy_entities *entities_of(test_context *t, ploy_entity_ids ids, int32_t limit) {
    ploy_env env = ploy_env_default();
    ploy_entities_def def = ploy_entities_def_default();
    def.ids = ids;
    def.limit = limit;
    def.capacity = 0;
    ploy_entities *entities = NULL;
    CHECK_OK(ploy_entities_create(&def, &env, &entities));
    return entities;
}

TEST(an_old_id_never_finds_a_stranger) { // FSM-13
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    ploy_agent_id miner = world_add(t, entities, "miner");
    ploy_agent_id wife = world_add(t, entities, "wife");
    CHECK(ploy_entities_has(entities, miner));
    CHECK(!ploy_entities_has(entities, ploy_agent_id_none()));
    CHECK(!ploy_entities_has(entities, ploy_agent_id_make(7, 1)));
    CHECK_OK(ploy_entities_remove(entities, miner));
    CHECK_INT(ploy_entities_remove(entities, miner), PLOY_ERR_NOT_FOUND);
    ploy_agent_id fly = world_add(t, entities, "fly");
    CHECK_UINT(fly.id.index, miner.id.index); // the same place
    CHECK(!ploy_entities_has(entities, miner));
    CHECK(ploy_entities_get(entities, miner) == NULL);
    CHECK(ploy_id_equal(ploy_entities_at(entities, fly.id.index).id, fly.id));
    CHECK_UINT(ploy_entities_get(entities, wife)->type.hash, ploy_name_of("wife").hash);
    CHECK_DRAWS(0, ploy_entities_draw(entities, NULL, &drawing)); // without a pose
    CHECK_INT(ploy_entities_count(entities), 2);
    ploy_entities_clear(entities);
    CHECK_INT(ploy_entities_count(entities), 0);
    CHECK_UINT(ployi_entities_next_id(entities).id.index, 0);
    ploy_agent_id again = world_add(t, entities, "miner");
    CHECK_UINT(again.id.index, 0);
    CHECK(!ploy_entities_has(entities, fly) && !ploy_entities_has(entities, wife));
    ploy_entities_destroy(entities);
}

TEST(an_index_may_be_asked_for_and_a_duplicate_is_an_error) { // FSM-13
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 10);
    ploy_entity entity = ploy_entity_make(ploy_name_of("door"));
    ploy_agent_id id;
    CHECK_OK(ploy_entities_add_at(entities, 5, &entity, &id));
    CHECK_UINT(id.id.index, 5);
    CHECK_INT(ploy_entities_add_at(entities, 5, &entity, NULL), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_entities_add_at(entities, 10, &entity, NULL), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_entities_add_at(entities, 2, &entity, &id));
    for (uint32_t want = 0; want < 10; want++) { // the lowest free ones first
        if (want == 2 || want == 5) continue;
        CHECK_UINT(ployi_entities_next_id(entities).id.index, want);
        CHECK_UINT(world_add(t, entities, "door").id.index, want);
    }
    CHECK_INT(ploy_entities_add(entities, &entity, &id), PLOY_ERR_CAPACITY);
    CHECK(ploy_id_is_none(ployi_entities_next_id(entities).id));
    ploy_entities_destroy(entities);
}

TEST(where_ids_rise_none_comes_twice) { // FSM-12: id >= next valid id, which becomes id + 1
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_RISING, 100);
    ploy_entity entity = ploy_entity_make(ploy_name_of("miner"));
    ploy_agent_id id;
    CHECK_OK(ploy_entities_add_at(entities, 3, &entity, &id));
    CHECK_UINT(ployi_entities_next_id(entities).id.index, 4);
    CHECK_INT(ploy_entities_add_at(entities, 2, &entity, NULL), PLOY_ERR_DENIED);
    CHECK_INT(ploy_entities_add_at(entities, 3, &entity, NULL), PLOY_ERR_EXISTS);
    CHECK_UINT(world_add(t, entities, "wife").id.index, 4);
    CHECK_OK(ploy_entities_remove(entities, id));
    CHECK_INT(ploy_entities_add_at(entities, 3, &entity, NULL), PLOY_ERR_DENIED);
    CHECK_UINT(world_add(t, entities, "fly").id.index, 5);
    ploy_entities_clear(entities); // the counter is reset
    CHECK_UINT(ployi_entities_next_id(entities).id.index, 0);
    CHECK_OK(ploy_entities_add_at(entities, 1, &entity, &id));
    CHECK_INT(ploy_entities_add_at(entities, 0, &entity, NULL), PLOY_ERR_DENIED);
    CHECK(!ploy_entities_has(entities, ploy_agent_id_make(3, 1)));
    ploy_entities_destroy(entities);
}

TEST(bad_entities_are_refused) {
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    for (int32_t row = 0; row < 6; row++) {
        ploy_entity entity = ploy_entity_make(ploy_name_of("miner"));
        if (row == 0) entity.scale = 0.0f;
        if (row == 1) entity.scale = NAN;
        if (row == 2) entity.pose.radius = -1.0f;
        if (row == 3) entity.pose.frame.position.x = INFINITY;
        if (row == 4) entity.pose.frame.orientation.w = NAN;
        CHECK_INT(ploy_entities_add(entities, &entity, NULL),
                  row < 5 ? PLOY_ERR_ARGUMENT : PLOY_OK);
    }
    CHECK_INT(ploy_entities_add(entities, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_entities_add(NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_entities_count(entities), 1);
    ploy_entities_destroy(entities);
    ploy_env env = ploy_env_default();
    ploy_entities_def def = ploy_entities_def_default();
    def.limit = 0;
    CHECK_INT(ploy_entities_create(&def, &env, &entities), PLOY_ERR_ARGUMENT);
    CHECK(entities == NULL);
    memset(&def, 0, sizeof def);
    CHECK_INT(ploy_entities_create(&def, &env, &entities), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_entities_fields(), NULL));
}

TEST(poses_come_from_the_registry_or_from_the_game) {
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    ploy_agent_id id = world_add_at(t, entities, "miner", 3, 4);
    ploy_entity entity = *ploy_entities_get(entities, id);
    entity.scale = 2.0f;
    CHECK_OK(ploy_entities_set(entities, id, &entity));
    ploy_pose_source source = ploy_entities_pose_source(entities);
    ploy_pose pose;
    CHECK(ploy_pose_source_get(&source, id, &pose));
    CHECK_NEAR(pose.frame.position.y, 4, 0);
    CHECK_NEAR(pose.radius, 1, 0); // half a metre at scale 2
    CHECK(!ploy_pose_source_get(&source, ploy_agent_id_make(9, 1), &pose));
    ploy_entities *other = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    CHECK(ploy_id_equal(world_add_at(t, other, "shadow", 7, 8).id, id.id));
    ploy_entities_set_source(entities, ploy_entities_pose_source(other));
    CHECK(ploy_entities_pose(entities, id, &pose));
    CHECK_NEAR(pose.frame.position.y, 8, 0);
    CHECK_OK(ploy_entities_remove(other, id));
    CHECK(!ploy_entities_pose(entities, id, &pose)); // the source does not know it any more
    CHECK_OK(ployi_entities_set_tag(entities, id, 5));
    CHECK_UINT(ploy_entities_get(entities, id)->tag, 5);
    ployi_entities_clear_tags(entities, 0);
    CHECK_UINT(ploy_entities_get(entities, id)->tag, 0);
    ploy_entities_destroy(other);
    ploy_entities_destroy(entities);
}

// Random coming, going and changing against a plain list in order of adding.
TEST(a_registry_does_what_a_list_does) {
    static const char *const types[] = {"miner", "wife", "door"};
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 1000);
        struct {
            ploy_agent_id id;
            int32_t type;
        } list[300];
        int32_t count = 0;
        for (int32_t step = 0; step < 250; step++) {
            uint64_t what = ploy_rng_below(&rng, 5);
            int32_t at = count > 0 ? (int32_t)ploy_rng_below(&rng, (uint32_t)count) : -1;
            if (what < 3 || at < 0) {
                list[count].type = (int32_t)ploy_rng_below(&rng, 3);
                list[count].id = world_add(t, entities, types[list[count].type]);
                count++;
            } else {
                ploy_agent_id id = list[at].id;
                int32_t type = list[at].type;
                memmove(&list[at], &list[at + 1], (size_t)(count - at - 1) * sizeof list[0]);
                if (what == 3) {
                    CHECK_OK(ploy_entities_remove(entities, id));
                    CHECK(!ploy_entities_has(entities, id));
                    count--;
                } else { // another type: to the end
                    ploy_entity entity = *ploy_entities_get(entities, id);
                    type = (type + 1) % 3;
                    entity.type = ploy_name_of(types[type]);
                    CHECK_OK(ploy_entities_set(entities, id, &entity));
                    list[count - 1].id = id;
                    list[count - 1].type = type;
                }
            }
            for (int32_t type = -1; type < 3; type++) {
                ploy_entity_walk walk =
                    type < 0 ? ploy_entities_walk(entities)
                             : ploy_entities_walk_type(entities, ploy_name_of(types[type]));
                ploy_agent_id id;
                int32_t met = 0;
                for (int32_t i = 0; i < count; i++) {
                    if (type >= 0 && list[i].type != type) continue;
                    CHECK(ploy_entities_walk_next(entities, &walk, &id));
                    CHECK(ploy_id_equal(id.id, list[i].id.id));
                    met++;
                }
                CHECK(!ploy_entities_walk_next(entities, &walk, &id));
                CHECK_INT(type < 0 ? ploy_entities_count(entities)
                                   : ployi_entities_count_type(entities, ploy_name_of(types[type])),
                          met);
            }
        }
        ploy_entities_destroy(entities);
    }
}

TEST(a_walk_survives_removal_and_does_not_meet_newcomers) {
    for (int32_t removed = 0; removed < 8; removed++) {
        ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
        ploy_agent_id ids[8], id;
        for (int32_t i = 0; i < 8; i++) ids[i] = world_add(t, entities, "miner");
        ploy_entity_walk walk = ploy_entities_walk_type(entities, ploy_name_of("miner"));
        int32_t met = 0;
        while (ploy_entities_walk_next(entities, &walk, &id)) {
            if (met == 3) { // itself, one before, one behind: any
                CHECK_OK(ploy_entities_remove(entities, ids[removed]));
                world_add(t, entities, "miner");
            }
            CHECK_UINT(id.id.index, ids[removed > 3 && met >= removed ? met + 1 : met].id.index);
            met++;
        }
        CHECK_INT(met, removed > 3 ? 7 : 8);
        ploy_entities_destroy(entities);
    }
}

typedef struct hook_state {
    ploy_entities *entities;
    int32_t calls;
    ploy_agent_id also; // removed by the hook
    bool leave;         // takes itself away
} hook_state;

static void hook_removed(void *user, ploy_agent_id id, const ploy_entity *was) {
    hook_state *state = user;
    state->calls++;
    if (ploy_entities_has(state->entities, id) || was->scale != 1.0f) state->calls = -1000;
    if (state->leave) ploy_entities_remove_hook(state->entities, hook_removed, state);
    ploy_entities_remove(state->entities, state->also);
}

TEST(hooks_may_remove_others_and_themselves) {
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    ploy_agent_id a = world_add(t, entities, "a"), b = world_add(t, entities, "b");
    ploy_agent_id c = world_add(t, entities, "c");
    hook_state first = {entities, 0, b, true}, second = {entities, 0, a, false};
    CHECK_OK(ploy_entities_add_hook(entities, hook_removed, &first));
    CHECK_OK(ploy_entities_add_hook(entities, hook_removed, &second));
    CHECK_INT(ploy_entities_add_hook(entities, hook_removed, &second), PLOY_ERR_EXISTS);
    CHECK_OK(ploy_entities_remove(entities, a));
    CHECK_INT(first.calls, 1); // gone before b went
    CHECK_INT(second.calls, 2);
    CHECK_INT(ploy_entities_remove_hook(entities, hook_removed, &first), PLOY_ERR_NOT_FOUND);
    ploy_entities_clear(entities);
    CHECK_INT(second.calls, 3);
    CHECK(!ploy_entities_has(entities, c));
    CHECK_OK(ploy_entities_remove_hook(entities, hook_removed, &second));
    ploy_entities_destroy(entities);
}

static uint64_t entities_hash(const ploy_entities *entities) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_entities_describe(entities, NULL, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_hash_sees_every_field_and_which_place_comes_next) {
    ploy_entities *entities = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    ploy_agent_id a = world_add(t, entities, "a"), b = world_add(t, entities, "b");
    uint64_t before = entities_hash(entities);
    for (int32_t row = 0; row < 6; row++) {
        ploy_entity was = *ploy_entities_get(entities, a), now = was;
        if (row == 0) now.tag = 1;
        if (row == 1) now.user = 1;
        if (row == 2) now.scale = 2;
        if (row == 3) now.pose.radius = 3;
        if (row == 4) now.pose.frame.position.z = 1;
        if (row == 5) now.pose = ploy_pose_make2(ploy_vec2_zero(), 1.0f, was.pose.radius);
        CHECK_OK(ploy_entities_set(entities, a, &now));
        CHECK(entities_hash(entities) != before);
        CHECK_OK(ploy_entities_set(entities, a, &was));
        CHECK_UINT(entities_hash(entities), before);
    }
    ploy_agent_id c = world_add(t, entities, "c");
    CHECK_OK(ploy_entities_remove(entities, b));
    CHECK_OK(ploy_entities_remove(entities, c));
    uint64_t one = entities_hash(entities);
    ploy_entities *other = entities_of(t, PLOY_ENTITY_IDS_REUSED, 100);
    world_add(t, other, "a");
    b = world_add(t, other, "b");
    c = world_add(t, other, "c");
    CHECK_OK(ploy_entities_remove(other, c));
    CHECK_OK(ploy_entities_remove(other, b));
    CHECK(entities_hash(other) != one); // the same entities, but another place is next
    ploy_entities_destroy(other);
    ploy_entities_destroy(entities);
}

static ploy_result entities_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_entities_def def = ploy_entities_def_default();
    def.capacity = 1;
    def.types = 1;
    ploy_entities *entities = NULL;
    ploy_result result = ploy_entities_create(&def, env, &entities);
    static const char *const types[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    for (int32_t i = 0; i < 20 && result == PLOY_OK; i++) {
        ploy_entity entity = ploy_entity_make(ploy_name_of(types[i % 10]));
        int32_t count = ploy_entities_count(entities);
        result = ploy_entities_add(entities, &entity, NULL);
        if (result != PLOY_OK && ploy_entities_count(entities) != count) result = PLOY_ERR_STATE;
    }
    ploy_entities_destroy(entities);
    return result;
}

TEST(entities_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(entities_fill, NULL);
}

TEST(a_reserved_registry_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_entities_def def = ploy_entities_def_default();
    ploy_entities *entities = NULL;
    CHECK_OK(ploy_entities_create(&def, &env, &entities));
    CHECK_OK(ploy_entities_reserve(entities, 100, 4));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 100; i++) world_add(t, entities, i % 2 == 0 ? "a" : "b");
    ploy_entities_clear(entities);
    for (int32_t i = 0; i < 100; i++) world_add(t, entities, "c");
    CHECK_INT(counts.calls, calls);
    ploy_entities_destroy(entities);
    CHECK_INT(counts.bytes, 0);
}

static ploy_entities *entities_full(test_context *t, const ploy_env *env, int32_t shift) {
    ploy_entities_def def = ploy_entities_def_default();
    def.capacity = 2;
    def.types = 1;
    ploy_entities *entities = NULL;
    CHECK_OK(ploy_entities_create(&def, env, &entities));
    ploy_agent_id ids[9];
    for (int32_t i = 0; i < 9; i++) {
        ploy_entity entity = ploy_entity_make(ploy_name_of(i % 2 == 0 ? "miner" : "elf"));
        entity.pose = ploy_pose_make2(ploy_vec2_make((float)(i + shift), 1.0f), 0.25f, 0.5f);
        entity.user = (uint64_t)i;
        CHECK_OK(ploy_entities_add(entities, &entity, &ids[i]));
    }
    for (int32_t i = 0; i < 9; i += 3) CHECK_OK(ploy_entities_remove(entities, ids[i]));
    ploy_entity late = ploy_entity_make(ploy_name_of("miner"));
    CHECK_OK(ploy_entities_add(entities, &late, NULL));
    return entities;
}

static const char *const entity_skip[] = {"generation", "alive",      "resting", "order",
                                          "previous",   "next",       "first",   "last",
                                          "count",      "next_order", NULL};

TEST(entities_save_and_load_with_their_ids) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_entities *entities = entities_full(t, &env, 0);
    state_check s = {ploy_entities_visit, entities, NULL, entity_skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_entities_def def = ploy_entities_def_default();
    ploy_entities *other = NULL;
    CHECK_OK(ploy_entities_create(&def, &env, &other));
    state_check_copy(t, &s, other);
    CHECK_INT(ployi_entities_count_type(other, ploy_name_of("miner")),
              ployi_entities_count_type(entities, ploy_name_of("miner")));
    for (int32_t i = 0; i < 4; i++) { // both give the same ids from now on
        ploy_entity entity = ploy_entity_make(ploy_name_of("elf"));
        ploy_agent_id a, b;
        CHECK_OK(ploy_entities_add(entities, &entity, &a));
        CHECK_OK(ploy_entities_add(other, &entity, &b));
        CHECK(ploy_id_equal(a.id, b.id));
    }
    ploy_entity_walk walk_a = ploy_entities_walk_type(entities, ploy_name_of("elf"));
    ploy_entity_walk walk_b = ploy_entities_walk_type(other, ploy_name_of("elf"));
    ploy_agent_id a, b;
    while (ploy_entities_walk_next(entities, &walk_a, &a)) {
        CHECK(ploy_entities_walk_next(other, &walk_b, &b) && ploy_id_equal(a.id, b.id));
    }
    ploy_entities_destroy(entities);
    ploy_entities_destroy(other);
}

static ploy_result load_entities(const ploy_env *env, void *arg) {
    ploy_entities_def def = ploy_entities_def_default();
    def.capacity = def.types = 0;
    ploy_entities *entities = NULL;
    ploy_result result = ploy_entities_create(&def, env, &entities);
    ploy_entity first = ploy_entity_make(ploy_name_of("first"));
    if (result == PLOY_OK) result = ploy_entities_add(entities, &first, NULL);
    if (result == PLOY_OK) {
        state_check s = {ploy_entities_visit, entities, NULL, NULL, NULL};
        result = state_load(&s, arg, env, NULL);
        bool kept = ployi_entities_count_type(entities, ploy_name_of("first")) == 1;
        if (kept != (result != PLOY_OK)) result = PLOY_ERR_STATE;
    }
    ploy_entities_destroy(entities);
    return result;
}

TEST(entities_load_without_memory) {
    ploy_env env = ploy_env_default();
    ploy_entities *entities = entities_full(t, &env, 1);
    state_check s = {ploy_entities_visit, entities, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_entities, text);
    free(text);
    ploy_entities_destroy(entities);
}
