/// @file ploy/base/id.h
/// Ids: references to objects that may no longer exist.
///
/// An id is an index into its owner's table and the generation of that entry. An owner that reuses
/// an entry raises its generation, so a stale id is recognised and never finds another object. All
/// zero means none. Owners wrap ids in a separate type for each kind (ploy_agent_id), so that kinds
/// do not mix.
#pragma once

#include "ploy/base/api.h"

typedef struct ploy_id {
    uint32_t index;
    uint32_t generation; ///< 0 only in the id that means none
} ploy_id;

/// Returns the id that means none.
static inline ploy_id ploy_id_none(void) {
    ploy_id id = {0, 0};
    return id;
}

static inline ploy_id ploy_id_make(uint32_t index, uint32_t generation) {
    ploy_id id = {index, generation};
    return id;
}

static inline bool ploy_id_is_none(ploy_id id) {
    return id.generation == 0;
}

static inline bool ploy_id_equal(ploy_id a, ploy_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/// Returns the id as one number for maps, messages and files; ploy_id_from_u64 converts it back.
static inline uint64_t ploy_id_to_u64(ploy_id id) {
    return ((uint64_t)id.generation << 32) | id.index;
}

static inline ploy_id ploy_id_from_u64(uint64_t bits) {
    ploy_id id = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    return id;
}

/// The id of a character, vehicle or other agent.
typedef struct ploy_agent_id {
    ploy_id id;
} ploy_agent_id;

static inline ploy_agent_id ploy_agent_id_none(void) {
    ploy_agent_id agent = {{0, 0}};
    return agent;
}

static inline ploy_agent_id ploy_agent_id_make(uint32_t index, uint32_t generation) {
    ploy_agent_id agent = {{index, generation}};
    return agent;
}
