#include "labs/labs.h"

#include <stddef.h>

// Every lab, in the order in which they are listed; each is a file of its own, which defines its
// type. One to a line, so that two people can add theirs.
// clang-format off
#define LABS(lab) \
    lab(seek) \
    lab(steering) \
    lab(flock) \
    lab(crowd) \
    lab(formations) \
    lab(artillery) \
    lab(obstacles) \
    lab(driving) \
    lab(fleet) \
    lab(patterns) \
    lab(jumping) \
    lab(flyers) \
    lab(shapes) \
    lab(splines) \
    lab(indices) \
    lab(triangulation) \
    lab(offsetting) \
    lab(search) \
    lab(pathfinder) \
    lab(flow) \
    lab(hierarchy) \
    lab(replanning) \
    lab(navmesh) \
    lab(waypoints) \
    lab(level) \
    lab(storeys) \
    lab(planners) \
    lab(cooperative) \
    lab(scatter) \
    lab(leaf) \
    lab(descent) \
    lab(movement_planning) \
    lab(scheduler) \
    lab(market) \
    lab(senses) \
    lab(cover) \
    lab(generator) \
    lab(rooms) \
    lab(triggers) \
    lab(messages) \
    lab(machine) \
    lab(statechart) \
    lab(tree) \
    lab(decorators) \
    lab(fuzzy) \
    lab(fuzzy_machines) \
    lab(goals) \
    lab(doors) \
    lab(planner) \
    lab(minds) \
    lab(village) \
    lab(rules) \
    lab(blackboard) \
    lab(terrain) \
    lab(plant) \
    lab(forest) \
    lab(maze) \
    lab(dungeon) \
    lab(subdivision) \
    lab(skyscraper) \
    lab(board) \
    lab(searches) \
    lab(strategy) \
    lab(wfc) \
    lab(recipe) \
    lab(influence) \
    lab(radar) \
    lab(frag) \
    lab(routes) \
    lab(automata) \
    lab(q_grid) \
    lab(network) \
    lab(sentries) \
    lab(landscape) \
    lab(left_or_right) \
    lab(id4) \
    lab(combos) \
    lab(fog) \
    lab(tuning) \
    lab(intent) \
    lab(fireteam) \
    lab(house) \
    lab(scripts) \
    lab(script)

// Those that need the component script_lua.
#ifdef PLOY_HAS_SCRIPT_LUA
#define LABS_LUA(lab) \
    lab(miner) \
    lab(stage)
#else
#define LABS_LUA(lab)
#endif
// clang-format on

#define LABS_TYPE(name) extern const ploy_sim_type ploy_lab_##name;
#define LABS_ITEM(name) &ploy_lab_##name,

LABS(LABS_TYPE)
LABS_LUA(LABS_TYPE)

const ploy_sim_type *const *ploy_labs(void) {
    static const ploy_sim_type *const labs[] = {LABS(LABS_ITEM) LABS_LUA(LABS_ITEM) NULL};
    return labs;
}
