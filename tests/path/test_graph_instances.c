#include "path/path_internal.h"
#include "ploy/path/graph_instances.h"

#include "ploy/path/graph_check.h"
#include "ploy/path/graph_frozen.h"
#include "tests/path/toy_graph.h"

static ploy_result empty_expand(void *user, int32_t state, ploy_edges *out) {
    (void)user;
    (void)state;
    (void)out;
    return PLOY_OK;
}

TEST(offsets_follow_each_other) { // PTH-34
    ploy_env env = ploy_env_default();
    ploy_space world = {10000, empty_expand, empty_expand, NULL, NULL};
    ploy_space house = {100, empty_expand, empty_expand, NULL, NULL};
    ploy_space castle = {200, empty_expand, empty_expand, NULL, NULL};
    ploy_graph_instances *all = NULL;
    CHECK_OK(ploy_graph_instances_create(&world, &env, &all));
    CHECK_OK(ploy_graph_instances_add(all, &house, NULL));
    CHECK_OK(ploy_graph_instances_add(all, &castle, NULL));
    CHECK_OK(ploy_graph_instances_add(all, &house, NULL));
    CHECK_INT(ploy_graph_instances_offset(all, 0), 10000);
    CHECK_INT(ploy_graph_instances_offset(all, 1), 10100);
    CHECK_INT(ploy_graph_instances_offset(all, 2), 10300);
    CHECK_INT(ploy_graph_instances_offset(all, 3), 10400);
    CHECK_INT(ploy_graph_instances_offset(all, 4), -1);
    CHECK_INT(ploy_graph_instances_space(all).count, 10400);
    int32_t local = -1;
    CHECK_INT(ployi_graph_instances_locate(all, 9999, &local), -1);
    CHECK_INT(local, 9999);
    CHECK_INT(ployi_graph_instances_locate(all, 10000, &local), 0);
    CHECK_INT(local, 0);
    CHECK_INT(ployi_graph_instances_locate(all, 10299, &local), 1);
    CHECK_INT(local, 199);
    CHECK_INT(ployi_graph_instances_locate(all, 10399, &local), 2);
    CHECK_INT(local, 99);
    ploy_graph_instances_destroy(all);
}

// The same world with everything copied into one graph: what instancing must equal.
TEST(instances_cost_what_one_large_graph_costs) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *parts[3];
        ploy_frozen_graph *frozen = NULL;
        ploy_space spaces[3];
        for (int32_t i = 0; i < 3; i++) {
            parts[i] = toy_graph_random(t, &rng, i != 1, 10);
            spaces[i] = ploy_graph_space(parts[i]);
        }
        CHECK_OK(ploy_graph_freeze(parts[2], &env, &frozen)); // one that lends its edges
        spaces[2] = ploy_frozen_graph_space(frozen);
        ploy_graph_instances *all = NULL;
        CHECK_OK(ploy_graph_instances_create(&spaces[0], &env, &all));
        ploy_graph *whole = toy_graph_make(t, true, 0, NULL, 0);
        int32_t kinds[6] = {0};
        for (int32_t i = 1; i < 6; i++) {
            kinds[i] = ploy_rng_int(&rng, 1, 2);
            CHECK_OK(ploy_graph_instances_add(all, &spaces[kinds[i]], NULL));
        }
        for (int32_t i = 0; i < ploy_graph_instances_space(all).count; i++) {
            CHECK_OK(ploy_graph_add_node(whole, ploy_vec3_zero(), NULL));
        }
        for (int32_t i = 0; i < 6; i++) {
            int32_t offset = i == 0 ? 0 : ploy_graph_instances_offset(all, i - 1);
            const ploy_graph *part = parts[kinds[i]];
            for (int32_t e = 0; e < ploy_graph_edge_slots(part); e++) {
                ploy_graph_edge edge;
                if (!ploy_graph_edge_at(part, e, &edge)) continue;
                if ((edge.flags & PLOY_GRAPH_CLOSED) != 0) continue;
                CHECK_OK(ploy_graph_add_edge(whole, edge.from + offset, edge.to + offset, edge.cost,
                                             0, NULL));
            }
        }
        for (int32_t i = 0; i < 12; i++) {
            int32_t instance = ploy_rng_int(&rng, 0, 4),
                    world = ploy_rng_int(&rng, 0, spaces[0].count - 1);
            int32_t local = ploy_rng_int(&rng, 0, spaces[kinds[instance + 1]].count - 1);
            int32_t inside = ploy_graph_instances_offset(all, instance) + local;
            ploy_door_direction way = (ploy_door_direction)ploy_rng_int(&rng, 0, 2);
            double cost = (double)ploy_rng_int(&rng, 0, 2);
            CHECK_OK(ploy_graph_instances_add_door(all, instance, local, world, way, cost, NULL));
            if (!ploy_graph_has_node(whole, inside)) continue;
            if (way != PLOY_DOOR_OUT) {
                CHECK_OK(ploy_graph_add_edge(whole, world, inside, cost, 0, NULL));
            }
            if (way != PLOY_DOOR_IN) {
                CHECK_OK(ploy_graph_add_edge(whole, inside, world, cost, 0, NULL));
            }
        }
        ploy_space instanced = ploy_graph_instances_space(all), plain = ploy_graph_space(whole);
        CHECK_OK(ploy_space_check(&instanced, &env, NULL));
        double got[64], want[64];
        for (int32_t start = 0; start < plain.count; start += 7) {
            toy_graph_costs(t, &instanced, start, false, got);
            toy_graph_costs(t, &plain, start, false, want);
            for (int32_t i = 0; i < plain.count; i++) CHECK_SAME(got[i], want[i]);
        }
        ploy_graph_instances_destroy(all);
        ploy_frozen_graph_destroy(frozen);
        ploy_graph_destroy(whole);
        for (int32_t i = 0; i < 3; i++) ploy_graph_destroy(parts[i]);
    }
}

static ploy_result instances_body(const ploy_env *env, void *arg) {
    ploy_graph_instances *all = NULL;
    ploy_result result = ploy_graph_instances_create(arg, env, &all);
    if (result == PLOY_OK) result = ploy_graph_instances_add(all, arg, NULL);
    if (result == PLOY_OK) {
        result = ploy_graph_instances_add_door(all, 0, 1, 2, PLOY_DOOR_BOTH, 0.0, NULL);
    }
    if (result == PLOY_OK) {
        ploy_space space = ploy_graph_instances_space(all);
        result = ploy_space_check(&space, env, NULL);
    }
    TEST_REPORT(result, env, all, ploy_graph_instances_memory);
    ploy_graph_instances_destroy(all);
    return result;
}

TEST(instances_survive_a_failure_of_every_allocation_and_refuse_bad_doors) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space space = ploy_graph_space(graph);
    CHECK_FAIL_NTH(instances_body, &space);
    ploy_env env = ploy_env_default();
    ploy_graph_instances *all = NULL;
    CHECK_OK(ploy_graph_instances_create(&space, &env, &all));
    CHECK_OK(ploy_graph_instances_add(all, &space, NULL));
    static const struct {
        const char *row;
        int32_t instance, local, world;
        double cost;
    } rows[] = {{"no such building", 1, 0, 0, 0},
                {"no such node inside", 0, EX_NODES, 0, 0},
                {"no such node outside", 0, 0, EX_NODES, 0},
                {"a negative cost", 0, 0, 0, -1},
                {"not a number", 0, 0, 0, NAN}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_graph_instances_add_door(all, rows[i].instance, rows[i].local, rows[i].world,
                                                PLOY_DOOR_BOTH, rows[i].cost, NULL),
                  PLOY_ERR_ARGUMENT);
    }
    ploy_graph_instances_destroy(all);
    ploy_graph_destroy(graph);
}
