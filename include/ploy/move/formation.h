/// @file ploy/move/formation.h
/// Formations: groups that move in a shape, each member keeping its own feet.
///
/// A pattern says where the slots are, relative to an anchor. The formation knows its members,
/// gives each a slot, and says where that slot is in the world now. Then one of:
/// - fixed: put each member at its slot (tiny squads in games with ten thousand of them);
/// - two-level: each member arrives at its slot and avoids obstacles itself, while the
///   anchor, a leader or a virtual one, is steered for the whole group.
///
/// A frame of two-level steering:
///     1. ploy_formation_moderate: the anchor is put where the members are, a little ahead
///     2. steer and integrate the anchor (ploy_formation_anchor, ploy_formation_set_anchor)
///     3. ploy_formation_step: time goes on for plays
///     4. each member arrives at ploy_formation_place, with its own avoidance
/// Moderation holds the anchor on a leash: it cannot run away from members who are held up. Without
/// the offset ahead, the group comes to a halt; it keeps its speed if offset >= slow radius /
/// largest speed of the members' arrive.
///
/// The anchor is the centre of the occupied slots; otherwise a group that moderates would drift or
/// spin. That correction is computed when the occupancy changes, or each step for plays.
/// A formation can be a member of another: ploy_formation_kinematic is how it moves as one, and its
/// anchor goes where its slot is.
/// Technique: Millington, "AI for Games", 3.7; the drift is turned with the formation here, and
/// orientations are averaged as vectors, where his listings are wrong.
///
/// Units: metres, seconds, radians. Slot axes: x ahead, y left.
/// Cost: all memory at create; a step O(members), assignment see ploy/move/assign.h.
/// Threads: one caller at a time; reading from many.
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

/// A place given relative to another one, in the world. Not wrapped.
PLOY_API ploy_place ploy_place_in(ploy_place relative, ploy_place anchor);

/// Most members of one formation.
#define PLOY_FORMATION_MAX 1024

/// A shape, as an interface. Patterns are immutable and outlive the formations that use them.
typedef struct ploy_pattern {
    const char *name;
    /// Slot 0 to count - 1 of a formation of `count` slots, `time` seconds after it began.
    ploy_place (*slot)(const void *user, int32_t slot, int32_t count, float time);
    /// Whether this many fit; NULL: any number.
    bool (*supports)(const void *user, int32_t count);
    const void *user;
    bool moving; ///< slots depend on the time: a play
} ploy_pattern;

/// A fixed list of places, all of which exist whether occupied or not.
typedef struct ploy_place_list {
    const ploy_place *places;
    int32_t count;
} ploy_place_list;
/// The pattern over a list, which must stay.
PLOY_API ploy_pattern ploy_pattern_list(const char *name, const ploy_place_list *list);

/// Shapes for any number of members.
typedef enum ploy_formation_shape {
    PLOY_FORMATION_LINE,    ///< abreast
    PLOY_FORMATION_COLUMN,  ///< one behind the other
    PLOY_FORMATION_V,       ///< both arms back from the tip
    PLOY_FORMATION_WEDGE,   ///< a filled triangle: one, two, three ...
    PLOY_FORMATION_FINGERS, ///< the four finger-tips: one arm with one more, the other shorter
    PLOY_FORMATION_BLOCK,   ///< ranks as wide as deep
    PLOY_FORMATION_CIRCLE,  ///< all around, looking outward
    PLOY_FORMATION_RINGS    ///< circles around circles, ring_capacity on the innermost
} ploy_formation_shape;

/// Settings of a shape. Start from ploy_formation_shape_def_default().
typedef struct ploy_formation_shape_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_formation_shape shape;
    float spacing;         ///< m between neighbours; on circles twice a character's radius
    int32_t ring_capacity; ///< of RINGS: how many the innermost holds; the others more
} ploy_formation_shape_def;
PLOY_API ploy_formation_shape_def ploy_formation_shape_def_default(void);
PLOY_API ploy_fields ploy_formation_shape_fields(void);
/// The pattern over a shape, which must stay.
PLOY_API ploy_pattern ploy_pattern_shape(const ploy_formation_shape_def *def);

/// A play: each slot's places at given times, walked between in straight lines.
typedef struct ploy_play_key {
    int32_t slot;
    float time; ///< s; keys of a slot in rising order
    ploy_place place;
    bool jump; ///< be there at once, not on the way from the key before
} ploy_play_key;
typedef struct ploy_play {
    const ploy_play_key *keys; ///< sorted by slot, then time
    int32_t key_count;
    int32_t slot_count;
} ploy_play;
/// The pattern over a play, which must stay.
PLOY_API ploy_pattern ploy_pattern_play(const char *name, const ploy_play *play);

/// Settings. Start from ploy_formation_def_default() and change what you need.
typedef struct ploy_formation_def {
    uint32_t cookie;         ///< set by the default; leave alone
    int32_t capacity;        ///< most members
    float offset;            ///< s, how far ahead of the members the anchor is held, by velocity
    bool drift;              ///< anchor at the centre of the occupied slots; off for fixed plays
    ploy_assign_mode assign; ///< how slots are given out
    float cost_limit;        ///< costs from here on mean: not this slot
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

/// @param pattern  copied; what it points to must stay.
PLOY_API ploy_result ploy_formation_create(const ploy_formation_def *def,
                                           const ploy_pattern *pattern, const ploy_env *env,
                                           ploy_formation **out);
PLOY_API void ploy_formation_destroy(ploy_formation *formation);

/// Other settings from now on; members and slots stay. The capacity stays what it was at create,
/// whatever the def says. Unchanged unless PLOY_OK.
PLOY_API ploy_result ploy_formation_set_def(ploy_formation *formation,
                                            const ploy_formation_def *def);

/// Adds a member in the first free slot.
/// @param index  its number in the views handed to this formation, 0 or more.
/// @return PLOY_ERR_EXISTS, PLOY_ERR_CAPACITY if the capacity is full or the pattern does not take
///         one more, PLOY_ERR_ARGUMENT for none.
PLOY_API ploy_result ploy_formation_add(ploy_formation *formation, ploy_agent_id id, int32_t index);
/// Removes a member; those behind it close ranks if the pattern scales (the highest slot moves into
/// the gap). @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_formation_remove(ploy_formation *formation, ploy_agent_id id);
PLOY_API int32_t ploy_formation_count(const ploy_formation *formation);
/// Member i in the order of joining; one with no id out of range.
PLOY_API ploy_formation_member ploy_formation_get(const ploy_formation *formation, int32_t i);
/// Its number by id, or -1.
PLOY_API int32_t ploy_formation_find(const ploy_formation *formation, ploy_agent_id id);

/// What it costs a member to take a slot: distance, role, cover, anything that adds up.
/// @param place  of the slot in the world.
typedef float (*ploy_formation_cost_fn)(void *user, const ploy_formation_member *member,
                                        int32_t slot, ploy_place place);
/// Gives out the slots again. As many slots as members, or all of a list.
/// @param cost      NULL: in the order of joining.
/// @param unplaced  how many got none; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a cost below 0, PLOY_ERR_MEMORY; unchanged then.
PLOY_API ploy_result ploy_formation_assign(ploy_formation *formation, ploy_formation_cost_fn cost,
                                           void *user, ploy_arena *scratch, ploy_trace *trace,
                                           int32_t *unplaced);

/// Another shape from now on; its time begins at 0. Members keep their slots as far as it has them:
/// assign again to choose well. @return PLOY_ERR_CAPACITY if it does not take this many.
PLOY_API ploy_result ploy_formation_set_pattern(ploy_formation *formation,
                                                const ploy_pattern *pattern);

/// Where the formation as a whole is, and how it moves.
PLOY_API ploy_kinematic ploy_formation_anchor(const ploy_formation *formation);
/// @return PLOY_ERR_ARGUMENT if a number is not finite.
PLOY_API ploy_result ploy_formation_set_anchor(ploy_formation *formation, ploy_kinematic anchor);
/// Puts the anchor at the averages over the members (orientations as vectors), ahead by `offset`
/// times their velocity. Leaves it alone if there are none.
/// @return PLOY_ERR_ARGUMENT if a member's index is not in the view.
PLOY_API ploy_result ploy_formation_moderate(ploy_formation *formation,
                                             const ploy_kinematics *agents);
/// The members' averages without the offset: how the formation moves as one.
PLOY_API ploy_result ploy_formation_kinematic(const ploy_formation *formation,
                                              const ploy_kinematics *agents, ploy_kinematic *out);

/// Time goes on by dt (plays). @param dt  s; 0 <= dt <= PLOY_DT_MAX_S.
PLOY_API ploy_result ploy_formation_step(ploy_formation *formation, float dt);

/// Where member i has to be; its anchor if it has no slot.
PLOY_API ploy_place ploy_formation_place(const ploy_formation *formation, int32_t i);
/// The correction that makes the anchor the centre of the occupied slots.
PLOY_API ploy_place ploy_formation_drift(const ploy_formation *formation);

/// Visits a ploy_formation (ploy/base/visit.h): a load needs the same pattern and capacity.
PLOY_API void ploy_formation_visit(ploy_visit *v, void *formation);
PLOY_API void ploy_formation_describe(const ploy_formation *formation, ploy_describe *out);
/// Draws anchor, slots, and a line from each member (if agents is given) to its slot.
PLOY_API void ploy_formation_draw(const ploy_formation *formation, const ploy_kinematics *agents,
                                  ploy_draw *out);
PLOY_API void ploy_formation_memory(const ploy_formation *formation, ploy_memory_fn fn, void *user);

/// Roles: what it costs a kind of character to fill a role. 0 is ideal; a hard role is a cost at or
/// above the formation's limit for all others.
typedef struct ploy_roles {
    const float *costs; ///< kind k in role r: costs[k * role_count + r]
    int32_t kind_count;
    int32_t role_count;
    const int32_t *slot_roles; ///< role of each slot
    int32_t slot_count;
} ploy_roles;
/// INFINITY for what is out of range.
PLOY_API float ploy_roles_cost(const ploy_roles *roles, int32_t kind, int32_t slot);
