// A squad of two advances by bounding overwatch along points that are hidden from the enemy: the one at the
// back runs to the front while the other watches. A query lists the points, ploy_overwatch chooses among
// them, and claims keep another squad away. Shows ploy_query_run with ploy_overwatch_step.
#include <stdio.h>

#include "ploy/geom/scene.h"
#include "ploy/move/overwatch.h"
#include "ploy/tactics/query.h"

enum { POINTS = 6, SQUAD = 2 };

// Six crates along a road; all but one shield from the enemy.
static ploy_tactical_points *make_points(ploy_plain_scene *scene, const ploy_env *env) {
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    ploy_tactical_points *points = NULL;
    if (ploy_tactical_points_create(&def, env, &points) != PLOY_OK) return NULL;
    for (int32_t i = 0; i < POINTS; i++) {
        float x = 4.0f * (float)i, y = i % 2 == 0 ? 1.0f : -1.0f;
        ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make(x, y, 0.0f));
        ploy_tactical_id id;
        snprintf(point.name, sizeof point.name, "crate %d", (int)i);
        ploy_tactical_points_add(points, &point, &id);
        ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_COVER, 1.0f);
        if (i == 3) continue;
        ploy_plain_scene_add_segment(scene, ploy_vec2_make(x + 0.5f, y - 0.8f),
                                     ploy_vec2_make(x + 0.5f, y + 0.8f), 1, NULL);
    }
    return points;
}

int main(void) {
    static const char text[] = "pick apart 8 1\nfrom points cover\ntest hidden in 1..1 weight 1\n";
    static const ploy_tactical_threat enemy = {{40.0f, -14.0f, 0.0f}, 0};
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_overwatch_def def = ploy_overwatch_def_default();
    ploy_query_def query_def = ploy_query_def_default();
    ploy_plain_scene *scene = NULL;
    ploy_query_type *type = NULL;
    ploy_query *query = NULL;
    ploy_overwatch *squad = NULL;
    def.slots = SQUAD;
    if (ploy_plain_scene_create(&scene_def, &env, &scene) != PLOY_OK) return 1;
    ploy_tactical_points *points = make_points(scene, &env);
    if (points == NULL || ploy_overwatch_create(&def, &env, &squad) != PLOY_OK) return 1;
    if (ploy_query_type_load(text, sizeof text - 1, "cover", &query_def, points, NULL, &env, NULL,
                             &type) != PLOY_OK) {
        return 1;
    }
    if (ploy_query_create(type, &env, &query) != PLOY_OK) return 1;
    ploy_query_context context = ploy_query_context_make(ploy_vec3_make(0.0f, 0.0f, 0.0f));
    context.points = points;
    context.scene = ploy_plain_scene_interface(scene);
    context.mask = 1;
    context.enemies = &enemy;
    context.enemy_count = 1;
    ploy_query_result hidden;
    if (ploy_query_run(query, &context, &hidden) != PLOY_OK) return 1;
    printf("%d of %d points are hidden from the enemy\n", (int)hidden.count,
           (int)ploy_tactical_points_count(points));

    // The numbers of the points must stay the same while the squad is under way: a copy.
    ploy_vec2 cover[POINTS];
    for (int32_t i = 0; i < hidden.count; i++) {
        cover[i] = ploy_vec2_from_vec3(hidden.spots[i].position);
    }
    ploy_points view = ploy_points_make(cover, hidden.count);
    int32_t held[SQUAD] = {-1, -1};
    for (int32_t second = 0; second < 5; second++) {
        ploy_vec2 anchor = ploy_vec2_make(4.0f * (float)second, 0.0f);
        if (ploy_overwatch_step(squad, anchor, &view, NULL) != PLOY_OK) return 1;
        for (int32_t slot = 0; slot < SQUAD; slot++) {
            int32_t to = ploy_overwatch_cover(squad, slot);
            ploy_agent_id member = ploy_agent_id_make((uint32_t)slot + 1, 1);
            if (to == held[slot]) continue;
            if (held[slot] >= 0) {
                ploy_tactical_points_release(points, hidden.spots[held[slot]].id, member);
            }
            ploy_tactical_points_claim(points, hidden.spots[to].id, member, second, second + 60);
            ploy_tactical_point point;
            ploy_tactical_points_get(points, hidden.spots[to].id, &point);
            printf("after %d s member %d runs to %s\n", (int)second, (int)slot, point.name);
            held[slot] = to;
        }
    }
    ploy_overwatch_destroy(squad);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(scene);
    return 0;
}
