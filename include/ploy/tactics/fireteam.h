/// @file ploy/tactics/fireteam.h
/// A fire team without a leader: each member decides for itself and considers what the others do.
///
/// All members of a role share one small state machine. Its conditions read what the member senses
/// and what its team-mates do: how many advance, how many suppress, how far the team is. Mutual
/// cover emerges, and continues when members fall. The roles are a text that can be edited while
/// the game runs:
///
///     role rifleman
///         in-cover -> suppress : sees && ammo > 0
///         in-cover -> advance  : (!sees || suppressing >= 2) && advancing == 0
///         advance -> in-cover  : reached
///         suppress -> in-cover : ammo == 0 || !sees
///         any -> regroup       : team_distance > 18
///     role medic like rifleman
///         any -> aid           : fallen_distance < 12
///         aid -> in-cover      : fallen_distance >= 12
///
/// The first state named is the initial one. `like` appends the rules of an earlier role to the
/// role's own. Rules from `any` are tested first, then the others in order. `#` begins a comment.
/// The keys of the conditions (ploy/decide/condition.h) are:
///
/// | key | meaning |
/// |---|---|
/// | `sees`, `reached`, `urgent`, `light_cover`, `heavy` | set by the game for the member |
/// | `ammo`, `supplies`, `enemies` | rounds left; grenades, bandages or calls left; enemies in sight |
/// | `enemy_distance`, `fallen_distance` | m, to the nearest; 1e9 if there is none |
/// | `advancing`, `suppressing`, `others` | team-mates in the modes `advance` and `suppress`, and alive |
/// | `team_distance` | m, to the middle of the live team-mates |
/// | `mode`, `oscillating` | its own mode, and the detector of ploy/tactics/dwell.h |
///
/// Members decide one after the other, so that a rule with `advancing == 0` lets at most one
/// advance. A dwell holds each mode for some time, because members who react to each other can
/// switch each other's modes in cycles. Such a team works with up to six or seven members; split
/// larger forces into several teams.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, 6.5.4. Units: metres, seconds. Cost: a step
/// O(members x members + rules). A step allocates nothing. Threads: roles may be shared; a team
/// takes one caller at a time.
#pragma once

#include "ploy/decide/fsm.h"
#include "ploy/tactics/dwell.h"

/// Size of a role's or mode's name in bytes with its terminating zero; maximum number of roles and
/// rules of a file, and of members.
#define PLOY_FIRETEAM_NAME_MAX 32
#define PLOY_FIRETEAM_ROLES_MAX 32
#define PLOY_FIRETEAM_RULES_MAX 512
#define PLOY_FIRETEAM_MEMBERS_MAX 256

/// The roles of a file; immutable. Opaque.
typedef struct ploy_fireteam_roles ploy_fireteam_roles;

/// Reads roles; continues after the first fault and reports each with line and column.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_fireteam_roles_load(const void *bytes, size_t size, const char *name,
                                              const ploy_env *env, ploy_diags *diags,
                                              ploy_fireteam_roles **out);
/// NULL is allowed. Its teams must be gone.
PLOY_API void ploy_fireteam_roles_destroy(ploy_fireteam_roles *roles);
PLOY_API int32_t ploy_fireteam_roles_count(const ploy_fireteam_roles *roles);
/// The role of that name, or -1; and the name, NULL out of range.
PLOY_API int32_t ploy_fireteam_roles_find(const ploy_fireteam_roles *roles, const char *name);
PLOY_API const char *ploy_fireteam_roles_name(const ploy_fireteam_roles *roles, int32_t role);
/// The text behind a mode, or NULL.
PLOY_API const char *ploy_fireteam_roles_mode(const ploy_fireteam_roles *roles, ploy_name mode);
/// A file with the roles rifleman, grenadier, medic and radio.
PLOY_API const char *ploy_fireteam_text(void);

typedef struct ploy_fireteam_def {
    uint32_t cookie;
    int32_t capacity; ///< maximum number of members
    float dwell;      ///< s, minimum time in a mode; 0: no dwell
    float window;     ///< s in which the oscillation detector counts
    int32_t limit;    ///< returns in it that count as oscillation; 0: never
} ploy_fireteam_def;

PLOY_API ploy_fireteam_def ploy_fireteam_def_default(void);
PLOY_API ploy_fields ploy_fireteam_fields(void);

/// What the game reports about a member before each step. Start from ploy_fireteam_senses_make().
typedef struct ploy_fireteam_senses {
    ploy_vec2 at;          ///< m
    float enemy_distance;  ///< m; 1e9: none
    float fallen_distance; ///< m; 1e9: none
    int32_t ammo, supplies, enemies;
    bool sees;        ///< an enemy
    bool reached;     ///< the cover that it went to
    bool urgent;      ///< does not wait for its dwell: it is hit, or its cover is gone
    bool light_cover; ///< the enemy's is light
    bool heavy;       ///< the enemy has heavy weapons
} ploy_fireteam_senses;

PLOY_API ploy_fireteam_senses ploy_fireteam_senses_make(ploy_vec2 at);

typedef struct ploy_fireteam ploy_fireteam;

/// @param roles  must outlive the team.
PLOY_API ploy_result ploy_fireteam_create(const ploy_fireteam_def *def,
                                          const ploy_fireteam_roles *roles, const ploy_env *env,
                                          ploy_fireteam **out);
/// NULL is allowed.
PLOY_API void ploy_fireteam_destroy(ploy_fireteam *team);
/// @param out  the member's number, from 0; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_fireteam_add(ploy_fireteam *team, int32_t role, ploy_agent_id agent,
                                       int32_t *out);
/// Marks a member as fallen: it stops deciding, and its team-mates no longer count it. @return
/// PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_fireteam_lose(ploy_fireteam *team, int32_t member);
/// Returns a fallen member to the team, in its initial mode. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_STATE if it is alive.
PLOY_API ploy_result ploy_fireteam_revive(ploy_fireteam *team, int32_t member);
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT for numbers that are not finite.
PLOY_API ploy_result ploy_fireteam_sense(ploy_fireteam *team, int32_t member,
                                         const ploy_fireteam_senses *senses);
/// Lets each live member decide, in order. @param context  time, key and trace.
PLOY_API ploy_result ploy_fireteam_step(ploy_fireteam *team, const ploy_step_context *context);
/// The name of a member's mode; none if it has fallen or before the first step.
PLOY_API ploy_name ploy_fireteam_mode(const ploy_fireteam *team, int32_t member);
/// The statistics of a member's dwell. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_fireteam_info(const ploy_fireteam *team, int32_t member,
                                        ploy_dwell_info *out);
/// Continues on edited roles: each member keeps its role by name and its state by id; a state that
/// is gone restarts and is reported. @param fresh  must outlive the team from now on.
/// @return PLOY_ERR_NOT_FOUND if a role is gone, PLOY_ERR_MEMORY; then the old roles stay in use.
PLOY_API ploy_result ploy_fireteam_reload(ploy_fireteam *team, const ploy_fireteam_roles *fresh,
                                          const ploy_step_context *context, ploy_diags *diags);

/// Visits a ploy_fireteam (ploy/base/visit.h). A load needs the same members, and the step context
/// in v->context.
PLOY_API void ploy_fireteam_visit(ploy_visit *v, void *team);
PLOY_API void ploy_fireteam_describe(const ploy_fireteam *team, ploy_describe *out);
/// Draws each member's place with its mode.
PLOY_API void ploy_fireteam_draw(const ploy_fireteam *team, ploy_draw *out);
PLOY_API void ploy_fireteam_memory(const ploy_fireteam *team, ploy_memory_fn fn, void *user);
