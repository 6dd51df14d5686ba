// The server's layout, shared with its combinations and files.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/tactics/analysis.h"

// Steps of a combination that work on the whole layer.
typedef enum analysis_filter_kind {
    ANALYSIS_MASK,
    ANALYSIS_CONVOLVE,
    ANALYSIS_CLAMP,
    ANALYSIS_NORMALISE
} analysis_filter_kind;

enum { ANALYSIS_FILTERS = 8 };

typedef struct analysis_filter {
    analysis_filter_kind kind;
    int32_t mask;  // index of the analysis
    int32_t times; // of the kernel
    float low, high;
    ploy_convolve_kernel kernel;
} analysis_filter;

typedef struct analysis_combination {
    ploy_analysis_server *server;
    ploy_score score;
    analysis_filter filters[ANALYSIS_FILTERS];
    int32_t filter_count;
    ploy_tactics_layer *out;
    int32_t next;      // place to be computed
    int32_t filter;    // that is at work
    int32_t cell;      // that it is at; normalising goes over all of them twice
    float least, most; // measured by normalising; least above most: nothing yet
    bool convolving;
    ploy_convolve *convolve; // NULL if no filter needs it
} analysis_combination;

typedef struct analysis_entry {
    char name[PLOY_ANALYSIS_NAME];
    ploy_analysis_class level;
    ploy_analysis analysis;
    analysis_combination *combination; // NULL: a plug-in
    ploy_tactics_layer *layers[2];     // NULL in class 3
    int32_t front;
    bool complete; // layers[front] holds a whole pass
    bool valid;    // class 1: no pass is needed
    bool begun;
    int64_t passes, age, cost, spent;
} analysis_entry;

struct ploy_analysis_server {
    ploy_env env;
    ploy_analysis_server_def def;
    ploy_places places;
    ploy_conditions *words; // each analysis is a word whose user is its place in entries
    analysis_entry *entries[PLOY_ANALYSES_MAX]; // NULL from count on
    int32_t count;
    int32_t turn; // entry of class 2 that is at work or next
    int64_t debt; // units of the last frame beyond its budget
    int64_t last; // units of the last frame
};

// The place that a score is about: asker of a moment.
typedef struct analysis_site {
    int32_t place;
} analysis_site;

// Goes on with a pass that was loaded: sets what a save does not have.
void ployi_sight_map_resume(ploy_sight_map *map, ploy_tactics_layer *out);
void ployi_convolve_resume(ploy_convolve *convolve, const ploy_convolve_kernel *kernel,
                           const ploy_convolve_options *options, ploy_tactics_layer *layer);

extern const ploy_analysis_type ployi_combination_type;
ploy_result ployi_analysis_add(ploy_analysis_server *server, const char *name,
                               ploy_analysis_class level, ploy_analysis analysis,
                               analysis_combination *combination, int32_t *out);
// Removes entries from `count` on.
void ployi_analysis_cut(ploy_analysis_server *server, int32_t count);
