/// @file ploy/tactics/analysis.h
/// The analysis server: keeps many layers up to date within a budget for each frame.
///
/// An analysis is a plug-in that fills a layer in slices. The server holds two buffers of each and
/// swaps them when a pass is complete, so that readers always see one whole pass. Three classes:
///
///     1 static   computed at load or read from a file; again only after invalidate
///     2 slow     passes take turns; each frame spends at most the budget
///     3 fast     never computed as a whole; values on request, at the places that matter
///
/// Combinations are analyses too, written as text over the names of other layers, in the syntax of
/// ploy_score. Lines that are indented work on the whole layer, in order:
///
///     # where to build the next tower
///     radar = security * visibility / (1 + towers)
///       mask own                  zero where the layer `own` is 0 or unknown
///       blur 2 times 3            binomial, size 2
///       sharpen 2 1 1             a b c, see ploy_convolve_kernel_sharpen
///       clamp 0 10
///       normalise                 the least value becomes 0, the largest 1
///
/// A value is unknown where the expression reads an unknown one. The class of a combination is the
/// highest of its inputs; over class 3 inputs it has values on request only, without the lines that
/// need a whole layer.
///
/// Technique: Millington, "AI for Games", 6.2.4. Units: a budget unit is 64 cells. A layer of class
/// 2 is never older than ploy_analysis_server_bound frames. Memory: two buffers for each analysis
/// of class 1 and 2. Nothing allocates in step. Threads: one caller; fronts may be read by many
/// between steps.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/box.h"
#include "ploy/tactics/convolve.h"
#include "ploy/tactics/influence.h"
#include "ploy/tactics/layer.h"
#include "ploy/tactics/sight_map.h"

/// The plug-in interface.
typedef struct ploy_analysis_type {
    const char *name;
    /// Begins a pass that fills a layer of numbers; the layer holds the pass before the last.
    ploy_result (*begin)(void *self, ploy_tactics_layer *out);
    /// PLOY_IN_PROGRESS, PLOY_OK at the end of the pass, or an error.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// The value of one place now. NULL: no values on request.
    float (*value)(void *self, int32_t place);
    /// A region of the level has changed. May be NULL.
    void (*invalidate)(void *self, ploy_box2 region);
    /// Visits the state of a pass under way. NULL: a loaded server begins such a pass again.
    ploy_visitor visit;
    /// After a load, continues a pass under way into `out`. NULL if visit is.
    void (*resume)(void *self, ploy_tactics_layer *out);
} ploy_analysis_type;

typedef struct ploy_analysis {
    const ploy_analysis_type *type;
    void *self; ///< must outlive the server
} ploy_analysis;

/// Fills values [first, first + count) of a layer; out points to the first.
typedef void (*ploy_analysis_fill_fn)(void *user, int32_t first, int32_t count, float *out);

/// An analysis made of one function. Owned by the caller; the caller sets the first two members and
/// zeroes the others.
typedef struct ploy_analysis_fill {
    ploy_analysis_fill_fn fill;
    void *user;
    ploy_tactics_layer *out; ///< private
    int32_t next;            ///< private
} ploy_analysis_fill;

PLOY_API ploy_analysis ploy_analysis_fill_make(ploy_analysis_fill *fill);
/// A sight map as an analysis.
PLOY_API ploy_analysis ploy_sight_map_analysis(ploy_sight_map *map);

/// The part of an influence map that ploy_influence_fill writes.
typedef struct ploy_influence_source {
    const ploy_influence *influence;
    ploy_influence_view view;
    int32_t side;
} ploy_influence_source;

/// A ploy_analysis_fill_fn whose user is a ploy_influence_source.
PLOY_API void ploy_influence_fill(void *source, int32_t first, int32_t count, float *out);

typedef enum ploy_analysis_class {
    PLOY_ANALYSIS_STATIC = 1,
    PLOY_ANALYSIS_SLOW = 2,
    PLOY_ANALYSIS_FAST = 3
} ploy_analysis_class;

/// Maximum number of analyses of a server, and size of a name in bytes with its terminating zero.
#define PLOY_ANALYSES_MAX 64
#define PLOY_ANALYSIS_NAME 32

typedef struct ploy_analysis_server_def {
    uint32_t cookie;
    int32_t units; ///< budget of a frame
} ploy_analysis_server_def;

PLOY_API ploy_analysis_server_def ploy_analysis_server_def_default(void);
PLOY_API ploy_fields ploy_analysis_server_fields(void);

/// Opaque.
typedef struct ploy_analysis_server ploy_analysis_server;

PLOY_API ploy_result ploy_analysis_server_create(const ploy_analysis_server_def *def,
                                                 const ploy_places *places, const ploy_env *env,
                                                 ploy_analysis_server **out);
/// NULL is allowed.
PLOY_API void ploy_analysis_server_destroy(ploy_analysis_server *server);

/// Adds an analysis; they are numbered from 0.
/// @param name  letters, digits and _, not starting with a digit: a word for combinations.
/// @return PLOY_ERR_ARGUMENT, also for class 3 without value; PLOY_ERR_EXISTS for a name that is
///         taken, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_analysis_server_add(ploy_analysis_server *server, const char *name,
                                              ploy_analysis_class level, ploy_analysis analysis,
                                              int32_t *out);
/// Reads combinations. Nothing is added if one has a fault.
/// @param name  of the file, for messages. @return PLOY_ERR_FORMAT, with faults in diags, which may
///              be NULL; PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_analysis_server_read(ploy_analysis_server *server, const char *text,
                                               size_t size, const char *name, ploy_diags *diags);

/// Runs a frame: spends at most the def's units. If an indivisible piece of work exceeds them, the
/// excess is taken from the next frame. Layers of class 1 that are missing or invalid come first,
/// then those of class 2 in turn.
/// @return PLOY_OK, or the error of an analysis, whose pass then restarts at its next turn.
PLOY_API ploy_result ploy_analysis_server_step(ploy_analysis_server *server);
/// Runs each pass of class 1 that is missing or invalid, and one pass of each analysis of class 2.
PLOY_API ploy_result ploy_analysis_server_run(ploy_analysis_server *server);
/// Reports to an analysis that a region has changed; class 1 is computed again.
/// @param index  -1: all of them.
PLOY_API void ploy_analysis_server_invalidate(ploy_analysis_server *server, int32_t index,
                                              ploy_box2 region);

PLOY_API int32_t ploy_analysis_server_count(const ploy_analysis_server *server);
/// The index of a name; -1 if there is none.
PLOY_API int32_t ploy_analysis_server_find(const ploy_analysis_server *server, const char *name);
/// The last complete pass; NULL before the first and for class 3.
PLOY_API const ploy_tactics_layer *ploy_analysis_server_layer(const ploy_analysis_server *server,
                                                              int32_t index);
/// The value of a place: from the last complete pass or, in class 3, computed on request. NaN if it
/// is unknown.
PLOY_API float ploy_analysis_server_value(ploy_analysis_server *server, int32_t index,
                                          int32_t place);

/// Statistics of an analysis.
typedef struct ploy_analysis_info {
    const char *name;
    ploy_analysis_class level;
    int64_t passes; ///< completed
    int64_t age;    ///< frames since the last pass was completed, or since create
    int64_t cost;   ///< units of the last pass
} ploy_analysis_info;

/// @return false, leaving out alone, if there is no such index.
PLOY_API bool ploy_analysis_server_info(const ploy_analysis_server *server, int32_t index,
                                        ploy_analysis_info *out);
/// Frames after which every layer of class 2 has been renewed, by the cost of the last passes.
PLOY_API int64_t ploy_analysis_server_bound(const ploy_analysis_server *server);
/// Units that the last frame spent.
PLOY_API int64_t ploy_analysis_server_spent(const ploy_analysis_server *server);

/// Writes all complete layers of class 1: version, names, values and a checksum.
PLOY_API ploy_result ploy_analysis_server_save(const ploy_analysis_server *server,
                                               ploy_writer *writer);
/// Reads saved layers into the layers of class 1 with the same names and number of places; other
/// layers in the file give warnings. All or nothing.
/// @return PLOY_ERR_FORMAT for another version, another number of places, or damage.
PLOY_API ploy_result ploy_analysis_server_load(ploy_analysis_server *server, const void *bytes,
                                               size_t size, const char *name, ploy_diags *diags);

/// Draws a layer with its name and range.
PLOY_API void ploy_analysis_server_draw(const ploy_analysis_server *server, int32_t index,
                                        ploy_draw *out);
/// Visits a ploy_analysis_server (ploy/base/visit.h): all layers, and passes under way. Analyses are
/// the caller's: a load needs a server to which the same ones were added in the same order.
PLOY_API void ploy_analysis_server_visit(ploy_visit *v, void *server);
PLOY_API void ploy_analysis_server_describe(const ploy_analysis_server *server, ploy_describe *out);
PLOY_API void ploy_analysis_server_memory(const ploy_analysis_server *server, ploy_memory_fn fn,
                                          void *user);
