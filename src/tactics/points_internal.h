// Shared by the files of tactical points and queries.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/pool.h"
#include "ploy/decide/condition.h"
#include "ploy/geom/grid.h"
#include "ploy/tactics/points.h"

typedef struct ployi_tactical_item {
    ploy_tactical_point point;
    float values[PLOY_TACTICAL_TAGS_MAX]; // -1: unassessed
    int32_t links[PLOY_TACTICAL_LINKS_MAX];
    int32_t link_count;
    bool compromised;
    double compromised_at;
    ploy_agent_id owner;
    double until;  // of the claim
    int32_t stamp; // of a flood: scratch
} ployi_tactical_item;

typedef struct ployi_tactical_state {
    uint64_t key; // place, tag, state
    float value;
} ployi_tactical_state;

typedef struct ployi_tactical_tag {
    char name[PLOY_TACTICAL_NAME_MAX + 1];
    char text[PLOY_TACTICAL_RULE_MAX + 1]; // of the rule
    bool avoid;
    bool ruled;
    bool changing; // the rule reads claims or compromised points, or another rule that does
    uint32_t uses; // bit of each tag that the rule reads, directly or not
    ploy_score rule;
    uint64_t computed; // the set's changes when it was stored; 0: never
    int32_t number;
} ployi_tactical_tag;

struct ploy_tactical_points {
    ploy_env env;
    ploy_tactical_points_def def;
    ploy_pool *pool;
    ploy_grid *grid;
    ploy_conditions *rules;
    ploy_array states; // ployi_tactical_state, by key
    ploy_array stack;  // int32_t, of a flood: as many as the capacity
    ploy_scene scene;
    uint32_t mask;
    int32_t tag_count;
    uint64_t changes; // counts everything that a rule can read but claims and secrecy
    ployi_tactical_tag tags[PLOY_TACTICAL_TAGS_MAX];
};

// What a word of a rule reads: in ploy_moment.asker.
typedef struct ployi_tactical_asker {
    const ploy_tactical_points *points;
    const ployi_tactical_item *item;
    ploy_tactical_id id;
    double now;
} ployi_tactical_asker;

ployi_tactical_item *ployi_tactical_item_of(const ploy_tactical_points *points,
                                            ploy_tactical_id id);
// Registers what rules may call, and a word for each tag.
ploy_result ployi_tactical_words(ploy_tactical_points *points);
ploy_result ployi_tactical_word_of_tag(ploy_tactical_points *points, int32_t tag);
// Registers the words of rules in another set, whose moments have a ployi_tactical_asker.
ploy_result ployi_tactical_words_for(const ploy_tactical_points *points, ploy_conditions *set);
// Replaces the first argument of near, linked and seen by the number of its tag, padded so that
// columns stay. Sets the bits of all tags in the text and whether it reads what changes.
ploy_result ployi_tactical_number_tags(const ploy_tactical_points *points, const char *text,
                                       char *out, size_t size, uint32_t *uses, bool *changing,
                                       const char *file, int32_t line, int32_t column,
                                       ploy_diags *diags);
