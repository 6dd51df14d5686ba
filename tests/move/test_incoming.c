// Incoming fire: PHY-03.
#include "ploy/move/incoming.h"

#include "tests/draw_count.h"
#include "tests/move/scene.h"
#include "tests/test.h"

TEST(each_reaction_has_its_case) {
    static const struct {
        const char *row;
        float x, z, vx, vz, fuse;
        float speed, too_fast, blast;
        ploy_incoming_reaction want;
        bool hits;
    } rows[] = {
        {"a grenade with time to catch it", -12, 1.5f, 6, 8, 4, 5, 60, 4, PLOY_INCOMING_CATCH,
         false},
        {"the fuse is too short", -12, 1.5f, 6, 8, 1.9f, 5, 60, 4, PLOY_INCOMING_FLEE, false},
        {"too slow to get there", -14, 1.5f, 6, 8, 4, 0.5f, 60, 4, PLOY_INCOMING_FLEE, false},
        {"falls far away", -40, 1.5f, 6, 8, 4, 5, 60, 4, PLOY_INCOMING_IGNORE, false},
        {"a bullet", -40, 1.0f, 500, 0, -1, 5, 60, 4, PLOY_INCOMING_IGNORE, true},
        {"a slow dart at the chest", -10, 1.9f, 20, 0, 0.8f, 5, 60, 0, PLOY_INCOMING_DODGE, true},
        {"over the head", -10, 9.0f, 20, 0, -1, 5, 60, 0, PLOY_INCOMING_IGNORE, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_incoming_def def = ploy_incoming_def_default();
        def.speed = rows[i].speed;
        def.too_fast = rows[i].too_fast;
        def.blast_radius = rows[i].blast;
        ploy_projectile thing = ploy_projectile_make(ploy_vec3_make(rows[i].x, 0.0f, rows[i].z),
                                                     ploy_vec3_make(rows[i].vx, 0.0f, rows[i].vz));
        ploy_incoming in;
        CHECK_OK(ploy_incoming_find(&def, &thing, rows[i].fuse, ploy_vec3_zero(), &in));
        CHECK_TEXT(ploy_incoming_reaction_text(in.reaction),
                   ploy_incoming_reaction_text(rows[i].want));
        CHECK_INT(in.hits, rows[i].hits);
        ploy_vec2 here = ploy_vec2_zero();
        CHECK_DRAWS(
            in.reaction != PLOY_INCOMING_IGNORE,
            ploy_incoming_draw(&def, &in, ploy_vec3_zero(), ploy_agent_id_none(), &drawing));
        if (in.reaction == PLOY_INCOMING_FLEE) {
            ploy_vec2 down = ploy_vec2_from_vec3(in.landing.point);
            CHECK_NEAR(ploy_vec2_distance(in.go_to, down), def.blast_radius, 1e-4);
        } else if (in.reaction == PLOY_INCOMING_DODGE) {
            CHECK_NEAR(ploy_vec2_distance(in.go_to, here), 2.0f * def.body_radius, 1e-5);
            CHECK_NEAR(in.go_to.x, 0.0, 1e-5); // across the flight
        } else if (in.reaction == PLOY_INCOMING_CATCH) {
            ploy_landing chest;
            CHECK(ploy_projectile_landing(&thing, def.catch_height, &chest));
            CHECK_NEAR(in.go_to.x, chest.point.x, 1e-5);
        } else {
            CHECK_NEAR(ploy_vec2_distance(in.go_to, here), 0.0, 0.0);
        }
    }
}

TEST(the_nearest_approach_is_that_of_many_samples) {
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_incoming_def def = ploy_incoming_def_default();
        ploy_vec3 from = scene_near3(&rng, 15.0f), velocity = scene_near3(&rng, 12.0f);
        from.z = fabsf(from.z) + 0.1f;
        ploy_projectile thing = ploy_projectile_make(from, velocity);
        ploy_incoming in;
        CHECK_OK(ploy_incoming_find(&def, &thing, INFINITY, ploy_vec3_zero(), &in));
        float end = in.lands ? in.landing.time : def.horizon, best = INFINITY;
        for (int i = 0; i <= 5000; i++) {
            ploy_vec3 at = ploy_projectile_at(&thing, end * (float)i / 5000.0f);
            float z = at.z < 0.0f ? at.z : at.z > def.body_height ? at.z - def.body_height : 0.0f;
            best = fminf(best, ploy_vec3_length(ploy_vec3_make(at.x, at.y, z)));
        }
        CHECK_NEAR(in.nearest, best, 0.01);
    }
    ploy_incoming_def def = ploy_incoming_def_default();
    ploy_projectile thing = ploy_projectile_make(ploy_vec3_zero(), ploy_vec3_make(NAN, 0, 0));
    ploy_incoming in;
    CHECK_INT(ploy_incoming_find(&def, &thing, 1.0f, ploy_vec3_zero(), &in), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_incoming_find(&def, &thing, NAN, ploy_vec3_zero(), &in), PLOY_ERR_ARGUMENT);
}
