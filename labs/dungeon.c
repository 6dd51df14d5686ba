// The dungeon lab: rooms are placed or pushed apart, possible links appear, a tree is chosen, and
// corridors are dug.
#include "ploy/generate/dungeon.h"
#include "labs/lab_generate.h"
#include "labs/labs.h"

LAB_GENERATE(
    dungeon, ploy_dungeon_generator, "Dungeons",
    "Rooms first, then the links between them, then corridors. Set placing to separation to "
    "see rooms pushed apart. The green disc is the entrance, red ones are locks.",
    "rooms", 2, -1.0f, -4.0f, 65.0f, 49.0f)
