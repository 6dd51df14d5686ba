// Scripts of goals: what reads, what does not, and a scene that plays.
#include "decide/decide_internal.h"
#include "ploy/decide/goal_script.h"

#include "tests/test.h"

TEST(a_script_reports_faults_with_their_place) {
    static const struct {
        const char *row, *text, *nearest;
        int32_t count, line, column; // line 0: fine
    } rows[] = {
        {"a scene", "say \"hello there\" 2\n# walk\n  move (3, 4.5)\n\nvanish # gone\n", "", 3, 0,
         0},
        {"a patrol", "repeat seek (1, 2)\nrepeat seek (3, 4)", "", 2, 0, 0},
        {"nothing", "", "", 0, 0, 0},
        {"an unknown word", "pause 1\n  mvoe (1, 2)", "move", 0, 2, 3},
        {"no number", "pause soon", "", 0, 1, 7},
        {"half a place", "seek (1 2)", "", 0, 1, 9},
        {"a text that does not end", "say \"hello 2", "", 0, 1, 13},
        {"too much", "vanish now", "", 0, 1, 8},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_goal_script *script = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_goal_script_load(rows[i].text, strlen(rows[i].text), "x", NULL, 0, diags,
                                        &env, &script),
                  rows[i].line == 0 ? PLOY_OK : PLOY_ERR_FORMAT);
        if (rows[i].line == 0) {
            CHECK_INT(ploy_goal_script_count(script), rows[i].count);
        } else {
            CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
            CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
            CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, rows[i].nearest);
        }
        ploy_goal_script_destroy(script);
        ploy_diags_destroy(diags);
    }
}

typedef struct scene {
    ploy_vec2 at, player, target;
    bool walks, gone;
    char said[128];
} scene;

static ploy_vec2 scene_position(void *user) {
    return ((scene *)user)->at;
}
static void scene_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    scene *s = user;
    (void)speed;
    s->walks = how != PLOY_GOAL_STEER_NONE;
    s->target = target;
}
static void scene_say(void *user, const char *text) {
    scene *s = user;
    size_t used = strlen(s->said);
    snprintf(s->said + used, sizeof s->said - used, "%s|", text);
}
static bool scene_follower(void *user, ploy_vec2 *out) {
    *out = ((scene *)user)->player;
    return true;
}
static void scene_vanish(void *user) {
    ((scene *)user)->gone = true;
}
static void *scene_owner(void *user, const ploy_step_context *context) {
    (void)context;
    return user;
}

// GOA-31, S19: the genie, from a text, as a definition that makes its actor.
TEST(a_script_plays_the_genie) {
    static const char text[] = "say \"Welcome\" 2\nsay \"Follow me\" 3\nlead (6, 0) 2\nvanish\n";
    ploy_env env = ploy_env_default();
    scene s;
    memset(&s, 0, sizeof s);
    ploy_goal_mover mover = ploy_goal_mover_make(NULL, &env);
    mover.position = scene_position;
    mover.steer = scene_steer;
    mover.say = scene_say;
    mover.follower = scene_follower;
    mover.vanish = scene_vanish;
    mover.user = &s;
    ploy_goal_script *script = NULL;
    CHECK_OK(ploy_goal_script_load(text, sizeof text - 1, "genie", NULL, 0, NULL, &env, &script));
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals_type *type = NULL;
    ploy_behavior genie;
    CHECK_OK(ploy_goals_type_create(&def, &env, &type));
    CHECK_OK(ploy_goal_script_fill(script, type));
    ploy_goals_type_set_owner(type, scene_owner, &mover);
    CHECK_OK(ploy_maker_make(ploy_goals_type_maker(type), &env, &genie));
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.dt = 0.1f;
    CHECK_OK(ploy_behavior_enter(genie, &context));
    ploy_status status = PLOY_STATUS_RUNNING;
    for (int32_t i = 0; i < 400 && status == PLOY_STATUS_RUNNING; i++) {
        if (i >= 150) s.player = s.at; // the player follows at last
        CHECK_OK(ploy_behavior_step(genie, &context, &status));
        ploy_vec2 way = ploy_vec2_sub(s.target, s.at);
        float distance = ploy_vec2_length(way);
        if (s.walks && distance > 0.0f) {
            s.at = ploy_vec2_add_scaled(s.at, way, (distance < 0.2f ? distance : 0.2f) / distance);
        }
        if (i == 149) CHECK(s.at.x > 1.9f && s.at.x < 2.5f); // it waits
        context.now += 0.1;
    }
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK(s.gone);
    CHECK_TEXT(s.said, "Welcome||Follow me||");
    ploy_behavior_exit(genie, &context, PLOY_EXIT_FINISHED);
    // A tree without room takes none of it.
    def.capacity = 3;
    ploy_goals *goals = NULL;
    CHECK_OK(ploy_goals_create(&def, &mover, &env, &goals));
    CHECK_INT(ployi_goal_script_play(script, goals, &context, ploy_goals_root(goals)),
              PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_goals_count(goals), 0);
    ploy_goals_destroy(goals);
    ploy_behavior_destroy(genie);
    ploy_goals_type_destroy(type);
    ploy_goal_script_destroy(script);
}

static ploy_result load_script(const ploy_env *env, void *arg) {
    static const char text[] = "say \"x\" 1\npause 2\nmove (1, 2)\nvanish\nseek (1, 1)\n";
    ploy_goal_script *script = NULL;
    (void)arg;
    ploy_result result =
        ploy_goal_script_load(text, sizeof text - 1, "x", NULL, 0, NULL, env, &script);
    ploy_goal_script_destroy(script);
    return result;
}

TEST(loading_a_script_survives_short_memory) {
    CHECK_FAIL_NTH(load_script, NULL);
}
