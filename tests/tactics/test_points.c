// Tactical points: the vectors of TAC-01 to TAC-05 and TAC-13, points of interest (WAY-20), links,
// claims, state and lack of memory.
#include "ploy/tactics/points.h"

#include "tests/state.h"
#include "tests/test.h"

static ploy_tactical_points *points_make(test_context *t, int32_t capacity) {
    ploy_env env = ploy_env_default();
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    def.capacity = capacity;
    ploy_tactical_points *points = NULL;
    CHECK_OK(ploy_tactical_points_create(&def, &env, &points));
    return points;
}

static ploy_tactical_id points_put(test_context *t, ploy_tactical_points *points, const char *name,
                                   float x, float y) {
    ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make(x, y, 0));
    snprintf(point.name, sizeof point.name, "%s", name);
    ploy_tactical_id id;
    CHECK_OK(ploy_tactical_points_add(points, &point, &id));
    return id;
}

static void points_set(test_context *t, ploy_tactical_points *points, ploy_tactical_id id,
                       const char *tag, float value) {
    CHECK_OK(
        ploy_tactical_points_set_value(points, id, ploy_tactical_points_tag(points, tag), value));
}

static void points_rule(test_context *t, ploy_tactical_points *points, const char *name,
                        const char *rule) {
    CHECK_OK(ploy_tactical_points_define(points, name, rule, "test", 1, 1, NULL));
}

static float points_value(const ploy_tactical_points *points, ploy_tactical_id id,
                          const char *tag) {
    return ploy_tactical_points_value(points, id, ploy_tactical_points_tag(points, tag), 0.0);
}

TEST(an_ambush_is_cover_and_shadow_near_an_exposed_point) {
    // TAC-02: P1{cover,shadow}@0, P2{exposed}@2, P3{cover}@1.
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id p1 = points_put(t, points, "P1", 0, 0);
    ploy_tactical_id p2 = points_put(t, points, "P2", 2, 0);
    ploy_tactical_id p3 = points_put(t, points, "P3", 1, 0);
    points_set(t, points, p1, "cover", 1);
    points_set(t, points, p1, "shadow", 1);
    points_set(t, points, p2, "exposed", 1);
    points_set(t, points, p3, "cover", 1);
    points_rule(t, points, "ambush", "cover && shadow && near(exposed, 3)");
    CHECK_SAME(points_value(points, p1, "ambush"), 1);
    CHECK_SAME(points_value(points, p2, "ambush"), 0);
    CHECK_SAME(points_value(points, p3, "ambush"), 0);
    points_rule(t, points, "ambush", "cover && shadow && near(exposed, 1)");
    CHECK_SAME(points_value(points, p1, "ambush"), 0);
    // A hiding place, and a rule over a rule.
    points_rule(t, points, "hiding", "cover && shadow");
    points_rule(t, points, "ambush", "hiding && near( exposed , 2)");
    CHECK_SAME(points_value(points, p1, "hiding"), 1);
    CHECK_SAME(points_value(points, p1, "ambush"), 1);
    CHECK_SAME(points_value(points, p3, "hiding"), 0);
    ploy_tactical_points_destroy(points);
}

TEST(near_can_require_a_link_or_a_line_of_sight) {
    ploy_env env = ploy_env_default();
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id a = points_put(t, points, "a", 0, 0);
    ploy_tactical_id b = points_put(t, points, "b", 2, 0);
    points_set(t, points, a, "cover", 1);
    points_set(t, points, b, "fire", 0.6f);
    points_rule(t, points, "defend", "min(cover, near(fire, 3))");
    points_rule(t, points, "defend_linked", "min(cover, linked(fire, 3))");
    points_rule(t, points, "defend_seen", "min(cover, seen(fire, 3))");
    CHECK_SAME(points_value(points, a, "defend"), 0.6f);
    CHECK_SAME(points_value(points, a, "defend_linked"), 0);
    CHECK_OK(ploy_tactical_points_link(points, a, b, true));
    CHECK_SAME(points_value(points, a, "defend_linked"), 0.6f);
    CHECK_SAME(points_value(points, a, "defend_seen"), 0.6f);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    CHECK_OK(
        ploy_plain_scene_add_segment(plain, ploy_vec2_make(1, -1), ploy_vec2_make(1, 1), 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_tactical_points_set_scene(points, &scene, PLOY_SCENE_ALL);
    CHECK_SAME(points_value(points, a, "defend_seen"), 0);
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(plain);
}

TEST(numeric_qualities_combine_as_fuzzy_values_or_probabilities) {
    // TAC-04: sniper = min(0.9, 0.7) = 0.7; as probabilities 0.63.
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id a = points_put(t, points, "a", 0, 0);
    ploy_tactical_id b = points_put(t, points, "b", 5, 0);
    points_set(t, points, a, "cover", 0.9f);
    points_set(t, points, a, "recon", 0.7f);
    points_set(t, points, b, "cover", 0.6f);
    CHECK(points_value(points, a, "cover") > points_value(points, b, "cover"));
    points_rule(t, points, "sniper", "min(cover, recon)");
    CHECK_SAME(points_value(points, a, "sniper"), 0.7f);
    points_rule(t, points, "sniper", "cover * recon");
    CHECK_NEAR(points_value(points, a, "sniper"), 0.63, 1e-6);
    points_rule(t, points, "open", "max(1 - cover, exposed)");
    CHECK_NEAR(points_value(points, b, "open"), 0.4, 1e-6);
    // Unassessed is not 0: whatever needs it is unassessed too.
    points_set(t, points, b, "recon", NAN);
    CHECK(isnan(points_value(points, b, "recon")));
    points_rule(t, points, "sniper", "min(cover, recon)");
    CHECK(isnan(points_value(points, b, "sniper")));
    ploy_tactical_points_destroy(points);
}

TEST(a_stored_compound_equals_the_rule_and_follows_changes) {
    // TAC-13.
    ploy_tactical_points *points = points_make(t, 64);
    points_rule(t, points, "hiding", "min(cover, shadow)");
    points_rule(t, points, "ambush", "min(hiding, near(exposed, 4))");
    points_rule(t, points, "secret", "hiding > 0.5 && !compromised");
    int32_t ambush = ploy_tactical_points_tag(points, "ambush");
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_tactical_points_clear(points);
        ploy_tactical_id ids[40];
        for (int32_t i = 0; i < 40; i++) {
            float x = ploy_rng_range(&rng, 0, 20);
            float y = ploy_rng_range(&rng, 0, 20);
            ids[i] = points_put(t, points, "", x, y);
            points_set(t, points, ids[i], "cover", ploy_rng_float(&rng));
            points_set(t, points, ids[i], "shadow", ploy_rng_float(&rng));
            points_set(t, points, ids[i], "exposed", ploy_rng_float(&rng));
        }
        float before[40];
        for (int32_t i = 0; i < 40; i++) before[i] = points_value(points, ids[i], "ambush");
        CHECK_OK(ploy_tactical_points_compute(points, ambush));
        for (int32_t i = 0; i < 40; i++)
            CHECK_SAME(points_value(points, ids[i], "ambush"), before[i]);
        points_set(t, points, ids[0], "exposed", 0);
        points_set(t, points, ids[0], "cover", 0);
        CHECK_SAME(points_value(points, ids[0], "ambush"), 0);
    }
    CHECK_INT(ploy_tactical_points_compute(points, ploy_tactical_points_tag(points, "secret")),
              PLOY_ERR_STATE);
    CHECK_INT(ploy_tactical_points_compute(points, PLOY_TACTICAL_COVER), PLOY_ERR_ARGUMENT);
    ploy_tactical_points_destroy(points);
}

TEST(define_refuses_what_is_wrong_and_names_the_nearest) {
    static const struct {
        const char *row, *name, *rule;
        ploy_result want;
        int32_t column;
        const char *nearest;
    } rows[] = {
        {"fine", "x", "cover && shadow", PLOY_OK, 0, ""},
        {"unknown quality", "x", "covr && shadow", PLOY_ERR_NOT_FOUND, 1, "cover"},
        {"unknown quality of near", "x", "cover && near(expsed, 3)", PLOY_ERR_NOT_FOUND, 15,
         "exposed"},
        {"syntax", "x", "cover &&", PLOY_ERR_FORMAT, 9, ""},
        {"itself", "cover", "cover", PLOY_ERR_ARGUMENT, 1, ""},
        {"itself through another", "cover", "shadow && ring", PLOY_ERR_ARGUMENT, 1, ""},
        {"wrong number of arguments", "x", "near(cover)", PLOY_ERR_ARGUMENT, 1, ""},
        {"not a name", "1x", "cover", PLOY_ERR_ARGUMENT, 0, ""},
        {"assignment", "x", "y := 3", PLOY_ERR_ARGUMENT, 1, ""},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tactical_points *points = points_make(t, 4);
        points_rule(t, points, "ring", "cover");
        ploy_diags_clear(diags);
        ploy_result result =
            ploy_tactical_points_define(points, rows[i].name, rows[i].rule, "f", 1, 1, diags);
        CHECK_INT(result < 0, rows[i].want < 0);
        if (rows[i].want != PLOY_ERR_ARGUMENT) CHECK_INT(result, rows[i].want);
        if (rows[i].nearest[0] != 0) {
            CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, rows[i].nearest);
            CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        }
        ploy_tactical_points_destroy(points);
    }
    ploy_diags_destroy(diags);
}

TEST(cover_counts_in_every_direction_from_which_enemies_shoot) {
    // TAC-05, Fig. 6.5: enemies south and east; A lacks one direction, B has both.
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id a = points_put(t, points, "A", 0, 0);
    ploy_tactical_id b = points_put(t, points, "B", 4, 0);
    const ploy_tactical_threat enemies[] = {{{2, -50, 0}, 1}, {{50, 0, 0}, 4}};
    for (int32_t weapon = 0; weapon < 5; weapon++) {
        for (int32_t sector = 0; sector < 4; sector++) {
            bool south = sector == 3, east = sector == 0;
            CHECK_OK(ploy_tactical_points_set_state(points, a, PLOY_TACTICAL_COVER, sector, 1,
                                                    weapon, south ? 1 : 0));
            CHECK_OK(ploy_tactical_points_set_state(points, b, PLOY_TACTICAL_COVER, sector, 1,
                                                    weapon, south || east ? 0.8f : 0));
        }
    }
    CHECK_INT(
        ploy_tactical_points_sector(points, ploy_vec3_make(0, 0, 0), ploy_vec3_make(1, 0.9f, 0)),
        0);
    CHECK_INT(
        ploy_tactical_points_sector(points, ploy_vec3_make(0, 0, 0), ploy_vec3_make(1, 1.1f, 0)),
        1);
    CHECK_INT(
        ploy_tactical_points_sector(points, ploy_vec3_make(0, 0, 0), ploy_vec3_make(-1, -0.9f, 0)),
        2);
    CHECK_INT(
        ploy_tactical_points_sector(points, ploy_vec3_make(0, 0, 0), ploy_vec3_make(-1, -1.1f, 0)),
        3);
    CHECK_SAME(ploy_tactical_points_against(points, a, PLOY_TACTICAL_COVER, enemies, 2, 1, 0), 0);
    CHECK_SAME(ploy_tactical_points_against(points, b, PLOY_TACTICAL_COVER, enemies, 2, 1, 0),
               0.8f);
    // Standing has no states: the plain value counts.
    CHECK_SAME(ploy_tactical_points_against(points, b, PLOY_TACTICAL_COVER, enemies, 2, 0, 0), 0);
    // 4 directions x 2 postures x 5 weapons = 40 states.
    int32_t states = 0;
    for (int32_t s = 0; s < 5; s++) {
        for (int32_t p = 0; p < 3; p++) {
            for (int32_t w = 0; w < 6; w++) {
                states += ploy_tactical_points_set_state(points, a, PLOY_TACTICAL_FIRE, s, p, w,
                                                         1) == PLOY_OK;
            }
        }
    }
    CHECK_INT(states, 40);
    ploy_tactical_points_destroy(points);
}

TEST(a_compromised_point_becomes_secret_again) {
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id a = points_put(t, points, "a", 5, 0.4f);
    ploy_tactical_id b = points_put(t, points, "b", 5, 3);
    CHECK_INT(
        ploy_tactical_points_shot(points, ploy_vec3_make(0, 0, 0), ploy_vec3_make(9, 0, 0), 1, 100),
        1);
    CHECK_SAME(ploy_tactical_points_compromised(points, a, 100), 1);
    CHECK_SAME(ploy_tactical_points_compromised(points, a, 110), 0.5f);
    CHECK_SAME(ploy_tactical_points_compromised(points, a, 120), 0);
    CHECK_SAME(ploy_tactical_points_compromised(points, b, 100), 0);
    ploy_tactical_points_destroy(points);
}

TEST(a_claim_has_one_owner_until_it_expires) {
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id a = points_put(t, points, "a", 0, 0);
    ploy_agent_id ann = ploy_agent_id_make(1, 1), bob = ploy_agent_id_make(2, 1);
    CHECK_OK(ploy_tactical_points_claim(points, a, ann, 0, 10));
    CHECK_INT(ploy_tactical_points_claim(points, a, bob, 5, 20), PLOY_ERR_EXISTS);
    CHECK_OK(ploy_tactical_points_claim(points, a, ann, 5, 12));
    CHECK_INT(ploy_tactical_points_owner(points, a, 11).id.index, 1);
    CHECK(ploy_id_is_none(ploy_tactical_points_owner(points, a, 12).id));
    CHECK_OK(ploy_tactical_points_claim(points, a, bob, 12, 20));
    CHECK_INT(ploy_tactical_points_release(points, a, ann), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_tactical_points_release_all(points, bob), 1);
    CHECK(ploy_id_is_none(ploy_tactical_points_owner(points, a, 13).id));
    CHECK_INT(ploy_tactical_points_claim(points, a, ploy_agent_id_none(), 0, 1), PLOY_ERR_ARGUMENT);
    ploy_tactical_points_destroy(points);
}

TEST(near_points_come_in_the_order_of_distance) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(30); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_tactical_points *points = points_make(t, 100);
        for (int32_t i = 0; i < 100; i++) {
            float x = ploy_rng_range(&rng, 0, 40);
            float y = ploy_rng_range(&rng, 0, 40);
            ploy_tactical_id id = points_put(t, points, "", x, y);
            points_set(t, points, id, "cover", ploy_rng_float(&rng));
        }
        ploy_vec3 at = ploy_vec3_make(20, 20, 0);
        ploy_tactical_near out[100];
        int32_t count =
            ploy_tactical_points_near(points, at, 12, PLOY_TACTICAL_COVER, 0.4f, 0, out, 100);
        int32_t want = 0;
        for (int32_t i = 0; i < 100; i++) {
            ploy_tactical_id id = ploy_tactical_points_at(points, i);
            ploy_tactical_point point;
            CHECK(ploy_tactical_points_get(points, id, &point));
            if (ploy_vec3_distance(point.position, at) <= 12 &&
                points_value(points, id, "cover") >= 0.4f)
                want++;
        }
        CHECK_INT(count, want);
        for (int32_t i = 1; i < count; i++) CHECK(out[i - 1].distance <= out[i].distance);
        ploy_tactical_near few[3];
        CHECK_INT(ploy_tactical_points_near(points, at, 12, PLOY_TACTICAL_COVER, 0.4f, 0, few, 3),
                  3);
        for (int32_t i = 0; i < 3; i++) CHECK(ploy_tactical_id_equal(few[i].id, out[i].id));
        ploy_tactical_points_destroy(points);
    }
}

TEST(points_of_interest_expire_and_are_drawn_at_random) {
    // WAY-20: find, closest, random but one, expiry.
    ploy_tactical_points *points = points_make(t, 8);
    ploy_tactical_id ids[3];
    int32_t noise = -1;
    CHECK_OK(ploy_tactical_points_add_tag(points, "noise", false, &noise));
    for (int32_t i = 0; i < 3; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make((float)i * 10, 0, 0));
        snprintf(point.name, sizeof point.name, "noise%d", (int)i);
        point.expires = 5 + i;
        point.data = (uint64_t)i;
        CHECK_OK(ploy_tactical_points_add(points, &point, &ids[i]));
        CHECK_OK(ploy_tactical_points_set_value(points, ids[i], noise, 0.5f));
    }
    CHECK(ploy_tactical_id_equal(ploy_tactical_points_find(points, "noise1"), ids[1]));
    ploy_tactical_near nearest;
    CHECK_INT(ploy_tactical_points_near(points, ploy_vec3_make(18, 0, 0), INFINITY, noise, 0.1f, 0,
                                        &nearest, 1),
              1);
    CHECK(ploy_tactical_id_equal(nearest.id, ids[2]));
    ploy_rng rng = ploy_rng_make(3);
    int32_t counts[3] = {0, 0, 0};
    for (int32_t i = 0; i < 200; i++) {
        ploy_tactical_id id = ploy_tactical_points_random(points, noise, ids[2], 0, &rng);
        counts[id.id.index]++;
    }
    CHECK_INT(counts[2], 0);
    CHECK(counts[0] > 70 && counts[1] > 70);
    CHECK_INT(ploy_tactical_points_expire(points, 6), 2);
    CHECK_INT(ploy_tactical_points_count(points), 1);
    CHECK(ploy_id_is_none(ploy_tactical_points_random(points, noise, ids[2], 0, &rng).id));
    ploy_tactical_points_destroy(points);
}

TEST(hit_and_run_prefers_the_balcony_and_rejects_the_middle_of_the_room) {
    // TAC-03, Fig. 6.4: balcony A has three exits, one of them into the room; anteroom B has two, one
    // into the room; C in the room has three that all stay in it. The room is region 1.
    ploy_tactical_points *points = points_make(t, 16);
    static const struct {
        const char *name;
        float x, y, recon;
        int32_t region;
    } rows[] = {{"A", 0, 5, 0.9f, 0},  {"B", 10, 0, 0.9f, 0},  {"C", 5, 0, 0.9f, 1},
                {"r1", 4, 1, 0, 1},    {"r2", 6, 1, 0, 1},     {"r3", 5, -2, 0, 1},
                {"roof", -3, 8, 0, 0}, {"stairs", 3, 9, 0, 0}, {"hall", 14, 0, 0, 0}};
    static const int32_t links[][2] = {{0, 6}, {0, 7}, {0, 3}, {1, 8}, {1, 4},
                                       {2, 3}, {2, 4}, {2, 5}, {3, 4}};
    ploy_tactical_id ids[COUNT_OF(rows)];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_tactical_point point =
            ploy_tactical_point_make(ploy_vec3_make(rows[i].x, rows[i].y, 0));
        snprintf(point.name, sizeof point.name, "%s", rows[i].name);
        point.region = rows[i].region;
        CHECK_OK(ploy_tactical_points_add(points, &point, &ids[i]));
        points_set(t, points, ids[i], "recon", rows[i].recon);
    }
    for (size_t i = 0; i < COUNT_OF(links); i++) {
        CHECK_OK(ploy_tactical_points_link(points, ids[links[i][0]], ids[links[i][1]], true));
    }
    ploy_tactical_exits exits;
    CHECK_OK(ploy_tactical_points_exits(points, ids[2], NULL, NULL, &exits));
    CHECK_INT(exits.exits, 3); // the plain count takes C for as good as A
    CHECK_SAME(ploy_tactical_points_hit_and_run(points, ids[0], 1, 0), 2 * 0.9f);
    CHECK_SAME(ploy_tactical_points_hit_and_run(points, ids[1], 1, 0), 0.9f);
    CHECK_SAME(ploy_tactical_points_hit_and_run(points, ids[2], 1, 0), 0);
    // Two exits that meet again are one escape.
    CHECK_OK(ploy_tactical_points_link(points, ids[6], ids[7], true));
    CHECK_SAME(ploy_tactical_points_hit_and_run(points, ids[0], 1, 0), 0.9f);
    CHECK_INT(ploy_tactical_points_link(points, ids[0], ids[0], true), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_tactical_points_remove(points, ids[6]));
    CHECK_INT(ploy_tactical_points_links(points, ids[0], NULL, 0), 2);
    ploy_tactical_points_destroy(points);
}

static ploy_result points_network(const ploy_env *env, ploy_network **out) {
    ploy_network *network = NULL;
    ploy_result result = ploy_network_create(env, &network);
    for (uint64_t i = 1; i <= 3 && result == PLOY_OK; i++) {
        ploy_waypoint waypoint = {i, {(float)i * 4, 0, 0}, {1, 0, 0, 0}, 0.7f};
        result = ploy_network_add(network, &waypoint);
    }
    if (result == PLOY_OK) result = ploy_network_connect_both(network, 1, 2, 1);
    if (result == PLOY_OK) result = ploy_network_connect(network, 2, 3, 1);
    if (result == PLOY_OK) result = ploy_network_set_tag(network, 1, PLOY_WAYPOINT_COVER, 1);
    if (result == PLOY_OK) result = ploy_network_set_tag(network, 3, PLOY_WAYPOINT_DANGER, 40);
    if (result != PLOY_OK) {
        ploy_network_destroy(network);
        network = NULL;
    }
    *out = network;
    return result;
}

TEST(a_waypoint_network_becomes_linked_points) {
    ploy_env env = ploy_env_default();
    ploy_network *network = NULL;
    CHECK_OK(points_network(&env, &network));
    ploy_tactical_points *points = points_make(t, 8);
    CHECK_OK(ploy_tactical_points_add_network(points, network));
    CHECK_INT(ploy_tactical_points_count(points), 3);
    ploy_tactical_id out[4];
    CHECK_INT(ploy_tactical_points_links(points, ploy_tactical_points_at(points, 1), out, 4), 2);
    CHECK_INT(ploy_tactical_points_links(points, ploy_tactical_points_at(points, 2), out, 4), 0);
    CHECK_SAME(points_value(points, ploy_tactical_points_at(points, 0), "cover"), 1);
    CHECK_SAME(points_value(points, ploy_tactical_points_at(points, 2), "bad_ground"), 0.4f);
    ploy_tactical_points_destroy(points);
    points = points_make(t, 2); // no room for all: nothing is added
    CHECK_INT(ploy_tactical_points_add_network(points, network), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_tactical_points_count(points), 0);
    ploy_tactical_points_destroy(points);
    ploy_network_destroy(network);
}

TEST(links_of_a_network_are_its_open_edges_in_the_order_of_slots) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        enum { MANY = 60 };
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_network *network = NULL;
        CHECK_OK(ploy_network_create(&env, &network));
        for (uint64_t i = 1; i <= MANY; i++) {
            ploy_waypoint waypoint = {i,
                                      {ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50), 0},
                                      {1, 0, 0, 0},
                                      0.7f};
            CHECK_OK(ploy_network_add(network, &waypoint));
        }
        for (int32_t i = 0; i < 4 * MANY; i++) {
            uint64_t a = 1 + ploy_rng_below(&rng, MANY), b = 1 + ploy_rng_below(&rng, MANY);
            ploy_waypoint_edge edge;
            if (a == b || ploy_network_connect(network, a, b, 1) != PLOY_OK) continue;
            CHECK(ploy_network_edge_at(network, a, b, &edge));
            edge.open = !ploy_rng_chance(&rng, 0.2f);
            CHECK_OK(ploy_network_set_edge(network, a, b, &edge));
        }
        // Gaps in the slots, and one that is used again by another id.
        for (uint64_t i = 0; i < 6; i++) CHECK_OK(ploy_network_remove(network, 3 + 7 * i));
        ploy_waypoint late = {99, {5, 5, 0}, {1, 0, 0, 0}, 0.7f};
        CHECK_OK(ploy_network_add(network, &late));
        CHECK_OK(ploy_network_connect_both(network, 99, 1, 1));
        ploy_tactical_points *points = points_make(t, MANY);
        ploy_result result = ploy_tactical_points_add_network(points, network);
        bool fits = true;
        int32_t cursor = 0, place = 0;
        ploy_waypoint from, to;
        for (; ploy_network_next(network, &cursor, &from); place++) {
            uint64_t want[MANY];
            int32_t count = 0, other = 0;
            while (ploy_network_next(network, &other, &to)) {
                ploy_waypoint_edge edge;
                if (to.id == from.id || !ploy_network_edge_at(network, from.id, to.id, &edge) ||
                    !edge.open) {
                    continue;
                }
                want[count++] = to.id;
            }
            fits = fits && count <= PLOY_TACTICAL_LINKS_MAX;
            if (result != PLOY_OK) continue;
            ploy_tactical_id out[PLOY_TACTICAL_LINKS_MAX];
            ploy_tactical_id id = ploy_tactical_points_at(points, place);
            CHECK_INT(ploy_tactical_points_links(points, id, out, PLOY_TACTICAL_LINKS_MAX), count);
            for (int32_t k = 0; k < count; k++) {
                ploy_tactical_point point;
                CHECK(ploy_tactical_points_get(points, out[k], &point));
                CHECK_UINT(point.data, want[k]);
            }
        }
        CHECK_INT(result, fits ? PLOY_OK : PLOY_ERR_CAPACITY);
        ploy_tactical_points_destroy(points);
        ploy_network_destroy(network);
    }
}

static void points_fill(test_context *t, ploy_tactical_points *points) {
    points_rule(t, points, "hiding", "min(cover, shadow)");
    ploy_tactical_id ids[6];
    for (int32_t i = 0; i < 6; i++) {
        char name[8];
        snprintf(name, sizeof name, "p%d", (int)i);
        ids[i] = points_put(t, points, name, (float)i * 2, (float)i);
        points_set(t, points, ids[i], "cover", (float)i / 8);
        points_set(t, points, ids[i], "shadow", i == 3 ? NAN : 0.5f);
        if (i > 0) CHECK_OK(ploy_tactical_points_link(points, ids[i], ids[i - 1], true));
        CHECK_OK(ploy_tactical_points_set_state(points, ids[i], PLOY_TACTICAL_COVER, i % 4, i % 2,
                                                i % 5, 0.25f));
    }
    CHECK_OK(ploy_tactical_points_claim(points, ids[1], ploy_agent_id_make(4, 1), 0, 9));
    CHECK_OK(ploy_tactical_points_compromise(points, ids[2], 3));
    CHECK_OK(ploy_tactical_points_remove(points, ids[4]));
}

TEST(state_is_visited_completely) {
    ploy_tactical_points *points = points_make(t, 8);
    points_fill(t, points);
    static const char *const skip[] = {"link",       "links",  "key", "generation",
                                       "first_free", "places", NULL};
    state_check s = {ploy_tactical_points_visit, points, NULL, skip, NULL};
    state_check_all(t, &s);
    ploy_tactical_points *other = points_make(t, 8);
    points_rule(t, other, "hiding", "min(cover, shadow)");
    state_check_copy(t, &s, other);
    ploy_tactical_near a, b;
    CHECK_INT(ploy_tactical_points_near(points, ploy_vec3_make(6, 3, 0), 50, -1, 0, 0, &a, 1), 1);
    CHECK_INT(ploy_tactical_points_near(other, ploy_vec3_make(6, 3, 0), 50, -1, 0, 0, &b, 1), 1);
    CHECK(ploy_tactical_id_equal(a.id, b.id));
    ploy_tactical_points_destroy(other);
    ploy_tactical_points_destroy(points);
}

static ploy_result points_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    def.capacity = 16;
    ploy_tactical_points *points = NULL;
    ploy_network *network = NULL;
    ploy_result result = points_network(env, &network);
    if (result == PLOY_OK) result = ploy_tactical_points_create(&def, env, &points);
    if (result == PLOY_OK) {
        result = ploy_tactical_points_define(points, "hide", "cover && near(exposed, 3)", "f", 1, 1,
                                             NULL);
    }
    if (result == PLOY_OK) result = ploy_tactical_points_add_network(points, network);
    if (result == PLOY_OK) {
        result = ploy_tactical_points_set_state(points, ploy_tactical_points_at(points, 0), 1, 0, 0,
                                                0, 1);
    }
    ploy_tactical_exits exits;
    if (result == PLOY_OK) {
        result = ploy_tactical_points_exits(points, ploy_tactical_points_at(points, 0), NULL, NULL,
                                            &exits);
    }
    if (result == PLOY_OK) {
        int64_t bytes = 0;
        ploy_network_memory(network, test_sum_memory, &bytes);
        ploy_tactical_points_memory(points, test_sum_memory, &bytes);
        result = test_reported(env, bytes, "points and network");
    }
    ploy_tactical_points_destroy(points);
    ploy_network_destroy(network);
    return result;
}

TEST(a_lack_of_memory_leaves_nothing_behind) {
    CHECK_FAIL_NTH(points_body, NULL);
}

TEST(what_a_game_does_every_tick_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    def.capacity = 8;
    ploy_tactical_points *points = NULL;
    CHECK_OK(ploy_tactical_points_create(&def, &env, &points));
    points_fill(t, points);
    const ploy_tactical_threat threats[] = {{{9, 9, 0}, 1}, {{-9, 3, 0}, 2}};
    ploy_agent_id owner = ploy_agent_id_make(7, 1);
    int32_t hiding = ploy_tactical_points_tag(points, "hiding");
    ploy_rng rng = ploy_rng_make(1);
    int64_t calls = 0;
    for (int32_t round = 0; round < 30; round++) {
        double now = round;
        if (round == 1) calls = counts.calls; // the first round was the warm-up
        for (int32_t i = 0; i < 6; i++) {
            ploy_tactical_id id = ploy_tactical_points_at(points, i), out[8];
            ploy_tactical_near near[8];
            ploy_tactical_exits exits;
            if (i == 4) continue; // removed
            (void)ploy_tactical_points_claim(points, id, owner, now, now + 2);
            CHECK_OK(ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_COVER, 0.5f));
            (void)ploy_tactical_points_value(points, id, hiding, now);
            (void)ploy_tactical_points_against(points, id, PLOY_TACTICAL_COVER, threats, 2, 1, now);
            (void)ploy_tactical_points_links(points, id, out, 8);
            CHECK_OK(ploy_tactical_points_exits(points, id, NULL, NULL, &exits));
            (void)ploy_tactical_points_hit_and_run(points, id, 0, now);
            (void)ploy_tactical_points_near(points, threats[0].position, 30, hiding, 0.1f, now,
                                            near, 8);
            (void)ploy_tactical_points_random(points, hiding, id, now, &rng);
            CHECK_OK(ploy_tactical_points_compromise(points, id, now));
        }
        CHECK_OK(ploy_tactical_points_compute(points, hiding));
        (void)ploy_tactical_points_shot(points, threats[0].position, threats[1].position, 2, now);
        (void)ploy_tactical_points_expire(points, now);
        (void)ploy_tactical_points_release_all(points, owner);
    }
    CHECK_INT(counts.calls, calls);
    ploy_tactical_points_destroy(points);
    CHECK_INT(counts.bytes, 0);
}
