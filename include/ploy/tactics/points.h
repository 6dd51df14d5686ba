/// @file ploy/tactics/points.h
/// Tactical points: places with a use, such as cover, a view or a hiding place.
///
/// A set of points is made by hand, from a waypoint network or a level, or generated
/// (ploy/tactics/assess.h, ploy/tactics/condense.h). Each point has a position, an optional facing,
/// a region, links to points that can be reached directly, and a value from 0 to 1 for each
/// quality (tag). Values can also depend on the direction of the threat, the posture and the
/// enemy's weapon class: 4 x 2 x 5 states by default. Queries (ploy/tactics/query.h) choose among
/// points; a claim keeps two agents from choosing the same one.
///
/// Compound qualities are text, in the syntax of ploy_score (ploy/decide/condition.h):
///
///     ploy_tactical_points_define(points, "ambush", "cover && shadow && near(exposed, 3)", ...);
///     ploy_tactical_points_define(points, "sniper", "min(cover, recon)", ...);
///
/// `&&`, `||` and `!` are 0 or 1; a quality is true if it is above 0. The fuzzy forms are
/// `min(a, b)`, `max(a, b)` and `1 - a`; `a * b` treats the values as independent probabilities.
/// `near(tag, r)` is the largest value of the tag at another point within r metres; `linked(tag,
/// r)`
/// requires a link to it as well, `seen(tag, r)` a free line of sight. `exits` is the number of
/// links; `compromised` and `claimed` are 0 to 1.
///
/// Points of interest are points that expire: a noise, a body, an open door.
///
/// Technique: Millington, "AI for Games", 6.1; points of interest as in Dybsand's waypoint notes.
/// Units: metres, seconds, radians. Cost: about 400 bytes per point; value O(1), near O(points in
/// range); nothing allocates except add, define and set_state. Threads: readers may share a set
/// while nothing changes it.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/scene.h"
#include "ploy/path/network.h"

/// Maximum number of qualities of a set, including built-in ones, and of characters in a name.
#define PLOY_TACTICAL_TAGS_MAX 32
#define PLOY_TACTICAL_NAME_MAX 31
/// Maximum number of links out of a point.
#define PLOY_TACTICAL_LINKS_MAX 12
/// Maximum number of characters of a rule.
#define PLOY_TACTICAL_RULE_MAX 255

/// The built-in qualities. The game's own qualities start at PLOY_TACTICAL_TAGS.
typedef enum ploy_tactical_tag {
    PLOY_TACTICAL_RALLY,      ///< to gather or withdraw to
    PLOY_TACTICAL_COVER,      ///< shots do not reach it
    PLOY_TACTICAL_SNIPER,     ///< cover with a view
    PLOY_TACTICAL_SHADOW,     ///< dark
    PLOY_TACTICAL_FIRE,       ///< a large arc of fire
    PLOY_TACTICAL_POWER_UP,   ///< something useful appears here
    PLOY_TACTICAL_RECON,      ///< a wide view
    PLOY_TACTICAL_EXIT,       ///< a quick way out
    PLOY_TACTICAL_AMBUSH,     ///< hidden, next to an exposed place
    PLOY_TACTICAL_EXPOSED,    ///< to avoid: seen from many places
    PLOY_TACTICAL_BAD_GROUND, ///< to avoid: slow or dangerous to cross
    PLOY_TACTICAL_INTEREST,   ///< a point of interest
    PLOY_TACTICAL_TAGS
} ploy_tactical_tag;

/// Names a point of one set. All zero means none.
typedef struct ploy_tactical_id {
    ploy_id id;
} ploy_tactical_id;

static inline bool ploy_tactical_id_equal(ploy_tactical_id a, ploy_tactical_id b) {
    return ploy_id_equal(a.id, b.id);
}

/// The data of a point, without values, links and claims. Plain data; start from
/// ploy_tactical_point_make().
typedef struct ploy_tactical_point {
    char name[PLOY_TACTICAL_NAME_MAX + 1]; ///< may be empty; need not be unique
    ploy_vec3 position;
    float facing;   ///< rad, towards the threat that it is useful against
    bool faces;     ///< facing is set
    float radius;   ///< m, within which an agent is at the point
    int32_t region; ///< room or area; -1: none
    int32_t node;   ///< of a path graph; -1: none
    double created; ///< s
    double expires; ///< s; 0: never
    uint64_t data;  ///< the game's
} ploy_tactical_point;

PLOY_API ploy_tactical_point ploy_tactical_point_make(ploy_vec3 position);

/// Opaque.
typedef struct ploy_tactical_points ploy_tactical_points;

typedef struct ploy_tactical_points_def {
    uint32_t cookie;
    int32_t capacity; ///< maximum number of points
    int32_t sectors;  ///< number of distinct threat directions
    int32_t postures; ///< standing, crouching, ...
    int32_t weapons;  ///< classes of the enemy's weapons
    float fade;       ///< s until a compromised point counts as secret again
    float cell;       ///< m, of the index; about the usual search radius
} ploy_tactical_points_def;

PLOY_API ploy_tactical_points_def ploy_tactical_points_def_default(void);
PLOY_API ploy_fields ploy_tactical_points_fields(void);
PLOY_API ploy_result ploy_tactical_points_create(const ploy_tactical_points_def *def,
                                                 const ploy_env *env, ploy_tactical_points **out);
/// NULL is allowed.
PLOY_API void ploy_tactical_points_destroy(ploy_tactical_points *points);

// ---- qualities

/// Adds a quality. @param avoid  high values are bad; for drawings and descriptions.
/// @return PLOY_ERR_EXISTS, PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT for a name that is not made of
///         letters, digits and '_'; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tactical_points_add_tag(ploy_tactical_points *points, const char *name,
                                                  bool avoid, int32_t *tag);
/// The number of a quality, -1 if the name is unknown.
PLOY_API int32_t ploy_tactical_points_tag(const ploy_tactical_points *points, const char *name);
PLOY_API int32_t ploy_tactical_points_tag_count(const ploy_tactical_points *points);
/// "" out of range.
PLOY_API const char *ploy_tactical_points_tag_name(const ploy_tactical_points *points, int32_t tag);
/// Whether the quality is one to avoid.
PLOY_API bool ploy_tactical_points_tag_avoid(const ploy_tactical_points *points, int32_t tag);
/// Makes a new or existing quality a compound one; see the top of this file. From then on, the rule
/// gives its value.
/// @param file, line, column  where the text is, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND for an unknown name, PLOY_ERR_LIMIT,
///         PLOY_ERR_ARGUMENT for a rule that uses itself; nothing changes then.
PLOY_API ploy_result ploy_tactical_points_define(ploy_tactical_points *points, const char *name,
                                                 const char *rule, const char *file, int32_t line,
                                                 int32_t column, ploy_diags *diags);
/// Computes a compound quality of every point and stores it, so that reading it is O(1) until
/// points, values, links or rules change. @return PLOY_ERR_STATE if the rule depends on claims or
/// on compromised points, which change all the time; PLOY_ERR_ARGUMENT if there is no rule.
PLOY_API ploy_result ploy_tactical_points_compute(ploy_tactical_points *points, int32_t tag);
/// The scene for seen(tag, r); copied. NULL: nothing blocks.
PLOY_API void ploy_tactical_points_set_scene(ploy_tactical_points *points, const ploy_scene *scene,
                                             uint32_t mask);

// ---- points

/// Adds a point without values. @return PLOY_ERR_ARGUMENT for numbers that are not finite,
/// PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tactical_points_add(ploy_tactical_points *points,
                                              const ploy_tactical_point *point,
                                              ploy_tactical_id *id);
/// Adds every waypoint and links along its open edges, in O(waypoints + edges). Tags become values:
/// COVER cover, DEFEND fire, DANGER bad_ground in hundredths. @return as add; nothing is added on
/// failure.
PLOY_API ploy_result ploy_tactical_points_add_network(ploy_tactical_points *points,
                                                      const ploy_network *network);
/// Removes a point and all links to it. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_tactical_points_remove(ploy_tactical_points *points, ploy_tactical_id id);
/// Removes every point that has expired. @return how many.
PLOY_API int32_t ploy_tactical_points_expire(ploy_tactical_points *points, double now);
/// Removes all points; qualities stay.
PLOY_API void ploy_tactical_points_clear(ploy_tactical_points *points);
PLOY_API int32_t ploy_tactical_points_count(const ploy_tactical_points *points);
/// @return false, leaving out alone, if there is no such point.
PLOY_API bool ploy_tactical_points_get(const ploy_tactical_points *points, ploy_tactical_id id,
                                       ploy_tactical_point *out);
/// The point with an index (that of its id), or none.
PLOY_API ploy_tactical_id ploy_tactical_points_at(const ploy_tactical_points *points,
                                                  int32_t index);
/// The first point of that name, or none.
PLOY_API ploy_tactical_id ploy_tactical_points_find(const ploy_tactical_points *points,
                                                    const char *name);
/// Walks all points in the order of their places. @param cursor  0 to begin with.
PLOY_API bool ploy_tactical_points_next(const ploy_tactical_points *points, uint32_t *cursor,
                                        ploy_tactical_id *id);

// ---- values

/// @param value  0 to 1; NaN: unassessed. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_tactical_points_set_value(ploy_tactical_points *points,
                                                    ploy_tactical_id id, int32_t tag, float value);
/// The value of a quality, from the rule if it is a compound one. 0 if it was never set, NaN if it
/// is unassessed or there is no such point. @param now  s, for compromised points.
PLOY_API float ploy_tactical_points_value(const ploy_tactical_points *points, ploy_tactical_id id,
                                          int32_t tag, double now);
/// Sets the value for one state. @return as set_value, and PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tactical_points_set_state(ploy_tactical_points *points,
                                                    ploy_tactical_id id, int32_t tag,
                                                    int32_t sector, int32_t posture, int32_t weapon,
                                                    float value);
/// The value of one state; without one, the plain value.
PLOY_API float ploy_tactical_points_state(const ploy_tactical_points *points, ploy_tactical_id id,
                                          int32_t tag, int32_t sector, int32_t posture,
                                          int32_t weapon, double now);
/// The sector in which a place is, seen from another: sector 0 is centred on +x, the rest follow
/// counter-clockwise.
PLOY_API int32_t ploy_tactical_points_sector(const ploy_tactical_points *points, ploy_vec3 from,
                                             ploy_vec3 to);

/// A threat.
typedef struct ploy_tactical_threat {
    ploy_vec3 position;
    int32_t weapon; ///< class
} ploy_tactical_threat;

/// The least value of a quality against all threats, each in its sector; without threats the plain
/// value.
PLOY_API float ploy_tactical_points_against(const ploy_tactical_points *points, ploy_tactical_id id,
                                            int32_t tag, const ploy_tactical_threat *threats,
                                            int32_t count, int32_t posture, double now);

// ---- places

/// A point and its distance.
typedef struct ploy_tactical_near {
    ploy_tactical_id id;
    float distance; ///< m
} ploy_tactical_near;

/// The nearest points with at least that value of a quality, by distance, then by place.
/// @param tag  -1: any point. @param out  room for capacity. @return how many were written.
PLOY_API int32_t ploy_tactical_points_near(const ploy_tactical_points *points, ploy_vec3 position,
                                           float radius, int32_t tag, float least, double now,
                                           ploy_tactical_near *out, int32_t capacity);
/// One of the points with a quality above 0, each equally likely; never `except`. None if there is
/// no other. One ploy_rng_int.
PLOY_API ploy_tactical_id ploy_tactical_points_random(const ploy_tactical_points *points,
                                                      int32_t tag, ploy_tactical_id except,
                                                      double now, ploy_rng *rng);

// ---- links

/// Links a to b, and b to a if both. Existing links stay. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT for a point and itself; nothing changes then.
PLOY_API ploy_result ploy_tactical_points_link(ploy_tactical_points *points, ploy_tactical_id a,
                                               ploy_tactical_id b, bool both);
/// @param out  room for capacity; may be NULL with 0. @return how many links lead out of the point.
PLOY_API int32_t ploy_tactical_points_links(const ploy_tactical_points *points, ploy_tactical_id id,
                                            ploy_tactical_id *out, int32_t capacity);

/// The exits of a point.
typedef struct ploy_tactical_exits {
    int32_t exits;   ///< links out of it
    int32_t escapes; ///< separate parts of the level that they lead to around the engaged area
} ploy_tactical_exits;

/// Counts exits. Two exits that meet again outside the engaged area are one escape; an exit that
/// ends inside it is none. @param engaged  whether a point is in the area that is attacked; NULL:
/// none is. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_tactical_points_exits(ploy_tactical_points *points, ploy_tactical_id id,
                                                bool (*engaged)(void *user, ploy_tactical_id id),
                                                void *user, ploy_tactical_exits *out);
/// How well a point suits hit and run: escapes times view (recon), with the region under attack.
PLOY_API float ploy_tactical_points_hit_and_run(ploy_tactical_points *points, ploy_tactical_id id,
                                                int32_t region, double now);

// ---- secrecy and claims

/// Marks a point as known to the enemy. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_tactical_points_compromise(ploy_tactical_points *points,
                                                     ploy_tactical_id id, double now);
/// Compromises every point within radius of a shot. @return how many.
PLOY_API int32_t ploy_tactical_points_shot(ploy_tactical_points *points, ploy_vec3 from,
                                           ploy_vec3 to, float radius, double now);
/// 1 right after it was compromised, falling to 0 over the def's fade.
PLOY_API float ploy_tactical_points_compromised(const ploy_tactical_points *points,
                                                ploy_tactical_id id, double now);

/// Claims a point until a time; the owner may renew its claim. @param owner  not none.
/// @return PLOY_ERR_EXISTS if another owner's claim has not expired, PLOY_ERR_NOT_FOUND,
///         PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_tactical_points_claim(ploy_tactical_points *points, ploy_tactical_id id,
                                                ploy_agent_id owner, double now, double until);
/// Releases a claim. @return PLOY_ERR_NOT_FOUND if the owner has none there.
PLOY_API ploy_result ploy_tactical_points_release(ploy_tactical_points *points, ploy_tactical_id id,
                                                  ploy_agent_id owner);
/// Releases all claims of an owner, for instance when it dies. @return how many.
PLOY_API int32_t ploy_tactical_points_release_all(ploy_tactical_points *points,
                                                  ploy_agent_id owner);
/// The agent that has claimed a point; none if there is no claim or it has expired.
PLOY_API ploy_agent_id ploy_tactical_points_owner(const ploy_tactical_points *points,
                                                  ploy_tactical_id id, double now);

/// Visits a ploy_tactical_points (ploy/base/visit.h): points, values, states, links, claims. Tags
/// and rules are part of the definition: a load needs an object with the same ones.
PLOY_API void ploy_tactical_points_visit(ploy_visit *v, void *points);
PLOY_API void ploy_tactical_points_describe(const ploy_tactical_points *points, ploy_describe *out);
/// Draws discs shaded by the value of a quality (-1: none), arrows for facings, lines for links, a
/// ring around claimed points.
PLOY_API void ploy_tactical_points_draw(const ploy_tactical_points *points, int32_t tag, double now,
                                        ploy_draw *out);
PLOY_API void ploy_tactical_points_memory(const ploy_tactical_points *points, ploy_memory_fn fn,
                                          void *user);
