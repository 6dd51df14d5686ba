// The list of all generators, in the order in which programs print them.
#include "ploy/generate/accretion.h"
#include "ploy/generate/caves.h"
#include "ploy/generate/dungeon.h"
#include "ploy/generate/erosion.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/halton.h"
#include "ploy/generate/hills.h"
#include "ploy/generate/lsystem.h"
#include "ploy/generate/maze.h"
#include "ploy/generate/phyllotaxis.h"
#include "ploy/generate/pieces.h"
#include "ploy/generate/plant.h"
#include "ploy/generate/roads.h"
#include "ploy/generate/scatter.h"
#include "ploy/generate/skyscraper.h"
#include "ploy/generate/subdivision.h"
#include "ploy/generate/water.h"

typedef const ploy_generator_type *(*generators_fn)(void);

static const generators_fn generators_all[] = {
    // Placement.
    ploy_scatter_generator,
    ploy_halton_points_generator,
    ploy_phyllotaxis_generator,
    // Landscapes and plants.
    ploy_hills_generator,
    ploy_faults_generator,
    ploy_filter_generator,
    ploy_thermal_generator,
    ploy_hydraulic_generator,
    ploy_droplets_generator,
    ploy_water_generator,
    ploy_roads_generator,
    ploy_growth_generator,
    ploy_lsystem_generator,

    // Mazes, dungeons and grammars.
    ploy_maze_generator,
    ploy_caves_generator,
    ploy_dungeon_generator,
    ploy_subdivision_generator,
    ploy_accretion_generator,
    ploy_pieces_generator,
    ploy_skyscraper_generator,

};

const ploy_generator_type *ploy_generators_at(int32_t index) {
    if (index < 0 || index >= (int32_t)(sizeof generators_all / sizeof generators_all[0])) {
        return NULL;
    }
    return generators_all[index]();
}
