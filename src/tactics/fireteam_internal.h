// Shared by the reader of roles and the team.
#pragma once

#include "ploy/base/array.h"
#include "ploy/tactics/fireteam.h"

enum {
    PLOYI_FIRETEAM_SEES,
    PLOYI_FIRETEAM_REACHED,
    PLOYI_FIRETEAM_URGENT,
    PLOYI_FIRETEAM_LIGHT,
    PLOYI_FIRETEAM_HEAVY,
    PLOYI_FIRETEAM_AMMO,
    PLOYI_FIRETEAM_SUPPLIES,
    PLOYI_FIRETEAM_ENEMIES,
    PLOYI_FIRETEAM_ENEMY,
    PLOYI_FIRETEAM_FALLEN,
    PLOYI_FIRETEAM_ADVANCING,
    PLOYI_FIRETEAM_SUPPRESSING,
    PLOYI_FIRETEAM_OTHERS,
    PLOYI_FIRETEAM_TEAM,
    PLOYI_FIRETEAM_MODE,
    PLOYI_FIRETEAM_OSCILLATING,
    PLOYI_FIRETEAM_KEYS
};

// What the hooks of a state write.
typedef struct ployi_fireteam_mode {
    char name[PLOY_FIRETEAM_NAME_MAX];
    ploy_name hash;
    ploy_slot slot;
} ployi_fireteam_mode;

typedef struct ployi_fireteam_rule {
    int32_t from; // of the modes; -1: any
    int32_t to;
    int32_t line, column; // of the condition
    int32_t text;         // offset of the condition in the texts
} ployi_fireteam_rule;

typedef struct ployi_fireteam_role {
    char name[PLOY_FIRETEAM_NAME_MAX];
    int32_t line;
    int32_t like; // -1: none
    int32_t first_rule, rule_count;
    ploy_fsm_type *type;
} ployi_fireteam_role;

struct ploy_fireteam_roles {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_slot keys[PLOYI_FIRETEAM_KEYS];
    ploy_array roles; // ployi_fireteam_role
    ploy_array rules; // ployi_fireteam_rule
    ploy_array modes; // ployi_fireteam_mode
    ploy_array texts; // char
};

// Bytes of a ploy_dwell, for the memory report of those that hold some.
size_t ployi_dwell_size(void);
