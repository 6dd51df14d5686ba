// Definitions of queries, from tables; texts are read by query_text.c into the same tables.
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "query_internal.h"

static const char *const query_type_picks[] = {"best", "random", "apart", "shortest"};

static const ploy_field query_type_fields[] = {
    PLOY_FIELD_I32(ploy_query_def, candidates, 256, 1, 1 << 20, "", "most candidates of an option"),
    PLOY_FIELD_ENUM(ploy_query_def, pick, PLOY_QUERY_BEST, query_type_picks, "what is chosen"),
    PLOY_FIELD_I32(ploy_query_def, best_of, 3, 1, PLOY_QUERY_SPOTS_MAX, "",
                   "random: one of the best this many"),
    PLOY_FIELD_I32(ploy_query_def, spots, 4, 1, PLOY_QUERY_SPOTS_MAX, "", "apart: most places"),
    PLOY_FIELD_F32(ploy_query_def, apart, 2, 0, 1e6f, "m", "apart: between two places"),
    PLOY_FIELD_F32(ploy_query_def, margin, 0.1f, 0, 1, "",
                   "by which another place must be better than the one that is held"),
    PLOY_FIELD_BOOL(ploy_query_def, claims, 1, "leave out what others have claimed"),
    PLOY_FIELD_BOOL(ploy_query_def, exhaustive, 0, "test everything, for comparisons"),
};

static const char *const query_type_measures[] = {"text",   "quality", "against", "distance",
                                                  "hidden", "sees",    "sight",   "path"};
static const char *const query_type_outcomes[] = {"pending", "found", "none"};

const char *ploy_query_measure_text(ploy_query_measure measure) {
    return (uint32_t)measure < PLOY_QUERY_MEASURES ? query_type_measures[measure] : "?";
}

const char *ploy_query_outcome_text(ploy_query_outcome outcome) {
    return (uint32_t)outcome < PLOY_QUERY_OUTCOMES ? query_type_outcomes[outcome] : "?";
}

ploy_fields ploy_query_fields(void) {
    return PLOY_FIELDS(ploy_query_def, query_type_fields);
}

ploy_query_def ploy_query_def_default(void) {
    ploy_query_def def;
    ploy_fields_default(ploy_query_fields(), &def);
    return def;
}

ploy_result ployi_query_type_begin(const ploy_query_def *def, const ploy_tactical_points *points,
                                   const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_query_type **out) {
    ploy_result result = ploy_fields_check(ploy_query_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_query_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    type->points = points;
    result = ploy_conditions_create(layout, env, &type->conditions);
    if (result == PLOY_OK) result = ployi_tactical_words_for(points, type->conditions);
    if (result == PLOY_OK) result = ployi_query_words(type->conditions);
    if (result != PLOY_OK) {
        ploy_query_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_query_type_destroy(ploy_query_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_conditions_destroy(type->conditions);
    ploy_env_free(&env, type, sizeof *type);
}

// ---- rows

typedef struct query_type_place {
    const char *file;
    ployi_query_where where;
    ploy_diags *diags;
} query_type_place;

static ploy_result query_type_fault(const query_type_place *at, ploy_result code,
                                    const char *message, const char *expected,
                                    const char *nearest) {
    ploy_diags_add(at->diags, PLOY_SEVERITY_ERROR, code, at->file, at->where.line, at->where.column,
                   message, expected, nearest);
    return code;
}

static void query_type_copy(char *to, const char *from) {
    size_t size = strlen(from);
    if (size >= PLOYI_QUERY_NAME) size = PLOYI_QUERY_NAME - 1;
    memcpy(to, from, size);
    to[size] = 0;
}

static ploy_result query_type_tag(const ploy_query_type *type, const char *name,
                                  const query_type_place *at, int32_t *tag) {
    *tag = ploy_tactical_points_tag(type->points, name);
    if (*tag >= 0) return PLOY_OK;
    ploy_nearest nearest = ploy_nearest_make(name == NULL ? "" : name);
    for (int32_t i = 0; type->points != NULL && i < type->points->tag_count; i++) {
        ploy_nearest_offer(&nearest, type->points->tags[i].name);
    }
    return query_type_fault(at, PLOY_ERR_NOT_FOUND, "unknown quality", "the name of a quality",
                            nearest.best);
}

static ploy_result query_type_text(ploy_query_type *type, const char *text,
                                   const query_type_place *at, ploy_score *out) {
    char numbered[PLOY_TACTICAL_RULE_MAX * 2 + 1];
    uint32_t uses = 0;
    bool changing = false;
    if (text == NULL) {
        return query_type_fault(at, PLOY_ERR_ARGUMENT, "missing expression", "a text", NULL);
    }
    if (type->points == NULL) {
        return ploy_score_read(type->conditions, text, at->file, at->where.line, at->where.column,
                               at->diags, out);
    }
    ploy_result result =
        ployi_tactical_number_tags(type->points, text, numbered, sizeof numbered, &uses, &changing,
                                   at->file, at->where.line, at->where.column, at->diags);
    if (result != PLOY_OK) return result;
    return ploy_score_read(type->conditions, numbered, at->file, at->where.line, at->where.column,
                           at->diags, out);
}

static ployi_query_cost query_type_cost(ploy_query_measure measure) {
    if (measure == PLOY_QUERY_ALONG) return PLOYI_QUERY_SEARCH;
    return measure >= PLOY_QUERY_HIDDEN ? PLOYI_QUERY_RAYS : PLOYI_QUERY_CHEAP;
}

// Curves are checked by making a table of one point, or by the values they give: a curve outside of
// its documented range is refused.
static bool query_type_curve(const ploy_curve *curve) {
    if ((uint32_t)curve->kind > (uint32_t)PLOY_CURVE_TABLE) return false;
    if (curve->kind == PLOY_CURVE_TABLE) {
        ploy_curve made;
        return ploy_curve_table(curve->x, curve->y, curve->count, &made) == PLOY_OK;
    }
    return ploy_in_range(curve->slope, -1e6f, 1e6f) && ploy_in_range(curve->offset, -1e6f, 1e6f) &&
           ploy_in_range(curve->exponent, 0.01f, 100.0f);
}

static ploy_result query_type_row(ploy_query_type *type, const ploy_query_row *row,
                                  const query_type_place *at, ployi_query_test *test) {
    memset(test, 0, sizeof *test);
    if ((uint32_t)row->measure >= PLOY_QUERY_MEASURES || (uint32_t)row->whom >= PLOY_QUERY_WHOMS) {
        return query_type_fault(at, PLOY_ERR_ARGUMENT, "unknown measure", NULL, NULL);
    }
    test->measure = row->measure;
    test->cost = query_type_cost(row->measure);
    test->whom = row->whom;
    test->tag = -1;
    ploy_result result = PLOY_OK;
    if (row->measure == PLOY_QUERY_TEXT) {
        result = query_type_text(type, row->of, at, &test->score);
    } else if (row->measure == PLOY_QUERY_QUALITY || row->measure == PLOY_QUERY_AGAINST) {
        result = query_type_tag(type, row->of, at, &test->tag);
    }
    if (result != PLOY_OK) return result;
    bool scaled = row->low != 0.0f || row->high != 0.0f;
    static const ploy_curve none = {PLOY_CURVE_LINEAR, 0, 0, 0, 0, {0}, {0}};
    bool plain = row->curve.kind == PLOY_CURVE_LINEAR && row->curve.slope == none.slope &&
                 row->curve.offset == none.offset && row->curve.exponent == none.exponent;
    test->require = row->require;
    test->min = row->min;
    test->max = row->max;
    test->weight = row->weight;
    test->low = scaled ? row->low : 0.0f;
    test->high = scaled ? row->high : 1.0f;
    test->curve = plain ? ploy_curve_linear(1.0f, 0.0f) : row->curve;
    if (!query_type_curve(&test->curve)) {
        return query_type_fault(at, PLOY_ERR_ARGUMENT, "invalid curve", NULL, NULL);
    }
    if (!ploy_in_range(test->weight, -1e6f, 1e6f) || !ploy_in_range(test->low, -1e9f, 1e9f) ||
        !ploy_in_range(test->high, -1e9f, 1e9f) || !(test->high > test->low) ||
        !(test->min <= test->max)) {
        return query_type_fault(at, PLOY_ERR_ARGUMENT, "invalid range or weight",
                                "minimum up to maximum, finite weights", NULL);
    }
    query_type_copy(test->name, row->name != NULL ? row->name
                                : row->of != NULL ? row->of
                                                  : ploy_query_measure_text(row->measure));
    return PLOY_OK;
}

// Whether a row of the same cost runs before another: one ray before one for each enemy, then what can
// reject, then what weighs more.
static bool query_type_before(const ployi_query_test *a, const ployi_query_test *b) {
    bool one = a->measure == PLOY_QUERY_SIGHT, other = b->measure == PLOY_QUERY_SIGHT;
    if (one != other) return one;
    if (a->require != b->require) return a->require;
    return fabsf(a->weight) > fabsf(b->weight);
}

static void query_type_order(ployi_query_choice *choice) {
    int32_t at = 0;
    choice->cheap = 0;
    choice->weight = 0.0f;
    for (int32_t cost = PLOYI_QUERY_CHEAP; cost <= PLOYI_QUERY_SEARCH; cost++) {
        for (int32_t i = 0; i < choice->test_count; i++) {
            if ((int32_t)choice->tests[i].cost != cost) continue;
            int32_t to = at++;
            for (; cost == PLOYI_QUERY_RAYS && to > choice->cheap &&
                   query_type_before(&choice->tests[i], &choice->tests[choice->order[to - 1]]);
                 to--) {
                choice->order[to] = choice->order[to - 1];
            }
            choice->order[to] = i;
        }
        if (cost == PLOYI_QUERY_CHEAP) choice->cheap = at;
    }
    for (int32_t i = 0; i < choice->test_count; i++) {
        if (choice->tests[i].weight > 0.0f) choice->weight += choice->tests[i].weight;
    }
    if (!(choice->weight > 0.0f)) choice->weight = 1.0f;
}

static const char *query_type_check_from(const ployi_query_choice *choice) {
    bool grid = choice->from == PLOY_QUERY_FROM_GRID || choice->from == PLOY_QUERY_FROM_CONE;
    bool spaced = grid || choice->from == PLOY_QUERY_FROM_PATH;
    if (!(choice->radius >= 0.0f)) return "invalid radius";
    if (spaced && !ploy_in_range(choice->spacing, 1e-3f, 1e6f)) return "invalid spacing";
    if (grid && !(choice->radius / choice->spacing <= 1024.0f)) return "grid of too many places";
    if (choice->from == PLOY_QUERY_FROM_RING && (choice->count < 1 || choice->count > 1 << 16)) {
        return "invalid count of places on a ring";
    }
    if (choice->from == PLOY_QUERY_FROM_RING && !(choice->radius <= 1e6f)) return "invalid radius";
    if (choice->from == PLOY_QUERY_FROM_CONE && !ploy_in_range(choice->arc, 0.0f, 6.2831855f)) {
        return "invalid arc of a cone";
    }
    return NULL;
}

ploy_result ployi_query_add(ploy_query_type *type, const ploy_query_option *option,
                            const char *file, const ployi_query_where *where, ploy_diags *diags) {
    query_type_place at = {file, {0, 1}, diags};
    if (where != NULL) at.where = where[0];
    if (type->option_count == PLOY_QUERY_OPTIONS_MAX) {
        return query_type_fault(&at, PLOY_ERR_LIMIT, "too many options", NULL, NULL);
    }
    if ((uint32_t)option->from >= PLOY_QUERY_GENERATORS || option->row_count < 0 ||
        option->row_count > PLOY_QUERY_ROWS_MAX ||
        (option->row_count > 0 && option->rows == NULL)) {
        return query_type_fault(&at, PLOY_ERR_ARGUMENT, "invalid option", NULL, NULL);
    }
    ployi_query_choice *choice = &type->options[type->option_count];
    memset(choice, 0, sizeof *choice);
    query_type_copy(choice->name, option->name == NULL ? "" : option->name);
    choice->from = option->from;
    choice->radius = option->radius;
    choice->spacing = option->spacing;
    choice->arc = option->arc;
    choice->count = option->count;
    choice->tag = -1;
    const char *fault = query_type_check_from(choice);
    if (fault != NULL) return query_type_fault(&at, PLOY_ERR_ARGUMENT, fault, NULL, NULL);
    if (option->tag != NULL) {
        ploy_result result = query_type_tag(type, option->tag, &at, &choice->tag);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < option->row_count; i++) {
        if (where != NULL) at.where = where[i + 1];
        ploy_result result = query_type_row(type, &option->rows[i], &at, &choice->tests[i]);
        if (result != PLOY_OK) return result;
        if (choice->tests[i].cost == PLOYI_QUERY_SEARCH && type->def.pick == PLOY_QUERY_SHORTEST) {
            return query_type_fault(&at, PLOY_ERR_ARGUMENT,
                                    "'path' has no use with pick 'shortest'",
                                    "rows without a search", NULL);
        }
        choice->test_count++;
    }
    query_type_order(choice);
    type->option_count++;
    return PLOY_OK;
}

ploy_result ploy_query_type_create(const ploy_query_def *def, const ploy_query_option *options,
                                   int32_t count, const ploy_tactical_points *points,
                                   const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_query_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || options == NULL || count < 1) return PLOY_ERR_ARGUMENT;
    ploy_diags *diags = NULL;
    ploy_query_type *type = NULL;
    ploy_result result = ploy_diags_create(4, env, &diags);
    if (result == PLOY_OK) result = ployi_query_type_begin(def, points, layout, env, &type);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ployi_query_add(type, &options[i], "query", NULL, diags);
    }
    if (diags != NULL) ploy_diags_log(diags, env);
    ploy_diags_destroy(diags);
    if (result != PLOY_OK) {
        ploy_query_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

int32_t ploy_query_type_options(const ploy_query_type *type) {
    return type->option_count;
}

const char *ploy_query_type_row(const ploy_query_type *type, int32_t option, int32_t row) {
    if (option < 0 || option >= type->option_count || row < 0) return "";
    const ployi_query_choice *choice = &type->options[option];
    if (row < choice->test_count) return choice->tests[row].name;
    return row == choice->test_count ? "claimed" : "";
}
