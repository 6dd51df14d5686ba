// A squad's map of the enemy from what its two members remember: enemies out of sight stay where they
// were last seen, count less with time, and are forgotten. Shows ploy_influence_remember.
#include "ploy/tactics/influence.h"

#include <stdio.h>

enum { CELLS = 24 };

// What the squad takes an agent for. Its own members, agents 1 and 2, are left out.
static bool enemy(void *user, ploy_agent_id agent, ploy_influence_state *out) {
    (void)user;
    out->side = 0;
    out->type = 0;
    out->strength = 4.0f;
    return agent.id.index > 2;
}

static void look(ploy_sense_memory *memory, uint32_t agent, float x, double now) {
    ploy_agent_id other = ploy_agent_id_make(agent, 1);
    ploy_sense_memory_look(memory, other, ploy_vec3_make(x, 0.5f, 0), true, true, 1.0f, now);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    ploy_sense_memory_def memory_def = ploy_sense_memory_def_default();
    ploy_places places = ploy_places_grid(CELLS, 1, ploy_vec2_make(0, 0), 1.0f);
    ploy_sense_memory *scout = NULL, *guard = NULL;
    ploy_influence *map = NULL;
    memory_def.span = 10.0f;
    memory_def.half_life = 5.0f;
    if (ploy_influence_create(&def, &places, &env, &map) != PLOY_OK ||
        ploy_influence_add_type(map, &type, NULL) != PLOY_OK ||
        ploy_sense_memory_create(&memory_def, ploy_agent_id_make(1, 1), &env, &scout) != PLOY_OK ||
        ploy_sense_memory_create(&memory_def, ploy_agent_id_make(2, 1), &env, &guard) != PLOY_OK) {
        return 1;
    }
    const ploy_sense_memory *const members[] = {scout, guard};
    look(scout, 7, 4.5f, 0.0);
    look(scout, 8, 20.5f, 0.0);
    for (int second = 0; second <= 15; second += 3) {
        if (second == 3) look(guard, 7, 9.5f, second); // it walked on, and the guard sees it
        if (ploy_influence_remember(map, members, 2, second, enemy, NULL) != PLOY_OK) return 1;
        printf("after %2d s: ", second);
        for (int32_t place = 0; place < CELLS; place++) {
            float influence = ploy_influence_at(map, 0, place);
            putchar(influence < 0.5f   ? '.'
                    : influence < 3.5f ? '0' + (int)(influence + 0.5f)
                                       : '#');
        }
        putchar('\n');
    }
    ploy_sense_memory_destroy(scout);
    ploy_sense_memory_destroy(guard);
    ploy_influence_destroy(map);
    return 0;
}
