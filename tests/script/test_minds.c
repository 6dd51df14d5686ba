// Behaviors in Lua: machines, coroutines, classes, conditions, stage direction, reload and probes.
#include <stdio.h>

#include "ploy/decide/bt_table.h"
#include "ploy/decide/goals.h"
#include "ploy/exec/script_probe.h"
#include "ploy/script/minds.h"
#include "ploy/world/trigger.h"
#include "tests/script/script_help.h"

typedef struct minds_scene {
    ploy_lua *lua;
    ploy_lua_minds *minds;
    ploy_step_context context;
    char notes[1024];
} minds_scene;

static ploy_result scene_note(void *user, ploy_lua_frame *frame) {
    minds_scene *scene = user;
    char text[64];
    (void)ploy_value_print(&frame->args[0], text, sizeof text);
    strncat(scene->notes, text, sizeof scene->notes - strlen(scene->notes) - 2);
    strcat(scene->notes, " ");
    return PLOY_OK;
}

static void scene_begin(test_context *t, minds_scene *scene) {
    ploy_env env = ploy_env_default();
    memset(scene, 0, sizeof *scene);
    scene->lua = script_create(t, NULL);
    CHECK_OK(ploy_lua_minds_create(scene->lua, &env, &scene->minds));
    const ploy_lua_function note = {"note", scene_note, "(any)", 0, scene};
    CHECK_OK(ploy_lua_register(scene->lua, &note));
    scene->context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
}

static void scene_load(test_context *t, minds_scene *scene, const char *text) {
    ploy_result result = ploy_lua_minds_load(scene->minds, text, strlen(text), "scene.lua", NULL);
    if (result != PLOY_OK) CHECK_TEXT(ploy_lua_error(scene->lua), "");
    CHECK_OK(result);
}

static void scene_end(minds_scene *scene) {
    ploy_lua_minds_destroy(scene->minds);
    ploy_lua_destroy(scene->lua);
}

TEST(classes_have_bases_and_super) { // SCR-17
    minds_scene scene;
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "Animal = class('Animal')\n"
               "function Animal:__init(legs, noise) self.legs = legs; self.noise = noise end\n"
               "function Animal:speak() return self.noise end\n"
               "function Animal:count() return self.legs end\n"
               "Pet = class('Pet', Animal)\n"
               "function Pet:__init(name, legs, noise) super(legs, noise); self.name = name end\n"
               "Quiet = class('Quiet', Pet)\n" // its constructor is the base's
               "cat = Animal(4, 'meow')\n"
               "dog = Pet('Albert', 4, 'woof')\n"
               "fish = Quiet('Ole', 0, '')\n"
               "spoke, said, legs = cat:speak(), dog:speak(), dog:count()\n"
               "ok, message = pcall(super)\n"
               "Bad = class('Bad'); function Bad:__init() error('no') end\n"
               "pcall(Bad); after = pcall(super)\n");
    CHECK_TEXT(script_text(t, scene.lua, "spoke"), "meow");
    CHECK_INT(script_integer(t, scene.lua, "cat.legs"), 4);
    CHECK_TEXT(script_text(t, scene.lua, "said"), "woof");
    CHECK_TEXT(script_text(t, scene.lua, "dog.name"), "Albert");
    CHECK_INT(script_integer(t, scene.lua, "legs"), 4);
    CHECK_TEXT(script_text(t, scene.lua, "fish.name"), "Ole");
    CHECK(strstr(script_text(t, scene.lua, "message"), "inside __init") != NULL);
    ploy_value after;
    CHECK_OK(ploy_lua_get(scene.lua, PLOY_LUA_GLOBALS, "after", &after));
    CHECK(!after.as.b); // a constructor that failed leaves nothing behind
    scene_end(&scene);
}

// ---- machines

// The miner of D-05: gold leaves the mine above 4, fatigue above 2 sends him to bed.
static const char miner_text[] =
    "miner = { initial = 'home' }\n"
    "miner.home = {}\n"
    "function miner.home.enter(self) note('walk') end\n"
    "function miner.home.execute(self)\n"
    "  note('home')\n"
    "  if (self.fatigue or 0) > 2 then change('sleep') else change('mine') end\n"
    "end\n"
    "miner.sleep = { enter = function(self) note('doze') end,\n"
    "  execute = function(self)\n"
    "    if self.fatigue > 2 then self.fatigue = self.fatigue - 1; note('snore')\n"
    "    else change('mine') end\n"
    "  end,\n"
    "  exit = function(self) note('refreshed') end }\n"
    "miner.mine = { execute = function(self)\n"
    "    self.fatigue = (self.fatigue or 0) + 1\n"
    "    self.gold = (self.gold or 0) + 2\n"
    "    if self.gold > 4 then change('home') end\n"
    "  end }\n";

TEST(a_scripted_machine_gives_the_miners_trace) { // SCR-20, D-05, N-29
    static const struct {
        const char *state;
        int64_t gold, fatigue;
    } want[] = {{"mine", 0, 0},  {"mine", 2, 1},  {"mine", 4, 2}, {"home", 6, 3},
                {"sleep", 6, 3}, {"sleep", 6, 2}, {"mine", 6, 2}, {"home", 8, 3},
                {"sleep", 8, 3}, {"sleep", 8, 2}, {"mine", 8, 2}, {"home", 10, 3}};
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene, miner_text);
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_machine_create(scene.minds, "miner", NULL, &env, NULL, &machine));
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_lua_ref self;
    CHECK_OK(ploy_lua_minds_self(scene.minds, scene.context.agent, &self));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        ploy_status status;
        TEST_SEED((int64_t)i + 1);
        CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
        ploy_step_context_next(&scene.context);
        CHECK(ploy_fsm_is_in(mind.self, want[i].state));
        ploy_value gold = ploy_value_i64(0), fatigue = ploy_value_i64(0);
        (void)ploy_lua_get(scene.lua, self, "gold", &gold);
        (void)ploy_lua_get(scene.lua, self, "fatigue", &fatigue);
        CHECK_INT(gold.as.i64, want[i].gold);
        CHECK_INT(fatigue.as.i64, want[i].fatigue);
    }
    CHECK_OK(ploy_lua_release(scene.lua, self));
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    scene_end(&scene);
}

static void why_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    char *text = user;
    (void)technique;
    snprintf(text + strlen(text), 512 - strlen(text), "%u %s:", (unsigned)agent.index, topic);
}

static void why_option(void *user, const char *name, ploy_outcome outcome, double score,
                       const char *reason) {
    char *text = user;
    (void)score;
    snprintf(text + strlen(text), 512 - strlen(text), " %s %s (%s)", name,
             ploy_outcome_text(outcome), reason);
}

static void why_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static void why_note(void *user, const char *note) {
    (void)user, (void)note;
}

static void why_end(void *user) {
    strcat(user, ".");
}

TEST(a_scripted_machine_names_the_line_that_decided) {
    static const char machine_text[] = "m = { initial = 'a',\n"
                                       " global = { execute = function(self) end },\n"
                                       " a = { execute = function(self)\n"
                                       "   self.n = (self.n or 0) + 1\n"
                                       "   if self.n > 1 then\n"
                                       "     change('b') end end },\n"
                                       " b = { message = function(self, kind)\n"
                                       "   if kind == name('hello') then\n"
                                       "     back() end\n"
                                       "   return true end } }\n";
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene, machine_text);
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_machine_create(scene.minds, "m", NULL, &env, NULL, &machine));
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    char text[512] = "";
    ploy_trace trace = {why_begin, why_option, why_value, why_note, why_end, text};
    scene.context.trace = &trace;
    bool a_first =
        strcmp(ploy_fsm_type_id(ploy_lua_machine_type(machine), (ploy_fsm_state){1}), "a") == 0;
    ploy_status status;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_TEXT(text, a_first ? "1 state: a won (no other state was requested) b skipped (execute "
                               "did not request it)."
                             : "1 state: b skipped (execute did not request it) a won (no other "
                               "state was requested).");
    text[0] = 0;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK(strstr(text, "a lost (execute requested another state)") != NULL);
    CHECK(strstr(text, "b won (execute requested it in line 6)") != NULL);
    text[0] = 0;
    bool handled = false;
    ploy_message other =
        ploy_message_make(scene.context.agent, scene.context.agent, ploy_name_of("other"));
    CHECK_OK(ploy_behavior_message(mind, &scene.context, &other, &handled));
    CHECK_TEXT(text, ""); // nothing was decided
    ploy_message hello =
        ploy_message_make(scene.context.agent, scene.context.agent, ploy_name_of("hello"));
    CHECK_OK(ploy_behavior_message(mind, &scene.context, &hello, &handled));
    CHECK(strstr(text, "a won (message requested it in line 9)") != NULL);
    CHECK(strstr(text, "b lost (message requested another state)") != NULL);
    CHECK(ploy_fsm_is_in(mind.self, "a"));
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    scene_end(&scene);
}

TEST(machines_have_messages_a_global_and_a_previous_state) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "m = { initial = 'a',\n"
               " global = { execute = function(self) note('g') end,\n"
               "   message = function(self, kind) note('late'); return true end },\n"
               " a = { execute = function(self) note('a'); change('b'); note('still') end,\n"
               "       exit = function() note('out') end },\n"
               " b = { enter = function(self) note(previous() .. '>' .. current()) end,\n"
               "       execute = function(self) note('b') end,\n"
               "       message = function(self, kind)\n"
               "         if kind == name('hello') then back(); return true end end } }\n");
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_machine_create(scene.minds, "m", NULL, &env, NULL, &machine));
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_status status;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_TEXT(scene.notes, "g a out a>b still ");
    scene.notes[0] = 0;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    bool handled = false;
    ploy_message message =
        ploy_message_make(scene.context.agent, scene.context.agent, ploy_name_of("hello"));
    CHECK_OK(ploy_behavior_message(mind, &scene.context, &message, &handled));
    CHECK(handled);
    CHECK(ploy_fsm_is_in(mind.self, "a"));
    CHECK_OK(ploy_behavior_message(mind, &scene.context, &message, &handled));
    CHECK_TEXT(scene.notes, "g b late "); // a has no message function: the global one answers
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    scene_end(&scene);
}

TEST(faulty_machines_are_reported) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        const char *message;
    } rows[] = {
        {"no table", "m = 3", PLOY_ERR_NOT_FOUND, "expected a table of states at 'm'"},
        {"a state that is a number", "m = { a = 3 }", PLOY_ERR_FORMAT,
         "expected a table for state 'a'"},
        {"an unknown first state", "m = { initial = 'hme', home = { execute = function() end } }",
         PLOY_ERR_FORMAT, "unknown initial state 'hme'"},
        {"a hook that is a text", "m = { a = { enter = 'x' } }", PLOY_ERR_FORMAT,
         "expected a function for 'enter'"},
        {"a missing function", "m = { a = { enter = function() end } }", PLOY_OK,
         "state 'a' has no function execute"},
        {"a function that nobody calls",
         "m = { a = { execute = function() end, entr = function() end } }", PLOY_OK,
         "unknown function 'entr' of a state"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        minds_scene scene;
        ploy_diags *diags = NULL;
        ploy_lua_machine *machine = NULL;
        t->row = rows[i].row;
        scene_begin(t, &scene);
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        scene_load(t, &scene, rows[i].text);
        CHECK_INT(ploy_lua_machine_create(scene.minds, "m", NULL, &env, diags, &machine),
                  rows[i].want);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_lua_machine_destroy(machine);
        ploy_diags_destroy(diags);
        scene_end(&scene);
    }
}

TEST(an_error_in_a_state_is_an_error_of_the_step) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene, "m = { a = { execute = function(self) change('c') end } }");
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_machine_create(scene.minds, "m", NULL, &env, NULL, &machine));
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_status status;
    CHECK_INT(ploy_behavior_step(mind, &scene.context, &status), PLOY_ERR_CALLBACK);
    CHECK(strstr(ploy_lua_error(scene.lua), "unknown state 'c'") != NULL);
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_ERROR);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    scene_end(&scene);
}

// ---- functions as behaviors and conditions

TEST(a_coroutine_is_a_leaf) { // SCR-23
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "function patrol(self)\n"
               "  for i = 1, 2 do note(i); coroutine.yield() end\n"
               "  wait(2)\n  note('done')\n  return true\n"
               "end\n"
               "function refuse(self) note('no') return false end\n"
               "function poll(self) self.n = (self.n or 0) + 1; if self.n < 3 then return "
               "'running' end end\n");
    ploy_lua_mind *minds[3];
    static const char *const paths[3] = {"patrol", "poll", "refuse"};
    ploy_maker makers[3];
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_lua_mind_create(scene.minds, paths[i], &env, &minds[i]));
        makers[i] = ploy_lua_mind_maker(minds[i]);
    }
    const ploy_bt_row rows[] = {
        {.depth = 0, PLOY_BT_SEQUENCE, "all"},
        {1, PLOY_BT_BEHAVIOR, "patrol", .maker = &makers[0]},
        {1, PLOY_BT_BEHAVIOR, "poll", .maker = &makers[1]},
        {1, PLOY_BT_BEHAVIOR, "refuse", .maker = &makers[2]},
    };
    ploy_bt *bt = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_bt_from_table("t", rows, 4, NULL, &env, NULL, &bt));
    CHECK_OK(ploy_maker_make(ploy_bt_maker(bt), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_status status = PLOY_STATUS_RUNNING;
    int32_t steps = 0;
    for (; steps < 20 && status == PLOY_STATUS_RUNNING; steps++) {
        CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
        ploy_step_context_next(&scene.context);
    }
    CHECK_INT(status, PLOY_STATUS_FAILURE);
    CHECK_TEXT(scene.notes, "1 2 done no ");
    CHECK_INT(steps, 7); // 2 yields, 2 s, and 2 further polls
    ploy_behavior_destroy(mind);
    ploy_bt_destroy(bt);
    for (int32_t i = 0; i < 3; i++) ploy_lua_mind_destroy(minds[i]);
    ploy_lua_mind *none = NULL;
    CHECK_INT(ploy_lua_mind_create(scene.minds, "patrl", &env, &none), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_lua_get_stats(scene.lua).refs, 1); // the table of agents; nothing leaks
    scene_end(&scene);
}

TEST(a_coroutine_and_a_function_are_goals) { // SCR-23
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(
        t, &scene,
        "function walk(self) for i = 1, 2 do note(i) coroutine.yield() end note('there') end\n"
        "function open(self) self.tries = (self.tries or 0) + 1\n"
        "  note('open') return self.tries > 1 end\n");
    ploy_lua_mind *minds[2] = {NULL, NULL};
    CHECK_OK(ploy_lua_mind_create(scene.minds, "walk", &env, &minds[0]));
    CHECK_OK(ploy_lua_mind_create(scene.minds, "open", &env, &minds[1]));
    const ploy_goal_type walk = {.name = "walk", .maker = ploy_lua_mind_maker(minds[0])};
    const ploy_goal_type open = {
        .name = "open", .replans = 1, .maker = ploy_lua_mind_maker(minds[1])};
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    CHECK_OK(ploy_goals_create(&def, NULL, &env, &goals));
    ploy_goal root = ploy_goals_root(goals);
    CHECK_OK(ploy_goals_add(goals, &scene.context, root, PLOY_GOAL_REAR, &walk, NULL, 0, NULL));
    CHECK_OK(ploy_goals_add(goals, &scene.context, root, PLOY_GOAL_REAR, &open, NULL, 0, NULL));
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    int32_t steps = 0;
    for (; steps < 20 && status == PLOY_GOAL_ACTIVE; steps++) {
        CHECK_OK(ploy_goals_step(goals, &scene.context, &status));
        ploy_step_context_next(&scene.context);
    }
    CHECK_INT(status, PLOY_GOAL_COMPLETED);
    CHECK_TEXT(scene.notes, "1 2 there open open "); // the door fails once and is tried again
    ploy_goals_destroy(goals);
    for (int32_t i = 0; i < 2; i++) ploy_lua_mind_destroy(minds[i]);
    CHECK_INT(ploy_lua_get_stats(scene.lua).refs, 1);
    scene_end(&scene);
}

static bool minds_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    (void)agent;
    out->frame.position = ploy_vec3_make(*(const float *)user, 0.0f, 0.0f);
    return true;
}

static void minds_handle(void *user, const ploy_trigger_event *event) {
    minds_scene *scene = user;
    ploy_value args[2] = {ploy_value_text(ploy_trigger_event_kind_text(event->what)),
                          ploy_value_name(event->kind)};
    scene->context.agent = event->agent;
    (void)ploy_lua_minds_call(scene->minds, "plate", &scene->context, args, 2, NULL);
}

TEST(a_function_handles_triggers) { // SCR-23
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "function plate(self, what, kind)\n"
               "  self.count = (self.count or 0) + 1\n"
               "  if kind == name('alarm') then note(what .. self.count) end\n"
               "end\n");
    ploy_triggers_def def = ploy_triggers_def_default();
    ploy_triggers *triggers = NULL;
    CHECK_OK(ploy_triggers_create(&def, &env, &triggers));
    ploy_trigger_def plate =
        ploy_trigger_def_plate(ploy_zone_circle(ploy_vec2_zero(), 1), ploy_name_of("alarm"));
    CHECK_OK(ploy_triggers_add(triggers, &plate, NULL));
    ploy_trigger_agent_def agent = ploy_trigger_agent_def_default();
    CHECK_OK(ploy_triggers_add_agent(triggers, ploy_agent_id_make(4, 1), &agent));
    float x = 5.0f;
    ploy_pose_source poses = {minds_pose, &x};
    static const float places[] = {5.0f, 0.5f, 0.2f, 5.0f, 0.0f};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        x = places[i];
        CHECK_OK(ploy_triggers_step(triggers, (double)i, &poses, minds_handle, &scene));
    }
    CHECK_TEXT(scene.notes, "fired1 left2 fired3 "); // the agent keeps its own table
    ploy_triggers_destroy(triggers);
    scene_end(&scene);
}

TEST(a_function_is_a_word_of_conditions) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "function richer(self, n) return self.gold > n end\n"
               "function broken(self) return self.gold.x.y end\n");
    script_run(t, scene.lua, "function fill(self) self.gold = 5 end");
    CHECK_OK(ploy_lua_minds_call(scene.minds, "fill", &scene.context, NULL, 0, NULL));
    ploy_lua_mind *richer = NULL, *broken = NULL;
    ploy_conditions *set = NULL;
    CHECK_OK(ploy_lua_mind_create(scene.minds, "richer", &env, &richer));
    CHECK_OK(ploy_lua_mind_create(scene.minds, "broken", &env, &broken));
    CHECK_OK(ploy_conditions_create(NULL, &env, &set));
    CHECK_OK(ploy_lua_mind_register(richer, set, "richer", 1));
    CHECK_OK(ploy_lua_mind_register(broken, set, "broken", 0));
    CHECK_INT(ploy_lua_mind_register(richer, set, "many", 9), PLOY_ERR_ARGUMENT);
    static const struct {
        const char *text;
        bool want;
    } rows[] = {{"richer(4)", true},
                {"richer(5)", false},
                {"not richer(9) and richer(1)", true},
                {"broken", false}};
    ploy_moment moment = ploy_moment_make(&scene.context);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_condition condition = ploy_condition_text(set, rows[i].text);
        CHECK_INT(ploy_condition_test(set, condition, &moment), rows[i].want);
    }
    ploy_conditions_destroy(set);
    ploy_lua_mind_destroy(richer);
    ploy_lua_mind_destroy(broken);
    scene_end(&scene);
}

TEST(scripts_read_and_write_the_blackboard) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    const ploy_blackboard_key keys[] = {{"health", PLOY_VALUE_F32, {0}, NULL},
                                        {"mood", PLOY_VALUE_TEXT, {0}, NULL}};
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "b", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &scene.context.blackboard));
    scene_load(
        t, &scene,
        "function hurt(self) set('health', 7.5); set('mood', 'angry'); note(get('mood')) end\n"
        "function wrong(self) set('helth', 1) end\n");
    CHECK_OK(ploy_lua_minds_call(scene.minds, "hurt", &scene.context, NULL, 0, NULL));
    CHECK_SAME(ploy_blackboard_get_f32(scene.context.blackboard, (ploy_slot){1}), 7.5f);
    CHECK_TEXT(scene.notes, "angry ");
    CHECK_INT(ploy_lua_minds_call(scene.minds, "wrong", &scene.context, NULL, 0, NULL),
              PLOY_ERR_CALLBACK);
    CHECK(strstr(ploy_lua_error(scene.lua), "did you mean 'health'?") != NULL);
    ploy_blackboard_destroy(scene.context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    scene_end(&scene);
}

// ---- reload

TEST(a_reload_keeps_data_and_lists_restarts) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    scene_begin(t, &scene);
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    scene_load(t, &scene,
               "local rounds = keep('rounds', 10)\n"
               "function walk(self) while true do rounds = rounds + 1; coroutine.yield() end end\n"
               "function rest(self) while true do self.n = (self.n or 0) + 1\n"
               "  coroutine.yield() end end\n"
               "function count() note(rounds) end\n");
    ploy_lua_mind *minds[2];
    ploy_behavior old[2];
    static const char *const paths[2] = {"walk", "rest"};
    ploy_status status;
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_lua_mind_create(scene.minds, paths[i], &env, &minds[i]));
        CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(minds[i]), &env, &old[i]));
        CHECK_OK(ploy_behavior_enter(old[i], &scene.context));
        for (int32_t k = 0; k < 3; k++) {
            CHECK_OK(ploy_behavior_step(old[i], &scene.context, &status));
        }
    }
    // rest is edited, walk only moved; count gets another text.
    scene_load(t, &scene,
               "-- edited\n\nlocal rounds = keep('rounds', 10)\n"
               "note(rounds)\n"
               "function walk(self) while true do rounds = rounds + 1; coroutine.yield() end end\n"
               "function rest(self) while true do self.n = (self.n or 0) + 100\n"
               "  coroutine.yield() end end\n"
               "function count() note('n' .. rounds) end\n");
    CHECK_TEXT(scene.notes, "13 ");
    ploy_behavior fresh[2];
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(minds[i]), &env, &fresh[i]));
        CHECK_OK(ploy_behavior_reload(old[i], fresh[i], &scene.context, &env, diags));
        ploy_behavior_destroy(old[i]);
        CHECK_OK(ploy_behavior_step(fresh[i], &scene.context, &status));
    }
    CHECK_INT(ploy_diags_count(diags), 1);
    CHECK(strstr(ploy_diags_get(diags, 0)->message, "function 'rest' has changed") != NULL);
    // The old coroutine and the new functions share the local.
    CHECK_OK(ploy_lua_minds_call(scene.minds, "count", &scene.context, NULL, 0, NULL));
    CHECK_TEXT(scene.notes, "13 n14 ");
    ploy_lua_ref self;
    CHECK_OK(ploy_lua_minds_self(scene.minds, scene.context.agent, &self));
    ploy_value n;
    CHECK_OK(ploy_lua_get(scene.lua, self, "n", &n));
    CHECK_INT(n.as.i64, 103); // the agent kept its data
    CHECK_OK(ploy_lua_release(scene.lua, self));
    for (int32_t i = 0; i < 2; i++) {
        ploy_behavior_exit(fresh[i], &scene.context, PLOY_EXIT_FINISHED);
        ploy_behavior_destroy(fresh[i]);
        ploy_lua_mind_destroy(minds[i]);
    }
    ploy_diags_destroy(diags);
    scene_end(&scene);
}

TEST(an_edited_machine_continues_in_its_state) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    scene_begin(t, &scene);
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    scene_load(t, &scene,
               "m = { initial = 'a', a = { execute = function() change('b') end },\n"
               " b = { execute = function() note('old') end } }");
    static const char *const edits[] = {
        "m = { initial = 'a', a = { enter = function() note('again') end,\n"
        " execute = function() end }, b = { execute = function() note('new') end } }",
        "m = { initial = 'a', a = { enter = function() note('again') end,\n"
        " execute = function() note('a') end } }"};
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind;
    ploy_status status;
    CHECK_OK(ploy_lua_machine_create(scene.minds, "m", NULL, &env, NULL, &machine));
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        ploy_lua_machine *edited = NULL;
        ploy_behavior fresh;
        scene_load(t, &scene, edits[i]);
        CHECK_OK(ploy_lua_machine_create(scene.minds, "m", NULL, &env, NULL, &edited));
        CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(edited)), &env, &fresh));
        CHECK_OK(ploy_behavior_reload(mind, fresh, &scene.context, &env, diags));
        ploy_behavior_destroy(mind);
        ploy_lua_machine_destroy(machine);
        mind = fresh;
        machine = edited;
        CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
        CHECK_INT(ploy_diags_count(diags) > 0, i == 1); // state b is gone
    }
    CHECK_TEXT(scene.notes, "old new again a ");
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    ploy_diags_destroy(diags);
    scene_end(&scene);
}

// ---- the stage

typedef struct stage_scene {
    minds_scene scene;
    ploy_actions *actions;
    float x;      // of the only actor
    float target; // where it goes
    int32_t wait; // steps that it still needs for anything else
} stage_scene;

static ploy_agent_id stage_actor(void *user, const char *name) {
    (void)user;
    return strcmp(name, "guard") == 0 ? ploy_agent_id_make(7, 1) : ploy_agent_id_none();
}

static bool stage_place(void *user, const char *name, ploy_vec2 *out) {
    (void)user;
    *out = ploy_vec2_make(3.0f, 0.0f);
    return strcmp(name, "gate") == 0;
}

static void stage_show(void *user, ploy_agent_id actor, const char *text) {
    minds_scene *scene = &((stage_scene *)user)->scene;
    (void)actor;
    strncat(scene->notes, text, 64);
    strcat(scene->notes, ". ");
}

static void stage_offer(void *user, ploy_agent_id actor, const char *question,
                        const char *const *options, int32_t count) {
    minds_scene *scene = &((stage_scene *)user)->scene;
    (void)actor;
    strncat(scene->notes, question, 64);
    for (int32_t i = 0; i < count; i++) {
        strcat(scene->notes, "/");
        strncat(scene->notes, options[i], 64);
    }
    strcat(scene->notes, " ");
}

static ploy_result stage_move(void *user, ploy_action_id id, const ploy_action_request *request,
                              float dt, ploy_status *status) {
    stage_scene *scene = user;
    (void)id, (void)dt;
    if (scene->x < request->position.x) scene->x += 1.0f;
    *status = scene->x < request->position.x ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static ploy_result stage_brief(void *user, ploy_action_id id, const ploy_action_request *request,
                               float dt, ploy_status *status) {
    (void)user, (void)id, (void)dt;
    *status = ploy_name_equal(request->style, ploy_name_of("fall")) ? PLOY_STATUS_FAILURE
                                                                    : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

TEST(stage_directions_wait_for_each_other) { // SCR-21, SCR-22, D-07
    stage_scene scene;
    ploy_env env = ploy_env_default();
    memset(&scene, 0, sizeof scene);
    scene_begin(t, &scene.scene);
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.move = (ploy_action_controller){NULL, stage_move, NULL, &scene};
    host.animate = (ploy_action_controller){NULL, stage_brief, NULL, &scene};
    host.present = host.animate;
    ploy_actions_def def = ploy_actions_def_default();
    CHECK_OK(ploy_actions_create(&def, &host, &env, &scene.actions));
    const ploy_lua_stage stage = {scene.actions, stage_actor, stage_place,
                                  stage_show,    stage_offer, &scene};
    ploy_lua_minds_set_stage(scene.scene.minds, &stage);
    scene_load(t, &scene.scene,
               "function greet(self)\n"
               "  note(go('guard', 'gate') and 'there' or 'lost')\n"
               "  face('guard', vec2(0, 0))\n"
               "  note(tostring(play('guard', 'fall')))\n"
               "  say('guard', 'Halt')\n"
               "  local n, text = ask('guard', 'Who?', {'A friend', 'Your money'})\n"
               "  say('guard', n == 1 and 'Welcome' or 'Away')\n"
               "  note(text)\n"
               "end\n"
               "function lost(self) go('nobody', 'gate') end\n");
    ploy_lua_mind *greet = NULL, *lost = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_mind_create(scene.scene.minds, "greet", &env, &greet));
    CHECK_OK(ploy_lua_mind_create(scene.scene.minds, "lost", &env, &lost));
    CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(greet), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.scene.context));
    ploy_status status = PLOY_STATUS_RUNNING;
    CHECK_INT(ploy_lua_minds_answer(scene.scene.minds, 1), PLOY_ERR_STATE);
    int32_t asked = -1;
    for (int32_t i = 0; i < 40 && status == PLOY_STATUS_RUNNING; i++) {
        CHECK_OK(ploy_behavior_step(mind, &scene.scene.context, &status));
        CHECK_OK(ploy_actions_step(scene.actions, 0.1f));
        ploy_step_context_next(&scene.scene.context);
        if (ploy_lua_minds_options(scene.scene.minds) == 2 && asked < 0) asked = i;
        if (asked >= 0 && i == asked + 5) { // it waits for the player
            CHECK_INT(ploy_lua_minds_answer(scene.scene.minds, 3), PLOY_ERR_ARGUMENT);
            CHECK_OK(ploy_lua_minds_answer(scene.scene.minds, 2));
        }
    }
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK_TEXT(scene.scene.notes, "there false Halt. Who?/A friend/Your money Away. Your money ");
    ploy_behavior_exit(mind, &scene.scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(lost), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.scene.context));
    CHECK_INT(ploy_behavior_step(mind, &scene.scene.context, &status), PLOY_ERR_CALLBACK);
    CHECK(strstr(ploy_lua_error(scene.scene.lua), "unknown actor 'nobody'") != NULL);
    ploy_behavior_exit(mind, &scene.scene.context, PLOY_EXIT_ERROR);
    ploy_behavior_destroy(mind);
    ploy_lua_mind_destroy(greet);
    ploy_lua_mind_destroy(lost);
    ploy_actions_destroy(scene.actions);
    scene_end(&scene.scene);
}

// ---- probes

static void probe_report(void *user, const ploy_script_report *report) {
    minds_scene *scene = user;
    char text[128];
    ploy_script_variable variable;
    if (report->event != PLOY_SCRIPT_LINE) return;
    snprintf(text, sizeof text, "%s:%d/%d", report->script, (int)report->line, (int)report->depth);
    strncat(scene->notes, text, 100);
    if (ploy_script_find(report, 0, "found", &variable)) {
        char value[64] = "";
        (void)ploy_value_print(&variable.value, value, sizeof value);
        strcat(scene->notes, "=");
        strncat(scene->notes, value, 32);
    }
    strcat(scene->notes, " ");
}

TEST(a_probe_sees_lines_and_locals_of_lua) { // SCR-24
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "local function dig(n)\n"
               "  local found = n * 2\n"
               "  return found\n"
               "end\n"
               "function work(self)\n"
               "  local sum = dig(3)\n"
               "  coroutine.yield()\n"
               "  self.sum = sum\n"
               "end\n");
    ploy_lua_mind *work = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_mind_create(scene.minds, "work", &env, &work));
    CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(work), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_script_probe probe = {probe_report, &scene};
    ploy_trace trace = ploy_script_probe_trace(&probe);
    scene.context.trace = &trace;
    ploy_status status;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_TEXT(scene.notes, "scene.lua:6/0 scene.lua:2/1 scene.lua:3/1=6 scene.lua:7/0 "
                            "scene.lua:8/0 scene.lua:9/0 ");
    scene.context.trace = NULL;
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_mind_destroy(work);
    scene_end(&scene);
}

static void probe_list(void *user, const ploy_script_report *report) {
    minds_scene *scene = user;
    ploy_script_variable variable;
    if (report->event != PLOY_SCRIPT_LINE || report->line != 5) return;
    scene->notes[0] = 0;
    for (int32_t i = 0; report->view->variable(report->self, 0, i, &variable); i++) {
        char value[64] = "";
        (void)ploy_value_print(&variable.value, value, sizeof value);
        size_t used = strlen(scene->notes);
        snprintf(scene->notes + used, sizeof scene->notes - used, "%s=%s; ", variable.name,
                 variable.text[0] != 0 ? variable.text : value);
    }
}

TEST(a_probe_lists_the_fields_of_tables) { // SCR-24
    minds_scene scene;
    ploy_env env = ploy_env_default();
    scene_begin(t, &scene);
    scene_load(t, &scene,
               "local function work()\n"
               "  local bag = {zinc = 1, gold = 7, [\"two words\"] = true, [0.5] = 2, 'pick', "
               "place = {}}\n"
               "  local none, row, many, one = {}, {4, 5}, {}, {n = 1}\n"
               "  for i = 1, 300 do many['k' .. i] = i end\n"
               "  return bag, none, row, many, one\n"
               "end\n"
               "function run(self) work() end\n");
    ploy_lua_mind *work = NULL;
    ploy_behavior mind;
    CHECK_OK(ploy_lua_mind_create(scene.minds, "run", &env, &work));
    CHECK_OK(ploy_maker_make(ploy_lua_mind_maker(work), &env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &scene.context));
    ploy_script_probe probe = {probe_list, &scene};
    ploy_trace trace = ploy_script_probe_trace(&probe);
    scene.context.trace = &trace;
    ploy_status status;
    CHECK_OK(ploy_behavior_step(mind, &scene.context, &status));
    CHECK_TEXT(scene.notes,
               "bag=table with 1 element and 5 fields; bag[0.5]=2; bag[1]=pick; bag.gold=7; "
               "bag.place=empty table; bag[\"two words\"]=true; bag.zinc=1; none=empty table; "
               "row=table with 2 elements; row[1]=4; "
               "row[2]=5; many=table with 300 fields; one=table with 1 field; one.n=1; ");
    scene.context.trace = NULL;
    ploy_behavior_exit(mind, &scene.context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_mind_destroy(work);
    scene_end(&scene);
}

TEST(a_profile_counts_lines_of_lua) {
    minds_scene scene;
    ploy_env env = ploy_env_default();
    ploy_script_profile *profile = NULL;
    ploy_lua_watch watch;
    scene_begin(t, &scene);
    CHECK_OK(ploy_script_profile_create(&env, &profile));
    ploy_lua_watch_begin(&watch, scene.lua, ploy_script_profile_probe(profile));
    scene_load(t, &scene,
               "local function dig(n)\n"
               "  return n * 2\n"
               "end\n"
               "function never()\n"
               "  return 1\n"
               "end\n"
               "function work() return dig(1) + dig(2) end\n"
               "total = work() + work()\n");
    ploy_lua_watch_end(&watch);
    script_run(t, scene.lua, "work()"); // not counted any more
    CHECK_OK(ploy_lua_expect_lines(scene.lua, profile));
    CHECK_OK(ploy_script_profile_result(profile));
    int64_t runs[10];
    ploy_script_profile_line line;
    for (int32_t i = 0; i < 10; i++) runs[i] = -1;
    for (int32_t i = 0; ploy_script_profile_line_at(profile, i, &line); i++) {
        CHECK_TEXT(line.script, "scene.lua");
        if (line.line < 10) runs[line.line] = line.runs;
    }
    CHECK_INT(runs[2], 4);
    CHECK_INT(runs[5], 0);
    CHECK_INT(runs[8], 1);
    ploy_script_profile_function function;
    bool found = false;
    for (int32_t i = 0; ploy_script_profile_function_at(profile, i, &function); i++) {
        if (strcmp(function.function, "dig") != 0) continue;
        CHECK_INT(function.calls, 4);
        found = true;
    }
    CHECK(found);
    ploy_script_profile_destroy(profile);
    scene_end(&scene);
}

// ---- memory

static ploy_result minds_body(const ploy_env *env, void *arg) {
    ploy_lua *lua = NULL;
    ploy_lua_minds *minds = NULL;
    ploy_lua_machine *machine = NULL;
    ploy_lua_mind *mind = NULL;
    ploy_behavior behavior = {NULL, NULL};
    ploy_lua_def def = ploy_lua_def_default();
    (void)arg;
    ploy_result result = ploy_lua_create(&def, env, &lua);
    if (result == PLOY_OK) result = ploy_lua_minds_create(lua, env, &minds);
    if (result == PLOY_OK) {
        result = ploy_lua_minds_load(minds, miner_text, sizeof miner_text - 1, "m", NULL);
    }
    if (result == PLOY_OK)
        result = ploy_lua_machine_create(minds, "miner", NULL, env, NULL, &machine);
    if (result == PLOY_OK) result = ploy_lua_mind_create(minds, "wait", env, &mind);
    if (result == PLOY_OK) result = ploy_maker_make(ploy_lua_mind_maker(mind), env, &behavior);
    ploy_behavior_destroy(behavior);
    ploy_lua_mind_destroy(mind);
    ploy_lua_machine_destroy(machine);
    ploy_lua_minds_destroy(minds);
    ploy_lua_destroy(lua);
    return result;
}

TEST(creating_minds_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(minds_body, NULL);
}
