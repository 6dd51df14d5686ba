// Statecharts from files: the published tests that need no data model, round trips through both
// forms, words, delays, and what is wrong with a file.
#include <stdlib.h>

#include "data/data_internal.h"
#include "ploy/data/machine.h"
#include "tests/test.h"

typedef struct machine_fixture {
    ploy_env env;
    ploy_diags *diags;
    ploy_machine *machine;
    ploy_hsm_type *type;
    ploy_hsm *hsm;
    ploy_step_context context;
} machine_fixture;

static void machine_fixture_begin(test_context *t, machine_fixture *f) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    CHECK_OK(ploy_diags_create(20, &f->env, &f->diags));
}

static void machine_fixture_end(machine_fixture *f) {
    if (f->hsm != NULL) {
        ploy_behavior_exit(ploy_hsm_behavior(f->hsm), &f->context, PLOY_EXIT_REMOVED);
    }
    ploy_hsm_destroy(f->hsm);
    ploy_hsm_type_destroy(f->type);
    ploy_machine_destroy(f->machine);
    ploy_diags_destroy(f->diags);
}

static ploy_result machine_load(const char *text, const ploy_env *env, ploy_diags *diags,
                                ploy_machine **out) {
    size_t size = strlen(text);
    return text[0] == '{' ? ploy_machine_load_json(text, size, "test", env, diags, out)
                          : ploy_machine_load_scxml(text, size, "test", env, diags, out);
}

// All faults, a line each.
static const char *machine_faults(const machine_fixture *f, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < ploy_diags_count(f->diags); i++) {
        char one[512];
        (void)ploy_diag_print(ploy_diags_get(f->diags, i), one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s\n", one);
        if (used >= size) break;
    }
    return text;
}

static void machine_start(test_context *t, machine_fixture *f, const char *text,
                          const ploy_machine_words *words) {
    char faults[2048];
    ploy_result result = machine_load(text, &f->env, f->diags, &f->machine);
    if (result == PLOY_OK) {
        result = ploy_machine_build(f->machine, NULL, words, &f->env, f->diags, &f->type);
    }
    CHECK_TEXT(machine_faults(f, faults, sizeof faults), "");
    CHECK_OK(result);
    CHECK_OK(ploy_hsm_create(f->type, NULL, &f->env, &f->hsm));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(f->hsm), &f->context));
}

// Steps once after the event, if there is one, and returns what is active.
static const char *machine_send(test_context *t, machine_fixture *f, const char *event) {
    static char active[256];
    ploy_status status;
    if (event != NULL) {
        ploy_hsm_event made = ploy_hsm_event_make(event);
        CHECK_OK(ploy_hsm_send(f->hsm, &made));
    }
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(f->hsm), &f->context, &status));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &f->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_machine_write_active(f->hsm, &f->env, &writer));
    snprintf(active, sizeof active, "%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);
    return active;
}

typedef ploy_result (*machine_save_fn)(const ploy_machine *machine, ploy_writer *writer);

static char *machine_saved(test_context *t, const ploy_machine *machine, machine_save_fn save) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(save(machine, &writer));
    char *text = malloc(buffer.size + 1);
    CHECK(text != NULL);
    memcpy(text, ploy_buffer_text(&buffer), buffer.size + 1);
    ploy_buffer_fini(&buffer);
    return text;
}

// Written, read and written again it is the same text, in both forms; and the other form's machine
// passes the same script.
static void machine_round_trip(test_context *t, const ploy_machine *machine, const char *script,
                               size_t size) {
    static const machine_save_fn saves[] = {ploy_machine_save_scxml, ploy_machine_save_json};
    ploy_env env = ploy_env_default();
    for (int i = 0; i < 2; i++) {
        ploy_machine *again = NULL;
        ploy_hsm_type *type = NULL;
        char *first = machine_saved(t, machine, saves[i]);
        CHECK_OK(machine_load(first, &env, NULL, &again));
        char *second = machine_saved(t, again, saves[i]);
        CHECK_TEXT(second, first);
        if (script != NULL) {
            ploy_machine_report report;
            CHECK_OK(ploy_machine_build(again, NULL, NULL, &env, NULL, &type));
            CHECK_OK(ploy_machine_compare(type, script, size, "script", 10.0, &env, NULL, &report));
            CHECK_TEXT(report.got, report.want);
            CHECK(report.same);
        }
        ploy_hsm_type_destroy(type);
        ploy_machine_destroy(again);
        free(first);
        free(second);
    }
}

static void machine_check_published(test_context *t, const char *name) {
    char path[600];
    machine_fixture f;
    machine_fixture_begin(t, &f);
    size_t size = 0, script_size = 0;
    snprintf(path, sizeof path, "%s/scxml/%s.scxml", test_data_dir(), name);
    char *text = test_read_file(path, &size);
    snprintf(path, sizeof path, "%s/scxml/%s.json", test_data_dir(), name);
    char *script = test_read_file(path, &script_size);
    CHECK(text != NULL && script != NULL);
    char faults[2048];
    ploy_result result = ploy_machine_load_scxml(text, size, name, &f.env, f.diags, &f.machine);
    if (result == PLOY_OK) {
        result = ploy_machine_build(f.machine, NULL, NULL, &f.env, f.diags, &f.type);
    }
    CHECK_TEXT(machine_faults(&f, faults, sizeof faults), "");
    CHECK_OK(result);
    ploy_machine_report report;
    CHECK_OK(
        ploy_machine_compare(f.type, script, script_size, name, 10.0, &f.env, f.diags, &report));
    CHECK_TEXT(report.got, report.want);
    CHECK(report.same);
    CHECK(report.checks >= 1);
    machine_round_trip(t, f.machine, script, script_size);
    free(text);
    free(script);
    machine_fixture_end(&f);
}

TEST(published_charts_that_need_no_data_model_pass) {
    char path[512], name[128];
    size_t size = 0;
    int passed = 0, refused = 0;
    if (test_data_dir() == NULL) {
        test_skip(t, "the outside data is not there");
        return;
    }
    snprintf(path, sizeof path, "%s/scxml/features.tsv", test_data_dir());
    char *table = test_read_file(path, &size);
    CHECK(table != NULL);
    for (char *line = strtok(table, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char usable[16];
        if (line[0] == '#' || sscanf(line, "%127s %15s", name, usable) != 2) continue;
        t->row = name;
        if (strcmp(usable, "yes") == 0) {
            machine_check_published(t, name);
            passed++;
            continue;
        }
        // The others are refused with a place, or load; nothing else.
        char other[600];
        machine_fixture f;
        machine_fixture_begin(t, &f);
        snprintf(other, sizeof other, "%s/scxml/%s.scxml", test_data_dir(), name);
        char *text = test_read_file(other, &size);
        if (text == NULL) snprintf(other, sizeof other, "%s", name);
        ploy_result result =
            text == NULL ? PLOY_ERR_FORMAT
                         : ploy_machine_load_scxml(text, size, name, &f.env, f.diags, &f.machine);
        if (result == PLOY_OK) {
            result = ploy_machine_build(f.machine, NULL, NULL, &f.env, f.diags, &f.type);
        }
        if (result != PLOY_OK && text != NULL) {
            CHECK(ploy_diags_count(f.diags) > 0);
            CHECK(ploy_diags_get(f.diags, 0)->line > 0);
            refused++;
        }
        free(text);
        machine_fixture_end(&f);
    }
    free(table);
    CHECK_INT(passed, 67);
    CHECK(refused > 60);
}

// ---- words

typedef struct machine_world {
    int walked, rung;
    float near;
} machine_world;

static ploy_result machine_walk(void *user, const ploy_hsm_turn *turn) {
    (void)turn;
    ((machine_world *)user)->walked++;
    return PLOY_OK;
}

static ploy_result machine_ring(void *user, const ploy_hsm_turn *turn) {
    (void)turn;
    ((machine_world *)user)->rung++;
    return PLOY_OK;
}

static bool machine_near(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    return ((const machine_world *)user)->near <= args[0];
}

static const char machine_guard[] = // NTU-20: a machine as data
    "{\"name\": \"guard\", \"initial\": \"patrol\", \"states\": [\n"
    "  {\"id\": \"patrol\", \"run\": \"walk\", \"rules\": [\n"
    "    {\"id\": \"sees\", \"if\": \"near(5) && armed\", \"to\": \"chase\",\n"
    "     \"do\": [{\"call\": \"ring\"}, {\"send\": \"tired\", \"delay\": \"2s\", \"id\": "
    "\"t\"}]},\n"
    "    {\"on\": [\"noise\", \"alarm.*\"], \"if\": \"health >= 10 and not (mood == 'calm')\",\n"
    "     \"to\": \"chase\"}]},\n"
    "  {\"id\": \"chase\", \"exit\": [{\"cancel\": \"t\"}], \"rules\": [\n"
    "    {\"on\": \"tired\", \"to\": \"patrol\"}, {\"on\": \"lost\", \"to\": \"patrol\"}]}]}";

typedef struct machine_mind {
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    machine_world world;
    ploy_word tests[1];
    ploy_machine_action actions[2];
    ploy_machine_words words;
} machine_mind;

static void machine_mind_begin(test_context *t, machine_mind *mind, const ploy_env *env) {
    static const ploy_blackboard_key keys[] = {
        {"armed", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
        {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
        {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
        {"shots", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    memset(mind, 0, sizeof *mind);
    mind->world.near = 100.0f;
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "guard", env, NULL, &mind->layout));
    CHECK_OK(ploy_blackboard_create(mind->layout, env, &mind->board));
    mind->tests[0] = (ploy_word){"near", machine_near, NULL, &mind->world, 1};
    mind->actions[0] = (ploy_machine_action){"walk", machine_walk, &mind->world};
    mind->actions[1] = (ploy_machine_action){"ring", machine_ring, &mind->world};
    mind->words = (ploy_machine_words){mind->layout, mind->tests, 1, mind->actions, 2, NULL, 0};
}

static void machine_mind_end(machine_mind *mind) {
    ploy_blackboard_destroy(mind->board);
    ploy_blackboard_layout_destroy(mind->layout);
}

TEST(a_game_gives_files_its_own_words) { // NTU-20, NTU-22
    machine_fixture f;
    machine_mind mind;
    machine_fixture_begin(t, &f);
    machine_mind_begin(t, &mind, &f.env);
    f.context.blackboard = mind.board;
    machine_start(t, &f, machine_guard, &mind.words);
    CHECK_TEXT(ployi_machine_name(f.machine), "guard");
    CHECK_TEXT(machine_send(t, &f, NULL), "patrol");
    CHECK_INT(mind.world.walked, 1);
    mind.world.near = 4.0f;
    CHECK_TEXT(machine_send(t, &f, NULL), "patrol"); // not armed
    CHECK_OK(ploy_blackboard_set_bool(mind.board, ploy_blackboard_layout_find(mind.layout, "armed"),
                                      true));
    CHECK_TEXT(machine_send(t, &f, NULL), "chase");
    CHECK_INT(mind.world.rung, 1);
    mind.world.near = 100.0f;
    f.context.now = 1.9;
    CHECK_TEXT(machine_send(t, &f, NULL), "chase");
    f.context.now = 2.0;
    CHECK_TEXT(machine_send(t, &f, NULL), "patrol");
    CHECK_TEXT(machine_send(t, &f, "noise"), "patrol"); // health is 0
    CHECK_OK(ploy_blackboard_set_f32(mind.board, ploy_blackboard_layout_find(mind.layout, "health"),
                                     10.0f));
    CHECK_TEXT(machine_send(t, &f, "alarm.fire"), "chase");
    CHECK_TEXT(machine_send(t, &f, "lost"), "patrol");
    machine_round_trip(t, f.machine, NULL, 0);
    machine_fixture_end(&f);
    machine_mind_end(&mind);
}

TEST(comparisons_are_those_of_numbers) {
    static const struct {
        const char *row;
        float health;
        int64_t shots;
        bool want;
    } rows[] = {
        {"health < 10", 9.5f, 0, true},
        {"health < 10", 10.0f, 0, false},
        {"health <= 10", 10.0f, 0, true},
        {"health > 10", 10.0f, 0, false},
        {"health >= 10", 10.0f, 0, true},
        {"health == 10", 10.0f, 0, true},
        {"health != 10", 10.0f, 0, false},
        {"shots < 2.5", 0, 2, true},
        {"shots < 2.5", 0, 3, false},
        {"shots == 2.5", 0, 2, false},
        {"shots > 2", 0, 2, false},
        {"shots >= 2", 0, 2, true},
        {"!(shots == 2) || false", 0, 2, false},
        {"not armed and shots == 2", 0, 2, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        machine_fixture f;
        machine_mind mind;
        machine_fixture_begin(t, &f);
        machine_mind_begin(t, &mind, &f.env);
        char text[256];
        snprintf(text, sizeof text,
                 "{\"states\": [{\"id\": \"a\", \"rules\": [{\"on\": \"e\", \"if\": \"%s\", "
                 "\"to\": \"b\"}]}, {\"id\": \"b\"}]}",
                 rows[i].row);
        CHECK_OK(ploy_blackboard_set_f32(
            mind.board, ploy_blackboard_layout_find(mind.layout, "health"), rows[i].health));
        CHECK_OK(ploy_blackboard_set_i64(
            mind.board, ploy_blackboard_layout_find(mind.layout, "shots"), rows[i].shots));
        f.context.blackboard = mind.board;
        machine_start(t, &f, text, &mind.words);
        CHECK_TEXT(machine_send(t, &f, "e"), rows[i].want ? "b" : "a");
        machine_fixture_end(&f);
        machine_mind_end(&mind);
    }
}

TEST(contents_branch_and_sends_wait_and_are_cancelled) {
    static const char chart[] =
        "<scxml initial='a'>"
        "<state id='a'><onentry><send event='x' delay='1s' id='i'/><send event='y' delay='2s'/>"
        "<send event='z' delayexpr=\"'500ms'\"/></onentry>"
        "<transition event='z' target='b'><cancel sendid='i'/></transition></state>"
        "<state id='b'><transition event='x' target='bad'/><transition event='y' target='c'/>"
        "</state><state id='bad'/>"
        "<state id='c'><onentry><if cond=\"In('a')\"><raise event='one'/>"
        "<elseif cond=\"In('c') &amp;&amp; !In('b')\"/><if cond='false'><raise event='one'/><else/>"
        "<raise event='two'/></if><else/><raise event='three'/></if></onentry>"
        "<transition event='one three' target='bad'/><transition event='two' target='d'/></state>"
        "<state id='d'><onentry><send event='lost' target='#_other'/><send event='n' "
        "target='nobody'/><raise event='never'/></onentry>"
        "<transition event='never' target='bad'/>"
        "<transition event='error.communication' target='e'/></state>"
        "<state id='e'><transition event='error.execution' target='f'/></state>"
        "<final id='f'/></scxml>";
    machine_fixture f;
    machine_fixture_begin(t, &f);
    machine_start(t, &f, chart, NULL);
    CHECK_TEXT(machine_send(t, &f, NULL), "a");
    double due = 0.0;
    CHECK(ploy_hsm_next_due(f.hsm, &due));
    CHECK_NEAR(due, 0.5, 0.0);
    f.context.now = 0.5;
    CHECK_TEXT(machine_send(t, &f, NULL), "b");
    f.context.now = 1.5;
    CHECK_TEXT(machine_send(t, &f, NULL), "b");
    f.context.now = 2.5;
    CHECK_TEXT(machine_send(t, &f, NULL), "f");
    CHECK(!ploy_hsm_next_due(f.hsm, &due));
    machine_round_trip(t, f.machine, NULL, 0);
    machine_fixture_end(&f);
}

TEST(all_faults_of_a_file_are_told_at_once) {
    static const struct {
        const char *row, *text, *want;
    } rows[] = {
        {"names",
         "<scxml initial='aa'>\n <state id='ab'><transtion/>\n"
         "  <transition event='e' target='abc' tpye='internal'/></state>\n"
         " <state id='ab'/></scxml>",
         "test:2:17: error: unknown element 'transtion' (did you mean 'transition'?)\n"
         "test:3:38: error: unknown attribute 'tpye' (did you mean 'type'?)\n"
         "test:4:2: error: duplicate state id 'ab'\n"
         "test:1:1: error: unknown state 'aa' (did you mean 'ab'?)\n"
         "test:3:3: error: unknown state 'abc' (did you mean 'ab'?)\n"},
        {"conditions",
         "<scxml><state id='a'><transition cond=\"In('b')\"/>"
         "<transition cond='1 +'/><transition cond='x ('/></state></scxml>",
         "test:1:40: error: unknown state 'b' (did you mean 'a'?)\ntest:1:71: error: unexpected "
         "end of the expression; expected a value\ntest:1:95: error: unexpected end of the "
         "expression; expected a value\n"},
        {"another version", "<scxml version='2.0'><state id='a'/></scxml>",
         "test:1:1: error: unsupported version '2.0'; expected 1.0\n"},
        {"two rules of one name",
         "<scxml><state id='a'><transition id='r' event='e'/><transition id='r' event='f'/>"
         "</state></scxml>",
         "test:1:52: error: duplicate rule id 'r'\n"},
        {"a data model", "<scxml><datamodel><data id='x'/></datamodel><state id='a'/></scxml>",
         "test:1:8: error: unsupported element, needs a scripting data model: 'datamodel'\n"},
        {"targets that exclude each other",
         "<scxml><state id='a'><transition target='b c'/></state><state id='b'/><state id='c'/>"
         "</scxml>",
         "test:1:22: error: conflicting initial state, cannot be active with the others: 'c'\n"},
        {"history",
         "<scxml><history id='h'/><state id='a'><history id='g'><transition event='e' "
         "target='a'/></history></state></scxml>",
         "test:1:8: error: history state is outside any state: 'h'\ntest:1:55: error: target is "
         "outside its state: 'a'\ntest:1:55: error: expected one transition with only a target in "
         "the history state 'g'\n"},
        {"JSON",
         "{\"states\": [{\"id\": 3, \"knid\": \"final\"},\n"
         " {\"id\": \"x\", \"kind\": \"parallle\", \"enter\": [{\"rise\": \"e\"}]}]}",
         "test:1:23: error: unknown key 'knid' (did you mean 'kind'?)\n"
         "test:1:20: error: wrong type: 'number'; expected text\n"
         "test:2:22: error: unknown kind of state 'parallle' (did you mean 'parallel'?)\n"
         "test:2:45: error: unknown key 'rise' (did you mean 'raise'?)\n"
         "test:2:44: error: expected one action in a step; expected raise, send, cancel, log, call "
         "or if\n"},
        {"delays",
         "<scxml><state id='a'><onentry><send event='e' delay='soon'/><raise/></onentry>"
         "</state></scxml>",
         "test:1:31: error: invalid delay 'soon'; expected 1s or 100ms\ntest:1:61: error: missing "
         "name\n"},
        {"nothing", "<scxml/>", "test:1:1: error: machine has no states\n"},
        {"another document", "<html/>",
         "test:1:1: error: invalid statechart, unexpected root element 'html'; expected <scxml>\n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        machine_fixture f;
        char faults[4096];
        machine_fixture_begin(t, &f);
        CHECK(machine_load(rows[i].text, &f.env, f.diags, &f.machine) < PLOY_OK);
        CHECK(f.machine == NULL);
        CHECK_TEXT(machine_faults(&f, faults, sizeof faults), rows[i].want);
        machine_fixture_end(&f);
    }
}

TEST(words_that_are_not_there_are_told_with_the_nearest) {
    static const char text[] = "{\"states\": [{\"id\": \"a\", \"run\": \"wlak\", \"rules\": [\n"
                               " {\"if\": \"nera(3)\", \"to\": \"a\"},\n"
                               " {\"if\": \"!near(1) || helth < 3\", \"to\": \"a\"},\n"
                               " {\"if\": \"near\", \"to\": \"a\"},\n"
                               " {\"if\": \"'health'\", \"to\": \"a\"}]}]}";
    machine_fixture f;
    machine_mind mind;
    char faults[2048];
    machine_fixture_begin(t, &f);
    machine_mind_begin(t, &mind, &f.env);
    CHECK_OK(machine_load(text, &f.env, f.diags, &f.machine));
    CHECK_INT(ploy_machine_build(f.machine, NULL, &mind.words, &f.env, f.diags, &f.type),
              PLOY_ERR_NOT_FOUND);
    CHECK(f.type == NULL);
    CHECK_TEXT(
        machine_faults(&f, faults, sizeof faults),
        "test:1:13: error: unknown action 'wlak' (did you mean 'walk'?)\ntest:2:10: error: unknown "
        "function 'nera' (did you mean 'near'?)\ntest:3:22: error: unknown key or function 'helth' "
        "(did you mean 'health'?)\ntest:4:10: error: missing arguments of 'near'\ntest:5:10: "
        "error: wrong type; expected one number or truth value\n");
    machine_fixture_end(&f);
    machine_mind_end(&mind);
}

static const char machine_small[] =
    "<scxml initial='p'><parallel id='p'><state id='a'><onentry><log label='l' expr=\"'x'\"/>"
    "<send event='e' delay='1s' id='i'/></onentry><initial><transition target='a1'>"
    "<raise event='r'/></transition></initial><state id='a1'/><history id='h' type='deep'>"
    "<transition target='a1'/></history></state><state id='b'><transition event='e f' "
    "cond=\"In('a1') || false\" target='h' type='internal'><if cond='true'><cancel sendid='i'/>"
    "</if></transition></state></parallel></scxml>";

static ploy_result machine_load_body(const ploy_env *env, void *arg) {
    ploy_machine *machine = NULL;
    ploy_hsm_type *type = NULL;
    ploy_result result = machine_load(arg, env, NULL, &machine);
    if (result == PLOY_OK) result = ploy_machine_build(machine, NULL, NULL, env, NULL, &type);
    ploy_hsm_type_destroy(type);
    ploy_machine_destroy(machine);
    return result;
}

static ploy_result machine_compare_body(const ploy_env *env, void *arg) {
    static const char script[] = "{\"initialConfiguration\": [\"a1\", \"b\"], \"events\": [{"
                                 "\"event\": {\"name\": \"f\"}, \"nextConfiguration\": "
                                 "[\"b\", \"a1\"]}]}";
    ploy_machine_report report;
    ploy_result result =
        ploy_machine_compare(arg, script, sizeof script - 1, "script", 1.0, env, NULL, &report);
    return result != PLOY_OK || report.same ? result : PLOY_ERR_STATE;
}

TEST(loading_building_and_comparing_survive_every_failing_allocation) {
    machine_fixture f;
    machine_fixture_begin(t, &f);
    machine_start(t, &f, machine_small, NULL);
    CHECK_FAIL_NTH(machine_load_body, (void *)(uintptr_t)machine_small);
    char *json = machine_saved(t, f.machine, ploy_machine_save_json);
    CHECK_FAIL_NTH(machine_load_body, json);
    CHECK_FAIL_NTH(machine_compare_body, f.type);
    free(json);
    machine_fixture_end(&f);
}

TEST(scripts_tell_the_first_difference) {
    static const char script[] =
        "{\"initialConfiguration\": [\"b\", \"a1\"], \"events\": [{\"event\": {\"name\": \"f\"}, "
        "\"nextConfiguration\": [\"b\", \"a1\"]}, {\"event\": {\"name\": \"f\"}, "
        "\"nextConfiguration\": [\"b\"]}]}";
    static const char bad[] = "{\"initialConfiguration\": \"b\"}";
    machine_fixture f;
    ploy_machine_report report;
    machine_fixture_begin(t, &f);
    machine_start(t, &f, machine_small, NULL);
    CHECK_OK(ploy_machine_compare(f.type, script, sizeof script - 1, "s", 1.0, &f.env, f.diags,
                                  &report));
    CHECK(!report.same);
    CHECK_INT(report.event, 1);
    CHECK_INT(report.checks, 3);
    CHECK_TEXT(report.want, "b");
    CHECK_TEXT(report.got, "a1 b");
    CHECK_INT(ploy_machine_compare(f.type, bad, sizeof bad - 1, "s", 1.0, &f.env, f.diags, &report),
              PLOY_ERR_FORMAT);
    machine_fixture_end(&f);
}

TEST(data_of_a_send_is_reported) {
    static const char text[] =
        "<scxml version='1.0'><state id='a'><onentry><send event='e'>\n"
        "<param name='x' expr='1'/><content>hello</content></send></onentry></state></scxml>";
    machine_fixture f;
    char faults[1024];
    machine_fixture_begin(t, &f);
    CHECK_OK(machine_load(text, &f.env, f.diags, &f.machine));
    CHECK_TEXT(machine_faults(&f, faults, sizeof faults),
               "test:2:1: warning: ignored data of a send: param\n"
               "test:2:27: warning: ignored data of a send: content\n");
    machine_fixture_end(&f);
}

// The work grows with the file, not with its square: so many targets took 8 s before.
TEST(long_lists_of_targets_load_quickly_and_conflicts_in_them_are_found) {
    enum { MANY = 1500 };
    for (int32_t conflict = 0; conflict < 2; conflict++) {
        machine_fixture f;
        machine_fixture_begin(t, &f);
        ploy_buffer text;
        ploy_buffer_init(&text, 0, &f.env);
        ploy_writer writer = ploy_buffer_writer(&text);
        ploy_write_text(&writer, "<scxml><parallel id='p'>");
        for (int32_t i = 0; i < MANY; i++) {
            ploy_write_text(&writer, "<state id='s");
            ploy_write_i64(&writer, i);
            ploy_write_text(&writer, "'/>");
        }
        ploy_write_text(&writer, "</parallel><state id='x'><transition target='");
        for (int32_t i = MANY - 1; i >= 0; i--) {
            ploy_write_text(&writer, "s");
            ploy_write_i64(&writer, i);
            ploy_write_char(&writer, ' ');
            if (conflict != 0 && i == MANY / 2) ploy_write_text(&writer, "x ");
        }
        ploy_write_text(&writer, "'/></state></scxml>");
        ploy_result result = machine_load(ploy_buffer_text(&text), &f.env, f.diags, &f.machine);
        CHECK_INT(result, conflict != 0 ? PLOY_ERR_FORMAT : PLOY_OK);
        if (conflict != 0) {
            char faults[1024];
            CHECK(strstr(machine_faults(&f, faults, sizeof faults),
                         "conflicting target, cannot be active with the others: 'x'") != NULL);
        }
        ploy_buffer_fini(&text);
        machine_fixture_end(&f);
    }
}
