// A car parks, three robots pass through a crossing, and a driver finds a gap in the traffic.
// Shows ploy_turning, ploy_conflicts and ploy_lanes.
#include <stdio.h>

#include "ploy/path/conflicts.h"
#include "ploy/path/lanes.h"
#include "ploy/path/tiles.h"
#include "ploy/path/turning.h"

static void park(void) {
    ploy_turning_pose from = {{0, 0}, 0}, to = {{0, 3}, 0};
    ploy_turning curve;
    char word[2 * PLOY_TURNING_PIECES + 1];
    static const char *const names[] = {"forward only", "with reversing"};
    for (int32_t kind = PLOY_TURNING_DUBINS; kind <= PLOY_TURNING_REEDS_SHEPP; kind++) {
        if (ploy_turning_find((ploy_turning_kind)kind, from, to, 5.0f, &curve) != PLOY_OK) return;
        ploy_turning_word(&curve, word);
        printf("three metres to the side, %s: %s, %.1f m\n", names[kind], word,
               (double)curve.length);
    }
}

static void cross(const ploy_env *env) {
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    map.width = map.height = 5;
    map.neighbours = PLOY_TILE_FOUR;
    if (ploy_tiles_create(&map, env, &tiles) != PLOY_OK) return;
    for (int32_t i = 0; i < 25; i++) { // a cross of two streets
        if (i % 5 != 2 && i / 5 != 2) ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED);
    }
    ploy_tiles_set(tiles, 6, PLOY_TILE_OPEN); // and a place to wait
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_space space = ploy_tiles_space(&walker);
    ploy_conflicts_agent robots[3] = {{10, 14}, {2, 22}, {22, 2}};
    ploy_conflicts_def def = ploy_conflicts_def_default();
    ploy_conflicts *conflicts = NULL;
    if (ploy_conflicts_create(&def, env, &conflicts) != PLOY_OK) return;
    if (ploy_conflicts_run(conflicts, &space, robots, 3) == PLOY_OK) {
        printf("three robots: %s, %d ticks in all\n",
               ploy_search_outcome_text(ploy_conflicts_outcome(conflicts)),
               (int)ploy_conflicts_cost(conflicts));
    }
    ploy_conflicts_destroy(conflicts);
    ploy_tiles_destroy(tiles);
}

static void drive(const ploy_env *env) {
    ploy_lanes_def def = ploy_lanes_def_default();
    ploy_lanes *lanes = NULL;
    ploy_lane_car cars[2] = {{40, 5, 0, 0}, {90, 5, 1, 0}}, me = {0, 20, 0, 0};
    ploy_lane_piece pieces[16];
    double seconds = 0;
    if (ploy_lanes_create(&def, env, &lanes) != PLOY_OK) return;
    if (ploy_lanes_begin(lanes, cars, 2, &me, 250) != PLOY_OK) return;
    if (ploy_lanes_step(lanes, NULL) != PLOY_OK) return;
    int32_t count = ploy_lanes_plan(lanes, pieces, 16, &seconds);
    for (int32_t i = 0; i < count && i < 16; i++) {
        if (pieces[i].action != PLOY_LANE_CHANGE) continue;
        printf("at %.1f s: to lane %d\n", pieces[i].begin, (int)pieces[i].to_lane);
    }
    printf("250 m in %.1f s\n", seconds);
    ploy_lanes_destroy(lanes);
}

int main(void) {
    ploy_env env = ploy_env_default();
    park();
    cross(&env);
    drive(&env);
    return 0;
}
