// Nets as ONNX files.
#include "ploy/data/onnx.h"

#include "data/protobuf.h"
#include "tests/data/net_random.h"

static void onnx_round(test_context *t, ploy_net_size size, const ploy_net_layer *layers,
                       int32_t count, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_net *net = net_random(t, size, layers, count, seed), *again = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_onnx_save(net, &env, &writer, NULL));
    CHECK_OK(ploy_onnx_load(buffer.bytes, buffer.size, "a.onnx", &env, NULL, &again));
    CHECK(net_difference(t, net, again) < 1e-5);
    ploy_buffer_fini(&buffer);
    ploy_net_destroy(net);
    ploy_net_destroy(again);
}

TEST(nets_are_written_as_onnx_and_read_back) {
    static const ploy_net_activation kinds[] = {PLOY_NET_LINEAR,  PLOY_NET_RELU,
                                                PLOY_NET_LEAKY,   PLOY_NET_TANH,
                                                PLOY_NET_SIGMOID, PLOY_NET_SOFTPLUS};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        t->row = ploy_net_activation_text(kinds[i]);
        ploy_net_layer dense[] = {ploy_net_dense(9, kinds[i]), ploy_net_dense(4, PLOY_NET_SOFTMAX)};
        dense[1].shape = 0.5f;
        if (kinds[i] != PLOY_NET_SOFTPLUS) dense[0].shape = 1.25f;
        onnx_round(t, ploy_net_inputs(6), dense, 2, i + 1);
        ploy_net_layer image[] = {
            ploy_net_conv(3, 3, kinds[i]), ploy_net_pool(PLOY_NET_MAX_POOL, 2),
            ploy_net_conv(2, 2, kinds[i]), ploy_net_pool(PLOY_NET_MEAN_POOL, 2),
            ploy_net_dense(5, PLOY_NET_SOFTMAX)};
        image[2].window[0] = 3; // not square
        image[2].stride[1] = 2;
        image[3].window[0] = image[3].window[1] = 2;
        image[3].stride[0] = image[3].stride[1] = 1;
        image[3].pad[0] = 1;
        ploy_net_size size = {2, 9, 10};
        onnx_round(t, size, image, 5, i + 1);
    }
}

// ---- files by hand, as other programs write them

typedef struct onnx_file {
    ploy_buffer graph, model;
    ploy_writer writer;
    char value[16];
    int32_t nodes;
} onnx_file;

typedef struct onnx_part {
    ploy_buffer buffer;
    ploy_writer writer;
} onnx_part;

static void part_begin(onnx_part *p) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(&p->buffer, 0, &env);
    p->writer = ploy_buffer_writer(&p->buffer);
}
static void part_end(onnx_part *p, ploy_writer *outer, uint32_t field) {
    ployi_proto_write_bytes(outer, field, p->buffer.bytes, p->buffer.size);
    ploy_buffer_fini(&p->buffer);
}

static void file_begin(onnx_file *f) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(&f->graph, 0, &env);
    ploy_buffer_init(&f->model, 0, &env);
    f->nodes = 0;
    snprintf(f->value, sizeof f->value, "x");
}

static void file_input(onnx_file *f, const int32_t *dims, int32_t count) {
    f->writer = ploy_buffer_writer(&f->graph);
    onnx_part info, type, tensor, shape;
    part_begin(&info);
    part_begin(&type);
    part_begin(&tensor);
    part_begin(&shape);
    for (int32_t i = 0; i < count; i++) {
        onnx_part dim;
        part_begin(&dim);
        ployi_proto_write_varint(&dim.writer, 1, (uint64_t)dims[i]);
        part_end(&dim, &shape.writer, 1);
    }
    ployi_proto_write_text(&info.writer, 1, "x");
    part_end(&shape, &tensor.writer, 2);
    part_end(&tensor, &type.writer, 1);
    part_end(&type, &info.writer, 2);
    part_end(&info, &f->writer, 11);
}

static void file_tensor(onnx_file *f, const char *name, const float *values, const int32_t *dims,
                        int32_t count) {
    f->writer = ploy_buffer_writer(&f->graph);
    onnx_part tensor, packed;
    part_begin(&tensor);
    part_begin(&packed);
    int32_t total = 1;
    for (int32_t i = 0; i < count; i++) {
        ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)dims[i]);
        total *= dims[i];
    }
    for (int32_t i = 0; i < total; i++) { // float_data, packed
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                            (uint8_t)(bits >> 24)};
        ploy_write_bytes(&packed.writer, bytes, 4);
    }
    ployi_proto_write_varint(&tensor.writer, 2, 1);
    part_end(&packed, &tensor.writer, 4);
    ployi_proto_write_text(&tensor.writer, 8, name);
    part_end(&tensor, &f->writer, 5);
}

static void file_shape(onnx_file *f, const char *name, const int64_t *values, int32_t count) {
    f->writer = ploy_buffer_writer(&f->graph);
    onnx_part tensor, raw;
    part_begin(&tensor);
    part_begin(&raw);
    ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)count);
    ployi_proto_write_varint(&tensor.writer, 2, 7);
    for (int32_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        for (int32_t k = 0; k < 8; k++) bytes[k] = (uint8_t)((uint64_t)values[i] >> (8 * k));
        ploy_write_bytes(&raw.writer, bytes, 8);
    }
    part_end(&raw, &tensor.writer, 9);
    ployi_proto_write_text(&tensor.writer, 8, name);
    part_end(&tensor, &f->writer, 5);
}

static void file_node(onnx_file *f, const char *op, const char *second, const char *third,
                      const char *attribute, int64_t value) {
    f->writer = ploy_buffer_writer(&f->graph);
    onnx_part node;
    part_begin(&node);
    ployi_proto_write_text(&node.writer, 1, f->value);
    if (second != NULL) ployi_proto_write_text(&node.writer, 1, second);
    if (third != NULL) ployi_proto_write_text(&node.writer, 1, third);
    snprintf(f->value, sizeof f->value, "v%d", (int)++f->nodes);
    ployi_proto_write_text(&node.writer, 2, f->value);
    ployi_proto_write_text(&node.writer, 4, op);
    if (attribute != NULL) {
        onnx_part a;
        part_begin(&a);
        ployi_proto_write_text(&a.writer, 1, attribute);
        ployi_proto_write_varint(&a.writer, 3, (uint64_t)value);
        part_end(&a, &node.writer, 5);
    }
    part_end(&node, &f->writer, 1);
}

static ploy_result file_load(onnx_file *f, const ploy_env *env, ploy_diags *diags, ploy_net **out) {
    ploy_writer writer = ploy_buffer_writer(&f->model);
    ployi_proto_write_varint(&writer, 1, 8);
    ployi_proto_write_bytes(&writer, 7, f->graph.bytes, f->graph.size);
    ploy_result result = ploy_onnx_load(f->model.bytes, f->model.size, "a.onnx", env, diags, out);
    ploy_buffer_fini(&f->graph);
    ploy_buffer_fini(&f->model);
    return result;
}

TEST(matmul_and_add_are_a_layer) {
    static const float w[] = {1, 2, 3, 4, 5, 6}, b[] = {0.5f, -0.5f, 0};
    static const int32_t in[] = {1, 2}, shape[] = {2, 3}, row[] = {1, 3};
    ploy_env env = ploy_env_default();
    onnx_file f;
    file_begin(&f);
    file_input(&f, in, 2);
    file_tensor(&f, "w", w, shape, 2);
    file_tensor(&f, "b", b, row, 2);
    file_node(&f, "MatMul", "w", NULL, NULL, 0);
    file_node(&f, "Add", "b", NULL, NULL, 0);
    file_node(&f, "Relu", NULL, NULL, NULL, 0);
    file_node(&f, "Dropout", NULL, NULL, NULL, 0);
    ploy_net *net = NULL;
    CHECK_OK(file_load(&f, &env, NULL, &net));
    CHECK_INT(ploy_net_layer_count(net), 1);
    float x[2] = {1, -1}, y[3], scratch[64];
    ploy_net_run(net, x, y, scratch);
    CHECK_NEAR(y[0], 0.0, 1e-6); // 1 - 4 + 0.5
    CHECK_NEAR(y[2], 0.0, 1e-6);
    x[1] = 1;
    ploy_net_run(net, x, y, scratch);
    CHECK_NEAR(y[0], 5.5, 1e-6);
    CHECK_NEAR(y[1], 6.5, 1e-6);
    CHECK_NEAR(y[2], 9.0, 1e-6);
    ploy_net_destroy(net);
}

TEST(reshape_makes_an_image_and_flattens_it) {
    static const float filter[] = {1, 0, 0, -1}, w[] = {1, 1, 1, 1};
    static const int32_t in[] = {1, 9}, conv[] = {1, 1, 2, 2}, dense[] = {1, 4};
    static const int64_t image[] = {-1, 1, 3, 3}, flat[] = {1, 4};
    ploy_env env = ploy_env_default();
    onnx_file f;
    file_begin(&f);
    file_input(&f, in, 2);
    file_tensor(&f, "k", filter, conv, 4);
    file_tensor(&f, "w", w, dense, 2);
    file_shape(&f, "image", image, 4);
    file_shape(&f, "flat", flat, 2);
    file_node(&f, "Reshape", "image", NULL, NULL, 0);
    file_node(&f, "Conv", "k", NULL, NULL, 0);
    file_node(&f, "Reshape", "flat", NULL, NULL, 0);
    file_node(&f, "Gemm", "w", NULL, "transB", 1);
    ploy_net *net = NULL;
    CHECK_OK(file_load(&f, &env, NULL, &net));
    float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, y[1], scratch[64];
    ploy_net_run(net, x, y, scratch);
    CHECK_NEAR(y[0], (1 - 5) + (2 - 6) + (4 - 8) + (5 - 10), 1e-5);
    ploy_net_destroy(net);
}

TEST(other_operators_and_broken_files_are_refused_by_name) {
    static const struct {
        const char *op, *attribute, *message;
        int64_t value;
    } rows[] = {
        {"LSTM", NULL, "unsupported operator 'LSTM'", 0},
        {"Gelu", NULL, "unsupported operator 'Gelu'", 0},
        {"Flatten", "axis", "unsupported attribute axis in operator 'Flatten'", 2},
        {"Gemm", "transA", "unsupported attribute transA in operator 'Gemm'", 1},
        {"Conv", NULL, "weights are missing in operator 'Conv'", 0},
        {"Tanh", NULL, "activation does not follow a layer with weights in operator 'Tanh'", 0}};
    static const float w[] = {1, 2, 3, 4};
    static const int32_t in[] = {1, 2}, shape[] = {2, 2};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].op;
        onnx_file f;
        file_begin(&f);
        file_input(&f, in, 2);
        file_tensor(&f, "w", w, shape, 2);
        file_node(&f, rows[i].op, "w", NULL, rows[i].attribute, rows[i].value);
        ploy_diags *diags = NULL;
        ploy_net *net = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(file_load(&f, &env, diags, &net), PLOY_ERR_UNSUPPORTED);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_diags_destroy(diags);
    }
    ploy_net *net = NULL;
    CHECK_INT(ploy_onnx_load("\x08\x07", 2, "a", &env, NULL, &net), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_onnx_load("hello", 5, "a", &env, NULL, &net), PLOY_ERR_FORMAT);
    ploy_net_layer radial = ploy_net_dense(2, PLOY_NET_RADIAL);
    net = net_random(t, ploy_net_inputs(2), &radial, 1, 1);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_INT(ploy_onnx_save(net, &env, &writer, diags), PLOY_ERR_UNSUPPORTED);
    CHECK_TEXT(ploy_diags_get(diags, 0)->expected, "radial");
    ploy_buffer_fini(&buffer);
    ploy_diags_destroy(diags);
    ploy_net_destroy(net);
}

static ploy_result onnx_once(const ploy_env *env, void *arg) {
    const ploy_net *net = arg;
    ploy_net *again = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = ploy_onnx_save(net, env, &writer, NULL);
    if (result == PLOY_OK) {
        result = ploy_onnx_load(buffer.bytes, buffer.size, "a", env, NULL, &again);
    }
    ploy_buffer_fini(&buffer);
    ploy_net_destroy(again);
    return result;
}

TEST(memory_may_fail_while_onnx_is_written_and_read) {
    ploy_net_layer layers[] = {ploy_net_conv(2, 3, PLOY_NET_LEAKY),
                               ploy_net_pool(PLOY_NET_MAX_POOL, 2),
                               ploy_net_dense(2, PLOY_NET_SOFTMAX)};
    ploy_net_size size = {1, 4, 4};
    ploy_net *net = net_random(t, size, layers, 3, 1);
    CHECK_FAIL_NTH(onnx_once, net);
    ploy_net_destroy(net);
}
