/// @file ploy/tactics/query.h
/// Queries: the best place for a purpose, found with as few rays and searches as possible.
///
/// A definition has options, tried in order until one finds a place. An option has a generator of
/// candidates (tactical points, a ring, a grid, a cone, a path, the places of a map or mesh, a
/// list) and rows. A row measures one thing at a candidate; it can require a range, add to the
/// score, or both. The score is the weighted mean of the rows' values after their curves.
///
///     # take cover, else run
///     pick best
///     margin 0.1
///     from points cover within 25
///     test hidden in 1..1
///     test against cover weight 2
///     test distance self weight 1 from 0 to 25 curve linear -1 1
///     else
///     from ring 15 count 24
///     test distance enemy weight 1 from 0 to 30
///
/// Cheap rows run first, on all candidates. Rays and path searches then run best first: always for
/// the candidate with the highest score that is still possible, until the winner is complete. The
/// winner is the one that testing everything finds; equal scores go to the candidate generated
/// first.
///
/// Measures in text: `quality TAG`, `against TAG` (the least value against the enemies' directions
/// and weapons), `distance self|target|enemy` (straight), `path` (m along the path), `hidden`
/// (share of the enemies without a line of sight), `sees` (share of the enemies in sight), `sight`
/// (0 or 1: a line of sight to the target), or an expression in quotes: `test "exits > 1 &&
/// !compromised" in 1..1`. Expressions have the words of rules (ploy/tactics/points.h) and
/// self_distance, target_distance and enemy_distance. `quality NAME = RULE` defines a compound
/// quality.
///
/// Picks: `best`; `random K` one of the best K; `apart N M` up to N places at least M metres apart,
/// for a squad; `shortest` the candidate with the shortest path that meets all requirements, by one
/// open-goal search, which also gives the path. Weights do not count then.
///
/// Technique: Millington, "AI for Games", 6.1; queries with generators and tests as in Unreal's
/// EQS; best first as in branch and bound. Units: metres, radians. One unit of budget is a test of
/// one candidate, a ray, or a unit of the finder's search. After begin has handled as many
/// candidates once, nothing allocates (except perhaps the finder). Threads: a type may be shared; a
/// query takes one caller; points must not change while it steps.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/decide/utility.h"
#include "ploy/exec/maker.h"
#include "ploy/path/finder.h"
#include "ploy/tactics/places.h"
#include "ploy/tactics/points.h"

/// Maximum number of rows of an option, options of a definition and places in a result.
#define PLOY_QUERY_ROWS_MAX 16
#define PLOY_QUERY_OPTIONS_MAX 8
#define PLOY_QUERY_SPOTS_MAX 16

/// Where candidates come from.
typedef enum ploy_query_generator {
    PLOY_QUERY_FROM_POINTS, ///< tactical points with a quality, within radius
    PLOY_QUERY_FROM_RING,   ///< `count` places on a circle around self
    PLOY_QUERY_FROM_GRID,   ///< places on a grid around self, nearest first
    PLOY_QUERY_FROM_CONE,   ///< those of the grid in front of self
    PLOY_QUERY_FROM_PATH,   ///< along the context's path, every `spacing`
    PLOY_QUERY_FROM_PLACES, ///< open places of the context's map or mesh within radius
    PLOY_QUERY_FROM_LIST,   ///< the context's list
    PLOY_QUERY_GENERATORS
} ploy_query_generator;

/// What a row measures.
typedef enum ploy_query_measure {
    PLOY_QUERY_TEXT,     ///< a number from a text
    PLOY_QUERY_QUALITY,  ///< value of a quality
    PLOY_QUERY_AGAINST,  ///< value of a quality against all enemies
    PLOY_QUERY_DISTANCE, ///< m, straight
    PLOY_QUERY_HIDDEN,   ///< share of the enemies without a line of sight; rays
    PLOY_QUERY_SEES,     ///< share of the enemies in sight; rays
    PLOY_QUERY_SIGHT,    ///< 1 if the target is in sight; a ray
    PLOY_QUERY_ALONG,    ///< m along the path; a search
    PLOY_QUERY_MEASURES
} ploy_query_measure;

/// "text", "quality", "against", "distance", "hidden", "sees", "sight", "path".
PLOY_API const char *ploy_query_measure_text(ploy_query_measure measure);

/// To whom a distance is measured.
typedef enum ploy_query_whom {
    PLOY_QUERY_SELF,
    PLOY_QUERY_TARGET,
    PLOY_QUERY_ENEMY, ///< the nearest
    PLOY_QUERY_WHOMS
} ploy_query_whom;

/// A row of a constant table.
typedef struct ploy_query_row {
    const char *name; ///< for reasons; NULL: the measure's
    ploy_query_measure measure;
    const char *of;       ///< TEXT: the text; QUALITY, AGAINST: the tag
    ploy_query_whom whom; ///< DISTANCE
    bool require;         ///< the value must be in [min, max]
    float min, max;
    float weight;     ///< 0: no part of the score; below 0: the value counts against the place
    float low, high;  ///< become 0 and 1 before the curve; both 0: 0 and 1
    ploy_curve curve; ///< all zero: the value unchanged
} ploy_query_row;

/// An option of a constant table.
typedef struct ploy_query_option {
    const char *name; ///< may be NULL
    ploy_query_generator from;
    const char *tag; ///< POINTS: of a quality above 0; NULL: all points
    float radius;    ///< m: POINTS, RING, GRID, CONE, PLACES
    float spacing;   ///< m: GRID, CONE, PATH
    float arc;       ///< rad, the whole opening of a CONE
    int32_t count;   ///< of a RING
    const ploy_query_row *rows;
    int32_t row_count;
} ploy_query_option;

typedef enum ploy_query_pick {
    PLOY_QUERY_BEST,
    PLOY_QUERY_RANDOM,   ///< one of the best `best_of`
    PLOY_QUERY_APART,    ///< up to `spots`, at least `apart` from each other
    PLOY_QUERY_SHORTEST, ///< the shortest path among those that meet all requirements
    PLOY_QUERY_PICKS
} ploy_query_pick;

typedef struct ploy_query_def {
    uint32_t cookie;
    int32_t candidates; ///< maximum per option; later ones are left out
    int32_t pick;       ///< a ploy_query_pick
    int32_t best_of;    ///< RANDOM
    int32_t spots;      ///< APART
    float apart;        ///< m
    float margin;       ///< by which another place must be better than the one that is held
    bool claims;        ///< points that others have claimed are left out
    bool exhaustive;    ///< test everything: the same winner, for comparisons
} ploy_query_def;

PLOY_API ploy_query_def ploy_query_def_default(void);
PLOY_API ploy_fields ploy_query_fields(void);

/// The definition, shared. Opaque.
typedef struct ploy_query_type ploy_query_type;

/// Makes a definition from a constant table.
/// @param points  whose qualities rows may name; must outlive the definition. NULL: none.
/// @param layout  of the blackboards that texts may read; must outlive the definition. NULL: none.
/// @return the error of the first fault, which is also logged through the env.
PLOY_API ploy_result ploy_query_type_create(const ploy_query_def *def,
                                            const ploy_query_option *options, int32_t count,
                                            const ploy_tactical_points *points,
                                            const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_query_type **out);
/// The same from text, in the syntax at the top of this file. `pick` and `margin` lines change the
/// def.
/// @param def     NULL: the default. @param points  receives the compound qualities of the text.
/// @param diags   every fault with line and column; may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_query_type_load(const char *text, size_t size, const char *name,
                                          const ploy_query_def *def, ploy_tactical_points *points,
                                          const ploy_blackboard_layout *layout, const ploy_env *env,
                                          ploy_diags *diags, ploy_query_type **out);
/// NULL is allowed. Its queries must be gone.
PLOY_API void ploy_query_type_destroy(ploy_query_type *type);
PLOY_API int32_t ploy_query_type_options(const ploy_query_type *type);
/// The name of a row; "claimed" after the last; "" out of range.
PLOY_API const char *ploy_query_type_row(const ploy_query_type *type, int32_t option, int32_t row);

/// The asking agent and the world. Plain data; start from ploy_query_context_make(). Its pointers
/// must stay valid until the result has been read.
typedef struct ploy_query_context {
    ploy_agent_id agent;
    ploy_vec3 self;   ///< m
    float facing;     ///< rad, of self
    ploy_vec3 target; ///< m
    int32_t posture;
    const ploy_tactical_threat *enemies;
    int32_t enemy_count;
    double now; ///< s
    uint64_t tick;
    ploy_rng_key key; ///< for RANDOM
    bool holds;       ///< the agent holds a place: `held`, or `held_position` without one
    ploy_tactical_id held;
    ploy_vec3 held_position;
    const ploy_tactical_points *points; ///< may be NULL
    ploy_scene scene;
    uint32_t mask;      ///< layers that block sight
    float eye;          ///< m above a place, for lines of sight
    ploy_finder finder; ///< for path and shortest; a finder not in use elsewhere during the query
    const ploy_places *places; ///< for PLACES
    const ploy_vec3 *path;     ///< for PATH
    int32_t path_count;
    const ploy_vec3 *list; ///< for LIST
    int32_t list_count;
    ploy_step_context *step; ///< for keys in texts; may be NULL
} ploy_query_context;

PLOY_API ploy_query_context ploy_query_context_make(ploy_vec3 self);

typedef enum ploy_query_outcome {
    PLOY_QUERY_PENDING, ///< under way; spots[0] is the best so far
    PLOY_QUERY_FOUND,
    PLOY_QUERY_NONE,
    PLOY_QUERY_OUTCOMES
} ploy_query_outcome;

/// "pending", "found", "none".
PLOY_API const char *ploy_query_outcome_text(ploy_query_outcome outcome);

/// A place in a result.
typedef struct ploy_query_spot {
    ploy_vec3 position;
    ploy_tactical_id id; ///< none unless it is a tactical point
    int32_t candidate;   ///< its number, for why
    float score;         ///< at most 1; of a partial result the highest that is possible
} ploy_query_spot;

typedef struct ploy_query_result {
    ploy_query_outcome outcome;
    bool partial;                                ///< not all tests of spots[0] were made
    int32_t option;                              ///< that was tried last
    int32_t count;                               ///< of spots
    ploy_query_spot spots[PLOY_QUERY_SPOTS_MAX]; ///< best first
    int32_t candidates;                          ///< of the option
    int32_t row;        ///< NONE: the row that rejected most; -1: there were no candidates
    int32_t rejected;   ///< how many it rejected
    const char *reason; ///< NONE: the name of that row, or "no candidates"
    int64_t rays;       ///< of all options
    int64_t units;      ///< likewise
} ploy_query_result;

/// One run of a definition. Opaque.
typedef struct ploy_query ploy_query;

/// @param type  must outlive the query.
PLOY_API ploy_result ploy_query_create(const ploy_query_type *type, const ploy_env *env,
                                       ploy_query **out);
/// NULL is allowed.
PLOY_API void ploy_query_destroy(ploy_query *query);
/// Begins; cancels a query under way. @param context  copied.
/// @return PLOY_ERR_ARGUMENT for numbers that are not finite, or if it lacks what the definition
///         needs (points, places, a finder); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_query_begin(ploy_query *query, const ploy_query_context *context);
/// Continues until it is done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
/// @return PLOY_ERR_STATE without a begin; an error of the finder, after which there is no query.
PLOY_API ploy_result ploy_query_step(ploy_query *query, ploy_budget *budget);
/// The result so far. Without a begin: NONE without candidates.
PLOY_API void ploy_query_get(const ploy_query *query, ploy_query_result *out);
PLOY_API void ploy_query_cancel(ploy_query *query);
/// begin, then step to the end.
PLOY_API ploy_result ploy_query_run(ploy_query *query, const ploy_query_context *context,
                                    ploy_query_result *out);
/// Runs the query for several agents, one after the other in the order of their contexts.
/// @param points  of every context: each agent claims there what it found, until `claim` seconds
///                after its now, so that those behind it find other points. NULL: no claims.
/// @param out     a result for each context.
/// @return PLOY_ERR_ARGUMENT also for points with a definition that ignores claims; otherwise the
///         first error, and the results behind it are not written.
PLOY_API ploy_result ploy_query_batch(ploy_query *query, const ploy_query_context *contexts,
                                      int32_t count, ploy_tactical_points *points, float claim,
                                      ploy_query_result *out);
/// The path to the place that `shortest` found. @return PLOY_ERR_STATE for other picks and results.
PLOY_API ploy_result ploy_query_path(const ploy_query *query, ploy_path *out);

/// The result of one row for a candidate.
typedef struct ploy_query_reason {
    const char *row;
    float value;  ///< NaN: cannot be measured
    float share;  ///< of the score, weight included
    float weight; ///< part of the whole
    bool passed;  ///< its requirement, if it has one
} ploy_query_reason;

/// The number of a point's candidate in the present option; -1 if the generator did not propose it.
PLOY_API int32_t ploy_query_candidate(const ploy_query *query, ploy_tactical_id id);
PLOY_API int32_t ploy_query_candidate_count(const ploy_query *query);
/// The candidate of the present option that is nearest to a place, in O(candidates); -1 if there
/// are no candidates. @param position  its place if there is one; may be NULL.
PLOY_API int32_t ploy_query_candidate_near(const ploy_query *query, ploy_vec3 place,
                                           ploy_vec3 *position);
/// Explains a candidate's score: runs every test on a candidate of the present option and reports
/// the results. Does not change the query. `path` is measured by the finder and replaces its
/// search, so call this after the query has ended.
/// @param out    room for capacity. @param score  of the whole, may be NULL.
/// @return how many rows there are; 0 if there is no such candidate.
PLOY_API int32_t ploy_query_explain(const ploy_query *query, int32_t candidate,
                                    ploy_query_reason *out, int32_t capacity, float *score);
/// The same as text, one line for each row, and the difference to the winner.
PLOY_API void ploy_query_why(const ploy_query *query, int32_t candidate, ploy_writer *out);
/// Reports the decision: the winner, the best losers, and which candidates were rejected and why.
PLOY_API void ploy_query_trace(const ploy_query *query, ploy_trace *trace);

/// Visits a ploy_query (ploy/base/visit.h). The context is the caller's: a load needs a query of
/// the same type that began with the same context. A path search under way restarts.
PLOY_API void ploy_query_visit(ploy_visit *v, void *query);
PLOY_API void ploy_query_describe(const ploy_query *query, ploy_describe *out);
/// Draws candidates shaded by their score, rejected ones as points with the row that rejected them,
/// the result as rings.
PLOY_API void ploy_query_draw(const ploy_query *query, ploy_draw *out);
PLOY_API void ploy_query_memory(const ploy_query *query, ploy_memory_fn fn, void *user);

/// Offsets of the tiles within a radius, by distance, then by y, then by x: what `grid` uses.
/// @param out  pairs x, y; room for capacity pairs; may be NULL with 0.
/// @return how many there are: 5 for 1, 13 for 2.
PLOY_API int32_t ploy_query_offsets(int32_t radius, int32_t (*out)[2], int32_t capacity);

// ---- queries in decisions

/// How a behavior runs a query. Must outlive everything made from it.
typedef struct ploy_query_leaf {
    const char *name;
    const ploy_query_type *type;
    /// Fills the context for the agent of the step; `self` is 0 at first.
    ploy_result (*ask)(void *user, ploy_step_context *step, ploy_query_context *out);
    void *user;
    ploy_tactical_points *points; ///< where the place is claimed; NULL: no claims
    float claim;                  ///< s; 0: no claims
    ploy_slot spot;               ///< a vec3 of the blackboard gets the place; none: nothing
    ploy_slot point;              ///< an id gets the tactical point; likewise
} ploy_query_leaf;

/// A leaf that runs the query within the step's budget: RUNNING while it is under way, SUCCESS with
/// the place on the blackboard, FAILURE if there is none. With a claim, it runs the query again if
/// another agent claimed the place first.
PLOY_API ploy_maker ploy_query_leaf_maker(const ploy_query_leaf *leaf);

/// A query that decisions read: runs at most once per agent and tick, and keeps the place for the
/// move. Opaque. Threads: one caller.
typedef struct ploy_query_fact ploy_query_fact;

PLOY_API ploy_result ploy_query_fact_create(const ploy_query_leaf *leaf, const ploy_env *env,
                                            ploy_query_fact **out);
/// NULL is allowed.
PLOY_API void ploy_query_fact_destroy(ploy_query_fact *fact);
/// The fact as words for a set of conditions: `name` is true if there is a place; `score_name` is
/// its score, or 0 without a place. Either name may be NULL. A true test writes the place to the
/// blackboard.
/// @param out  room for two. @return how many.
PLOY_API int32_t ploy_query_fact_words(ploy_query_fact *fact, const char *name,
                                       const char *score_name, ploy_word *out);
/// The score, 0 to 1, for a fuzzy input: 0 without a place.
PLOY_API float ploy_query_fact_score(ploy_query_fact *fact, ploy_step_context *step);
/// The kept result of the last run.
PLOY_API const ploy_query_result *ploy_query_fact_result(const ploy_query_fact *fact);
