/// @file ploy/tactics/house.h
/// Taking a room: where each member of a small team goes, and the scripts for four, three and two.
///
/// The team stacks beside the door, one throws a grenade, and after the bang they enter one behind
/// the other: the first along the near wall to a corner, the second to the other corner, the rest
/// beside the door. The places come from the room's corners and its door, so that every shape
/// works. The steps are the same in all variants; only the scripts differ. A casualty switches to
/// the script for one member fewer.
///
///     ploy_house_plan plan;
///     ploy_house_plan_make(&room, 1.0f, &plan);
///     const char *text = ploy_house_script();     // house4, house3, house2: see squad_script.h
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, 6.5.6. Units: metres. Cost: O(corners).
/// Threads:
/// plain data.
#pragma once

#include "ploy/base/result.h"
#include "ploy/geom/vec.h"

/// Number of places outside the door, and maximum number of corners that a plan uses.
#define PLOY_HOUSE_SLOTS 4
#define PLOY_HOUSE_CORNERS 2

typedef struct ploy_house_room {
    const ploy_vec2 *corners; ///< m, of the floor; borrowed
    int32_t corner_count;
    ploy_vec2 door;   ///< m, middle of the doorway
    ploy_vec2 inward; ///< direction into the room; any length above 0
    float door_width; ///< m
} ploy_house_room;

/// Where the members go.
typedef struct ploy_house_plan {
    ploy_vec2 outside[PLOY_HOUSE_SLOTS]; ///< stacked beside the door: left, right, then behind them
    ploy_vec2 door;                      ///< just inside
    ploy_vec2 flank[2];                  ///< inside, left and right of the doorway
    ploy_vec2
        corners[PLOY_HOUSE_CORNERS]; ///< of the first and the second; a flank where one is missing
    int32_t corner_count;            ///< how many of them are corners, 0 to 2
} ploy_house_plan;

/// Corners nearer to the door than min_corner_distance cannot be defended and are left out. Of the
/// rest the two nearest are taken, the lower index first among equals. If both are on one side of
/// the door, the first member gets the one that is nearer to the door's wall.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, or if a direction or width is 0 or below.
PLOY_API ploy_result ploy_house_plan_make(const ploy_house_room *room, float min_corner_distance,
                                          ploy_house_plan *out);

/// The scripts "house4", "house3" and "house2" as text. Actions: `move outside STYLE`, `move door`,
/// `move corner STYLE`, `move flank STYLE` with the styles first, second, third, fourth, left and
/// right, and `play throw`; the game sets the signal "boom" at the bang.
PLOY_API const char *ploy_house_script(void);
