// Why here, why not there; the state and the picture of a query.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"
#include "query_internal.h"

int32_t ploy_query_candidate_count(const ploy_query *query) {
    return query->candidates.count;
}

int32_t ploy_query_candidate(const ploy_query *query, ploy_tactical_id id) {
    for (int32_t i = 0; i < query->candidates.count && !ploy_id_is_none(id.id); i++) {
        if (ploy_tactical_id_equal(ployi_query_at(query, i)->id, id)) return i;
    }
    return -1;
}

int32_t ploy_query_candidate_near(const ploy_query *query, ploy_vec3 place, ploy_vec3 *position) {
    int32_t nearest = -1;
    float least = INFINITY;
    for (int32_t i = 0; i < query->candidates.count; i++) {
        float distance = ploy_vec3_distance(ployi_query_at(query, i)->position, place);
        if (!(distance < least)) continue;
        least = distance;
        nearest = i;
    }
    if (nearest >= 0 && position != NULL) *position = ployi_query_at(query, nearest)->position;
    return nearest;
}

static float query_why_value(const ploy_query *query, const ployi_query_test *test,
                             const ployi_query_candidate *candidate) {
    if (test->cost == PLOYI_QUERY_CHEAP) return ployi_query_cheap(query, test, candidate);
    if (test->cost == PLOYI_QUERY_RAYS) {
        int32_t rays = ployi_query_rays(query, test), blocked = 0;
        for (int32_t i = 0; i < rays; i++) blocked += ployi_query_ray(query, test, candidate, i);
        return ployi_query_rays_value(test, rays, blocked);
    }
    float value = NAN;
    if (ployi_query_search(query, candidate, true, NULL, &value) != PLOY_OK) return NAN;
    return value;
}

int32_t ploy_query_explain(const ploy_query *query, int32_t candidate, ploy_query_reason *out,
                           int32_t capacity, float *score) {
    if (candidate < 0 || candidate >= query->candidates.count) return 0;
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    const ployi_query_candidate *at = ployi_query_at(query, candidate);
    float terms[PLOY_QUERY_ROWS_MAX];
    for (int32_t i = 0; i < choice->test_count; i++) {
        const ployi_query_test *test = &choice->tests[i];
        float value = query_why_value(query, test, at);
        bool known = value == value;
        terms[i] = known ? ployi_query_term(test, value, value) : 0.0f;
        if (i >= capacity) continue;
        out[i].row = test->name;
        out[i].value = value;
        out[i].share = terms[i] / choice->weight;
        out[i].weight = test->weight / choice->weight;
        out[i].passed = known && ployi_query_may_pass(test, value, value);
    }
    if (score != NULL) *score = ployi_query_total(choice, terms);
    return choice->test_count;
}

static void query_why_number(ploy_writer *out, const char *name, float value) {
    char text[48];
    (void)snprintf(text, sizeof text, "%s%.3f", name, (double)value);
    ploy_write_text(out, text);
}

static void query_why_rows(const ploy_query *query, const ploy_query_reason *reasons, int32_t count,
                           ploy_writer *out) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    for (int32_t i = 0; i < count; i++) {
        const ployi_query_test *test = &choice->tests[i];
        ploy_write_text(out, "  ");
        ploy_write_text(out, reasons[i].row);
        if (isnan(reasons[i].value)) {
            ploy_write_text(out, ": cannot be measured, rejected");
        } else {
            query_why_number(out, ": ", reasons[i].value);
            if (test->require && !reasons[i].passed) {
                query_why_number(out, ", rejected: must be from ", test->min);
                query_why_number(out, " to ", test->max);
            }
            if (test->weight != 0.0f) {
                query_why_number(out, ", adds ", reasons[i].share);
                query_why_number(out, " of ", reasons[i].weight);
            }
        }
        ploy_write_text(out, "\n");
    }
}

void ploy_query_why(const ploy_query *query, int32_t candidate, ploy_writer *out) {
    ploy_query_reason reasons[PLOY_QUERY_ROWS_MAX];
    float score = 0.0f;
    if (candidate < 0 || candidate >= query->candidates.count) {
        ploy_write_text(out, "not a candidate: the generator did not propose it\n");
        return;
    }
    int32_t count = ploy_query_explain(query, candidate, reasons, PLOY_QUERY_ROWS_MAX, &score);
    const ployi_query_candidate *at = ployi_query_at(query, candidate);
    bool passed = true;
    for (int32_t i = 0; i < count; i++) passed = passed && reasons[i].passed;
    ploy_query_result result;
    ploy_query_get(query, &result);
    if (at->rejected_by == ployi_query_choice_of(query)->test_count) {
        ploy_write_text(out, "rejected: claimed by another agent\n");
    } else if (!passed) {
        ploy_write_text(out, "rejected");
        query_why_number(out, " (score ", score);
        ploy_write_text(out, ")\n");
    } else if (result.count > 0 && result.spots[0].candidate == candidate) {
        query_why_number(out, result.partial ? "best so far, score " : "chosen, score ", score);
        ploy_write_text(out, "\n");
    } else if (result.count > 0) {
        query_why_number(out, "lost, score ", score);
        query_why_number(out, ": the winner has ", result.spots[0].score);
        ploy_write_text(out, "\n");
    } else {
        query_why_number(out, "possible, score ", score);
        ploy_write_text(out, "\n");
    }
    query_why_rows(query, reasons, count, out);
    if (at->bonus > 0.0f) {
        query_why_number(out, "  held: margin ", at->bonus);
        ploy_write_text(out, "\n");
    }
}

static void query_why_name(const ploy_query *query, int32_t candidate, char *text, size_t size) {
    const ployi_query_candidate *at = ployi_query_at(query, candidate);
    const ployi_tactical_item *item = ployi_tactical_item_of(query->context.points, at->id);
    // The place is part of the name, so that a reader of the trace finds the option under a pointer.
    if (item != NULL && item->point.name[0] != 0) {
        (void)snprintf(text, size, "%.32s (%.1f, %.1f)", item->point.name, (double)at->position.x,
                       (double)at->position.y);
    } else {
        (void)snprintf(text, size, "(%.1f, %.1f)", (double)at->position.x, (double)at->position.y);
    }
}

// Why a candidate was rejected: the value and what it must be. A search is not repeated for that,
// because it would replace what the finder holds.
static void query_why_rejected(const ploy_query *query, const ployi_query_candidate *at, char *text,
                               size_t size) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    const char *row = ploy_query_type_row(query->type, query->option, at->rejected_by);
    const ployi_query_test *test =
        at->rejected_by < choice->test_count ? &choice->tests[at->rejected_by] : NULL;
    bool known = test != NULL && test->cost <= PLOYI_QUERY_RAYS;
    float value = known ? query_why_value(query, test, at) : NAN;
    if (test == NULL) {
        (void)snprintf(text, size, "%s by another agent", row);
    } else if (!known) {
        (void)snprintf(text, size, "%s must be from %.3g to %.3g", row, (double)test->min,
                       (double)test->max);
    } else if (isnan(value)) {
        (void)snprintf(text, size, "%s cannot be measured", row);
    } else {
        (void)snprintf(text, size, "%s is %.3g, must be from %.3g to %.3g", row, (double)value,
                       (double)test->min, (double)test->max);
    }
}

// What the rows added to a candidate's score.
static void query_why_terms(const ploy_query *query, int32_t candidate, char *text, size_t size) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    const ployi_query_candidate *at = ployi_query_at(query, candidate);
    size_t used = 0;
    text[0] = 0;
    for (int32_t i = 0; i < at->next && i < choice->test_count && used < size; i++) {
        const ployi_query_test *test = &choice->tests[i];
        if (test->weight == 0.0f) continue;
        float term = *PLOY_ARRAY_AT(&query->terms, float, candidate * choice->test_count + i);
        int wrote = snprintf(text + used, size - used, "%s%s adds %.3g of %.3g",
                             used > 0 ? ", " : "", test->name, (double)(term / choice->weight),
                             (double)(test->weight / choice->weight));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

// Why a place with a whole score was taken: by its score, held with a margin, drawn, or apart from the others.
static void query_why_taken(const ploy_query *query, const ployi_query_candidate *at, char *text,
                            size_t size) {
    const ploy_query_def *def = &query->def;
    if (def->pick == PLOY_QUERY_RANDOM) {
        (void)snprintf(text, size, "drawn among the best %d", (int)def->best_of);
    } else if (def->pick == PLOY_QUERY_APART) {
        (void)snprintf(text, size, "one of the best that are %.3g m apart", (double)def->apart);
    } else if (at->bonus > 0.0f) {
        (void)snprintf(text, size, "the best score: its present place, which adds %.3g",
                       (double)at->bonus);
    } else {
        (void)snprintf(text, size, "the best score");
    }
}

// Why one that could have been taken was not.
static void query_why_lost(const ploy_query *query, const ploy_query_result *result,
                           const ployi_query_candidate *at, char *text, size_t size) {
    const ploy_query_def *def = &query->def;
    (void)snprintf(text, size, "another place scores more");
    for (int32_t i = 0; i < result->count && def->pick == PLOY_QUERY_APART; i++) {
        float away = ploy_vec3_distance(at->position, result->spots[i].position);
        if (away >= def->apart) continue;
        (void)snprintf(text, size, "%.3g m from a place that was taken, less than %.3g m",
                       (double)away, (double)def->apart);
    }
    if (def->pick != PLOY_QUERY_RANDOM) return;
    int32_t better = 0;
    for (int32_t i = 0; i < query->candidates.count; i++) {
        const ployi_query_candidate *other = ployi_query_at(query, i);
        bool whole = other->next == ployi_query_choice_of(query)->test_count;
        better +=
            other->rejected_by < 0 && whole && other->score + other->bonus > at->score + at->bonus;
    }
    if (better < def->best_of) {
        (void)snprintf(text, size, "another of the best %d was drawn", (int)def->best_of);
    }
}

void ploy_query_trace(const ploy_query *query, ploy_trace *trace) {
    if (trace == NULL) return;
    char name[64], why[320], terms[240], reason[80];
    ploy_query_result result;
    ploy_query_get(query, &result);
    double best = 0.0; // with the margin, as they were compared
    if (result.count > 0) {
        const ployi_query_candidate *first = ployi_query_at(query, result.spots[0].candidate);
        best = (double)(first->score + first->bonus);
    }
    ploy_trace_begin(trace, query->context.agent, "place", "tactical query");
    for (int32_t i = 0; i < query->candidates.count; i++) {
        const ployi_query_candidate *at = ployi_query_at(query, i);
        bool won = false;
        for (int32_t j = 0; j < result.count; j++) won = won || result.spots[j].candidate == i;
        query_why_name(query, i, name, sizeof name);
        if (at->rejected_by >= 0) {
            query_why_rejected(query, at, why, sizeof why);
            ploy_trace_option(trace, name, PLOY_OUTCOME_REJECTED, (double)NAN, why);
            continue;
        }
        bool whole = at->next == ployi_query_choice_of(query)->test_count;
        query_why_terms(query, i, terms, sizeof terms);
        if (won) query_why_taken(query, at, reason, sizeof reason);
        if (!won && whole) query_why_lost(query, &result, at, reason, sizeof reason);
        if (won || whole) {
            (void)snprintf(why, sizeof why, "%s%s%s", reason, terms[0] != 0 ? ": " : "", terms);
        } else {
            (void)snprintf(why, sizeof why, "can reach %.3g at most, the winner has %.3g",
                           (double)(at->score + at->bonus), best);
        }
        ploy_trace_option(trace, name,
                          won     ? PLOY_OUTCOME_WON
                          : whole ? PLOY_OUTCOME_LOST
                                  : PLOY_OUTCOME_SKIPPED,
                          (double)(at->score + at->bonus), why);
    }
    ploy_trace_i64(trace, "rays", query->rays);
    ploy_trace_end(trace);
}

// ---- state

void ployi_query_rebuild(void *object) {
    ploy_query *query = object;
    query->searching = false; // the finder's search is not part of the state; it restarts
}

static void query_why_visit_candidate(ploy_visit *v, const ploy_query *query,
                                      ployi_query_candidate *at) {
    ploy_visit_vec3(v, "position", PLOY_STATE, &at->position.x, &at->position.y, &at->position.z);
    ploy_visit_id(v, "id", PLOY_STATE, &at->id.id);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &at->next, 0,
                      ployi_query_choice_of(query)->test_count);
    ploy_visit_i32_in(v, "done", PLOY_STATE, &at->done, 0, query->context.enemy_count);
    ploy_visit_i32_in(v, "hits", PLOY_STATE, &at->hits, 0, query->context.enemy_count);
    ploy_visit_i32_in(v, "rejected_by", PLOY_STATE, &at->rejected_by, -1,
                      ployi_query_choice_of(query)->test_count);
    ploy_visit_f32_in(v, "score", PLOY_STATE, &at->score, -1e9f, 1e9f);
    ploy_visit_f32_in(v, "bonus", PLOY_STATE, &at->bonus, 0.0f, 1.0f);
}

static void query_why_visit_indexes(ploy_visit *v, const char *name, ploy_array *array,
                                    int32_t candidates) {
    int32_t count = ploy_visit_array(v, name, PLOY_STATE, array, candidates);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "candidate", PLOY_STATE, PLOY_ARRAY_AT(array, int32_t, i), 0,
                          candidates - 1);
    }
    ploy_visit_end(v);
}

void ploy_query_visit(ploy_visit *v, void *object) {
    ploy_visit_after(v, ployi_query_rebuild, object);
    ployi_query_visit_fields(v, object);
}

void ployi_query_visit_fields(ploy_visit *v, ploy_query *query) {
    ploy_visit_object(v, "query", query, sizeof *query);
    PLOY_VISIT_SCRATCH(v, query->env);
    PLOY_VISIT_SCRATCH(v, query->type);
    PLOY_VISIT_SCRATCH(v, query->context);
    PLOY_VISIT_SCRATCH(v, query->def);
    PLOY_VISIT_SCRATCH(v, query->searching);
    PLOY_VISIT_SCRATCH(v, query->states);
    PLOY_VISIT_SCRATCH(v, query->near);
    PLOY_VISIT_SCRATCH(v, query->path);
    ploy_visit_buffer(v, "query.states", &query->states);
    ploy_visit_buffer(v, "query.near", &query->near);
    if (v->memory != NULL) ploy_path_memory(query->path, v->memory, v->memory_user);
    ploy_visit_i32_in(v, "phase", PLOY_STATE, &query->phase, 0, PLOYI_QUERY_PHASES - 1);
    ploy_visit_i32_in(v, "option", PLOY_STATE, &query->option, 0, query->type->option_count - 1);
    ploy_visit_bool(v, "found", PLOY_STATE, &query->found);
    ploy_visit_i64_in(v, "rays", PLOY_STATE, &query->rays, 0, INT64_MAX);
    ploy_visit_i64_in(v, "units", PLOY_STATE, &query->units, 0, INT64_MAX);
    int32_t rows = ploy_visit_fixed(v, "rejected", PLOY_STATE, PLOY_QUERY_ROWS_MAX + 1);
    for (int32_t i = 0; i < rows; i++) {
        ploy_visit_i32_in(v, "count", PLOY_STATE, &query->rejected[i], 0, INT32_MAX);
    }
    ploy_visit_end(v);
    int32_t count =
        ploy_visit_array(v, "candidates", PLOY_STATE, &query->candidates, query->def.candidates);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        query_why_visit_candidate(v, query, ployi_query_at(query, i));
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "cursor", PLOY_STATE, &query->cursor, 0, query->candidates.count);
    int32_t tests = ployi_query_choice_of(query)->test_count;
    int32_t terms = ploy_visit_array(v, "terms", PLOY_STATE, &query->terms,
                                     query->def.candidates * PLOY_QUERY_ROWS_MAX);
    for (int32_t i = 0; i < terms; i++) {
        ploy_visit_f32(v, "term", PLOY_STATE, PLOY_ARRAY_AT(&query->terms, float, i));
    }
    ploy_visit_end(v);
    query_why_visit_indexes(v, "heap", &query->heap, query->candidates.count);
    query_why_visit_indexes(v, "taken", &query->taken, query->candidates.count);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, query->terms.count >= query->candidates.count * tests, "missing terms",
                         NULL);
        if (ploy_visit_is_ok(v)) {
            ploy_visit_result(v, ploy_array_reserve(&query->heap, query->candidates.count));
            ploy_visit_result(v, ploy_array_reserve(&query->taken, query->candidates.count));
            ploy_visit_result(v, ploy_array_reserve(&query->states, query->candidates.count));
        }
    }
}

void ploy_query_describe(const ploy_query *query, ploy_describe *out) {
    if (query != NULL) ploy_visit_describe(ploy_query_visit, query, NULL, out);
}

void ploy_query_memory(const ploy_query *query, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_query_visit, query, fn, user);
}

void ploy_query_draw(const ploy_query *query, ploy_draw *out) {
    if (query == NULL || out == NULL) return;
    ploy_agent_id agent = query->context.agent;
    ploy_query_result result;
    ploy_query_get(query, &result);
    for (int32_t i = 0; i < query->candidates.count; i++) {
        const ployi_query_candidate *at = ployi_query_at(query, i);
        ploy_vec2 place = ploy_vec2_from_vec3(at->position);
        if (at->rejected_by < 0) {
            bool whole = at->next == ployi_query_choice_of(query)->test_count;
            ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, whole ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST,
                           agent, place, 0.4f, ploy_clampf(0.15f + 0.8f * at->score, 0.0f, 1.0f));
            continue;
        }
        ploy_draw_point(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_BAD, agent, place);
        ploy_draw_text(out, agent, place,
                       ploy_query_type_row(query->type, query->option, at->rejected_by));
    }
    for (int32_t i = 0; i < result.count; i++) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, agent,
                         ploy_vec2_from_vec3(result.spots[i].position), 0.7f);
    }
}
