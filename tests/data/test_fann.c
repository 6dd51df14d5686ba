// Files of FANN.
#include "ploy/data/fann.h"

#include "ploy/data/table_file.h"
#include "tests/data/net_random.h"

static const ploy_net_activation fann_known[] = {
    PLOY_NET_LINEAR, PLOY_NET_STEP,     PLOY_NET_SIGN,       PLOY_NET_SIGMOID,
    PLOY_NET_TANH,   PLOY_NET_GAUSSIAN, PLOY_NET_TANH_STEPS, PLOY_NET_SIGMOID_STEPS};

static ploy_result fann_read(const char *text, ploy_diags *diags, ploy_net **out) {
    ploy_env env = ploy_env_default();
    return ploy_fann_load(text, strlen(text), "a.net", &env, diags, out);
}

TEST(nets_of_fann_are_written_and_read_back) {
    for (size_t i = 0; i < COUNT_OF(fann_known); i++) {
        t->row = ploy_net_activation_text(fann_known[i]);
        ploy_env env = ploy_env_default();
        ploy_net_layer layers[3] = {ploy_net_dense(7, fann_known[i]),
                                    ploy_net_dense(5, PLOY_NET_TANH),
                                    ploy_net_dense(2, PLOY_NET_SIGMOID)};
        if (fann_known[i] != PLOY_NET_STEP && fann_known[i] != PLOY_NET_SIGN) {
            layers[0].shape = 0.75f;
        }
        layers[2].shape = 1.5f;
        ploy_net *net = net_random(t, ploy_net_inputs(4), layers, 3, i + 1), *again = NULL;
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_fann_save(net, &writer, NULL));
        CHECK_OK(ploy_fann_load(buffer.bytes, buffer.size, "a.net", &env, NULL, &again));
        CHECK(net_difference(t, net, again) < 1e-6);
        for (int32_t l = 0; l < 3; l++) {
            CHECK_INT(ploy_net_layer_at(again, l)->activation, layers[l].activation);
            CHECK_NEAR(ploy_net_layer_at(again, l)->shape, layers[l].shape, 1e-6);
        }
        ploy_buffer_fini(&buffer);
        ploy_net_destroy(net);
        ploy_net_destroy(again);
    }
}

// As fann_save of version 2.2.0 wrote it, shortened in its settings.
#define FANN_TOP "FANN_FLO_2.1\nnum_layers=3\nlearning_rate=0.7\nnetwork_type=0\n"
#define FANN_SIZES "layer_sizes=3 3 2 \nscale_included=0\n"
#define FANN_NEURONS                                                             \
    "neurons (num_inputs, activation_function, activation_steepness)=(0, 0, 0) " \
    "(0, 0, 0) (0, 0, 0) (3, 5, 5e-01) (3, 5, 5e-01) (0, 5, 0) (3, 3, 1) (0, 3, 0) \n"
#define FANN_LINKS                                                              \
    "connections (connected_to_neuron, weight)=(0, 1) (1, -2) (2, 0.5) (0, 0) " \
    "(1, 3) (2, -1) (3, 2) (4, -1) (5, 0.25) \n"

TEST(a_file_of_fann_gives_the_outputs_of_its_formulas) {
    ploy_net *net = NULL;
    CHECK_OK(fann_read(FANN_TOP FANN_SIZES FANN_NEURONS FANN_LINKS, NULL, &net));
    float in[2] = {0.3f, -0.2f}, out[1], scratch[64];
    ploy_net_run(net, in, out, scratch);
    double a = tanh(0.5 * (0.3 + 0.4 + 0.5)), b = tanh(0.5 * (-0.6 - 1.0));
    CHECK_NEAR(out[0], 1.0 / (1.0 + exp(-2.0 * (2.0 * a - b + 0.25))), 1e-6);
    ploy_net_destroy(net);
    // Sparse: the second unit sees the bias alone.
    CHECK_OK(fann_read(FANN_TOP FANN_SIZES
                       "neurons (num_inputs, activation_function, activation_steepness)=(0, 0, 0) "
                       "(0, 0, 0) (0, 0, 0) (3, 0, 1) (1, 0, 1) (0, 5, 0) (2, 0, 1) (0, 3, 0) \n"
                       "connections (connected_to_neuron, weight)=(0, 1) (1, -2) (2, 0.5) (2, 4) "
                       "(3, 1) (4, 1) \n",
                       NULL, &net));
    ploy_net_run(net, in, out, scratch);
    CHECK_NEAR(out[0], 0.3 + 0.4 + 0.5 + 4.0, 1e-6);
    ploy_net_destroy(net);
}

TEST(faults_of_fann_files_are_named_with_their_places) {
    static const struct {
        const char *text;
        ploy_result want;
        int32_t line;
        const char *message;
    } rows[] = {
        {"FANN_FIX_2.0\n", PLOY_ERR_FORMAT, 1, "file is not a net of FANN"},
        {"", PLOY_ERR_FORMAT, 1, "file is not a net of FANN"},
        {FANN_TOP FANN_SIZES, PLOY_ERR_FORMAT, 7, "missing connections"},
        {FANN_TOP "layer_sizes=3 3 x\n", PLOY_ERR_FORMAT, 5, "value is not a whole number"},
        {FANN_TOP "network_type=1\n", PLOY_ERR_UNSUPPORTED, 5, "unsupported shortcut connections"},
        {FANN_TOP "scale_included=1\n", PLOY_ERR_UNSUPPORTED, 5, "unsupported scaling parameters"},
        {FANN_TOP FANN_SIZES FANN_NEURONS "connections (connected_to_neuron, weight)=(6, 1)",
         PLOY_ERR_UNSUPPORTED, 8, "connection does not start in the layer before"},
        {FANN_TOP FANN_SIZES FANN_NEURONS "connections (connected_to_neuron, weight)=(0, 1) (1",
         PLOY_ERR_FORMAT, 8, "unexpected text in a connection"},
        {FANN_TOP FANN_SIZES
         "neurons (num_inputs, activation_function, activation_steepness)=(0, 0, 0) (0, 0, 0) "
         "(0, 0, 0) (3, 10, 5e-01) (3, 10, 5e-01) (0, 5, 0) (3, 3, 1) (0, 3, 0) \n" FANN_LINKS,
         PLOY_ERR_UNSUPPORTED, 8, "unsupported activation function"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].message;
        ploy_diags *diags = NULL;
        ploy_net *net = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(fann_read(rows[i].text, diags, &net), rows[i].want);
        CHECK(net == NULL);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        ploy_diags_destroy(diags);
    }
}

TEST(layers_that_fann_lacks_are_refused_and_softmax_warns) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_net_layer relu = ploy_net_dense(2, PLOY_NET_RELU);
    ploy_net *net = net_random(t, ploy_net_inputs(2), &relu, 1, 1);
    CHECK_INT(ploy_fann_save(net, &writer, diags), PLOY_ERR_UNSUPPORTED);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "unsupported layer 'relu'");
    CHECK_INT(buffer.size, 0);
    ploy_net_destroy(net);
    ploy_diags_clear(diags);
    ploy_net_layer softmax = ploy_net_dense(3, PLOY_NET_SOFTMAX);
    net = net_random(t, ploy_net_inputs(2), &softmax, 1, 1);
    CHECK_OK(ploy_fann_save(net, &writer, diags));
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING), 1);
    ploy_net_destroy(net);
    ploy_buffer_fini(&buffer);
    ploy_diags_destroy(diags);
}

TEST(training_data_of_fann_is_a_table) {
    static const char text[] = "3 2 3\n0.5 1\n1 0 0\n-1 2\n0 0.2 0.9\n0 0\n0 1 0\n";
    ploy_env env = ploy_env_default();
    ploy_examples *table = NULL, *again = NULL;
    CHECK_OK(ploy_table_load(text, sizeof text - 1, "x.data", PLOY_TABLE_ANY, &env, NULL, &table));
    CHECK_INT(ploy_examples_count(table), 3);
    CHECK_INT(ploy_schema_classes(ploy_examples_schema(table)), 3);
    CHECK_SAME(ploy_examples_at(table, 1)[0], -1.0);
    CHECK_SAME(ploy_examples_at(table, 1)[2], 2.0); // the largest output
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_fann_data_save(table, &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer), "3 2 3\n0.5 1\n1 0 0\n-1 2\n0 0 1\n0 0\n0 1 0\n");
    CHECK_OK(ploy_fann_data_load(buffer.bytes, buffer.size, "x", &env, NULL, &again));
    CHECK_UINT(ploy_examples_hash(table), ploy_examples_hash(again));
    ploy_buffer_fini(&buffer);
    ploy_examples_destroy(again);
    ploy_examples_destroy(table);
    static const char one[] = "2 1 1\n4 0.5\n5 -0.5";
    CHECK_OK(ploy_fann_data_load(one, sizeof one - 1, "x", &env, NULL, &table));
    CHECK_SAME(ploy_examples_at(table, 1)[1], -0.5);
    ploy_examples_destroy(table);
    static const char *const wrong[] = {"",
                                        "2 1",
                                        "0 1 1\n",
                                        "2 1 1\n1 2 3",
                                        "1 1 1\n1 2 3\n",
                                        "1 1 1\n1 x\n",
                                        "900000000 1 1\n1 2\n"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        t->row = wrong[i];
        CHECK_INT(ploy_fann_data_load(wrong[i], strlen(wrong[i]), "x", &env, NULL, &table),
                  PLOY_ERR_FORMAT);
    }
}

static ploy_result fann_once(const ploy_env *env, void *arg) {
    (void)arg;
    static const char text[] = FANN_TOP FANN_SIZES FANN_NEURONS FANN_LINKS;
    static const char data[] = "1 1 2\n4 0 1\n";
    ploy_net *net = NULL;
    ploy_examples *table = NULL;
    ploy_result result = ploy_fann_load(text, sizeof text - 1, "a", env, NULL, &net);
    ploy_net_destroy(net);
    if (result == PLOY_OK) {
        result = ploy_fann_data_load(data, sizeof data - 1, "a", env, NULL, &table);
    }
    ploy_examples_destroy(table);
    return result;
}

TEST(memory_may_fail_while_fann_files_are_read) {
    CHECK_FAIL_NTH(fann_once, NULL);
}
