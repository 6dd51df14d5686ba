// A random field for the tests of queries: walls, tactical points with values, enemies.
#pragma once

#include "ploy/tactics/query.h"
#include "tests/test.h"

enum { FIELD_POINTS = 60, FIELD_ENEMIES = 5, FIELD_WALLS = 40 };

typedef struct field {
    ploy_plain_scene *plain;
    ploy_tactical_points *points;
    ploy_tactical_threat enemies[FIELD_ENEMIES];
    ploy_query_context context;
} field;

static inline ploy_vec3 field_place(ploy_rng *rng) {
    float x = ploy_rng_range(rng, 0, 40);
    float y = ploy_rng_range(rng, 0, 40);
    return ploy_vec3_make(x, y, 0);
}

static inline void field_open(test_context *t, field *f, uint64_t seed, int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    memset(f, 0, sizeof *f);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    CHECK_OK(ploy_plain_scene_create(&def, &env, &f->plain));
    for (int32_t i = 0; i < FIELD_WALLS; i++) {
        ploy_vec3 at = field_place(&rng);
        float dx = ploy_rng_range(&rng, -4, 4);
        float dy = ploy_rng_range(&rng, -4, 4);
        CHECK_OK(ploy_plain_scene_add_segment(f->plain, ploy_vec2_make(at.x, at.y),
                                              ploy_vec2_make(at.x + dx, at.y + dy), 1, NULL));
    }
    ploy_tactical_points_def points_def = ploy_tactical_points_def_default();
    points_def.capacity = count;
    CHECK_OK(ploy_tactical_points_create(&points_def, &env, &f->points));
    for (int32_t i = 0; i < count; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(field_place(&rng));
        ploy_tactical_id id;
        snprintf(point.name, sizeof point.name, "p%d", (int)i);
        CHECK_OK(ploy_tactical_points_add(f->points, &point, &id));
        for (int32_t tag = 0; tag < 4; tag++) {
            float value = ploy_rng_float(&rng);
            CHECK_OK(ploy_tactical_points_set_value(f->points, id, tag, value));
        }
    }
    for (int32_t i = 0; i < FIELD_ENEMIES; i++) {
        f->enemies[i].position = field_place(&rng);
        f->enemies[i].weapon = i;
    }
    f->context = ploy_query_context_make(field_place(&rng));
    f->context.target = field_place(&rng);
    f->context.facing = ploy_rng_range(&rng, -3, 3);
    f->context.agent = ploy_agent_id_make(1, 1);
    f->context.points = f->points;
    f->context.scene = ploy_plain_scene_interface(f->plain);
    f->context.enemies = f->enemies;
    f->context.enemy_count = FIELD_ENEMIES;
    f->context.key = ploy_rng_key_make(seed);
}

static inline void field_close(field *f) {
    ploy_tactical_points_destroy(f->points);
    ploy_plain_scene_destroy(f->plain);
}

// A query from text; NULL and a message with line and column if it is wrong.
static inline ploy_query_type *field_type(test_context *t, ploy_tactical_points *points,
                                          const char *text) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_query_type *type = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_result result =
        ploy_query_type_load(text, strlen(text), "test", NULL, points, NULL, &env, diags, &type);
    if (result != PLOY_OK && ploy_diags_count(diags) > 0) {
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, "");
    }
    CHECK_OK(result);
    ploy_diags_destroy(diags);
    return type;
}

static inline ploy_query *field_query(test_context *t, const ploy_query_type *type) {
    ploy_env env = ploy_env_default();
    ploy_query *query = NULL;
    CHECK_OK(ploy_query_create(type, &env, &query));
    return query;
}
