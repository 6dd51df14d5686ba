// Take cover: two enemies, four tactical points. You see the point that a condition finds and
// keeps for the move, why another point lost, places for a whole squad from one query, and points
// for three who ask at once. Shows ploy_tactical_points, ploy_query, ploy_query_fact and
// ploy_query_batch.
#include <stdio.h>
#include <string.h>

#include "ploy/ploy.h"

static const ploy_tactical_threat enemies[] = {{{20, 0, 0}, 0}, {{0, 20, 0}, 0}};
static ploy_tactical_points *points;
static ploy_plain_scene *walls;

static ploy_result ask(void *user, ploy_step_context *step, ploy_query_context *out) {
    (void)user, (void)step;
    out->self = ploy_vec3_make(0, 0, 0);
    out->enemies = enemies;
    out->enemy_count = 2;
    out->points = points;
    out->scene = ploy_plain_scene_interface(walls);
    return PLOY_OK;
}

static ploy_query_type *load(const char *text, const ploy_env *env) {
    ploy_query_type *type = NULL;
    if (ploy_query_type_load(text, strlen(text), "q", NULL, points, NULL, env, NULL, &type) !=
        PLOY_OK)
        puts("?");
    return type;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_tactical_points_def points_def = ploy_tactical_points_def_default();
    if (ploy_plain_scene_create(&scene_def, &env, &walls) != PLOY_OK) return 1;
    if (ploy_tactical_points_create(&points_def, &env, &points) != PLOY_OK) return 1;
    (void)ploy_plain_scene_add_segment(walls, ploy_vec2_make(5, -4), ploy_vec2_make(5, 4), 1, NULL);
    (void)ploy_plain_scene_add_segment(walls, ploy_vec2_make(-4, 5), ploy_vec2_make(4.5f, 5), 1,
                                       NULL);
    ploy_tactical_id ids[4];
    for (int i = 0; i < 4; i++) { // along a line; the last one is in the open
        ploy_tactical_point point =
            ploy_tactical_point_make(ploy_vec3_make(3.0f * (float)i - 2.0f, 1, 0));
        snprintf(point.name, sizeof point.name, "p%d", i);
        (void)ploy_tactical_points_add(points, &point, &ids[i]);
        (void)ploy_tactical_points_set_value(points, ids[i], PLOY_TACTICAL_COVER,
                                             0.5f + 0.1f * (float)i);
        if (i > 0) (void)ploy_tactical_points_link(points, ids[i], ids[i - 1], true);
    }
    ploy_query_type *type =
        load("from points cover\ntest hidden in 1..1\ntest quality cover weight 1\n", &env);
    ploy_query_leaf leaf = {"cover", type, ask, NULL, NULL, 0, {0}, {0}};
    ploy_query_fact *fact = NULL;
    ploy_conditions *set = NULL;
    ploy_word word[2];
    if (ploy_query_fact_create(&leaf, &env, &fact) != PLOY_OK) return 1;
    if (ploy_conditions_create(NULL, &env, &set) != PLOY_OK) return 1;
    (void)ploy_conditions_register_words(set, word,
                                         ploy_query_fact_words(fact, "has_cover", NULL, word));
    ploy_condition condition = ploy_condition_text(set, "has_cover");
    ploy_step_context step = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_moment moment = ploy_moment_make(&step);
    bool covered = ploy_condition_test(set, condition, &moment);
    const ploy_query_result *kept = ploy_query_fact_result(fact);
    printf("cover: %s, at %.0f %.0f, %d rays\n", covered ? "yes" : "no",
           (double)kept->spots[0].position.x, (double)kept->spots[0].position.y, (int)kept->rays);
    ploy_query_type *squad =
        load("pick apart 2 5\nfrom points cover\ntest quality cover weight 1\n", &env);
    ploy_query *query = NULL;
    ploy_query_context context = ploy_query_context_make(ploy_vec3_make(0, 0, 0));
    ploy_query_result result;
    ploy_query_reason reason;
    if (ploy_query_create(squad, &env, &query) != PLOY_OK) return 1;
    (void)ask(NULL, &step, &context);
    if (ploy_query_run(query, &context, &result) != PLOY_OK) return 1;
    for (int i = 0; i < result.count; i++) {
        ploy_tactical_id out[4];
        (void)ploy_query_explain(query, result.spots[i].candidate, &reason, 1, NULL);
        printf("squad: x %.0f, %s %.1f, exits: %d\n", (double)result.spots[i].position.x,
               reason.row, (double)reason.value,
               (int)ploy_tactical_points_links(points, result.spots[i].id, out, 4));
    }
    ploy_query_destroy(query);
    // Three of another squad: each claims its point for 2 s, and the next one looks further.
    ploy_query_context asking[3];
    ploy_query_result found[3];
    for (int i = 0; i < 3; i++) {
        asking[i] = context;
        asking[i].agent = ploy_agent_id_make((uint32_t)i + 2, 1);
    }
    if (ploy_query_create(type, &env, &query) != PLOY_OK) return 1;
    if (ploy_query_batch(query, asking, 3, points, 2.0f, found) != PLOY_OK) return 1;
    for (int i = 0; i < 3; i++) {
        printf("one of three: %s", ploy_query_outcome_text(found[i].outcome));
        if (found[i].count > 0) printf(", x %.0f", (double)found[i].spots[0].position.x);
        puts("");
    }
    ploy_query_destroy(query);
    ploy_query_fact_destroy(fact);
    ploy_conditions_destroy(set);
    ploy_query_type_destroy(squad);
    ploy_query_type_destroy(type);
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(walls);
    return 0;
}
