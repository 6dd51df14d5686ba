// Behavior trees from files: what BehaviorTree.CPP's own files come to, keys and their types,
// remapping, includes, faults with their places, and both forms of a document.
#include <stdlib.h>

#include "ploy/data/bt_file.h"
#include "tests/test.h"

// ---- leaves ----

enum { TEST_LEAVES = 6 };

typedef struct counted {
    int32_t ticks[TEST_LEAVES];
    char said[256];
} counted;

typedef struct counted_leaf {
    counted *all;
    int32_t number;
} counted_leaf;

static ploy_result count_step(ploy_bt_call *call, ploy_status *status) {
    counted_leaf *leaf = call->user;
    leaf->all->ticks[leaf->number]++;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

// Adds what its port holds to what was said.
static ploy_result say_step(ploy_bt_call *call, ploy_status *status) {
    counted *all = call->user;
    ploy_value value;
    ploy_result result = ploy_bt_port_get(call, 0, &value);
    if (result != PLOY_OK) return result;
    size_t size = strlen(all->said);
    size += ploy_value_print(&value, all->said + size, sizeof all->said - size);
    if (size + 2 < sizeof all->said) strcat(all->said, "|");
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

// A control and a decorator of the game's own: the child that a port says, and its child twice.
static ploy_result pick_choose(ploy_bt_call *call, int32_t child, ploy_status answer, int32_t *next,
                               ploy_status *status) {
    ploy_value value;
    ploy_result result = ploy_bt_port_get(call, 0, &value);
    *status = answer;
    if (result == PLOY_OK && child < 0) *next = (int32_t)value.as.i64;
    return result;
}

static ploy_result twice_choose(ploy_bt_call *call, int32_t child, ploy_status answer,
                                int32_t *next, ploy_status *status) {
    int32_t *turns = call->state;
    *status = answer;
    if (child < 0 || (answer == PLOY_STATUS_SUCCESS && ++*turns < 2)) *next = 0;
    return PLOY_OK;
}

static const ploy_bt_port pick_ports[] = {{"index", PLOY_VALUE_I64, false}};
static const ploy_bt_leaf pick_leaf = {
    .name = "Pick", .choose = pick_choose, .ports = pick_ports, .port_count = 1};
static const ploy_bt_leaf twice_leaf = {
    .name = "Twice", .choose = twice_choose, .state_size = sizeof(int32_t)};

static const ploy_bt_port say_ports[] = {{"message", PLOY_VALUE_TEXT, false}};
static const ploy_bt_port number_ports[] = {{"value", PLOY_VALUE_I64, false},
                                            {"factor", PLOY_VALUE_F32, true}};
static const ploy_bt_leaf say_leaf = {
    .name = "Say", .step = say_step, .ports = say_ports, .port_count = 1};
static const ploy_bt_leaf number_leaf = {
    .name = "Number", .step = say_step, .ports = number_ports, .port_count = 2};

// A vocabulary of TestA to TestF, Say, Number, Pick and Twice.
typedef struct words {
    counted all;
    counted_leaf users[TEST_LEAVES];
    ploy_bt_leaf tests[TEST_LEAVES];
    char names[TEST_LEAVES][8];
    ploy_bt_file_leaf table[TEST_LEAVES + 4];
} words;

static void words_init(words *w) {
    memset(w, 0, sizeof *w);
    for (int32_t i = 0; i < TEST_LEAVES; i++) {
        snprintf(w->names[i], sizeof w->names[i], "Test%c", (char)('A' + i));
        w->users[i].all = &w->all;
        w->users[i].number = i;
        w->tests[i].name = w->names[i];
        w->tests[i].step = count_step;
        ploy_bt_file_leaf entry = {&w->tests[i], &w->users[i], true};
        w->table[i] = entry;
    }
    ploy_bt_file_leaf say = {&say_leaf, &w->all, false};
    ploy_bt_file_leaf number = {&number_leaf, &w->all, false};
    ploy_bt_file_leaf pick = {&pick_leaf, NULL, false}, twice = {&twice_leaf, NULL, false};
    w->table[TEST_LEAVES] = say;
    w->table[TEST_LEAVES + 1] = number;
    w->table[TEST_LEAVES + 2] = pick;
    w->table[TEST_LEAVES + 3] = twice;
}

static ploy_bt_file_def words_def(const words *w) {
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.leaves = w->table;
    def.leaf_count = TEST_LEAVES + 4;
    return def;
}

// ---- running ----

typedef struct ran {
    ploy_result result; // of the load, or of the last step
    ploy_status status;
    bool loaded;
} ran;

// Steps the main tree until it stops running; the board stays for whoever looks at it.
static ran run_file(test_context *t, const ploy_bt_file *file, ploy_blackboard **board) {
    ploy_env env = ploy_env_default();
    ran out = {PLOY_OK, PLOY_STATUS_RUNNING, true};
    const ploy_bt *bt = ploy_bt_file_main(file);
    CHECK(bt != NULL);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *instance = NULL;
    ploy_semaphores *semaphores = NULL;
    CHECK_OK(ploy_semaphores_create(&env, &semaphores));
    CHECK_OK(ploy_blackboard_create(ploy_bt_file_layout(file, bt), &env, board));
    CHECK_OK(ploy_bt_instance_create(&def, bt, semaphores, &env, &instance));
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.dt = 0.01f;
    context.blackboard = *board;
    for (int32_t i = 0; i < 1000 && out.status == PLOY_STATUS_RUNNING; i++) {
        context.tick = (uint64_t)i;
        context.now = 0.01 * i;
        out.result = ploy_bt_instance_step(instance, &context, &out.status);
        if (out.result != PLOY_OK) break;
    }
    ploy_bt_instance_destroy(instance);
    ploy_semaphores_destroy(semaphores);
    return out;
}

static ran run_text(test_context *t, const char *text, size_t size, const char *name,
                    const ploy_bt_file_def *def, ploy_bt_file **file, ploy_blackboard **board) {
    ploy_env env = ploy_env_default();
    ran out = {PLOY_OK, PLOY_STATUS_RUNNING, false};
    out.result = ploy_bt_file_load(text, size, name, def, &env, NULL, file);
    CHECK((out.result == PLOY_OK) == (*file != NULL));
    return out.result == PLOY_OK ? run_file(t, *file, board) : out;
}

static const char *status_of(const ran *r) {
    return !r->loaded                         ? "load"
           : r->result != PLOY_OK             ? "error"
           : r->status == PLOY_STATUS_SUCCESS ? "SUCCESS"
           : r->status == PLOY_STATUS_FAILURE ? "FAILURE"
           : r->status == PLOY_STATUS_SKIPPED ? "SKIPPED"
                                              : "RUNNING";
}

// What a key holds in the end, as text.
static const char *key_of(const ploy_blackboard *board, const char *name, char text[80]) {
    ploy_value value = ploy_value_none();
    ploy_slot slot = ploy_blackboard_layout_find(ploy_blackboard_layout_of(board), name);
    if (ploy_blackboard_get(board, slot, &value) != PLOY_OK) return "(none)";
    ploy_value_print(&value, text, 80);
    return text;
}

#define ROOT(inside) "<root BTCPP_format='4'>" inside "</root>"
#define TREE(id, inside) "<BehaviorTree ID='" id "'>" inside "</BehaviorTree>"
#define MAIN(inside) ROOT(TREE("MainTree", inside))

TEST(documents_do_what_they_say) {
    static const struct {
        const char *row, *text, *status, *said;
    } rows[] = {
        {"one node", MAIN("<AlwaysSuccess/>"), "SUCCESS", ""},
        {"the explicit form",
         MAIN("<Control ID='Sequence'><Action ID='Say' message='a'/></Control>"), "SUCCESS", "a|"},
        {"a literal in the port's type", MAIN("<Number value='-7' factor='1.5'/>"), "SUCCESS",
         "-7|"},
        {"a key between scripts and ports",
         MAIN("<Sequence><Script code=\"m := 'hi'\"/><Say message='{m}'/></Sequence>"), "SUCCESS",
         "hi|"},
        {"a port with the key's own name",
         MAIN("<Sequence><Script code=\"message := 'own'\"/><Say message='{=}'/></Sequence>"),
         "SUCCESS", "own|"},
        {"a key in a literal's place",
         MAIN("<Sequence><SetBlackboard value='42' output_key='n'/>"
              "<Number value='{n}'/></Sequence>"),
         "SUCCESS", "42|"},
        {"from key to key",
         MAIN("<Sequence><Script code=\"a := 'x'\"/><SetBlackboard value='{a}' "
              "output_key='{b}'/><Say message='{b}'/></Sequence>"),
         "SUCCESS", "x|"},
        {"a loop over texts",
         MAIN("<LoopString queue='a;b;c' value='{v}'><Say message='{v}'/></LoopString>"), "SUCCESS",
         "a|b|c|"},
        {"a loop over a queue on the board, which is used up",
         MAIN("<Sequence><SetBlackboard value='3;-4' output_key='todo'/>"
              "<LoopInt queue='{todo}' value='{v}'><Number value='{v}'/></LoopInt>"
              "<Say message='{todo}'/></Sequence>"),
         "SUCCESS", "3|-4||"},
        {"a queue that grows while it is used",
         MAIN("<Sequence><SetBlackboard value='a' output_key='q'/><LoopString queue='{q}' "
              "value='{v}'><Sequence><Say message='{v}'/><Script code=\"v == 'a' ? q = 'b' : q = "
              "q\"/></Sequence></LoopString></Sequence>"),
         "SUCCESS", "a|b|"},
        {"a queue with what is no number",
         MAIN("<Sequence><SetBlackboard value='1;x;2' output_key='q'/>"
              "<LoopInt queue='{q}' value='{v}'><Number value='{v}'/></LoopInt></Sequence>"),
         "FAILURE", "1|"},
        {"an empty queue on the board",
         MAIN("<LoopInt queue='{q}' value='{v}' if_empty='SKIPPED'><TestA/></LoopInt>"), "SKIPPED",
         ""},
        {"a control of the game's own, told by a key",
         MAIN("<Sequence><Script code='i := 1'/><Pick index='{i}'><Say message='a'/><Sequence>"
              "<Say message='b'/><Say message='c'/></Sequence></Pick></Sequence>"),
         "SUCCESS", "b|c|"},
        {"a decorator of the game's own, in the explicit form",
         MAIN("<Decorator ID='Twice' name='two'><Sequence><Sleep msec='20'/><Say message='a'/>"
              "</Sequence></Decorator>"),
         "SUCCESS", "a|a|"},
        {"conditions before a control",
         MAIN("<Sequence><Script code='i := 0'/><ForceSuccess><Pick index='0' _failureIf='i == 0'>"
              "<Say message='a'/></Pick></ForceSuccess><Say message='b'/></Sequence>"),
         "SUCCESS", "b|"},
        {"how often, from a key",
         MAIN("<Sequence><Script code='n := 3'/><Repeat num_cycles='{n}'><Say message='a'/>"
              "</Repeat></Sequence>"),
         "SUCCESS", "a|a|a|"},
        {"how often, from a key that a port types",
         MAIN("<Sequence><SetBlackboard value='2' output_key='n'/><Number value='{n}'/><Inverter>"
              "<RetryUntilSuccessful num_attempts='{n}'><Inverter><Say message='a'/></Inverter>"
              "</RetryUntilSuccessful></Inverter></Sequence>"),
         "SUCCESS", "2|a|a|"},
        {"how often, through a sub-tree",
         ROOT(TREE("MainTree", "<Sequence><Script code='n := 2'/><SubTree ID='S' m='{n}'/>"
                               "<SubTree ID='S' name='again' m='1'/></Sequence>")
                  TREE("S", "<Repeat num_cycles='{m}'><Say message='a'/></Repeat>")),
         "SUCCESS", "a|a|a|"},
        {"a limit of time from a key",
         MAIN("<Sequence><Script code='t := 50'/><Inverter><Timeout msec='{t}'><Sequence>"
              "<Script code='t = 1000'/><Sleep msec='200'/><Say message='late'/></Sequence>"
              "</Timeout></Inverter><Say message='over'/></Sequence>"),
         "SUCCESS", "over|"},
        {"a delay and a sleep from keys, one shorter than a limit",
         MAIN(
             "<Sequence><Script code='t := 30; u := 40'/><Timeout msec='100'><Delay "
             "delay_msec='{t}'><Sleep msec='{u}'/></Delay></Timeout><Say message='a'/></Sequence>"),
         "SUCCESS", "a|"},
        {"how many of a parallel, from a key",
         MAIN("<Sequence><Script code='n := 1'/><Parallel success_count='{n}'><Say message='a'/>"
              "<Sleep msec='100'/><Say message='b'/></Parallel></Sequence>"),
         "SUCCESS", "a|"},
        {"all of a parallel, told from a key as -1",
         MAIN("<Sequence><Script code='n := -1; m := 2'/><Parallel success_count='{n}' "
              "failure_count='{m}'><Say message='a'/><Sleep msec='30'/><Say message='b'/>"
              "</Parallel></Sequence>"),
         "SUCCESS", "a|b|"},
        {"a loop over nothing",
         MAIN("<LoopInt queue='' value='{v}' if_empty='SKIPPED'>"
              "<Number value='{v}'/></LoopInt>"),
         "SKIPPED", ""},
        {"a switch by text",
         MAIN("<Sequence><Script code=\"w := 'b'\"/><Switch2 variable='{w}' case_1='a' case_2='b'>"
              "<Say message='1'/><Say message='2'/><Say message='3'/></Switch2></Sequence>"),
         "SUCCESS", "2|"},
        {"a switch by number, and its default",
         MAIN("<Sequence><Script code='w := 9'/><Switch2 variable='{w}' case_1='1' case_2='2'>"
              "<Say message='1'/><Say message='2'/><Say message='3'/></Switch2></Sequence>"),
         "SUCCESS", "3|"},
        {"a switch by a constant's name",
         MAIN("<Sequence><Script code='w := BLUE'/><Switch2 variable='{w}' case_1='RED' "
              "case_2='BLUE'><Say message='1'/><Say message='2'/><Say message='3'/></Switch2>"
              "</Sequence>"),
         "SUCCESS", "2|"},
        {"conditions and effects of a node",
         MAIN("<Sequence><Script code='n := 1'/><Say message='a' _skipIf='n == 1'/>"
              "<Say message='b' _onSuccess='n = 5'/><Say message='c' _failureIf='n == 5'/>"
              "</Sequence>"),
         "FAILURE", "b|"},
        {"a precondition",
         MAIN("<Sequence><Script code='n := 1'/><Precondition if='n &gt; 1' "
              "else='FAILURE'><Say message='a'/></Precondition></Sequence>"),
         "FAILURE", ""},
        {"wrong numbers of branches are errors of the step",
         MAIN("<IfThenElse><AlwaysSuccess/></IfThenElse>"), "error", ""},
        {"a sub-tree's keys are its own",
         ROOT(TREE("MainTree", "<Sequence><Script code=\"m := 'outer'\"/><SubTree ID='S'/>"
                               "<Say message='{m}'/></Sequence>")
                  TREE("S", "<Sequence><Script code=\"m := 'inner'\"/><Say message='{m}'/>"
                            "</Sequence>")),
         "SUCCESS", "inner|outer|"},
        {"but for what is remapped, both ways",
         ROOT(TREE("MainTree", "<Sequence><Script code=\"m := 'outer'\"/>"
                               "<SubTree ID='S' n='{m}'/><Say message='{m}'/></Sequence>")
                  TREE("S", "<Sequence><Say message='{n}'/><Script code=\"n := 'inner'\"/>"
                            "</Sequence>")),
         "SUCCESS", "outer|inner|"},
        {"a literal for a sub-tree",
         ROOT(
             TREE("MainTree", "<Sequence><SubTree ID='S' n='4'/><SubTree ID='S' n='5'/></Sequence>")
                 TREE("S", "<Number value='{n}'/>")),
         "SUCCESS", "4|5|"},
        {"autoremap, but for private keys",
         ROOT(TREE("MainTree", "<Sequence><Script code=\"m := 'a'; _p := 'b'\"/>"
                               "<SubTree ID='S' _autoremap='true'/></Sequence>")
                  TREE("S", "<Sequence><Say message='{m}'/><Say message='{_p}'/></Sequence>")),
         "SUCCESS", "a||"},
        {"autoremap through a tree that does not name the key",
         ROOT(TREE("MainTree", "<Sequence><Script code=\"m := 'deep'\"/>"
                               "<SubTree ID='S' _autoremap='1'/></Sequence>")
                  TREE("S", "<SubTree ID='T' _autoremap='1'/>") TREE("T", "<Say message='{m}'/>")),
         "SUCCESS", "deep|"},
        {"the main tree's key from below",
         ROOT(TREE("MainTree", "<Sequence><Script code=\"m := 'top'\"/><SubTree ID='S'/>"
                               "<Say message='{m}'/></Sequence>") TREE("S", "<SubTree ID='T'/>")
                  TREE("T", "<Sequence><Say message='{@m}'/><Script code=\"@m := 'new'\"/>"
                            "</Sequence>")),
         "SUCCESS", "top|new|"},
        {"defaults of a model",
         ROOT("<TreeNodesModel><SubTree ID='S'><input_port name='n' default='6'/>"
              "<output_port name='o' default='{result}'/></SubTree></TreeNodesModel>" TREE(
                  "MainTree", "<Sequence><SubTree ID='S'/><Say message='{result}'/></Sequence>")
                  TREE("S", "<Sequence><Number value='{n}'/><Script code=\"o := 'done'\"/>"
                            "</Sequence>")),
         "SUCCESS", "6|done|"},
        {"numbers of all kinds in scripts",
         MAIN("<Sequence><Script code='n := 2; n *= 3'/><Number value='{n}'/></Sequence>"),
         "SUCCESS", "6|"},
        {"every decorator that counts",
         MAIN("<Repeat num_cycles='2'><RetryUntilSuccessful num_attempts='3'><Say message='a'/>"
              "</RetryUntilSuccessful></Repeat>"),
         "SUCCESS", "a|a|"},
        {"time",
         MAIN("<Sequence><Sleep msec='20'/><Timeout msec='30'><Sleep msec='500'/></Timeout>"
              "</Sequence>"),
         "FAILURE", ""},
        {"our own nodes",
         MAIN("<SemaphoreGuard semaphore='door' max='2'><UntilFail result='FAILURE'>"
              "<Limit max='2'><Say message='a'/></Limit></UntilFail></SemaphoreGuard>"),
         "FAILURE", "a|a|"},
        {"the only tree needs no ID", ROOT("<BehaviorTree><Say message='a'/></BehaviorTree>"),
         "SUCCESS", "a|"},
        {"the only tree that none holds is the main one",
         ROOT(TREE("B", "<Say message='b'/>") TREE("A", "<SubTree ID='B'/>")), "SUCCESS", "b|"},
        {"as JSON",
         "{\"format\": \"ploy.bt\", \"trees\": [{\"id\": \"A\", \"root\": {\"type\": \"Repeat\", "
         "\"attributes\": {\"num_cycles\": 2}, \"children\": [{\"type\": \"Say\", \"attributes\": "
         "{\"message\": \"x\"}}]}}]}",
         "SUCCESS", "x|x|"},
    };
    static const ploy_expression_constant constants[] = {{"RED", 1}, {"BLUE", 2}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        words w;
        words_init(&w);
        ploy_bt_file_def def = words_def(&w);
        def.constants = constants;
        def.constant_count = 2;
        ploy_bt_file *file = NULL;
        ploy_blackboard *board = NULL;
        ran r = run_text(t, rows[i].text, strlen(rows[i].text), "a.xml", &def, &file, &board);
        CHECK_TEXT(status_of(&r), rows[i].status);
        CHECK_TEXT(w.all.said, rows[i].said);
        ploy_blackboard_destroy(board);
        ploy_bt_file_destroy(file);
    }
}

TEST(faults_are_told_all_at_once_with_their_places) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column, faults;
        const char *nearest;
    } rows[] = {
        {"not XML", "<root", PLOY_ERR_FORMAT, 1, 1, 2, ""},
        {"nothing", "", PLOY_ERR_FORMAT, 1, 1, 1, ""},
        {"another root", "<tree/>", PLOY_ERR_FORMAT, 1, 1, 1, ""},
        {"another version",
         "<root BTCPP_format='3'><BehaviorTree><AlwaysSuccess/></BehaviorTree></root>",
         PLOY_ERR_VERSION, 1, 1, 1, ""},
        {"no tree", "<root/>", PLOY_ERR_FORMAT, 1, 1, 1, ""},
        {"an unknown element", ROOT("\n<BehaviourTree/>" TREE("A", "<AlwaysSuccess/>")),
         PLOY_ERR_FORMAT, 2, 1, 1, "BehaviorTree"},
        {"an unknown node", MAIN("\n <Sequnce><AlwaysSuccess/></Sequnce>"), PLOY_ERR_NOT_FOUND, 2,
         2, 1, "Sequence"},
        {"an unknown leaf", MAIN("\n <Sey message='a'/>"), PLOY_ERR_NOT_FOUND, 2, 2, 1, "Say"},
        {"several",
         MAIN("<Sequence>\n<Nope/>\n<Say massage='a'/>\n<Say message='a' _skipif='1'/>\n"
              "<Number value='x'/></Sequence>"),
         PLOY_ERR_NOT_FOUND, 2, 1, 5, ""},
        {"no such tree", ROOT(TREE("Main", "<SubTree ID='Patrol2'/>") TREE("Patrol", "<TestA/>")),
         PLOY_ERR_NOT_FOUND, 1, 48, 1, "Patrol"},
        {"a tree in itself",
         ROOT(TREE("A", "<SubTree ID='B'/>") "\n" TREE("B", "<SubTree ID='A'/>")), PLOY_ERR_FORMAT,
         2, 22, 1, ""},
        {"two IDs", ROOT(TREE("A", "<TestA/>") "\n" TREE("A", "<TestA/>")), PLOY_ERR_EXISTS, 2, 1,
         1, ""},
        {"two sub-trees of one name",
         ROOT(TREE("A",
                   "<Sequence><SubTree ID='B' name='x'/>\n<SubTree ID='B' name='x'/></Sequence>")
                  TREE("B", "<TestA/>")),
         PLOY_ERR_EXISTS, 2, 1, 1, ""},
        {"a slash in a name", MAIN("<TestA name='a/b'/>"), PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"a leaf with children", MAIN("<TestA><TestB/></TestA>"), PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"a decorator with two", MAIN("<Inverter><TestA/><TestB/></Inverter>"), PLOY_ERR_FORMAT, 1,
         52, 1, ""},
        {"a control of the game's with none", MAIN("<Pick index='0'/>"), PLOY_ERR_FORMAT, 1, 52, 1,
         ""},
        {"a control with none", MAIN("<Fallback/>"), PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"a missing port", MAIN("<Say/>"), PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"a missing port of ours", MAIN("<Sleep/>"), PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"a bad number", MAIN("<Sleep msec='soon'/>"), PLOY_ERR_FORMAT, 1, 59, 1, ""},
        {"a bad status", MAIN("<LoopInt queue='1' value='{v}' if_empty='MAYBE'><TestA/></LoopInt>"),
         PLOY_ERR_FORMAT, 1, 83, 1, ""},
        {"a number from a key of text",
         MAIN("<Sequence><Say message='{k}'/>\n<Sleep msec='{k}'/></Sequence>"), PLOY_ERR_FORMAT, 2,
         8, 1, ""},
        {"a queue from a key of numbers",
         MAIN("<Sequence><Number value='{k}'/>\n<LoopInt queue='{k}' value='{v}'><TestA/></LoopInt>"
              "</Sequence>"),
         PLOY_ERR_FORMAT, 2, 10, 1, ""},
        {"no script", MAIN("<Script code='1 +'/>"), PLOY_ERR_FORMAT, 1, 0, 1, ""},
        {"what nobody makes",
         MAIN("<Sequence><Script code='health := 1'/>"
              "<ScriptCondition code='helth == 1'/></Sequence>"),
         PLOY_ERR_NOT_FOUND, 1, 107, 1, "health"},
        {"assigned, but never made", MAIN("<Script code='x = 1'/>"), PLOY_ERR_NOT_FOUND, 1, 60, 1,
         ""},
        {"two types of one key",
         MAIN("<Sequence><Say message='{k}'/>\n<Number value='{k}'/></Sequence>"), PLOY_ERR_FORMAT,
         2, 9, 1, ""},
        {"two types through a sub-tree",
         ROOT(TREE("MainTree",
                   "<Sequence><Say message='{k}'/>\n<SubTree ID='S' n='{k}'/></Sequence>")
                  TREE("S", "<Number value='{n}'/>")),
         PLOY_ERR_FORMAT, 2, 17, 1, ""},
        {"a number assigned to a text",
         MAIN("<Sequence><Say message='{k}'/>\n<Script code='k := 3'/></Sequence>"),
         PLOY_ERR_ARGUMENT, 2, 0, 1, ""},
        {"a switch without a default",
         MAIN("<Switch2 variable='{k}' case_1='1' case_2='2'><TestA/><TestB/></Switch2>"),
         PLOY_ERR_FORMAT, 1, 52, 1, ""},
        {"no main tree", "<root main_tree_to_execute='Mian'>" TREE("Main", "<TestA/>") "</root>",
         PLOY_ERR_NOT_FOUND, 1, 1, 1, "Main"},
        {"nobody reads", ROOT("<include path='b.xml'/>" TREE("A", "<TestA/>")),
         PLOY_ERR_UNSUPPORTED, 1, 24, 1, ""},
        {"a key that can be none", MAIN("<Say message='{a b}'/>"), PLOY_ERR_FORMAT, 1, 57, 1, ""},
        {"JSON of another format", "{\"format\": \"x\", \"trees\": []}", PLOY_ERR_FORMAT, 1, 1, 1,
         ""},
        {"JSON with an unknown key", "{\"format\": \"ploy.bt\", \"tree\": []}", PLOY_ERR_FORMAT, 1,
         23, 1, "trees"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        words w;
        words_init(&w);
        ploy_bt_file_def def = words_def(&w);
        ploy_env env = ploy_env_default();
        ploy_diags *diags = NULL;
        ploy_bt_file *file = NULL;
        CHECK_OK(ploy_diags_create(16, &env, &diags));
        CHECK_INT(ploy_bt_file_load(rows[i].text, strlen(rows[i].text), "a.xml", &def, &env, diags,
                                    &file),
                  rows[i].want);
        CHECK(file == NULL);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), rows[i].faults);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        while (diag->severity != PLOY_SEVERITY_ERROR) diag++;
        CHECK_INT(diag->line, rows[i].line);
        if (rows[i].column > 0) CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
        CHECK_TEXT(diag->name, "a.xml");
        ploy_diags_destroy(diags);
    }
}

TEST(keys_get_the_types_of_their_uses) {
    static const char text[] = ROOT(
        TREE("MainTree", "<Sequence><Number value='{whole}' factor='{single}'/>"
                         "<Say message='{words}'/><Script code='sum := whole + 1; copy := sum'/>"
                         "<SetBlackboard value='1.5' output_key='number'/>"
                         "<SetBlackboard value='north' output_key='side'/>"
                         "<LoopBool queue='true;false' value='{flag}'><TestA any='{open}'/>"
                         "</LoopBool><SubTree ID='S' inner='{shared}'/></Sequence>")
            TREE("S", "<Number value='{inner}'/>"));
    static const struct {
        const char *name;
        ploy_value_type type;
    } want[] = {
        {"game", PLOY_VALUE_VEC2},  {"whole", PLOY_VALUE_I64},  {"single", PLOY_VALUE_F32},
        {"words", PLOY_VALUE_TEXT}, {"sum", PLOY_VALUE_F64},    {"copy", PLOY_VALUE_F64},
        {"number", PLOY_VALUE_F64}, {"side", PLOY_VALUE_TEXT},  {"flag", PLOY_VALUE_BOOL},
        {"open", PLOY_VALUE_TEXT},  {"shared", PLOY_VALUE_I64},
    };
    static const ploy_blackboard_key keys[] = {
        {"game", PLOY_VALUE_VEC2, {PLOY_VALUE_VEC2, {.vec = {1, 2}}}, NULL},
        {"whole", PLOY_VALUE_NONE, {PLOY_VALUE_F64, {.f64 = 3}}, NULL},
    };
    words w;
    words_init(&w);
    ploy_env env = ploy_env_default();
    ploy_bt_file_def def = words_def(&w);
    def.keys = keys;
    def.key_count = 2;
    ploy_bt_file *file = NULL;
    CHECK_OK(ploy_bt_file_load(text, strlen(text), "a", &def, &env, NULL, &file));
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(file, ploy_bt_file_main(file));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        t->row = want[i].name;
        ploy_slot slot = ploy_blackboard_layout_find(layout, want[i].name);
        CHECK_INT(ploy_blackboard_layout_type(layout, slot), want[i].type);
    }
    CHECK_INT(ploy_blackboard_layout_count(layout), COUNT_OF(want));
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    char number[80];
    CHECK_TEXT(key_of(board, "whole", number), "3");
    CHECK_TEXT(key_of(board, "game", number), "(1, 2)");
    ploy_blackboard_destroy(board);
    CHECK_INT(ploy_bt_file_count(file), 2);
    CHECK(ploy_bt_file_find(file, "S") == ploy_bt_file_at(file, 1));
    CHECK(ploy_bt_file_find(file, "T") == NULL);
    CHECK(ploy_bt_file_at(file, 2) == NULL);
    CHECK(ploy_bt_file_layout(file, NULL) == NULL);
    int64_t bytes = 0;
    ploy_bt_file_memory(file, test_sum_memory, &bytes);
    CHECK(bytes > 1000);
    ploy_bt_file_destroy(file);
    ploy_bt_file_destroy(NULL);
}

// ---- includes ----

typedef struct folder {
    int32_t reads;
} folder;

static ploy_result folder_read(void *user, const char *path, ploy_buffer *bytes) {
    static const struct {
        const char *path, *text;
    } files[] = {
        {"trees/sub/b.xml", ROOT("<include path='../c.json'/>" TREE("B", "<SubTree ID='C'/>"))},
        {"trees/c.json",
         "{\"format\": \"ploy.bt\", \"include\": [\"./sub/../a.xml\", \"sub/b.xml\"], "
         "\"trees\": [{\"id\": \"C\", \"root\": {\"type\": \"Say\", "
         "\"attributes\": {\"message\": \"c\"}}}]}"},
    };
    folder *self = user;
    self->reads++;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        if (strcmp(path, files[i].path) != 0) continue;
        return ploy_buffer_append(bytes, files[i].text, strlen(files[i].text));
    }
    return PLOY_ERR_NOT_FOUND;
}

static ploy_result folder_endless(void *user, const char *path, ploy_buffer *bytes) {
    static const char text[] = "<root><include path='x/a.xml'/></root>";
    (void)user;
    (void)path;
    return ploy_buffer_append(bytes, text, strlen(text));
}

TEST(files_are_included_relative_to_the_including_one_and_once) {
    static const char text[] = ROOT("<include path='sub/b.xml'/><include path='./sub/b.xml'/>" TREE(
        "A", "<Sequence><SubTree ID='B'/><SubTree ID='C'/></Sequence>"));
    words w;
    words_init(&w);
    folder self = {0};
    ploy_bt_file_def def = words_def(&w);
    def.read = folder_read;
    def.read_user = &self;
    ploy_bt_file *file = NULL;
    ploy_blackboard *board = NULL;
    ran r = run_text(t, text, strlen(text), "trees/a.xml", &def, &file, &board);
    CHECK_TEXT(status_of(&r), "SUCCESS");
    CHECK_TEXT(w.all.said, "c|c|");
    CHECK_INT(self.reads, 2);
    CHECK_INT(ploy_bt_file_count(file), 3);
    ploy_blackboard_destroy(board);
    ploy_bt_file_destroy(file);
    static const char missing[] = ROOT("<include path='d.xml'/>" TREE("A", "<TestA/>"));
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_bt_file_load(missing, strlen(missing), "a", &def, &env, NULL, &file),
              PLOY_ERR_NOT_FOUND);
    def.read = folder_endless;
    CHECK_INT(ploy_bt_file_load(missing, strlen(missing), "a", &def, &env, NULL, &file),
              PLOY_ERR_LIMIT);
}

// ---- both forms ----

static ploy_result any_leaf(void *user, const char *name, ploy_bt_file_leaf *out) {
    (void)name;
    *out = *(const ploy_bt_file_leaf *)user;
    return PLOY_OK;
}

static void save(test_context *t, const ploy_bt_file *file, bool json, ploy_buffer *text) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(text);
    CHECK_OK(json ? ploy_bt_file_save_json(file, &writer) : ploy_bt_file_save_xml(file, &writer));
}

// XML, JSON and XML again hold the same trees.
static void check_forms(test_context *t, const ploy_bt_file *file, const ploy_bt_file_def *def) {
    ploy_env env = ploy_env_default();
    ploy_buffer xml, json, again;
    ploy_bt_file *second = NULL, *third = NULL;
    save(t, file, false, &xml);
    save(t, file, true, &json);
    CHECK_OK(ploy_bt_file_load(json.bytes, json.size, "json", def, &env, NULL, &second));
    CHECK_OK(ploy_bt_file_load(xml.bytes, xml.size, "xml", def, &env, NULL, &third));
    save(t, second, false, &again);
    CHECK_TEXT(ploy_buffer_text(&again), ploy_buffer_text(&xml));
    CHECK_INT(ploy_bt_file_count(second), ploy_bt_file_count(file));
    for (int32_t i = 0; i < ploy_bt_file_count(file); i++) {
        CHECK_UINT(ploy_bt_hash(ploy_bt_file_at(second, i)),
                   ploy_bt_hash(ploy_bt_file_at(file, i)));
        CHECK_UINT(ploy_bt_hash(ploy_bt_file_at(third, i)), ploy_bt_hash(ploy_bt_file_at(file, i)));
    }
    ploy_bt_file_destroy(second);
    ploy_bt_file_destroy(third);
    ploy_buffer_fini(&xml);
    ploy_buffer_fini(&json);
    ploy_buffer_fini(&again);
}

static const char whole_document[] =
    "<root BTCPP_format='4' main_tree_to_execute='Main'><TreeNodesModel><SubTree ID='S'>"
    "<input_port name='n' type='int' default='6'>how many &lt; 9</input_port>"
    "<output_port name='o' default='{result}'/></SubTree><Action ID='Say'/></TreeNodesModel>" TREE(
        "Main", "<Sequence name='all &amp; more'><SubTree ID='S' name='one' _autoremap='true'/>"
                "<Action ID='Say' message='{result}' _skipIf='n &lt; 3 &amp;&amp; n > 1'/>"
                "<Script code=\"n := 1; result := 'x'\"/><SubTree ID='S' n='7' o='{@result}'/>"
                "<Parallel success_count='1' failure_count='2'><TestA/><TestB/></Parallel>"
                "<LoopInt queue='1;2' value='{v}'><Number value='{v}'/></LoopInt>"
                "<Switch2 variable='{v}' case_1='1' case_2='2'><TestA/><TestB/><TestC/></Switch2>"
                "<SetBlackboard value='{n}' output_key='m'/><UnsetBlackboard key='m'/></Sequence>")
        TREE("S",
             "<Sequence><Number value='{n}'/><Script code=\"o := 'done'\"/></Sequence>") "</root>";

TEST(a_file_without_a_first_sign_is_read_as_its_name_says) {
    static const struct {
        const char *name, *text, *expected;
    } rows[] = {
        {"a.json", "", "a value"},
        {"a.json", "\n?", "a value"},
        {"a.xml", " ", "'<'"},
        {"a", "", "'<'"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_env env = ploy_env_default();
        ploy_bt_file_def def = ploy_bt_file_def_default();
        ploy_diags *diags = NULL;
        ploy_bt_file *file = NULL;
        t->row = rows[i].name;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_bt_file_load(rows[i].text, strlen(rows[i].text), rows[i].name, &def, &env,
                                    diags, &file),
                  PLOY_ERR_FORMAT);
        CHECK_TEXT(ploy_diags_get(diags, 0)->expected, rows[i].expected);
        ploy_diags_destroy(diags);
    }
}

TEST(xml_and_json_hold_the_same) {
    words w;
    words_init(&w);
    ploy_env env = ploy_env_default();
    ploy_bt_file_def def = words_def(&w);
    ploy_bt_file *file = NULL;
    CHECK_OK(
        ploy_bt_file_load(whole_document, strlen(whole_document), "a", &def, &env, NULL, &file));
    check_forms(t, file, &def);
    ploy_bt_file_destroy(file);
}

// A leaf may have a name in JSON that no XML element can have.
TEST(names_that_no_element_can_have_go_into_attributes) {
    static const char *const names[] = {"Le`f", "go home", "1st", "a^b", "x:y", "-", "ok-1.2_b"};
    words w;
    words_init(&w);
    ploy_env env = ploy_env_default();
    ploy_bt_file_def def = words_def(&w);
    def.find = any_leaf;
    def.find_user = &w.table[0];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        char text[160];
        snprintf(
            text, sizeof text,
            "{\"format\": \"ploy.bt\", \"trees\": [{\"id\": \"A\", \"root\": {\"type\": \"%s\"}}]}",
            names[i]);
        ploy_bt_file *file = NULL;
        CHECK_OK(ploy_bt_file_load(text, strlen(text), "a", &def, &env, NULL, &file));
        check_forms(t, file, &def);
        ploy_bt_file_destroy(file);
    }
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    const words *w = arg;
    folder self = {0};
    ploy_bt_file_def def = words_def(w);
    def.read = folder_read;
    def.read_user = &self;
    ploy_bt_file *file = NULL;
    static const char including[] =
        ROOT("<include path='sub/b.xml'/>" TREE("A", "<SubTree ID='B'/>"));
    ploy_result result =
        ploy_bt_file_load(whole_document, strlen(whole_document), "a", &def, env, NULL, &file);
    ploy_bt_file_destroy(file);
    if (result != PLOY_OK) return result;
    result = ploy_bt_file_load(including, strlen(including), "trees/a.xml", &def, env, NULL, &file);
    ploy_bt_file_destroy(file);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    words w;
    words_init(&w);
    CHECK_FAIL_NTH(load_body, &w);
}

TEST(bad_arguments_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_bt_file_def def = ploy_bt_file_def_default(), zero;
    memset(&zero, 0, sizeof zero);
    ploy_bt_file *file = NULL;
    static const char text[] = MAIN("<AlwaysSuccess/>");
    size_t size = strlen(text);
    CHECK_INT(ploy_bt_file_load(text, size, "a", &zero, &env, NULL, &file), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_file_load(text, size, "a", NULL, &env, NULL, &file), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_file_load(text, size, NULL, &def, &env, NULL, &file), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_file_load(NULL, size, "a", &def, &env, NULL, &file), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_file_load(text, size, "a", &def, &env, NULL, NULL), PLOY_ERR_ARGUMENT);
    def.leaf_count = 1;
    CHECK_INT(ploy_bt_file_load(text, size, "a", &def, &env, NULL, &file), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_bt_file_fields(), NULL));
}

TEST(deep_documents_are_refused_and_long_ones_are_not) {
    ploy_env env = ploy_env_default();
    ploy_bt_file_def def = ploy_bt_file_def_default();
    ploy_bt_file *file = NULL;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_write_text(&writer, "<root><BehaviorTree>");
    for (int32_t i = 0; i < 5000; i++) ploy_write_text(&writer, "<Inverter>");
    CHECK(ploy_bt_file_load(text.bytes, text.size, "a", &def, &env, NULL, &file) < 0);
    // A chain of trees: longer than any stack would like, and too deep as one tree.
    ploy_buffer_clear(&text);
    ploy_write_text(&writer, "<root>");
    for (int32_t i = 0; i < 400; i++) {
        char tree[128];
        snprintf(tree, sizeof tree, "<BehaviorTree ID='t%d'><SubTree ID='t%d'/></BehaviorTree>", i,
                 i + 1);
        ploy_write_text(&writer, tree);
    }
    ploy_write_text(&writer, "<BehaviorTree ID='t400'><AlwaysSuccess/></BehaviorTree></root>");
    CHECK_INT(ploy_bt_file_load(text.bytes, text.size, "a", &def, &env, NULL, &file),
              PLOY_ERR_LIMIT);
    ploy_buffer_fini(&text);
}

// ---- published documents ----

// "ticks(TestA)=1" and the like against what happened.
static void check_expectation(test_context *t, const char *part, const ran *r, const counted *all,
                              const ploy_blackboard *board) {
    char name[64], value[64], number[80];
    if (sscanf(part, " status=%63s", value) == 1) {
        CHECK_TEXT(status_of(r), value);
    } else if (sscanf(part, " load=%63s", value) == 1) {
        CHECK_TEXT(r->loaded ? "ok" : "error", value);
    } else if (sscanf(part, " tick=%63s", value) == 1) {
        CHECK_TEXT(status_of(r), value);
    } else if (sscanf(part, " ticks(Test%63[A-F])=%63s", name, value) == 2) {
        CHECK_INT(all->ticks[name[0] - 'A'], atoi(value));
    } else if (sscanf(part, " bb(%63[A-Z])=%63s", name, value) == 2) {
        CHECK(board != NULL);
        CHECK_TEXT(key_of(board, name, number), value);
    } else {
        CHECK_TEXT(part, "an expectation that is known");
    }
}

static char *read_data(const char *folder_name, const char *name, size_t *size) {
    char path[512];
    if (test_data_dir() == NULL) return NULL;
    snprintf(path, sizeof path, "%s/behavior_trees/%s/%s", test_data_dir(), folder_name, name);
    return test_read_file(path, size);
}

TEST(published_trees_come_to_their_published_results) {
    size_t size = 0;
    char *table = read_data("btcpp", "expected.tsv", &size);
    if (table == NULL) {
        test_skip(t, "the outside data is not there");
        return;
    }
    int32_t files = 0;
    for (char *line = strtok(table, "\n"), *next; line != NULL; line = next) {
        next = strtok(NULL, "\n");
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || tab == NULL) continue;
        *tab = 0;
        t->row = line;
        words w;
        words_init(&w);
        ploy_bt_file_def def = words_def(&w);
        ploy_bt_file *file = NULL;
        ploy_blackboard *board = NULL;
        char *text = read_data("btcpp", line, &size);
        CHECK(text != NULL);
        ran r = run_text(t, text, size, line, &def, &file, &board);
        for (char *part = tab + 1; part != NULL;) {
            char *end = strchr(part, ';');
            if (end != NULL) *end = 0;
            check_expectation(t, part, &r, &w.all, board);
            part = end != NULL ? end + 1 : NULL;
        }
        ploy_blackboard_destroy(board);
        ploy_bt_file_destroy(file);
        free(text);
        files++;
    }
    CHECK(files >= 36);
    free(table);
}

TEST(published_trees_load_or_say_why_not) {
    static const char *const nav2[] = {"follow_point.xml",
                                       "navigate_on_route_graph_w_recovery.xml",
                                       "navigate_to_pose_w_bounds_check.xml",
                                       "navigate_w_replanning_distance.xml",
                                       "navigate_w_replanning_time.xml",
                                       "odometry_calibration.xml"};
    size_t size = 0;
    char *table = read_data("btcpp", "index.tsv", &size);
    if (table == NULL) {
        test_skip(t, "the outside data is not there");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_bt_leaf leaf = {.name = "any", .step = count_step};
    ploy_bt_file_leaf any = {&leaf, NULL, true};
    int32_t loaded = 0;
    size_t at = 0;
    for (char *line = strtok(table, "\n"); line != NULL || at < COUNT_OF(nav2);) {
        const char *name = line != NULL ? line : nav2[at++];
        char *tab = line != NULL ? strchr(line, '\t') : NULL;
        if (tab != NULL) *tab = 0;
        bool btcpp = line != NULL, comment = name[0] == '#';
        if (line != NULL) line = strtok(NULL, "\n");
        t->row = name;
        char *text = comment ? NULL : read_data(btcpp ? "btcpp" : "nav2", name, &size);
        // Once with leaves for everything, once with none: what is unknown is told.
        for (int32_t known = 0; known < 2 && text != NULL; known++) {
            ploy_bt_file_def def = ploy_bt_file_def_default();
            def.relaxed = true;
            def.find = known == 1 ? any_leaf : NULL;
            def.find_user = &any;
            ploy_diags *diags = NULL;
            ploy_bt_file *file = NULL;
            CHECK_OK(ploy_diags_create(8, &env, &diags));
            ploy_result result = ploy_bt_file_load(text, size, name, &def, &env, diags, &file);
            CHECK((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
            if (result == PLOY_OK) check_forms(t, file, &def);
            loaded += result == PLOY_OK ? known : 0;
            ploy_bt_file_destroy(file);
            ploy_diags_destroy(diags);
        }
        free(text);
    }
    CHECK(loaded > 110);
    free(table);
}
