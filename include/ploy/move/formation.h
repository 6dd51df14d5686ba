/// @file ploy/move/formation.h
/// Formations: groups that move in a shape, while each member steers itself.
///
/// A pattern defines the slots relative to an anchor. The formation keeps its members, assigns each
/// a slot, and returns the slot's present place in the world. There are two uses:
/// - fixed: put each member at its slot (for games with ten thousand tiny squads);
/// - two-level: each member arrives at its slot and avoids obstacles itself, while the
///   anchor, a leader or a virtual one, is steered for the whole group.
///
/// A frame of two-level steering:
///     1. ploy_formation_moderate: the anchor is put where the members are, a little ahead
///     2. steer and integrate the anchor (ploy_formation_anchor, ploy_formation_set_anchor)
///     3. ploy_formation_step: advances the time of plays
///     4. each member arrives at ploy_formation_place, with its own avoidance
/// Moderation keeps the anchor near the members, so it cannot run away from members that are held
/// up. Without the offset ahead, the group comes to a halt. It keeps its speed if offset >= slow
/// radius / largest speed of the members' arrive.
///
/// The anchor is the centre of the occupied slots; otherwise a moderated group would drift or spin.
/// This correction is computed when the occupancy changes, and in each step for plays. A formation
/// can be a member of another: ploy_formation_kinematic returns its motion as a whole, and its
/// anchor moves to its slot. Technique: Millington, "AI for Games", 3.7; unlike the book's
/// listings, the drift is rotated with the formation, and orientations are averaged as vectors.
///
/// Units: metres, seconds, radians. Slot axes: x ahead, y left. Cost: all memory is allocated in
/// create; a step is O(members); for assignment see ploy/move/assign.h. Threads: one caller at a
/// time; reading from many.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/move/assign.h"
#include "ploy/move/kinematic.h"

/// A position and an orientation.
typedef struct ploy_place {
    ploy_vec2 position; ///< m
    float orientation;  ///< rad
} ploy_place;

/// Returns the world place of a place given relative to an anchor. The orientation is not wrapped.
PLOY_API ploy_place ploy_place_in(ploy_place relative, ploy_place anchor);

/// Most members of one formation.
#define PLOY_FORMATION_MAX 1024

/// A shape, as an interface. Patterns are immutable and outlive the formations that use them.
typedef struct ploy_pattern {
    const char *name;
    /// Slot 0 to count - 1 of a formation of `count` slots, `time` seconds after its start.
    ploy_place (*slot)(const void *user, int32_t slot, int32_t count, float time);
    /// Returns whether the pattern supports `count` members. NULL: it supports any number.
    bool (*supports)(const void *user, int32_t count);
    const void *user;
    bool moving; ///< slots depend on the time: a play
} ploy_pattern;

/// A fixed list of places. All of them exist, occupied or not.
typedef struct ploy_place_list {
    const ploy_place *places;
    int32_t count;
} ploy_place_list;
/// Makes a pattern from a list, which must stay valid.
PLOY_API ploy_pattern ploy_pattern_list(const char *name, const ploy_place_list *list);

/// Shapes for any number of members.
typedef enum ploy_formation_shape {
    PLOY_FORMATION_LINE,    ///< abreast
    PLOY_FORMATION_COLUMN,  ///< one behind the other
    PLOY_FORMATION_V,       ///< both arms back from the tip
    PLOY_FORMATION_WEDGE,   ///< a filled triangle: one, two, three ...
    PLOY_FORMATION_FINGERS, ///< four finger-tips: one left of the tip, two right of it
    PLOY_FORMATION_BLOCK,   ///< ranks as wide as deep
    PLOY_FORMATION_CIRCLE,  ///< all around, looking outward
    PLOY_FORMATION_RINGS    ///< circles around circles, ring_capacity on the innermost
} ploy_formation_shape;

/// Settings of a shape. Start from ploy_formation_shape_def_default().
typedef struct ploy_formation_shape_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_formation_shape shape;
    float spacing;         ///< m between neighbours; on circles, twice a character's radius
    int32_t ring_capacity; ///< of RINGS: members on the innermost ring; outer rings hold more
} ploy_formation_shape_def;
PLOY_API ploy_formation_shape_def ploy_formation_shape_def_default(void);
PLOY_API ploy_fields ploy_formation_shape_fields(void);
/// Makes a pattern from a shape, which must stay valid.
PLOY_API ploy_pattern ploy_pattern_shape(const ploy_formation_shape_def *def);

/// A play: each slot's places at given times, with straight lines between them.
typedef struct ploy_play_key {
    int32_t slot;
    float time; ///< s; keys of a slot in rising order
    ploy_place place;
    bool jump; ///< jump there from the previous key, without moving between
} ploy_play_key;
typedef struct ploy_play {
    const ploy_play_key *keys; ///< sorted by slot, then time
    int32_t key_count;
    int32_t slot_count;
} ploy_play;
/// Makes a pattern from a play, which must stay valid.
PLOY_API ploy_pattern ploy_pattern_play(const char *name, const ploy_play *play);

/// Settings. Start from ploy_formation_def_default() and change what you need.
typedef struct ploy_formation_def {
    uint32_t cookie;         ///< set by the default; leave alone
    int32_t capacity;        ///< most members
    float offset;            ///< s, how far ahead of the members the anchor is held, by velocity
    bool drift;              ///< anchor at the centre of the occupied slots; off for fixed plays
    ploy_assign_mode assign; ///< how slots are assigned
    float cost_limit;        ///< costs at or above this exclude the slot
} ploy_formation_def;
PLOY_API ploy_formation_def ploy_formation_def_default(void);
PLOY_API ploy_fields ploy_formation_fields(void);

/// A member.
typedef struct ploy_formation_member {
    ploy_agent_id id;
    int32_t index; ///< of the member in the caller's view of agents
    int32_t slot;  ///< -1: none
} ploy_formation_member;

typedef struct ploy_formation ploy_formation;

/// @param pattern  copied; its pointers must stay valid.
PLOY_API ploy_result ploy_formation_create(const ploy_formation_def *def,
                                           const ploy_pattern *pattern, const ploy_env *env,
                                           ploy_formation **out);
PLOY_API void ploy_formation_destroy(ploy_formation *formation);

/// Changes the settings; members and slots stay. The capacity set at create does not change.
/// Unchanged unless PLOY_OK.
PLOY_API ploy_result ploy_formation_set_def(ploy_formation *formation,
                                            const ploy_formation_def *def);

/// Adds a member to the first free slot.
/// @param index  its number in the views passed to this formation, 0 or more.
/// @return PLOY_ERR_EXISTS, PLOY_ERR_CAPACITY if the capacity is full or the pattern does not
///         support one more, PLOY_ERR_ARGUMENT if id is none.
PLOY_API ploy_result ploy_formation_add(ploy_formation *formation, ploy_agent_id id, int32_t index);
/// Removes a member. If the pattern scales, the member in the highest slot fills the gap. @return
/// PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_formation_remove(ploy_formation *formation, ploy_agent_id id);
PLOY_API int32_t ploy_formation_count(const ploy_formation *formation);
/// Returns member i in the order of joining; a member without an id if i is out of range.
PLOY_API ploy_formation_member ploy_formation_get(const ploy_formation *formation, int32_t i);
/// Returns a member's number by its id, or -1.
PLOY_API int32_t ploy_formation_find(const ploy_formation *formation, ploy_agent_id id);

/// Returns the cost of giving a member a slot: distance, role, cover, anything that can be added.
/// @param place  of the slot in the world.
typedef float (*ploy_formation_cost_fn)(void *user, const ploy_formation_member *member,
                                        int32_t slot, ploy_place place);
/// Assigns all slots again. Uses as many slots as there are members, or all slots of a list.
/// @param cost      NULL: in the order of joining.
/// @param unplaced  members left without a slot; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a cost below 0, PLOY_ERR_MEMORY; then unchanged.
PLOY_API ploy_result ploy_formation_assign(ploy_formation *formation, ploy_formation_cost_fn cost,
                                           void *user, ploy_arena *scratch, ploy_trace *trace,
                                           int32_t *unplaced);

/// Changes the pattern; its time starts at 0. Members keep their slots where the new pattern has
/// them; call ploy_formation_assign for a better assignment. @return PLOY_ERR_CAPACITY if the
/// pattern does not support this many members.
PLOY_API ploy_result ploy_formation_set_pattern(ploy_formation *formation,
                                                const ploy_pattern *pattern);

/// Returns the position and motion of the formation as a whole.
PLOY_API ploy_kinematic ploy_formation_anchor(const ploy_formation *formation);
/// @return PLOY_ERR_ARGUMENT if a number is not finite.
PLOY_API ploy_result ploy_formation_set_anchor(ploy_formation *formation, ploy_kinematic anchor);
/// Puts the anchor at the averages over the members (orientations as vectors), ahead by `offset`
/// times their velocity. Leaves it unchanged if there are no members.
/// @return PLOY_ERR_ARGUMENT if a member's index is not in the view.
PLOY_API ploy_result ploy_formation_moderate(ploy_formation *formation,
                                             const ploy_kinematics *agents);
/// Returns the members' averages without the offset: the motion of the formation as a whole.
PLOY_API ploy_result ploy_formation_kinematic(const ploy_formation *formation,
                                              const ploy_kinematics *agents, ploy_kinematic *out);

/// Advances the time of plays by dt. @param dt  s; 0 <= dt <= PLOY_DT_MAX_S.
PLOY_API ploy_result ploy_formation_step(ploy_formation *formation, float dt);

/// Returns where member i should be; the anchor if it has no slot.
PLOY_API ploy_place ploy_formation_place(const ploy_formation *formation, int32_t i);

/// Visits a ploy_formation (ploy/base/visit.h): a load needs the same pattern and capacity.
PLOY_API void ploy_formation_visit(ploy_visit *v, void *formation);
PLOY_API void ploy_formation_describe(const ploy_formation *formation, ploy_describe *out);
/// Draws anchor, slots, and a line from each member (if agents is given) to its slot.
PLOY_API void ploy_formation_draw(const ploy_formation *formation, const ploy_kinematics *agents,
                                  ploy_draw *out);
PLOY_API void ploy_formation_memory(const ploy_formation *formation, ploy_memory_fn fn, void *user);

/// Roles: the cost for each kind of character to fill each role. 0 is ideal. For a hard role, give
/// all other kinds a cost at or above the formation's cost_limit.
typedef struct ploy_roles {
    const float *costs; ///< kind k in role r: costs[k * role_count + r]
    int32_t kind_count;
    int32_t role_count;
    const int32_t *slot_roles; ///< role of each slot
    int32_t slot_count;
} ploy_roles;
/// Returns INFINITY if an index is out of range.
PLOY_API float ploy_roles_cost(const ploy_roles *roles, int32_t kind, int32_t slot);
