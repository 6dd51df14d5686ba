// ploy learn convert: learners, actors, networks and tables as other files.
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/os.h"
#include "ploy/data/fann.h"
#include "ploy/data/onnx.h"
#include "ploy/learn/net_learner.h"

static int convert_fault(const learn_options *o, const char *path, ploy_result result) {
    if (ploy_diags_total(o->diags, PLOY_SEVERITY_ERROR) > 0) return cli_error_diags(o->diags);
    return cli_error_result(path, result);
}

// Writes what one of the functions below leaves in the buffer.
static int convert_finish(const learn_options *o, ploy_result result, const ploy_buffer *buffer) {
    if (result != PLOY_OK) return convert_fault(o, o->output, result);
    if (ploy_diags_count(o->diags) > 0) (void)cli_error_diags(o->diags); // warnings
    return cli_write_file(o->output, buffer) ? CLI_OK : CLI_USAGE;
}

static int convert_net(const learn_options *o, const ploy_net *net) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &o->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = learn_ends(o->output, ".net")
                             ? ploy_fann_save(net, &writer, o->diags)
                             : ploy_onnx_save(net, &o->env, &writer, o->diags);
    int status = convert_finish(o, result, &buffer);
    ploy_buffer_fini(&buffer);
    return status;
}

static int convert_net_file(const learn_options *o, const char *path, bool fann) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, LEARN_BYTES_MAX, &o->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_net *net = NULL;
    result = fann ? ploy_fann_load(bytes.bytes, bytes.size, path, &o->env, o->diags, &net)
                  : ploy_onnx_load(bytes.bytes, bytes.size, path, &o->env, o->diags, &net);
    ploy_buffer_fini(&bytes);
    int status = result == PLOY_OK ? convert_net(o, net) : convert_fault(o, path, result);
    ploy_net_destroy(net);
    return status;
}

static int convert_table(const learn_options *o, const char *path) {
    ploy_examples *table = NULL;
    int status = learn_read_table(o, path, &table);
    if (status >= 0) return status;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &o->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    status = convert_finish(o, ploy_fann_data_save(table, &writer), &buffer);
    ploy_buffer_fini(&buffer);
    ploy_examples_destroy(table);
    return status;
}

// `net`: that of the learner or actor, NULL if it has none.
static int convert_inner(const learn_options *o, const ploy_net *net, const char *name) {
    return net != NULL ? convert_net(o, net)
                       : cli_error("expected a network for .net and .onnx, found", name);
}

static int convert_learner(const learn_options *o, ploy_learner learner) {
    if (learn_ends(o->output, ".net") || learn_ends(o->output, ".onnx")) {
        return convert_inner(o, ploy_net_learner_net(learner), learner.type->name);
    }
    int status = learn_save_model(o, o->output, learner);
    return status < 0 ? CLI_OK : status;
}

static int convert_actor(const learn_options *o, ploy_actor actor) {
    if (learn_ends(o->output, ".net") || learn_ends(o->output, ".onnx")) {
        return convert_inner(o, ploy_dqn_net(actor), actor.type->name);
    }
    int status = learn_save_actor(o, o->output, actor);
    return status < 0 ? CLI_OK : status;
}

int learn_convert(const learn_options *o, const char *model) {
    if (o->output == NULL) return cli_error("-o is missing", NULL);
    bool net = learn_ends(o->output, ".net") || learn_ends(o->output, ".onnx");
    if (learn_ends(o->output, ".data")) return convert_table(o, model);
    if (!net && !learn_ends(o->output, ".json") && !learn_ends(o->output, ".cbor")) {
        return cli_error("-o expects a name that ends in .json, .cbor, .net, .onnx or .data, found",
                         o->output);
    }
    bool fann = learn_ends(model, ".net");
    if (fann || learn_ends(model, ".onnx")) {
        if (!net) return cli_error("expected a learner for .json and .cbor, found", model);
        return convert_net_file(o, model, fann);
    }
    ploy_actor actor = {NULL, NULL};
    int status = learn_read_actor(o, model, &actor);
    if (status == -1) status = convert_actor(o, actor);
    ploy_actor_destroy(actor);
    if (status != LEARN_NO_ACTOR) return status;
    ploy_learner learner = {NULL, NULL};
    status = learn_read_model(o, model, &learner);
    if (status < 0) status = convert_learner(o, learner);
    ploy_learner_destroy(learner);
    return status;
}
