// Readers on inputs that grow: twice the input must take about twice the work.
//
// Each shape is written in sizes n, 2n and 4n. What a reader allocates is counted, and the time that
// it computes is compared as a ratio: four times the input may take ten times as long at the most
// (quadratic work takes sixteen times), and a shape fails only if it does so in every try.
#include "ploy/data/bt_file.h"
#include "ploy/data/clips.h"
#include "ploy/data/fuzzy_file.h"
#include "ploy/data/machine.h"
#include "ploy/data/movingai.h"
#include "ploy/data/obj.h"
#include "ploy/data/pddl.h"
#include "ploy/data/xml.h"
#include "ploy/decide/expression.h"
#include "ploy/path/graph_text.h"
#include "ploy/path/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/test.h"

typedef enum growth_reader {
    GROWTH_JSON,
    GROWTH_XML,
    GROWTH_CLIPS,
    GROWTH_CLIPS_LINT,
    GROWTH_SCXML,
    GROWTH_FLL,
    GROWTH_OBJ,
    GROWTH_MAP,
    GROWTH_SCEN,
    GROWTH_TREE,
    GROWTH_PDDL,
    GROWTH_EXPRESSION,
    GROWTH_GRAPH,
    GROWTH_NETWORK
} growth_reader;

// The head, the unit many times (% is its number), the middle, the close as many times, the tail.
typedef struct growth_shape {
    const char *row;
    growth_reader reader;
    int32_t count; // n
    const char *head, *unit, *middle, *close, *tail;
} growth_shape;

#define GROWTH_BT_HEAD "<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\">"
#define GROWTH_BT_TAIL "</BehaviorTree></root>"
#define GROWTH_SCXML_HEAD "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">"
#define GROWTH_FLL_HEAD \
    "Engine: e\nInputVariable: x\n  enabled: true\n  range: 0 1\n  term: t Triangle 0 0.5 1\n"
#define GROWTH_FLL_OUT                                                           \
    "OutputVariable: y\n  enabled: true\n  range: 0 1\n  aggregation: Maximum\n" \
    "  defuzzifier: Centroid 100\n  term: t Triangle 0 0.5 1\n"                  \
    "RuleBlock: r\n  enabled: true\n  conjunction: Minimum\n  implication: Minimum\n"

static const growth_shape growth_shapes[] = {
    {"JSON numbers", GROWTH_JSON, 4000, "[", "%,", "0]", "", ""},
    {"JSON texts", GROWTH_JSON, 4000, "[", "\"text %\",", "0]", "", ""},
    {"JSON escapes", GROWTH_JSON, 8000, "\"", "\\u00e9\\n", "\"", "", ""},
    {"JSON keys", GROWTH_JSON, 4000, "{", "\"k%\":1,", "\"z\":0}", "", ""},
    {"JSON keys with one beginning", GROWTH_JSON, 4000, "{", "\"a_long_common_beginning_%\":1,",
     "\"z\":0}", "", ""},
    {"JSON one key again and again", GROWTH_JSON, 4000, "{", "\"k\":1,", "\"z\":0}", "", ""},
    {"JSON objects in a list", GROWTH_JSON, 2000, "[", "{\"a\":%,\"b\":[1,2]},", "0]", "", ""},
    {"JSON nesting", GROWTH_JSON, 4000, "", "[", "", "]", ""},
    {"JSON nesting without an end", GROWTH_JSON, 4000, "", "{\"a\":", "", "", ""},
    {"JSON blanks", GROWTH_JSON, 20000, "[", " \n", "]", "", ""},
    {"JSON long number", GROWTH_JSON, 20000, "[1", "0", "]", "", ""},
    {"XML children", GROWTH_XML, 4000, "<r>", "<a/>", "</r>", "", ""},
    {"XML nesting", GROWTH_XML, 4000, "", "<a>", "", "</a>", ""},
    {"XML nesting without an end", GROWTH_XML, 4000, "", "<a>", "", "", ""},
    {"XML attributes", GROWTH_XML, 2000, "<r ", "a%='1' ", "/>", "", ""},
    {"XML one attribute again and again", GROWTH_XML, 2000, "<r ", "a='1' ", "/>", "", ""},
    {"XML entities", GROWTH_XML, 8000, "<r>", "&amp;&#65;", "</r>", "", ""},
    {"XML comments", GROWTH_XML, 4000, "<r>", "<!-- c % -->", "</r>", "", ""},
    {"XML names", GROWTH_XML, 4000, "<r>", "<n%>x</n%>", "</r>", "", ""},
    {"XML dashes in a comment", GROWTH_XML, 20000, "<r><!--", "- ", "--></r>", "", ""},
    {"rules", GROWTH_CLIPS, 1000, "", "(defrule r% (a %) => (assert (b %)))\n", "", "", ""},
    {"rules that begin alike", GROWTH_CLIPS, 1000, "", "(defrule r% (a) (b %) => )\n", "", "", ""},
    {"rules that wait for absence", GROWTH_CLIPS, 500, "",
     "(defrule r% (a ?x) (not (b ?x %)) =>)\n", "", "", ""},
    {"patterns of a rule", GROWTH_CLIPS, 200, "(defrule r ", "(a% ?x%) ", "=>)", "", ""},
    {"actions of a rule", GROWTH_CLIPS, 2000, "(defrule r (a) => ", "(assert (b %)) ", ")", "", ""},
    {"facts", GROWTH_CLIPS, 2000, "(deffacts f ", "(a % b) ", ")", "", ""},
    {"groups of facts", GROWTH_CLIPS, 1000, "", "(deffacts f% (a %))\n", "", "", ""},
    {"map rows", GROWTH_MAP, 4000, "type octile\nheight 4000\nwidth 2\nmap\n", "..\n", "", "", ""},
    {"equal facts", GROWTH_CLIPS, 2000, "(deffacts f ", "(a b) ", ")", "", ""},
    {"slots", GROWTH_CLIPS, 300, "(deftemplate t ", "(slot s%) ", ")", "", ""},
    {"templates", GROWTH_CLIPS, 1000, "", "(deftemplate t% (slot s))\n", "", "", ""},
    {"globals", GROWTH_CLIPS, 1000, "(defglobal ", "?*g%* = % ", ")", "", ""},
    {"functions", GROWTH_CLIPS, 1000, "", "(deffunction f% (?x) (+ ?x %))\n", "", "", ""},
    {"sums in sums", GROWTH_CLIPS, 100, "(defglobal ?*g* = ", "(+ 1 ", "1", ")", ")"},
    {"brackets without an end", GROWTH_CLIPS, 4000, "", "(", "", "", ""},
    {"comments of rules", GROWTH_CLIPS, 4000, "", "; c %\n", "", "", ""},
    {"text of rules", GROWTH_CLIPS, 20000, "(deffacts f (a \"", "ab", "\"))", "", ""},
    {"linted rules", GROWTH_CLIPS_LINT, 1000, "", "(defrule r% (a %) => (assert (b %)))\n", "", "",
     ""},
    {"linted rules over one fact", GROWTH_CLIPS_LINT, 1000, "",
     "(defrule r% (a ?x) => (assert (b ?x)))\n", "", "", ""},
    {"linted chain", GROWTH_CLIPS_LINT, 1000, "", "(defrule r% (a%) => (assert (b%)))\n", "", "",
     ""},
    {"states", GROWTH_SCXML, 500, GROWTH_SCXML_HEAD, "<state id='s%'/>", "</scxml>", "", ""},
    {"states with transitions", GROWTH_SCXML, 500, GROWTH_SCXML_HEAD,
     "<state id='s%'><transition event='e%' target='s%'/></state>", "</scxml>", "", ""},
    {"transitions of a state", GROWTH_SCXML, 500, GROWTH_SCXML_HEAD "<state id='s'>",
     "<transition event='e%' target='s'/>", "</state></scxml>", "", ""},
    {"terms", GROWTH_FLL, 500, GROWTH_FLL_HEAD, "  term: t% Triangle 0 0.5 1\n",
     GROWTH_FLL_OUT "  rule: if x is t then y is t\n", "", ""},
    {"fuzzy rules", GROWTH_FLL, 500, GROWTH_FLL_HEAD GROWTH_FLL_OUT,
     "  rule: if x is t then y is t\n", "", "", ""},
    {"vertices", GROWTH_OBJ, 4000, "", "v % 0 %\n", "", "", ""},
    {"faces", GROWTH_OBJ, 4000, "v 0 0 0\nv 1 0 0\nv 0 0 1\n", "f 1 2 3\n", "", "", ""},
    {"corners of a face", GROWTH_OBJ, 1000, "v 0 0 0\nv 1 0 0\nv 0 0 1\nf", " 1 2 3", "\n", "", ""},
    {"scenario", GROWTH_SCEN, 2000, "version 1\n", "0\ta.map\t9\t9\t1\t1\t2\t2\t1.41421356\n", "",
     "", ""},
    {"leaves of a tree", GROWTH_TREE, 1000, GROWTH_BT_HEAD "<Sequence>", "<AlwaysSuccess/>",
     "</Sequence>" GROWTH_BT_TAIL, "", ""},
    {"a tree that is a line", GROWTH_TREE, 60, GROWTH_BT_HEAD, "<Inverter>", "<AlwaysSuccess/>",
     "</Inverter>", GROWTH_BT_TAIL},
    {"trees", GROWTH_TREE, 500, "<root BTCPP_format=\"4\">",
     "<BehaviorTree ID=\"t%\"><AlwaysSuccess/></BehaviorTree>", "</root>", "", ""},
    {"scripts of a tree", GROWTH_TREE, 500, GROWTH_BT_HEAD "<Sequence>", "<Script code=\"v%:=%\"/>",
     "</Sequence>" GROWTH_BT_TAIL, "", ""},
    {"objects of a problem", GROWTH_PDDL, 500, "(define (problem p) (:domain d) (:objects ", "o% ",
     ") (:init) (:goal (p)))", "", ""},
    {"sums", GROWTH_EXPRESSION, 500, "1", "+%", "", "", ""},
    {"brackets of a sum", GROWTH_EXPRESSION, 30, "", "(", "1", ")", ""},
    {"lines that are no graph", GROWTH_GRAPH, 4000, "", "node %\n", "", "", ""},
    {"lines that are no network", GROWTH_NETWORK, 4000, "", "waypoint %\n", "", "", ""},
};

// ---- writing ----

static void growth_put(ploy_buffer *out, const char *text, int32_t number) {
    ploy_writer writer = ploy_buffer_writer(out);
    for (; *text != '\0'; text++) {
        if (*text == '%') {
            ploy_write_i64(&writer, number);
        } else {
            ploy_write_char(&writer, *text);
        }
    }
}

static ploy_buffer growth_text(const growth_shape *shape, int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_buffer out;
    ploy_buffer_init(&out, 0, &env);
    growth_put(&out, shape->head, 0);
    for (int32_t i = 0; i < count; i++) growth_put(&out, shape->unit, i);
    growth_put(&out, shape->middle, 0);
    for (int32_t i = 0; i < count && shape->close[0] != '\0'; i++)
        growth_put(&out, shape->close, i);
    growth_put(&out, shape->tail, 0);
    return out;
}

// ---- reading ----

static void growth_clips(const ploy_buffer *text, bool lint, const ploy_env *env,
                         ploy_diags *diags) {
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    if (ploy_clips_create(&def, env, &clips) != PLOY_OK) return;
    (void)ploy_clips_load(clips, ploy_buffer_text(text), text->size, "growth", diags);
    (void)ploy_clips_reset(clips);
    if (lint) (void)ploy_clips_lint(clips, diags);
    ploy_clips_destroy(clips);
}

static void growth_pddl(const ploy_buffer *text, const ploy_env *env, ploy_diags *diags) {
    static const char domain[] = "(define (domain d) (:predicates (p)) (:action a :parameters () "
                                 ":precondition () :effect (p)))";
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_pddl_text first = {domain, sizeof domain - 1, "domain"};
    ploy_pddl_text second = {text->bytes, text->size, "problem"};
    ploy_pddl *pddl = NULL;
    (void)ploy_pddl_load(&def, first, second, env, diags, &pddl);
    ploy_pddl_destroy(pddl);
}

#define GROWTH_READ(type, load, destroy) \
    do {                                 \
        type *made = NULL;               \
        (void)load;                      \
        destroy(made);                   \
    } while (0)

static void growth_read(growth_reader reader, const ploy_buffer *text, const ploy_env *env,
                        ploy_diags *diags) {
    const void *bytes = text->bytes;
    size_t size = text->size;
    ploy_xml_def xml = ploy_xml_def_default();
    ploy_bt_file_def tree = ploy_bt_file_def_default();
    switch (reader) {
    case GROWTH_JSON:
        GROWTH_READ(ploy_json, ploy_json_load(bytes, size, "growth", NULL, env, diags, &made),
                    ploy_json_destroy);
        break;
    case GROWTH_XML:
        GROWTH_READ(ploy_xml, ploy_xml_load(bytes, size, "growth", &xml, env, diags, &made),
                    ploy_xml_destroy);
        break;
    case GROWTH_CLIPS: growth_clips(text, false, env, diags); break;
    case GROWTH_CLIPS_LINT: growth_clips(text, true, env, diags); break;
    case GROWTH_SCXML:
        GROWTH_READ(ploy_machine, ploy_machine_load_scxml(bytes, size, "growth", env, diags, &made),
                    ploy_machine_destroy);
        break;
    case GROWTH_FLL:
        GROWTH_READ(ploy_fuzzy_type, ploy_fll_load(bytes, size, "growth", env, diags, &made),
                    ploy_fuzzy_type_destroy);
        break;
    case GROWTH_OBJ:
        GROWTH_READ(ploy_obj,
                    ploy_obj_load(bytes, size, PLOY_AXES_Y_UP_RIGHT, "growth", env, diags, &made),
                    ploy_obj_destroy);
        break;
    case GROWTH_MAP:
        GROWTH_READ(ploy_tiles, ploy_movingai_load_map(bytes, size, "growth", env, diags, &made),
                    ploy_tiles_destroy);
        break;
    case GROWTH_SCEN:
        GROWTH_READ(ploy_movingai_scenario,
                    ploy_movingai_load_scenario(bytes, size, "growth", env, diags, &made),
                    ploy_movingai_scenario_destroy);
        break;
    case GROWTH_TREE:
        GROWTH_READ(ploy_bt_file,
                    ploy_bt_file_load(bytes, size, "growth", &tree, env, diags, &made),
                    ploy_bt_file_destroy);
        break;
    case GROWTH_PDDL: growth_pddl(text, env, diags); break;
    case GROWTH_EXPRESSION:
        GROWTH_READ(ploy_expression,
                    ploy_expression_create(ploy_buffer_text(text), "growth", 1, 1, NULL, 0, env,
                                           diags, &made),
                    ploy_expression_destroy);
        break;
    case GROWTH_GRAPH:
        GROWTH_READ(ploy_graph, ploy_graph_load(bytes, size, "growth", env, diags, &made),
                    ploy_graph_destroy);
        break;
    case GROWTH_NETWORK:
        GROWTH_READ(ploy_network, ploy_network_load(bytes, size, "growth", env, diags, &made),
                    ploy_network_destroy);
        break;
    }
}

// ---- measuring ----

// Bytes and calls of an allocator, none of which is ever taken back from the sums.
typedef struct growth_sums {
    ploy_env plain;
    int64_t bytes, calls;
} growth_sums;

static void *growth_resize(void *user, void *block, size_t old_size, size_t new_size) {
    growth_sums *sums = user;
    if (new_size > old_size) sums->bytes += (int64_t)(new_size - old_size);
    sums->calls++;
    return sums->plain.allocator.resize(sums->plain.allocator.user, block, old_size, new_size);
}

// Sanitizers change what allocations cost: only allocations are judged there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { GROWTH_RUNS = 1, GROWTH_ROUNDS = 1 };
static const bool growth_timed = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { GROWTH_RUNS = 1, GROWTH_ROUNDS = 1 };
static const bool growth_timed = false;
#else
enum { GROWTH_RUNS = 3, GROWTH_ROUNDS = 4 };
static const bool growth_timed = true;
#endif
#else
enum { GROWTH_RUNS = 3, GROWTH_ROUNDS = 4 };
static const bool growth_timed = true;
#endif

typedef struct growth_work {
    int64_t bytes, calls;
    double seconds; // of the processor, the least of three
} growth_work;

static growth_work growth_measure(const growth_shape *shape, int32_t count) {
    growth_work work = {0, 0, INFINITY};
    ploy_buffer text = growth_text(shape, count);
    for (int32_t i = 0; i < GROWTH_RUNS; i++) {
        growth_sums sums = {ploy_env_default(), 0, 0};
        ploy_env env = ploy_env_default();
        env.allocator.resize = growth_resize;
        env.allocator.user = &sums;
        ploy_diags *diags = NULL;
        clock_t begin = clock();
        if (ploy_diags_create(8, &env, &diags) != PLOY_OK) break;
        growth_read(shape->reader, &text, &env, diags);
        ploy_diags_destroy(diags);
        double seconds = (double)(clock() - begin) / (double)CLOCKS_PER_SEC;
        if (seconds < work.seconds) work.seconds = seconds;
        work.bytes = sums.bytes;
        work.calls = sums.calls;
    }
    ploy_buffer_fini(&text);
    return work;
}

TEST(readers_take_about_as_long_as_their_input_is) {
    int32_t steep = 0;
    for (size_t i = 0; i < COUNT_OF(growth_shapes); i++) {
        const growth_shape *shape = &growth_shapes[i];
        t->row = shape->row;
        double ratio = 0.0;
        for (int32_t round = 0; round < GROWTH_ROUNDS; round++) {
            growth_work once = growth_measure(shape, shape->count);
            growth_work twice = growth_measure(shape, 2 * shape->count);
            growth_work four = growth_measure(shape, 4 * shape->count);
            // Blocks grow by halves or doubles: what is taken may jump by that.
            CHECK(twice.bytes <= 4 * once.bytes + 65536);
            CHECK(four.bytes <= 8 * once.bytes + 65536);
            CHECK(four.calls <= 8 * once.calls + 64);
            // Too short to be compared: a millisecond more is no quadratic growth.
            ratio = (four.seconds - 1e-3) / (once.seconds > 5e-4 ? once.seconds : 5e-4);
            if (ratio <= 10.0) break;
        }
        if (ratio <= 10.0 || !growth_timed) continue;
        printf("%s: four times the input takes %.1f times as long\n", shape->row, ratio);
        steep++;
    }
    t->row = NULL;
    CHECK_INT(steep, 0);
}
