// A formation of formations: two teams of three, each a wedge, take the slots of a squad as if a
// team were one soldier. Prints where the teams and the squad are. Shows
// ploy_formation_kinematic, ploy_formation_place and ploy_formation_set_anchor, one level above
// the other.
#include <stdio.h>

#include "ploy/move/arrive.h"
#include "ploy/move/formation.h"
#include "ploy/move/integrate.h"

enum { TEAMS = 2, MEN = 3 };

static ploy_formation *squad, *teams[TEAMS];
static ploy_kinematic men[TEAMS * MEN], leads[TEAMS];

static ploy_result create(const ploy_env *env, const ploy_pattern *line,
                          const ploy_pattern *wedge) {
    ploy_formation_def def = ploy_formation_def_default();
    ploy_result result = ploy_formation_create(&def, line, env, &squad);
    for (int32_t k = 0; k < TEAMS && result == PLOY_OK; k++) {
        result = ploy_formation_create(&def, wedge, env, &teams[k]);
        for (int32_t i = 0; i < MEN && result == PLOY_OK; i++) {
            ploy_agent_id man = ploy_agent_id_make((uint32_t)i + 1, 1);
            result = ploy_formation_add(teams[k], man, MEN * k + i);
        }
        ploy_agent_id team = ploy_agent_id_make((uint32_t)k + 1, 1);
        if (result == PLOY_OK) result = ploy_formation_add(squad, team, k);
    }
    return result;
}

// One frame: the squad's slots are the teams' anchors, the teams' slots the men's goals.
static ploy_result march(ploy_kinematic goal) {
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_kinematics view = ploy_kinematics_of(men, TEAMS * MEN);
    ploy_result result = ploy_formation_set_anchor(squad, goal);
    for (int32_t k = 0; k < TEAMS && result == PLOY_OK; k++) {
        ploy_place slot = ploy_formation_place(squad, k);
        ploy_kinematic anchor = ploy_kinematic_make(slot.position, slot.orientation);
        result = ploy_formation_set_anchor(teams[k], anchor);
        for (int32_t i = 0; i < MEN && result == PLOY_OK; i++) {
            ploy_kinematic *man = &men[MEN * k + i];
            ploy_vec2 to = ploy_formation_place(teams[k], i).position;
            *man = ploy_integrate(&motion, *man, ploy_arrive(&arrive, *man, to), 1.0f / 60.0f);
        }
        if (result == PLOY_OK) result = ploy_formation_kinematic(teams[k], &view, &leads[k]);
    }
    return result;
}

int main(void) {
    static const ploy_place places[TEAMS] = {{{0, 6}, 0}, {{0, -6}, 0}};
    static const ploy_place_list list = {places, TEAMS};
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    shape.shape = PLOY_FORMATION_WEDGE;
    ploy_pattern line = ploy_pattern_list("squad", &list), wedge = ploy_pattern_shape(&shape);
    ploy_env env = ploy_env_default();
    ploy_result result = create(&env, &line, &wedge);
    ploy_kinematic goal = ploy_kinematic_make(ploy_vec2_make(30.0f, 10.0f), 0.0f);
    for (int tick = 0; tick <= 900 && result == PLOY_OK; tick++) {
        result = march(goal);
        if (tick % 450 != 0) continue;
        printf("%4.1f s: teams at %.1f %.1f and %.1f %.1f\n", tick / 60.0, leads[0].position.x,
               leads[0].position.y, leads[1].position.x, leads[1].position.y);
    }
    for (int32_t k = 0; k < TEAMS; k++) ploy_formation_destroy(teams[k]);
    ploy_formation_destroy(squad);
    return result == PLOY_OK ? 0 : 1;
}
