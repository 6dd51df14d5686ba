// A register of who is there: a guard keeps an intruder's id, the intruder leaves, another visitor
// takes the place, and the old id finds no entity. Shows ploy_entities: ids, walks by type and farewells.
#include <stdio.h>

#include "ploy/world/entity.h"

static void gone(void *user, ploy_agent_id id, const ploy_entity *was) {
    (void)user;
    printf("place %u, generation %u: gone from x = %.0f\n", (unsigned)id.id.index,
           (unsigned)id.id.generation, (double)was->pose.frame.position.x);
}

static ploy_agent_id add(ploy_entities *entities, const char *type, float x) {
    ploy_entity entity = ploy_entity_make(ploy_name_of(type));
    ploy_agent_id id = ploy_agent_id_none();
    entity.pose = ploy_pose_make2(ploy_vec2_make(x, 0.0f), 0.0f, 0.4f);
    if (ploy_entities_add(entities, &entity, &id) != PLOY_OK) printf("no room\n");
    return id;
}

static void list(const ploy_entities *entities, const char *type) {
    ploy_entity_walk walk = ploy_entities_walk_type(entities, ploy_name_of(type));
    ploy_agent_id id;
    printf("%ss:", type);
    while (ploy_entities_walk_next(entities, &walk, &id)) {
        printf(" %.0f m", (double)ploy_entities_get(entities, id)->pose.frame.position.x);
    }
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_entities_def def = ploy_entities_def_default();
    ploy_entities *entities = NULL;
    if (ploy_entities_create(&def, &env, &entities) != PLOY_OK) return 1;
    if (ploy_entities_add_hook(entities, gone, NULL) != PLOY_OK) return 1;
    add(entities, "guard", 1.0f);
    ploy_agent_id suspect = add(entities, "thief", 5.0f); // what a guard keeps in mind: an id
    add(entities, "guard", 9.0f);
    list(entities, "guard");

    if (ploy_entities_remove(entities, suspect) != PLOY_OK) return 1;
    ploy_agent_id cook = add(entities, "cook", 7.0f);
    printf("the cook has place %u, generation %u\n", (unsigned)cook.id.index,
           (unsigned)cook.id.generation);
    printf("the suspect is %s\n", ploy_entities_get(entities, suspect) ? "there" : "nobody");
    ploy_entities_destroy(entities);
    return 0;
}
