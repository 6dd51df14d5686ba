// The learner "net"; described in the header.
#include "ploy/learn/net_learner.h"

#include <math.h>
#include <string.h>

#include "learn/learn_internal.h"
#include "ploy/base/math.h"

enum {
    NET_LEARNER_ROOM = 16384
}; // floats on the stack of a prediction, since many may predict at a time

static const char *const net_learner_activations[] = {
    "linear", "step",   "sign",     "relu",          "leaky",      "softplus", "sigmoid",
    "tanh",   "radial", "gaussian", "sigmoid_steps", "tanh_steps", "softmax"};

static const ploy_field net_learner_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, hidden, 32, 0, 4096, "",
                         "units of the first hidden layer"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, hidden2, 0, 0, 4096, "", "units of the second"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, hidden3, 0, 0, 4096, "", "units of the third"),
    PLOY_FIELD_ENUM_FIXED(ploy_net_learner_def, activation, PLOY_NET_TANH, net_learner_activations,
                          "function of hidden units"),
    PLOY_FIELD_F32(ploy_net_learner_def, dropout, 0, 0, 0.95, "",
                   "share of hidden units dropped in training"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, image_width, 0, 0, 4096, "",
                         "pixels in a row; 0: no image"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, channels, 0, 0, 256, "",
                         "channels of the first convolution"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, channels2, 0, 0, 256, "", "channels of the second"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, window, 3, 1, 15, "",
                         "side of the convolutions' window"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, shift, 0, 0, 64, "",
                         "pixels by which training images are moved at most"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, epochs, 100, 0, 1000000, "",
                         "passes over the table"),
    PLOY_FIELD_I32_FIXED(ploy_net_learner_def, layer_epochs, 0, 0, 1000000, "",
                         "passes for each layer alone"),
    PLOY_FIELD_BOOL(ploy_net_learner_def, shuffle, true, "another order in each epoch"),
    PLOY_FIELD_U64(ploy_net_learner_def, seed, 1, "seed of weights, order and dropout"),
    PLOY_FIELD_DEF(ploy_net_learner_def, trainer, ploy_trainer_fields, "how weights change"),
};

ploy_fields ploy_net_learner_fields(void) {
    return PLOY_FIELDS(ploy_net_learner_def, net_learner_fields);
}

ploy_net_learner_def ploy_net_learner_def_default(void) {
    ploy_net_learner_def def;
    ploy_fields_default(ploy_net_learner_fields(), &def);
    return def;
}

typedef struct net_learner {
    ploy_learner_common common;
    ploy_net_learner_def def;
    ploy_net *net;
    ploy_trainer *trainer;
    int32_t columns, inputs;
    double *mean, *scale; // of each column; the target's too
    float *input, *target;
    float *moved;      // an image that was shifted
    size_t block_size; // of mean, scale, input, target and moved together
    int32_t *order;    // rows in this epoch; only in training
    int32_t order_count;
    int32_t epoch;
} net_learner;

static void net_learner_cancel(void *object) {
    net_learner *self = object;
    ploy_env_free(&self->common.env, self->order, (size_t)self->order_count * sizeof(int32_t));
    self->order = NULL;
    self->order_count = 0;
}

static void net_learner_destroy(void *object) {
    net_learner *self = object;
    ploy_env env = self->common.env;
    net_learner_cancel(self);
    ploy_trainer_destroy(self->trainer);
    ploy_net_destroy(self->net);
    ploy_env_free(&env, self->mean, self->block_size);
    ploy_env_free(&env, self, sizeof *self);
}

static void net_learner_reset(void *object) {
    net_learner *self = object;
    ploy_net_randomise(self->net, ploy_rng_key_make(self->def.seed));
    ploy_trainer_reset(self->trainer);
    self->epoch = 0;
    for (int32_t i = 0; i < self->columns; i++) {
        self->mean[i] = 0.0;
        self->scale[i] = 1.0;
    }
}

static int32_t net_learner_plan(const net_learner *self, ploy_net_layer *layers) {
    const ploy_net_learner_def *def = &self->def;
    const int32_t conv[2] = {def->channels, def->channels2};
    const int32_t dense[3] = {def->hidden, def->hidden2, def->hidden3};
    int32_t count = 0, classes = ploy_schema_classes(self->common.schema);
    for (int32_t i = 0; i < 2 && def->image_width > 0; i++) {
        if (conv[i] == 0) continue;
        layers[count++] = ploy_net_conv(conv[i], def->window, def->activation);
        layers[count++] = ploy_net_pool(PLOY_NET_MAX_POOL, 2);
    }
    for (int32_t i = 0; i < 3; i++) {
        if (dense[i] == 0) continue;
        layers[count] = ploy_net_dense(dense[i], def->activation);
        layers[count++].dropout = def->dropout;
    }
    layers[count++] =
        ploy_net_dense(classes > 0 ? classes : 1, classes > 0 ? PLOY_NET_SOFTMAX : PLOY_NET_LINEAR);
    return count;
}

static ploy_result net_learner_make(net_learner *self, const ploy_env *env) {
    ploy_net_layer layers[16];
    int32_t count = net_learner_plan(self, layers), width = self->def.image_width;
    ploy_net_size size = ploy_net_inputs(self->inputs);
    if (width > 0) {
        if (self->inputs % width != 0) {
            ploy_env_log(env, PLOY_SEVERITY_ERROR, "the columns are not whole rows of image_width");
            return PLOY_ERR_ARGUMENT;
        }
        size.channels = 1;
        size.width = width;
        size.height = self->inputs / width;
    }
    ploy_result result =
        ploy_net_create(size, layers, count, ploy_rng_key_make(self->def.seed), env, &self->net);
    if (result != PLOY_OK) return result;
    if (ploy_net_scratch(self->net) + self->inputs + ploy_net_output_count(self->net) >
        NET_LEARNER_ROOM) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "the layers are too wide: at most 16384 values in all");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_trainer_def trainer = self->def.trainer;
    trainer.seed = self->def.seed;
    if (ploy_schema_classes(self->common.schema) > 0) {
        trainer.loss = PLOY_TRAINER_CROSS_ENTROPY;
    } else if (trainer.method == PLOY_TRAINER_GRADIENT) {
        // A linear output has no largest slope: a change moves it by the rate times the squares of
        // what comes in, and above 2 it swings farther each time.
        int32_t terms = 1 + self->inputs + ploy_net_weights_of_unit(self->net, count - 1);
        float most = (1.0f - trainer.momentum) / (float)terms;
        trainer.rate = ploy_minf(trainer.rate, most);
        trainer.rate_end = ploy_minf(trainer.rate_end, most);
    }
    return ploy_trainer_create(&trainer, self->net, env, &self->trainer);
}

static ploy_result net_learner_create(const void *def, const ploy_learner_common *common,
                                      void **out) {
    net_learner *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_net_learner_def *)def;
    self->columns = ploy_schema_count(common->schema);
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == ploy_schema_target(common->schema)) continue;
        bool number = ploy_schema_kind_at(common->schema, i) == PLOY_COLUMN_NUMBER;
        self->inputs += number ? 1 : ploy_schema_value_count(common->schema, i);
    }
    ploy_result result =
        self->inputs > 0 ? net_learner_make(self, &common->env) : PLOY_ERR_ARGUMENT;
    if (result == PLOY_OK) {
        size_t doubles = (size_t)self->columns * 2;
        size_t floats = (size_t)self->inputs * 2 + (size_t)ploy_net_output_count(self->net);
        self->block_size = doubles * sizeof(double) + floats * sizeof(float);
        self->mean = ploy_env_alloc_zero(&common->env, self->block_size);
        if (self->mean == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        net_learner_destroy(self);
        return result;
    }
    self->scale = self->mean + self->columns;
    self->input = (float *)(void *)(self->scale + self->columns);
    self->moved = self->input + self->inputs;
    self->target = self->moved + self->inputs;
    net_learner_reset(self);
    *out = self;
    return PLOY_OK;
}

static void net_learner_encode(const net_learner *self, const double *row, float *out) {
    const ploy_schema *schema = self->common.schema;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == ploy_schema_target(schema)) continue;
        bool missing = ploy_is_missing(row[i]);
        if (ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER) {
            *out++ = missing ? 0.0f : (float)((row[i] - self->mean[i]) * self->scale[i]);
            continue;
        }
        int32_t count = ploy_schema_value_count(schema, i);
        for (int32_t k = 0; k < count; k++) *out++ = !missing && row[i] == (double)k ? 1.0f : 0.0f;
    }
}

// Moves the image by up to `shift` pixels, another distance for each row and epoch; the rim is repeated. A net that
// sees every image in several places learns its shape and not its pixels.
static const float *net_learner_move(net_learner *self, int32_t row) {
    int32_t most = self->def.shift, width = self->def.image_width;
    if (most == 0 || width == 0) return self->input;
    int32_t height = self->inputs / width, move[2];
    ploy_rng_key key = ploy_rng_key_make(self->def.seed);
    for (uint32_t k = 0; k < 2; k++) {
        float draw = ploy_rng_float_at(key, (uint32_t)row, (uint64_t)self->epoch, k);
        move[k] = ploy_mini((int32_t)(draw * (float)(2 * most + 1)), 2 * most) - most;
    }
    for (int32_t y = 0; y < height; y++) {
        const float *from = self->input + ploy_clampi(y - move[1], 0, height - 1) * width;
        for (int32_t x = 0; x < width; x++) {
            self->moved[y * width + x] = from[ploy_clampi(x - move[0], 0, width - 1)];
        }
    }
    return self->moved;
}

// Row -1: not of the table, so its image stays where it is. @return the loss before the change.
static float net_learner_learn(net_learner *self, const double *example, int32_t row) {
    int32_t target = ploy_schema_target(self->common.schema);
    int32_t classes = ploy_schema_classes(self->common.schema);
    net_learner_encode(self, example, self->input);
    for (int32_t k = 0; k < classes; k++)
        self->target[k] = (int32_t)example[target] == k ? 1.0f : 0.0f;
    if (classes == 0) {
        self->target[0] = (float)((example[target] - self->mean[target]) * self->scale[target]);
    }
    const float *input = row >= 0 ? net_learner_move(self, row) : self->input;
    return ploy_trainer_learn(self->trainer, input, self->target);
}

static ploy_result net_learner_observe(void *object, const double *example) {
    (void)net_learner_learn(object, example, -1);
    return PLOY_OK;
}

static bool net_learner_measures(const net_learner *self, int32_t column, int32_t only) {
    if (ploy_schema_kind_at(self->common.schema, column) != PLOY_COLUMN_NUMBER) return false;
    return only < 0 ? column != ploy_schema_target(self->common.schema) : column == only;
}

// Mean and scale of one column of numbers, or of all except the target together (-1).
static void net_learner_measure_one(net_learner *self, int32_t only) {
    const ploy_examples *examples = self->common.examples;
    int32_t rows = ploy_examples_count(examples);
    double sum = 0.0, squares = 0.0;
    int64_t count = 0;
    for (int32_t i = 0; i < self->columns; i++) {
        if (!net_learner_measures(self, i, only)) continue;
        for (int32_t r = 0; r < rows; r++) {
            double value = ploy_examples_at(examples, r)[i];
            if (ploy_is_missing(value)) continue;
            sum += value;
            count++;
        }
    }
    double mean = count > 0 ? sum / (double)count : 0.0;
    for (int32_t i = 0; i < self->columns; i++) {
        if (!net_learner_measures(self, i, only)) continue;
        for (int32_t r = 0; r < rows; r++) {
            double value = ploy_examples_at(examples, r)[i];
            if (!ploy_is_missing(value)) squares += (value - mean) * (value - mean);
        }
    }
    double deviation = count > 0 ? sqrt(squares / (double)count) : 0.0;
    for (int32_t i = 0; i < self->columns; i++) {
        if (!net_learner_measures(self, i, only)) continue;
        self->mean[i] = mean;
        self->scale[i] = deviation > 1e-9 ? 1.0 / deviation : 1.0;
    }
}

// Pixels of an image share one mean and scale: a rim that is nearly always empty would otherwise be
// scaled up to the same deviation as the middle.
static void net_learner_measure(net_learner *self) {
    for (int32_t i = 0; i < self->columns; i++) {
        self->mean[i] = 0.0;
        self->scale[i] = 1.0;
        bool image = self->def.image_width > 0 && i != ploy_schema_target(self->common.schema);
        if (!image) net_learner_measure_one(self, i);
    }
    if (self->def.image_width > 0) net_learner_measure_one(self, -1);
}

// The order of the present epoch, from its number alone.
static void net_learner_order(void *object) {
    net_learner *self = object;
    for (int32_t i = 0; i < self->order_count; i++) self->order[i] = i;
    if (!self->def.shuffle || self->order_count < 2) return;
    ploy_rng rng = ploy_rng_from_key(ploy_rng_key_make(self->def.seed), (uint64_t)self->epoch + 1);
    ploy_rng_shuffle(&rng, self->order, self->order_count, sizeof(int32_t));
}

static ploy_result net_learner_begin(void *object) {
    net_learner *self = object;
    int32_t rows = ploy_examples_count(self->common.examples);
    if (rows > 0) {
        self->order = ploy_env_alloc(&self->common.env, (size_t)rows * sizeof(int32_t));
        if (self->order == NULL) return PLOY_ERR_MEMORY;
    }
    self->order_count = rows;
    self->epoch = 0;
    self->common.next = 0;
    net_learner_measure(self);
    net_learner_order(self);
    return PLOY_OK;
}

// Layer by layer first, if asked for: stage k trains layer k and the last one.
static void net_learner_stage(net_learner *self) {
    int32_t layers = ploy_net_layer_count(self->net), stage = layers;
    if (self->def.layer_epochs > 0) stage = self->epoch / self->def.layer_epochs;
    bool alone = stage < layers - 1;
    (void)ploy_trainer_only(self->trainer, alone ? stage : 0, alone ? 1 : layers);
}

static int64_t net_learner_epochs(const net_learner *self) {
    int32_t stages = self->def.layer_epochs > 0 ? ploy_net_layer_count(self->net) - 1 : 0;
    return (int64_t)self->def.epochs + (int64_t)stages * self->def.layer_epochs;
}

static int64_t net_learner_total(const void *object) {
    const net_learner *self = object;
    return net_learner_epochs(self) * self->order_count;
}

// The weights have no use any more, so it knows nothing again.
static ploy_result net_learner_give_up(net_learner *self) {
    ploy_env_log(&self->common.env, PLOY_SEVERITY_ERROR,
                 "the weights grow without limit: take a lower trainer.rate or set trainer.clip");
    net_learner_reset(self);
    self->common.observed = 0;
    return PLOY_ERR_LIMIT;
}

static ploy_result net_learner_step(void *object, ploy_budget *budget) {
    net_learner *self = object;
    int32_t target = ploy_schema_target(self->common.schema);
    int64_t epochs = net_learner_epochs(self);
    if (self->order_count == 0) return PLOY_OK;
    while (self->epoch < epochs) {
        if (self->common.next == 0) {
            net_learner_order(self);
            net_learner_stage(self);
        }
        for (; self->common.next < self->order_count; self->common.next++) {
            if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
            const double *row =
                ploy_examples_at(self->common.examples, self->order[self->common.next]);
            if (ploy_is_missing(row[target])) continue;
            float loss = net_learner_learn(self, row, self->order[self->common.next]);
            // Softmax makes NaN of such sums, and its loss hides that.
            const float *values =
                ploy_trainer_values(self->trainer, ploy_net_layer_count(self->net));
            if (!ploy_is_finite(loss) || !ploy_is_finite(values[0])) {
                return net_learner_give_up(self);
            }
            self->common.observed++;
        }
        ploy_trainer_update(self->trainer); // what is left of the last batch
        self->common.next = 0;
        self->epoch++;
    }
    return PLOY_OK;
}

static void net_learner_predict(const void *object, const double *input, double *posteriors,
                                ploy_answer *out) {
    const net_learner *self = object;
    if (self->common.observed == 0) return;
    float room[NET_LEARNER_ROOM];
    float *in = room + ploy_net_scratch(self->net), *values = in + self->inputs;
    int32_t target = ploy_schema_target(self->common.schema),
            classes = ploy_schema_classes(self->common.schema);
    net_learner_encode(self, input, in);
    ploy_net_run(self->net, in, values, room);
    for (int32_t k = 0; k < (classes > 0 ? classes : 1); k++) {
        if (!ploy_is_finite(values[k])) return; // examples, one by one, may have spoiled it
    }
    out->opinion = true;
    if (classes == 0) {
        out->value = (double)values[0] / self->scale[target] + self->mean[target];
        out->confidence = 1.0;
        return;
    }
    out->category = ploy_net_largest(values, classes);
    out->confidence = (double)values[out->category];
    for (int32_t k = 0; posteriors != NULL && k < classes; k++) posteriors[k] = (double)values[k];
}

static int64_t net_learner_size(const void *object) {
    return ploy_net_weight_count(((const net_learner *)object)->net);
}

static void net_learner_visit(ploy_visit *v, void *object) {
    net_learner *self = object;
    (void)self->common; // visited by the front
    ploy_visit_object(v, "net_learner", self, sizeof *self);
    ploy_visit_after(v, net_learner_order, self);
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->net);
    PLOY_VISIT_SCRATCH(v, self->trainer);
    PLOY_VISIT_SCRATCH(v, self->columns);
    PLOY_VISIT_SCRATCH(v, self->inputs);
    PLOY_VISIT_SCRATCH(v, self->mean);
    PLOY_VISIT_SCRATCH(v, self->scale);
    PLOY_VISIT_SCRATCH(v, self->input);
    PLOY_VISIT_SCRATCH(v, self->moved);
    PLOY_VISIT_SCRATCH(v, self->target);
    PLOY_VISIT_SCRATCH(v, self->block_size);
    PLOY_VISIT_SCRATCH(v, self->order);
    PLOY_VISIT_SCRATCH(v, self->order_count);
    ploy_visit_block(v, "net_learner.scale", self->mean, self->block_size);
    ploy_visit_block(v, "net_learner.order", self->order,
                     (size_t)self->order_count * sizeof(int32_t));
    ploy_visit_i32_in(v, "epoch", PLOY_STATE, &self->epoch, 0, INT32_MAX);
    int32_t columns = ploy_visit_fixed(v, "means", PLOY_STATE, self->columns);
    for (int32_t i = 0; i < columns; i++) ploy_visit_f64(v, "mean", PLOY_STATE, &self->mean[i]);
    ploy_visit_end(v);
    columns = ploy_visit_fixed(v, "scales", PLOY_STATE, self->columns);
    for (int32_t i = 0; i < columns; i++)
        ploy_visit_f64_in(v, "scale", PLOY_STATE, &self->scale[i], 1e-300, 1e300);
    ploy_visit_end(v);
    ploy_visit_begin(v, "net", PLOY_STATE);
    ploy_net_visit(v, self->net);
    ploy_visit_end(v);
    ploy_visit_begin(v, "trainer", PLOY_STATE);
    ploy_trainer_visit(v, self->trainer);
    ploy_visit_end(v);
}

// The inputs that move the answer most: a small step in each, one at a time.
static void net_learner_explain(const void *object, const double *input, ploy_trace *trace) {
    const net_learner *self = object;
    const ploy_schema *schema = self->common.schema;
    int32_t classes = ploy_schema_classes(schema);
    float room[NET_LEARNER_ROOM];
    float *in = room + ploy_net_scratch(self->net), *values = in + self->inputs;
    net_learner_encode(self, input, in);
    ploy_net_run(self->net, in, values, room);
    int32_t best = classes > 0 ? ploy_net_largest(values, classes) : 0, at = 0;
    float now = values[best];
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == ploy_schema_target(schema)) continue;
        bool number = ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER;
        int32_t count = number ? 1 : ploy_schema_value_count(schema, i);
        float most = 0.0f;
        for (int32_t k = 0; k < count; k++, at++) {
            float before = in[at];
            in[at] = number ? before + 0.1f : 0.0f;
            ploy_net_run(self->net, in, values, room);
            float by = number ? (values[best] - now) / 0.1f : now - values[best];
            in[at] = before;
            most = fabsf(by) > fabsf(most) ? by : most;
        }
        ploy_trace_option(trace, ploy_schema_name_at(schema, i),
                          most > 0.0f ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, (double)most,
                          number ? "change of the answer for a larger value"
                                 : "share of this value");
    }
}

// The weights of the first layer, a square for each: green raises, red lowers.
static void net_learner_draw(const void *object, ploy_draw *out) {
    const net_learner *self = object;
    int32_t count = ploy_net_weights_of_unit(self->net, 0), units = 0;
    while (ploy_net_weights_at(self->net, 0, units) != NULL) units++;
    if (units == 0 || count == 0) return;
    float wide = 100.0f / (float)count, high = 100.0f / (float)units, most = 1e-6f;
    for (int32_t j = 0; j < units; j++) {
        for (int32_t i = 0; i < count; i++)
            most = ploy_maxf(most, fabsf(ploy_net_weights_at(self->net, 0, j)[i]));
    }
    for (int32_t j = 0; j < units; j++) {
        for (int32_t i = 0; i < count; i++) {
            float w = ploy_net_weights_at(self->net, 0, j)[i], x = (float)i * wide,
                  y = (float)j * high;
            ploy_vec2 corners[4] = {ploy_vec2_make(x, y), ploy_vec2_make(x + wide, y),
                                    ploy_vec2_make(x + wide, y + high),
                                    ploy_vec2_make(x, y + high)};
            ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE,
                              w > 0.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, ploy_agent_id_none(),
                              corners, 4, fabsf(w) / most);
        }
    }
}

static const ploy_learner_type net_learner_type = {
    "net",
    "a neural network trained by backpropagation",
    "one example",
    "weights",
    PLOY_LEARNER_NUMBERS | PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING |
        PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_ESTIMATES,
    ploy_net_learner_fields,
    net_learner_create,
    net_learner_destroy,
    net_learner_observe,
    net_learner_begin,
    net_learner_step,
    net_learner_cancel,
    net_learner_predict,
    net_learner_reset,
    net_learner_size,
    net_learner_visit,
    net_learner_explain,
    net_learner_draw,
    net_learner_total,
};

const ploy_learner_type *ploy_net_learner(void) {
    return &net_learner_type;
}

const ploy_net *ploy_net_learner_net(ploy_learner learner) {
    return learner.type == ploy_net_learner() ? ((const net_learner *)learner.self)->net : NULL;
}
