/// @file ploy/generate/generator.h
/// The generator: one interface for everything that makes content.
///
/// Scattered points, height maps, plants, mazes and buildings differ in what they make. A caller
/// uses them all alike: it begins a generator with settings and a key, steps it with a budget, and
/// reads the content.
///
///     begin --> step, step, ... --> outcome --> content, describe, draw
///                 content: the best so far      cancel: at any time, frees everything
///
/// Every generator X of the library has the same functions, and offers them through this interface
/// with ploy_X_generator():
///
///     ploy_X_def_default, ploy_X_fields                       settings
///     ploy_X_begin(def, key, [inputs,] trace, env, &x)        starts; does little work
///     ploy_X_step(x, budget)                                  the header states the unit
///     ploy_X_outcome, ploy_X_<result>                         the outcome and the result
///     ploy_X_describe, ploy_X_draw, ploy_X_memory
///     ploy_X_cancel(x)                                        ends and frees; NULL is allowed
///
/// Limits are results. Every loop has a limit in the settings, with a finite default. A generator
/// that reaches one (attempts, nodes, steps, cells) ends with PLOY_OK; its outcome is partial and
/// names the limit, and its content is the best so far. Errors are for settings that are out of
/// range, input of the wrong kind, and memory.
///
/// A modifier is a generator whose input and output are of the same kind: it copies its input and
/// changes the copy. Content is borrowed: it is valid until the generator is stepped or cancelled,
/// and a generator may read its input until it is cancelled.
///
/// Randomness comes from a key. Each use inside a generator has a named stream
/// (ploy_generate_stream), so a new use does not affect the others; level k of a game is
/// ploy_rng_key_split of the game's key by k and does not need levels 1 to k - 1. Technique:
/// Millington, "AI for Games", 8.1, with limits and slices.
///
/// Units: metres, radians. The same settings, key and input give bit-identical content in one step
/// or in a thousand. Threads: one caller for each generator; several may read the same input.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"

// ---- content

/// Kinds of content; a set of them is the sum.
typedef enum ploy_content_kind {
    PLOY_CONTENT_POINTS = 1,  ///< placed things: ploy_placed
    PLOY_CONTENT_HEIGHTS = 2, ///< ploy/generate/heightmap.h
    PLOY_CONTENT_PLAN = 4,    ///< ploy/generate/floor_plan.h
    PLOY_CONTENT_PLANT = 8,   ///< ploy/generate/plant.h
    PLOY_CONTENT_SHAPE = 16,  ///< ploy/generate/grammar.h
    PLOY_CONTENT_TILES = 32   ///< numbers in a grid
} ploy_content_kind;

/// Number of kinds.
#define PLOY_CONTENT_KINDS 6

/// "points", "heights", "plan", "plant", "shape", "tiles"; "" for anything else.
PLOY_API const char *ploy_content_kind_text(ploy_content_kind kind);

/// One placed thing: a disc.
typedef struct ploy_placed {
    ploy_vec2 position; ///< m
    float radius;       ///< m, 0 for a plain point
    float angle;        ///< rad, orientation; 0 where it has no meaning
    int32_t type;       ///< number of the caller's type, from 0
} ploy_placed;

typedef struct ploy_heightmap ploy_heightmap;
typedef struct ploy_floor_plan ploy_floor_plan;
typedef struct ploy_plant ploy_plant;
typedef struct ploy_building ploy_building;

/// The input or output of a generator: borrowed views, of the kinds named in `kinds`. All other
/// members are zero. Start from ploy_content_none().
typedef struct ploy_content {
    uint32_t kinds; ///< of ploy_content_kind
    ploy_box2 area; ///< m, the area that the content covers; empty if unknown
    const ploy_placed *points;
    int32_t point_count;
    int32_t tile_columns, tile_rows;
    const int32_t *tiles; ///< row by row from the lowest y; the generator defines their meaning
    float tile_size;      ///< m
    const ploy_heightmap *heights;
    const ploy_floor_plan *plan;
    const ploy_plant *plant;
    const ploy_building *shape;
} ploy_content;

/// No content at all.
PLOY_API ploy_content ploy_content_none(void);
/// Merges two contents: kinds in `later` replace those in `earlier`.
PLOY_API ploy_content ploy_content_merge(const ploy_content *earlier, const ploy_content *later);

// ---- outcome

/// The outcome of a generator, so far or at its end.
typedef struct ploy_generate_outcome {
    bool done;         ///< no step is left
    bool partial;      ///< a limit ended it, or no result exists
    const char *limit; ///< the limit, by its field's name: "max_attempts"; "" if none was reached
    int64_t count;     ///< things made: points, cells, branches, rooms
    int64_t attempts;  ///< tries made, the failed ones included
    int64_t rejected;  ///< tries that failed; describe has them by reason
    uint64_t draws;    ///< 32-bit random words drawn
    int64_t units;     ///< budget spent
    int64_t total;     ///< budget that it takes at most, for a progress bar; 0: not known
} ploy_generate_outcome;

// ---- randomness

/// The key of a named stream. Different names give independent keys; a new name does not change the
/// others.
PLOY_API ploy_rng_key ploy_generate_stream(ploy_rng_key key, const char *name);
/// Number of 32-bit words drawn from a stream since it was made.
PLOY_API uint64_t ploy_generate_draws(const ploy_rng *rng);

// ---- the front

/// A kind of generator. Callbacks get `self`. All are set except where noted.
typedef struct ploy_generator_type {
    const char *name; ///< "scatter"
    const char *help; ///< one line
    const char *unit; ///< one unit of budget: "one attempt"
    uint32_t takes;   ///< kinds of input that it needs; 0: none
    uint32_t uses;    ///< kinds of input that it reads if present
    uint32_t makes;   ///< kinds of content that it makes
    /// Table of its settings.
    ploy_fields (*fields)(void);
    /// Checks def and starts. The input has all kinds of `takes`; it is never NULL.
    ploy_result (*begin)(const void *def, ploy_rng_key key, const ploy_content *input,
                         ploy_trace *trace, const ploy_env *env, void **out);
    /// PLOY_IN_PROGRESS while work is left, PLOY_OK at the end and in later calls, or an error,
    /// after which only cancel may be called.
    ploy_result (*step)(void *self, ploy_budget *budget);
    ploy_generate_outcome (*outcome)(const void *self);
    /// The content so far; at the end, the result, with all kinds of `makes`.
    ploy_content (*content)(const void *self);
    void (*cancel)(void *self);
    /// Marks the result STATE, large arrays as their hash, so that the hash of a generator is the
    /// hash of its content. Numbers in a group "statistics" are summed over batches.
    void (*describe)(const void *self, ploy_describe *out);
    void (*draw)(const void *self, ploy_draw *out);
    void (*memory)(const void *self, ploy_memory_fn fn, void *user);
} ploy_generator_type;

typedef struct ploy_generator {
    const ploy_generator_type *type; ///< NULL means none
    void *self;
} ploy_generator;

/// Every generator of the library, in the order in which programs list them: number 0, 1, ...
/// @return NULL past the last one.
PLOY_API const ploy_generator_type *ploy_generators_at(int32_t index);
/// The generator of that name, or NULL.
PLOY_API const ploy_generator_type *ploy_generators_find(const char *name);

/// Starts a generator.
/// @param def    settings, as in its field table; NULL: the defaults.
/// @param input  NULL: none. Its pointers must stay valid until cancel.
/// @param trace  receives the choices of every step; NULL: none. Does not change the content.
/// @param out    none on failure.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range or a kind of input is missing (the log
///         names it), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_generator_begin(const ploy_generator_type *type, const void *def,
                                          ploy_rng_key key, const ploy_content *input,
                                          ploy_trace *trace, const ploy_env *env,
                                          ploy_generator *out);
/// Continues until it ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
PLOY_API ploy_result ploy_generator_step(ploy_generator generator, ploy_budget *budget);
/// Starts and steps to the end. @return as begin and step; nothing is left on failure.
PLOY_API ploy_result ploy_generator_run(const ploy_generator_type *type, const void *def,
                                        ploy_rng_key key, const ploy_content *input,
                                        ploy_trace *trace, const ploy_env *env,
                                        ploy_generator *out);
/// Ends and frees a generator, at any time. None is allowed.
PLOY_API void ploy_generator_cancel(ploy_generator generator);

/// The outcome, so far or at the end.
PLOY_API ploy_generate_outcome ploy_generator_outcome(ploy_generator generator);
/// The content made so far; valid until the next step or cancel.
PLOY_API ploy_content ploy_generator_content(ploy_generator generator);
/// The outcome, and what the generator describes.
PLOY_API void ploy_generator_describe(ploy_generator generator, ploy_describe *out);
PLOY_API void ploy_generator_draw(ploy_generator generator, ploy_draw *out);
PLOY_API void ploy_generator_memory(ploy_generator generator, ploy_memory_fn fn, void *user);
/// The hash of the content so far and of the outcome: equal for equal settings, key and input,
/// however the work was sliced.
PLOY_API uint64_t ploy_generator_hash(ploy_generator generator);

/// Describes an outcome into the open group; the budget spent is a note, all else STATE.
PLOY_API void ploy_generate_outcome_describe(const ploy_generate_outcome *outcome,
                                             ploy_describe *out);
/// Draws placed things as discs, plain points as points; styles by type.
PLOY_API void ploy_content_draw_points(const ploy_content *content, ploy_draw *out);
/// Hash of placed things, member by member.
PLOY_API uint64_t ploy_content_hash_points(const ploy_content *content);
