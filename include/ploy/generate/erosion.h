/// @file ploy/generate/erosion.h
/// Erosion: how loose soil, rain and rivers shape a landscape.
///
/// Three modifiers, run as a ploy_terrain (ploy/generate/terrain.h):
///
///     thermal     soil steeper than it can hold slides down: scree at the foot of cliffs
///     hydraulic   rain, flow, pick-up, transport and deposit on a grid: valleys and deltas
///     droplets    single drops run downhill one after another: fine gullies at little cost
///
/// Thermal erosion moves, in each pass and to each of the four neighbours that is more than the
/// threshold lower, an eighth of the excess, at most a quarter of the threshold. Cells of the edge
/// only receive. The process converges.
///
/// Hydraulic erosion adds the layers "water" (m, standing water: lakes), "sediment" (m, soil in the
/// water), "flow" (m, water that left the cell in the last pass: rivers); a river map reads "flow".
/// It reads the layer "softness" if there is one: a factor on solubility for rock types. The sum of
/// terrain and sediment stays constant; water changes by rain and evaporation. The edge of the map
/// is closed. Constants depend strongly on the scale of the map: start from the defaults, which
/// suit cells of about the height of a hill / 50, and tune by eye.
///
/// Sums run over opposite neighbours first, so a rotated map gives the rotated result.
///
/// Technique: Millington, "AI for Games", 8.3.3 and 8.3.4 with its errata corrected (velocity in a
/// separate pass, sources and sinks balanced, closed border). Droplets after Beyer, "Implementation
/// of a method for hydraulic erosion", 2015, with the sediment of a drop deposited when it ends.
///
/// A budget unit is one row of cells in one pass, or one droplet. Cost per cell and pass: thermal
/// about 1 ns, hydraulic about 5 ns. Memory: thermal two layers more, hydraulic 8 or 9 layers more,
/// droplets none.
#pragma once

#include "ploy/generate/terrain.h"

// ---- thermal

typedef struct ploy_thermal_def {
    uint32_t cookie;
    float angle;        ///< rad: angle of repose; the threshold is spacing * tan(angle)
    int32_t passes;     ///< maximum number of passes
    float settle;       ///< m: ends when no step exceeds the threshold by more; 0: all passes
    float max_altitude; ///< m: only terrain below it moves
    float wind_angle;   ///< rad: direction toward which the wind blows
    float wind;         ///< 0 to 1: how much more soil moves with the wind and less against it
} ploy_thermal_def;

PLOY_API ploy_thermal_def ploy_thermal_def_default(void);
PLOY_API ploy_fields ploy_thermal_fields(void);
PLOY_API ploy_result ploy_thermal_begin(const ploy_thermal_def *def, ploy_rng_key key,
                                        const ploy_heightmap *map, ploy_trace *trace,
                                        const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_thermal_run(const ploy_thermal_def *def, ploy_rng_key key,
                                      ploy_heightmap *map, const ploy_env *env);
PLOY_API const ploy_generator_type *ploy_thermal_generator(void);
/// How far the steepest inner step exceeds the threshold, m; 0 if none does.
PLOY_API float ploy_thermal_excess(const ploy_heightmap *map, float angle);

// ---- hydraulic

/// How much sediment leaves with the water.
typedef enum ploy_sediment_share {
    PLOY_SEDIMENT_OF_FLOW, ///< any flow takes all sediment, in proportion to the flows
    PLOY_SEDIMENT_OF_WATER ///< the share of the water that flows away
} ploy_sediment_share;

typedef struct ploy_hydraulic_def {
    uint32_t cookie;
    int32_t passes;
    float rain;        ///< m of water on every cell per pass
    float flow_rate;   ///< share of the difference of water levels that flows per pass
    float carry;       ///< share of the last pass's flow that continues: momentum
    float pick;        ///< speed above which soil is picked up, m per pass
    float drop;        ///< speed below which sediment is deposited
    float solubility;  ///< m of soil picked up at speed 1
    float evaporation; ///< share of the water in a pass
    ploy_sediment_share share;
    float windward;   ///< how much more rain falls on slopes that face the wind; 0: even rain
    float wind_angle; ///< rad: direction toward which the wind blows
    float loose;      ///< factor on the solubility of soil deposited earlier
} ploy_hydraulic_def;

PLOY_API ploy_hydraulic_def ploy_hydraulic_def_default(void);
PLOY_API ploy_fields ploy_hydraulic_fields(void);
PLOY_API ploy_result ploy_hydraulic_begin(const ploy_hydraulic_def *def, ploy_rng_key key,
                                          const ploy_heightmap *map, ploy_trace *trace,
                                          const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_hydraulic_run(const ploy_hydraulic_def *def, ploy_rng_key key,
                                        ploy_heightmap *map, const ploy_env *env);
PLOY_API const ploy_generator_type *ploy_hydraulic_generator(void);

// ---- droplets

typedef struct ploy_droplets_def {
    uint32_t cookie;
    int32_t count;     ///< drops
    int32_t lifetime;  ///< maximum number of cells that a drop runs through
    float inertia;     ///< 0: straight downhill, 1: straight on
    float capacity;    ///< sediment a drop can hold, by speed, water and slope
    float min_slope;   ///< slope below which the capacity falls no further
    float deposit;     ///< share of surplus sediment that is deposited in a cell
    float erode;       ///< share of free capacity that is picked up in a cell
    float evaporation; ///< share of the water in a cell
    float gravity;     ///< how much speed a slope gives
    int32_t radius;    ///< cells around the drop from which soil is picked up
} ploy_droplets_def;

PLOY_API ploy_droplets_def ploy_droplets_def_default(void);
PLOY_API ploy_fields ploy_droplets_fields(void);
PLOY_API ploy_result ploy_droplets_begin(const ploy_droplets_def *def, ploy_rng_key key,
                                         const ploy_heightmap *map, ploy_trace *trace,
                                         const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_droplets_run(const ploy_droplets_def *def, ploy_rng_key key,
                                       ploy_heightmap *map, const ploy_env *env);
PLOY_API const ploy_generator_type *ploy_droplets_generator(void);
