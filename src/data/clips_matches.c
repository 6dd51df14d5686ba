// CLIPS's `matches`: how far the conditions of a rule are matched.
#include "data/clips_internal.h"

typedef struct matches_told {
    ploy_clips *clips;
    bool empty; // nothing since the stage began
    int64_t matches, partial;
} matches_told;

static void matches_end(const matches_told *told) {
    if (told->empty) ployi_clips_out(told->clips, " None\n");
}

static void matches_stage(void *user, const ploy_rule_stage *stage, ploy_fact *const *facts,
                          int32_t count) {
    matches_told *told = user;
    ploy_clips *clips = told->clips;
    if (count < 0) {
        matches_end(told);
        told->empty = true;
        ployi_clips_out(clips,
                        stage->pattern > 0 ? "Matches for Pattern " : "Partial matches for CEs ");
        if (stage->pattern > 0) {
            ployi_clips_out_i64(clips, stage->pattern, 0, true);
        } else {
            ployi_clips_out(clips, stage->label);
        }
        ployi_clips_out(clips, "\n");
        return;
    }
    told->empty = false;
    if (stage->pattern > 0) {
        told->matches++;
    } else {
        told->partial++;
    }
    for (int32_t i = 0; i < count; i++) ployi_clips_show_bind(clips, facts[i], i);
    ployi_clips_out(clips, "\n");
}

static ploy_rule_value matches_matches(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
    const ployi_defrule *rule = ployi_clips_find_rule(clips, name);
    if (rule == NULL) return ployi_clips_bool(clips, false);
    matches_told told = {.clips = clips};
    for (int32_t i = 0; i < rule->count; i++) {
        ploy_rules_stages(clips->rules, rule->first + i, matches_stage, &told);
    }
    matches_end(&told);
    ployi_clips_out(clips, "Activations\n");
    int64_t activations = 0;
    ploy_rule_activation at = {0, 0, NULL};
    while (ploy_rules_next_activation(clips->rules, rule->module, &at)) {
        if (at.rule < rule->first || at.rule >= rule->first + rule->count) continue;
        activations++;
        ployi_clips_show_basis(clips, &at);
        ployi_clips_out(clips, "\n");
    }
    told.empty = activations == 0;
    matches_end(&told);
    ploy_rule_value *counts = ployi_clips_items(clips, 3);
    if (counts == NULL) return ploy_rule_none();
    counts[0] = ploy_rule_integer(told.matches);
    counts[1] = ploy_rule_integer(told.partial);
    counts[2] = ploy_rule_integer(activations);
    return ploy_rule_multi(counts, 3);
}

const ployi_function ployi_clips_matches[] = {
    {"matches", 1, 2, matches_matches},
    {NULL, 0, 0, NULL},
};
