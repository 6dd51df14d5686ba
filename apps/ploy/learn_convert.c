// ploy learn convert: learners, networks and tables as other files.
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/os.h"
#include "ploy/data/fann.h"
#include "ploy/data/learner_file.h"
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

static int convert_learner(const learn_options *o, ploy_learner learner) {
    if (learn_ends(o->output, ".json")) {
        int status = learn_save_model(o, o->output, learner);
        return status < 0 ? CLI_OK : status;
    }
    if (!learn_ends(o->output, ".cbor")) {
        const ploy_net *net = ploy_net_learner_net(learner);
        return net != NULL
                   ? convert_net(o, net)
                   : cli_error("expected a network for .net and .onnx, found", learner.type->name);
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &o->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    int status = convert_finish(o, ploy_learner_save_compact(learner, &o->env, &writer), &buffer);
    ploy_buffer_fini(&buffer);
    return status;
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
    ploy_learner learner = {NULL, NULL};
    int status = learn_read_model(o, model, &learner);
    if (status < 0) status = convert_learner(o, learner);
    ploy_learner_destroy(learner);
    return status;
}
