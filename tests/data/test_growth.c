// Readers of text on inputs that grow: twice the input must take about twice the work.
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
#include "tests/data/growth.h"

GROWTH_READER(growth_json, ploy_json,
              ploy_json_load(in->bytes, in->size, "growth", NULL, env, diags, &made),
              ploy_json_destroy)
GROWTH_READER(growth_scxml, ploy_machine,
              ploy_machine_load_scxml(in->bytes, in->size, "growth", env, diags, &made),
              ploy_machine_destroy)
// From the text to the statechart that runs.
static ploy_result growth_chart(const ploy_buffer *in, int32_t count, const ploy_env *env,
                                ploy_diags *diags) {
    (void)count;
    ploy_machine *machine = NULL;
    ploy_hsm_type *type = NULL;
    ploy_result result =
        ploy_machine_load_scxml(in->bytes, in->size, "growth", env, diags, &machine);
    if (result == PLOY_OK) result = ploy_machine_build(machine, NULL, NULL, env, diags, &type);
    ploy_hsm_type_destroy(type);
    ploy_machine_destroy(machine);
    return result;
}

// The same of a flat machine in JSON.
static ploy_result growth_flat(const ploy_buffer *in, int32_t count, const ploy_env *env,
                               ploy_diags *diags) {
    (void)count;
    ploy_machine *machine = NULL;
    ploy_fsm_type *type = NULL;
    ploy_result result =
        ploy_machine_load_json(in->bytes, in->size, "growth", env, diags, &machine);
    if (result == PLOY_OK) result = ploy_machine_build_fsm(machine, NULL, NULL, env, diags, &type);
    ploy_fsm_type_destroy(type);
    ploy_machine_destroy(machine);
    return result;
}

GROWTH_READER(growth_fll, ploy_fuzzy_type,
              ploy_fll_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_fuzzy_type_destroy)
GROWTH_READER(growth_obj, ploy_obj,
              ploy_obj_load(in->bytes, in->size, PLOY_AXES_Y_UP_RIGHT, "growth", env, diags, &made),
              ploy_obj_destroy)
GROWTH_READER(growth_map, ploy_tiles,
              ploy_movingai_load_map(in->bytes, in->size, "growth", env, diags, &made),
              ploy_tiles_destroy)
GROWTH_READER(growth_scen, ploy_movingai_scenario,
              ploy_movingai_load_scenario(in->bytes, in->size, "growth", env, diags, &made),
              ploy_movingai_scenario_destroy)
GROWTH_READER(growth_expression, ploy_expression,
              ploy_expression_create(ploy_buffer_text(in), "growth", 1, 1, NULL, 0, env, diags,
                                     &made),
              ploy_expression_destroy)
GROWTH_READER(growth_graph, ploy_graph,
              ploy_graph_load(in->bytes, in->size, "growth", env, diags, &made), ploy_graph_destroy)
GROWTH_READER(growth_network, ploy_network,
              ploy_network_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_network_destroy)

static ploy_result growth_xml(const ploy_buffer *in, int32_t count, const ploy_env *env,
                              ploy_diags *diags) {
    (void)count;
    ploy_xml_def def = ploy_xml_def_default();
    ploy_xml *made = NULL;
    ploy_result result = ploy_xml_load(in->bytes, in->size, "growth", &def, env, diags, &made);
    ploy_xml_destroy(made);
    return result;
}

static ploy_result growth_tree(const ploy_buffer *in, int32_t count, const ploy_env *env,
                               ploy_diags *diags) {
    (void)count;
    ploy_bt_file_def def = ploy_bt_file_def_default();
    ploy_bt_file *made = NULL;
    ploy_result result = ploy_bt_file_load(in->bytes, in->size, "growth", &def, env, diags, &made);
    ploy_bt_file_destroy(made);
    return result;
}

static ploy_result growth_clips_with(const ploy_buffer *in, bool lint, const ploy_env *env,
                                     ploy_diags *diags) {
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    ploy_result result = ploy_clips_create(&def, env, &clips);
    if (result == PLOY_OK)
        result = ploy_clips_load(clips, ploy_buffer_text(in), in->size, "growth", diags);
    if (result == PLOY_OK) result = ploy_clips_reset(clips);
    if (result == PLOY_OK && lint) (void)ploy_clips_lint(clips, diags);
    ploy_clips_destroy(clips);
    return result;
}

static ploy_result growth_clips(const ploy_buffer *in, int32_t count, const ploy_env *env,
                                ploy_diags *diags) {
    (void)count;
    return growth_clips_with(in, false, env, diags);
}

static ploy_result growth_clips_lint(const ploy_buffer *in, int32_t count, const ploy_env *env,
                                     ploy_diags *diags) {
    (void)count;
    return growth_clips_with(in, true, env, diags);
}

static ploy_result growth_pddl(const ploy_buffer *in, int32_t count, const ploy_env *env,
                               ploy_diags *diags) {
    (void)count;
    static const char domain[] = "(define (domain d) (:predicates (p)) (:action a :parameters () "
                                 ":precondition () :effect (p)))";
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_pddl_text first = {domain, sizeof domain - 1, "domain"};
    ploy_pddl_text second = {in->bytes, in->size, "problem"};
    ploy_pddl *pddl = NULL;
    ploy_result result = ploy_pddl_load(&def, first, second, env, diags, &pddl);
    ploy_pddl_destroy(pddl);
    return result;
}

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
    {"JSON numbers", growth_json, 2000, "[", "%,", "0]", "", "", NULL, PLOY_OK},
    {"JSON texts", growth_json, 2000, "[", "\"text %\",", "0]", "", "", NULL, PLOY_OK},
    {"JSON escapes", growth_json, 4000, "\"", "\\u00e9\\n", "\"", "", "", NULL, PLOY_OK},
    {"JSON keys", growth_json, 2000, "{", "\"k%\":1,", "\"z\":0}", "", "", NULL, PLOY_OK},
    {"JSON keys with one beginning", growth_json, 2000, "{", "\"a_long_common_beginning_%\":1,",
     "\"z\":0}", "", "", NULL, PLOY_OK},
    {"JSON one key again and again", growth_json, 2000, "{", "\"k\":1,", "\"z\":0}", "", "", NULL,
     PLOY_ERR_FORMAT},
    {"JSON objects in a list", growth_json, 1000, "[", "{\"a\":%,\"b\":[1,2]},", "0]", "", "", NULL,
     PLOY_OK},
    {"JSON nesting", growth_json, 2000, "", "[", "", "]", "", NULL, PLOY_ERR_LIMIT},
    {"JSON nesting without an end", growth_json, 2000, "", "{\"a\":", "", "", "", NULL,
     PLOY_ERR_LIMIT},
    {"JSON blanks", growth_json, 10000, "[", " \n", "]", "", "", NULL, PLOY_OK},
    {"JSON long number", growth_json, 10000, "[1", "0", "]", "", "", NULL, PLOY_OK},
    {"XML children", growth_xml, 2000, "<r>", "<a/>", "</r>", "", "", NULL, PLOY_OK},
    {"XML nesting", growth_xml, 2000, "", "<a>", "", "</a>", "", NULL, PLOY_ERR_LIMIT},
    {"XML nesting without an end", growth_xml, 2000, "", "<a>", "", "", "", NULL, PLOY_ERR_LIMIT},
    {"XML attributes", growth_xml, 1000, "<r ", "a%='1' ", "/>", "", "", NULL, PLOY_ERR_LIMIT},
    {"XML one attribute again and again", growth_xml, 1000, "<r ", "a='1' ", "/>", "", "", NULL,
     PLOY_ERR_FORMAT},
    {"XML entities", growth_xml, 4000, "<r>", "&amp;&#65;", "</r>", "", "", NULL, PLOY_OK},
    {"XML comments", growth_xml, 2000, "<r>", "<!-- c % -->", "</r>", "", "", NULL, PLOY_OK},
    {"XML names", growth_xml, 2000, "<r>", "<n%>x</n%>", "</r>", "", "", NULL, PLOY_OK},
    {"XML dashes in a comment", growth_xml, 10000, "<r><!--", "- ", "--></r>", "", "", NULL,
     PLOY_OK},
    {"rules", growth_clips, 200, "", "(defrule r% (a %) => (assert (b %)))\n", "", "", "", NULL,
     PLOY_OK},
    {"rules that begin alike", growth_clips, 200, "", "(defrule r% (a) (b %) => )\n", "", "", "",
     NULL, PLOY_OK},
    {"rules that wait for absence", growth_clips, 100, "",
     "(defrule r% (a ?x) (not (b ?x %)) =>)\n", "", "", "", NULL, PLOY_OK},
    {"patterns of a rule", growth_clips, 50, "(defrule r ", "(a% ?x%) ", "=>)", "", "", NULL,
     PLOY_OK},
    {"actions of a rule", growth_clips, 1000, "(defrule r (a) => ", "(assert (b %)) ", ")", "", "",
     NULL, PLOY_OK},
    {"facts", growth_clips, 1000, "(deffacts f ", "(a % b) ", ")", "", "", NULL, PLOY_OK},
    {"groups of facts", growth_clips, 500, "", "(deffacts f% (a %))\n", "", "", "", NULL, PLOY_OK},
    {"map rows", growth_map, 2000, "type octile\nheight @\nwidth 2\nmap\n", "..\n", "", "", "",
     NULL, PLOY_OK},
    {"equal facts", growth_clips, 1000, "(deffacts f ", "(a b) ", ")", "", "", NULL, PLOY_OK},
    {"slots", growth_clips, 200, "(deftemplate t ", "(slot s%) ", ")", "", "", NULL, PLOY_OK},
    {"templates", growth_clips, 500, "", "(deftemplate t% (slot s))\n", "", "", "", NULL, PLOY_OK},
    {"globals", growth_clips, 500, "(defglobal ", "?*g%* = % ", ")", "", "", NULL, PLOY_OK},
    {"functions", growth_clips, 500, "", "(deffunction f% (?x) (+ ?x %))\n", "", "", "", NULL,
     PLOY_OK},
    {"sums in sums", growth_clips, 40, "(defglobal ?*g* = ", "(+ 1 ", "1", ")", ")", NULL, PLOY_OK},
    {"brackets without an end", growth_clips, 2000, "", "(", "", "", "", NULL, PLOY_ERR_FORMAT},
    {"comments of rules", growth_clips, 2000, "", "; c %\n", "", "", "", NULL, PLOY_OK},
    {"text of rules", growth_clips, 10000, "(deffacts f (a \"", "ab", "\"))", "", "", NULL,
     PLOY_OK},
    {"linted rules", growth_clips_lint, 200, "", "(defrule r% (a %) => (assert (b %)))\n", "", "",
     "", NULL, PLOY_OK},
    {"linted rules over one fact", growth_clips_lint, 200, "",
     "(defrule r% (a ?x) => (assert (b ?x)))\n", "", "", "", NULL, PLOY_OK},
    {"linted chain", growth_clips_lint, 200, "", "(defrule r% (a%) => (assert (b%)))\n", "", "", "",
     NULL, PLOY_OK},
    {"states", growth_scxml, 500, GROWTH_SCXML_HEAD, "<state id='s%'/>", "</scxml>", "", "", NULL,
     PLOY_OK},
    {"states with transitions", growth_scxml, 250, GROWTH_SCXML_HEAD,
     "<state id='s%'><transition event='e%' target='s%'/></state>", "</scxml>", "", "", NULL,
     PLOY_OK},
    {"transitions of a state", growth_scxml, 250, GROWTH_SCXML_HEAD "<state id='s'>",
     "<transition event='e%' target='s'/>", "</state></scxml>", "", "", NULL, PLOY_OK},
    {"targets of a transition", growth_scxml, 250, GROWTH_SCXML_HEAD "<parallel id='p'>",
     "<state id='s%'/>", "</parallel><state id='x'><transition target='", "s% ",
     "'/></state></scxml>", NULL, PLOY_OK},
    {"targets of an initial transition", growth_scxml, 250,
     GROWTH_SCXML_HEAD "<state id='x'><parallel id='p'>", "<state id='s%'/>",
     "</parallel><initial><transition target='", "s% ", "'/></initial></state></scxml>", NULL,
     PLOY_OK},
    {"charts of many states", growth_chart, 250, GROWTH_SCXML_HEAD,
     "<state id='s%'><transition event='e%' target='s%'/></state>", "</scxml>", "", "", NULL,
     PLOY_OK},
    {"charts of many regions", growth_chart, 100, GROWTH_SCXML_HEAD "<parallel id='p'>",
     "<state id='s%'><transition event='e%'/></state>", "</parallel></scxml>", "", "", NULL,
     PLOY_OK},
    {"charts with many targets", growth_chart, 100, GROWTH_SCXML_HEAD "<parallel id='p'>",
     "<state id='s%'/>", "</parallel><state id='x'><transition target='", "s% ",
     "'/></state></scxml>", NULL, PLOY_OK},
    {"flat machines of many states", growth_flat, 250, "{\"initial\":\"z\",\"states\":[",
     "{\"id\":\"s%\",\"rules\":[{\"on\":\"e%\",\"to\":\"z\"}]},", "{\"id\":\"z\"}]}", "", "", NULL,
     PLOY_OK},
    {"flat machines of many rules", growth_flat, 250,
     "{\"initial\":\"z\",\"states\":[{\"id\":\"z\",\"rules\":[",
     "{\"id\":\"r%\",\"on\":\"e%\",\"to\":\"z\"},", "{\"id\":\"last\",\"to\":\"z\"}]}]}", "", "",
     NULL, PLOY_OK},
    {"terms", growth_fll, 250, GROWTH_FLL_HEAD, "  term: t% Triangle 0 0.5 1\n",
     GROWTH_FLL_OUT "  rule: if x is t then y is t\n", "", "", NULL, PLOY_OK},
    {"inputs", growth_fll, 250, "Engine: e\n",
     "InputVariable: x%\n  enabled: true\n  range: 0 1\n  term: t Triangle 0 0.5 1\n",
     GROWTH_FLL_OUT "  rule: if x1 is t then y is t\n", "", "", NULL, PLOY_OK},
    {"fuzzy rules", growth_fll, 250, GROWTH_FLL_HEAD GROWTH_FLL_OUT,
     "  rule: if x is t then y is t\n", "", "", "", NULL, PLOY_OK},
    {"vertices", growth_obj, 2000, "", "v % 0 %\n", "", "", "", NULL, PLOY_ERR_FORMAT},
    {"faces", growth_obj, 2000, "v 0 0 0\nv 1 0 0\nv 0 0 1\n", "f 1 2 3\n", "", "", "", NULL,
     PLOY_OK},
    {"corners of a face", growth_obj, 500, "v 0 0 0\nv 1 0 0\nv 0 0 1\nf", " 1 2 3", "\n", "", "",
     NULL, PLOY_OK},
    {"scenario", growth_scen, 1000, "version 1\n", "0\ta.map\t9\t9\t1\t1\t2\t2\t1.41421356\n", "",
     "", "", NULL, PLOY_OK},
    {"leaves of a tree", growth_tree, 500, GROWTH_BT_HEAD "<Sequence>", "<AlwaysSuccess/>",
     "</Sequence>" GROWTH_BT_TAIL, "", "", NULL, PLOY_OK},
    {"a tree that is a line", growth_tree, 60, GROWTH_BT_HEAD, "<Inverter>", "<AlwaysSuccess/>",
     "</Inverter>", GROWTH_BT_TAIL, NULL, PLOY_OK},
    {"trees", growth_tree, 250, "<root BTCPP_format=\"4\">",
     "<BehaviorTree ID=\"t%\"><AlwaysSuccess/></BehaviorTree>", "</root>", "", "", NULL, PLOY_OK},
    {"scripts of a tree", growth_tree, 250, GROWTH_BT_HEAD "<Sequence>", "<Script code=\"v%:=%\"/>",
     "</Sequence>" GROWTH_BT_TAIL, "", "", NULL, PLOY_OK},
    {"objects of a problem", growth_pddl, 250, "(define (problem p) (:domain d) (:objects ", "o% ",
     ") (:init) (:goal (p)))", "", "", NULL, PLOY_OK},
    {"sums", growth_expression, 500, "1", "+%", "", "", "", NULL, PLOY_ERR_LIMIT},
    {"brackets of a sum", growth_expression, 15, "", "(", "1", ")", "", NULL, PLOY_OK},
    {"lines that are no graph", growth_graph, 2000, "", "node %\n", "", "", "", NULL,
     PLOY_ERR_FORMAT},
    {"lines that are no network", growth_network, 2000, "", "waypoint %\n", "", "", "", NULL,
     PLOY_ERR_FORMAT},
};

TEST(readers_of_text_work_in_proportion_to_their_input) {
    growth_check(t, growth_shapes, COUNT_OF(growth_shapes));
}
