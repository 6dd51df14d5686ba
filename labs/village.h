// The lab `village`, in two files: the world (village.c) and the four kinds of minds (village_minds.c).
#pragma once

#include "ploy/base/rng.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/maker.h"
#include "ploy/geom/vec.h"

enum {
    VILLAGE_MOST = 400, // villagers
    VILLAGE_PLACES = 4,
    VILLAGE_SPOTS = 8 // of each place
};

// Kinds of minds, each a quarter of the village.
typedef enum village_kind {
    VILLAGE_TREE,
    VILLAGE_MACHINE,
    VILLAGE_PLANNER,
    VILLAGE_RULES,
    VILLAGE_KINDS
} village_kind;

enum { VILLAGE_FIELD, VILLAGE_MARKET, VILLAGE_HOME, VILLAGE_WELL, VILLAGE_ON_THE_WAY };

// What a villager knows and needs: the keys of its blackboard. The world writes the first five, the
// mind the others.
enum {
    VILLAGE_HUNGER,
    VILLAGE_TIRED,
    VILLAGE_DANGER,
    VILLAGE_PLACE,
    VILLAGE_HUNGRY,
    VILLAGE_BREAD,
    VILLAGE_GOAL,
    VILLAGE_WORK,
    VILLAGE_KEYS
};

// The definitions, shared by all villagers.
typedef struct village_minds village_minds;

ploy_result village_minds_create(const ploy_env *env, village_minds **out);
const ploy_blackboard_layout *village_minds_layout(const village_minds *minds);
ploy_maker village_minds_maker(const village_minds *minds, village_kind kind);

float village_number(const ploy_blackboard *board, int32_t key);
int64_t village_whole(const ploy_blackboard *board, int32_t key);
void village_set_number(ploy_blackboard *board, int32_t key, float value);
void village_set_whole(ploy_blackboard *board, int32_t key, int64_t value);
void village_set_flag(ploy_blackboard *board, int32_t key, bool value);
