// Six soldiers get into a wedge and follow an anchor without a leader; each takes the slot that
// makes the sum of all distances smallest, but the officer leads. He falls, and the ranks close. Shows
// ploy_formation and ploy_roles.
#include <stdio.h>

#include "ploy/move/arrive.h"
#include "ploy/move/formation.h"
#include "ploy/move/integrate.h"

enum { MEN = 6 };

// The tip of the wedge is for the officer, number 3: for any other it counts as 100 m more.
static const float role_costs[4] = {0, 100, 0, 0}; // rank and file, officer; in a flank, at the tip
static const int32_t slot_roles[MEN] = {1, 0, 0, 0, 0, 0};
static const ploy_roles roles = {role_costs, 2, 2, slot_roles, MEN};

static float slot_cost(void *user, const ploy_formation_member *member, int32_t slot,
                       ploy_place place) {
    const ploy_kinematic *men = user;
    int32_t rank = member->index == 3 ? 1 : 0;
    return ploy_vec2_distance(men[member->index].position, place.position) +
           ploy_roles_cost(&roles, rank, slot);
}

static void march(ploy_formation *formation, ploy_kinematic *men, float goal, float seconds) {
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematics view = ploy_kinematics_of(men, MEN);
    for (int tick = 0; tick < (int)(seconds * 60.0f); tick++) {
        ploy_formation_moderate(formation, &view); // on the leash of the men
        ploy_kinematic anchor = ploy_formation_anchor(formation);
        anchor.position.x = anchor.position.x + 0.5f < goal ? anchor.position.x + 0.5f : goal;
        anchor.position.y = 0.0f;
        anchor.orientation = 0.0f;
        ploy_formation_set_anchor(formation, anchor);
        for (int32_t i = 0; i < ploy_formation_count(formation); i++) {
            ploy_kinematic *man = &men[ploy_formation_get(formation, i).index];
            ploy_vec2 place = ploy_formation_place(formation, i).position;
            *man = ploy_integrate(&motion, *man, ploy_arrive(&arrive, *man, place), 1.0f / 60.0f);
        }
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    shape.shape = PLOY_FORMATION_WEDGE;
    ploy_pattern pattern = ploy_pattern_shape(&shape);
    ploy_formation_def def = ploy_formation_def_default();
    ploy_formation *formation = NULL;
    ploy_arena *scratch = NULL;
    if (ploy_formation_create(&def, &pattern, &env, &formation) != PLOY_OK) return 1;
    if (ploy_arena_create(4096, 0, &env, &scratch) != PLOY_OK) return 1;
    ploy_kinematic men[MEN];
    for (int32_t i = 0; i < MEN; i++) {
        men[i] = ploy_kinematic_make(ploy_vec2_make(0.0f, 2.0f * (float)i - 5.0f), 0.0f);
        ploy_formation_add(formation, ploy_agent_id_make((uint32_t)i + 1, 1), i);
    }
    ploy_formation_assign(formation, slot_cost, men, scratch, NULL, NULL);
    march(formation, men, 30.0f, 20.0f);
    for (int32_t i = 0; i < MEN; i++) {
        printf("man %d in slot %d at %.1f %.1f\n", i, ploy_formation_get(formation, i).slot,
               men[i].position.x, men[i].position.y);
    }
    ploy_formation_remove(formation, ploy_agent_id_make(4, 1));
    ploy_formation_assign(formation, slot_cost, men, scratch, NULL, NULL);
    march(formation, men, 60.0f, 20.0f);
    printf("%d are left, centred at %.1f\n", ploy_formation_count(formation),
           ploy_formation_anchor(formation).position.x);
    ploy_arena_destroy(scratch);
    ploy_formation_destroy(formation);
    return 0;
}
