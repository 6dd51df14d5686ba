// Creates refuse an env of NULL: in every module, so here, where all of them are linked.
#include "ploy/decide/rule_set.h"
#include "ploy/geom/merge.h"
#include "ploy/move/crowd.h"
#include "ploy/move/flock.h"
#include "ploy/move/overwatch.h"
#include "ploy/move/wander.h"
#include "ploy/path/conflicts.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/path/lanes.h"
#include "ploy/path/navigator.h"
#include "ploy/world/sense_memory.h"
#include "ploy/world/senses.h"
#include "ploy/world/sight_batch.h"
#include "tests/test.h"

// def: the default's name; arguments: between the def and the env.
#define REFUSES(type, ...)                                            \
    do {                                                              \
        t->row = #type;                                               \
        ploy_##type##_def def = ploy_##type##_def_default();          \
        ploy_##type *made = (ploy_##type *)(void *)&def;              \
        ploy_result result = ploy_##type##_create(&def, __VA_ARGS__); \
        CHECK_INT(result, PLOY_ERR_ARGUMENT);                         \
        CHECK(made == NULL);                                          \
    } while (0)

TEST(creates_refuse_an_env_of_null) {
    REFUSES(merge, NULL, &made);
    REFUSES(sight_batch, NULL, &made);
    REFUSES(sense_memory, ploy_agent_id_none(), NULL, &made);
    REFUSES(senses, NULL, &made);
    REFUSES(conflicts, NULL, &made);
    REFUSES(lanes, NULL, &made);
    REFUSES(navigator, NULL, &made);
    REFUSES(flock, 4, NULL, &made);
    REFUSES(crowd, NULL, &made);
    REFUSES(overwatch, NULL, &made);
    REFUSES(wander, 4, NULL, &made);
    t->row = "rule_set_type";
    ploy_rule_set_def rules = ploy_rule_set_def_default();
    ploy_rule_set_type *type = (ploy_rule_set_type *)(void *)&rules;
    CHECK_INT(ploy_rule_set_type_create(&rules, NULL, NULL, &type), PLOY_ERR_ARGUMENT);
    CHECK(type == NULL);
    t->row = "an empty graph that is frozen";
    ploy_env env = ploy_env_default();
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&graph_def, &env, &graph));
    ploy_frozen_graph *frozen = (ploy_frozen_graph *)(void *)&rules;
    CHECK_INT(ploy_graph_freeze(graph, NULL, &frozen), PLOY_ERR_ARGUMENT);
    CHECK(frozen == NULL);
    ploy_graph_destroy(graph);
}

TEST(nothing_is_allocated_without_an_env) {
    ploy_env empty;
    memset(&empty, 0, sizeof empty);
    CHECK(ploy_env_alloc(NULL, 8) == NULL);
    CHECK(ploy_env_alloc_zero(&empty, 8) == NULL);
}
