// Loading a behavior tree of 10,000 nodes from XML, beside what expat alone takes to read it.
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/data/bt_file.h"

#ifdef PLOY_BENCH_EXPAT
#include <expat.h>
#endif

typedef struct load_data {
    ploy_env env;
    ploy_buffer text;
    int32_t nodes; // read in the last pass
} load_data;

static ploy_result load_leaf_step(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_port load_ports[] = {{"target", PLOY_VALUE_F64, false}};
static const ploy_bt_leaf load_leaf = {
    .name = "MoveTo", .step = load_leaf_step, .ports = load_ports, .port_count = 1};

// Groups of ten as people write them: a decorator, sequences, leaves with ports and conditions.
static void load_write(load_data *data, int32_t nodes) {
    ploy_writer writer = ploy_buffer_writer(&data->text);
    ploy_write_text(&writer, "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Main\">\n    "
                             "<Sequence name=\"all\">\n      <Script code=\"speed := 1\"/>\n");
    for (int32_t i = 2; i + 10 <= nodes; i += 10) {
        char group[1024];
        snprintf(group, sizeof group,
                 "      <Fallback name=\"group %d\">\n"
                 "        <Inverter>\n          <AlwaysSuccess name=\"check %d\"/>\n"
                 "        </Inverter>\n"
                 "        <Sequence name=\"go %d\">\n"
                 "          <MoveTo name=\"first\" target=\"{speed}\"/>\n"
                 "          <MoveTo name=\"second\" target=\"%d.5\"/>\n"
                 "          <AlwaysSuccess/>\n"
                 "          <RetryUntilSuccessful num_attempts=\"3\">\n"
                 "            <MoveTo target=\"{speed}\"/>\n          </RetryUntilSuccessful>\n"
                 "        </Sequence>\n        <AlwaysFailure name=\"give up\"/>\n"
                 "      </Fallback>\n",
                 i, i, i, i);
        ploy_write_text(&writer, group);
    }
    ploy_write_text(&writer, "    </Sequence>\n  </BehaviorTree>\n</root>\n");
}

static void load_ours(void *self) {
    load_data *data = self;
    ploy_bt_file_leaf leaves[] = {{&load_leaf, NULL, false}};
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.leaves = leaves;
    def.leaf_count = 1;
    ploy_bt_file *file = NULL;
    data->nodes = 0;
    if (ploy_bt_file_load(data->text.bytes, data->text.size, "bench", &def, &data->env, NULL,
                          &file) == PLOY_OK) {
        data->nodes = ploy_bt_node_count(ploy_bt_file_main(file));
    }
    ploy_bt_file_destroy(file);
}

#ifdef PLOY_BENCH_EXPAT
static void load_start(void *user, const XML_Char *name, const XML_Char **attributes) {
    int32_t *nodes = user;
    (void)attributes;
    if (strcmp(name, "root") != 0 && strcmp(name, "BehaviorTree") != 0) ++*nodes;
}

static void load_end(void *user, const XML_Char *name) {
    (void)user;
    (void)name;
}

static void load_expat(void *self) {
    load_data *data = self;
    XML_Parser parser = XML_ParserCreate(NULL);
    data->nodes = 0;
    if (parser == NULL) return;
    XML_SetUserData(parser, &data->nodes);
    XML_SetElementHandler(parser, load_start, load_end);
    (void)XML_Parse(parser, data->text.bytes, (int)data->text.size, 1);
    XML_ParserFree(parser);
}
#endif

void bench_decide_bt_load(bench_run *run) {
    load_data data = {.env = ploy_env_default()};
    int32_t nodes = (int32_t)bench_size(run);
    ploy_buffer_init(&data.text, 0, &data.env);
    load_write(&data, nodes);
    load_ours(&data);
    int32_t ours = data.nodes;
    bench_side peer = bench_nothing();
#ifdef PLOY_BENCH_EXPAT
    load_expat(&data);
    if (data.nodes != ours) bench_fail(run, "expat sees another number of nodes");
    peer = bench_call(load_expat, &data, 1);
#endif
    if (ours < nodes - 10 || ours > nodes) bench_fail(run, "the tree is not as large as it should");
    bench_measure(run, bench_call(load_ours, &data, 1), peer, bench_nothing());
    ploy_buffer_fini(&data.text);
}
