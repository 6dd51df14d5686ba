// A plain function as a behavior; see maker.h.
#include "ploy/exec/maker.h"

#include <stddef.h>
#include <string.h>

// The largest state.
static const size_t function_state_max = (size_t)1 << 20;

typedef struct function_self {
    ploy_env env;
    const ploy_function *function;
    size_t size; // of this block
    size_t state_size;
    _Alignas(PLOY_ALIGNMENT) unsigned char state[];
} function_self;

static void function_reset(function_self *self) {
    if (self->function->fields != NULL) {
        ploy_fields_default(self->function->fields(), self->state);
    } else {
        memset(self->state, 0, self->state_size);
    }
}

static ploy_result function_enter(void *user, ploy_step_context *context) {
    function_self *self = user;
    const ploy_function *function = self->function;
    function_reset(self);
    if (function->enter == NULL) return PLOY_OK;
    return function->enter(function->user, self->state, context);
}

static ploy_result function_step(void *user, ploy_step_context *context, ploy_status *status) {
    function_self *self = user;
    return self->function->step(self->function->user, self->state, context, status);
}

static void function_exit(void *user, ploy_step_context *context, ploy_exit_reason reason) {
    function_self *self = user;
    const ploy_function *function = self->function;
    if (function->exit != NULL) function->exit(function->user, self->state, context, reason);
}

static ploy_result function_message(void *user, ploy_step_context *context,
                                    const ploy_message *message, bool *handled) {
    function_self *self = user;
    const ploy_function *function = self->function;
    if (function->message == NULL) return PLOY_OK;
    return function->message(function->user, self->state, context, message, handled);
}

static void function_destroy(void *user) {
    function_self *self = user;
    ploy_env env = self->env;
    ploy_env_free(&env, self, self->size);
}

// { "function": "patrol", "state": { as the field table says } }
static void function_visit(ploy_visit *v, void *object) {
    function_self *self = object;
    const ploy_function *function = self->function;
    const char *lost = NULL;
    if (ploy_visit_tolerates(v)) function_reset(self);
    ploy_visit_object(v, "function", self, self->size);
    PLOY_VISIT_SCRATCH(v, self->env);
    PLOY_VISIT_SCRATCH(v, self->function);
    PLOY_VISIT_SCRATCH(v, self->size);
    PLOY_VISIT_SCRATCH(v, self->state_size);
    size_t head = offsetof(function_self, state_size) + sizeof self->state_size;
    ploy_visit_scratch(v, (char *)self + head, offsetof(function_self, state) - head); // padding
    const char *saved = ploy_visit_peek(v, "function");
    ploy_describe_text(v->describe, "function", PLOY_STATE, function->name);
    ploy_json_writer *json = ploy_visit_writer(v, "function");
    if (json != NULL) ploy_json_write_text(json, function->name);
    (void)ploy_visit_reader(v, "function", NULL, NULL, NULL);
    if (ploy_visit_loads(v) && strcmp(saved, function->name) != 0) {
        lost = "no longer exists: the new one starts";
    } else if (function->fields == NULL) {
        ploy_visit_scratch(v, self->state, self->state_size);
        if (self->state_size > 0) lost = "does not save its state: restarts";
    } else if (!ploy_visit_record(v, "state", PLOY_STATE, function->fields(), self->state)) {
        lost = "has another state now: restarts";
    }
    if (lost == NULL || !ploy_visit_loads(v)) return;
    ploy_visit_lost(v, "function", saved, lost);
    if (ploy_visit_tolerates(v)) ploy_visit_result(v, function_enter(self, v->context));
}

static const ploy_behavior_type function_type = {
    .name = "function",
    .enter = function_enter,
    .step = function_step,
    .exit = function_exit,
    .message = function_message,
    .destroy = function_destroy,
    .visit = function_visit,
};

ploy_result ploy_function_behavior(const ploy_function *function, const ploy_env *env,
                                   ploy_behavior *out) {
    if (function == NULL || env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    size_t state_size = function->state_size;
    if (function->fields != NULL) {
        size_t table = function->fields().size;
        if (state_size != 0 && state_size != table) return PLOY_ERR_ARGUMENT;
        state_size = table;
    }
    if (function->name == NULL || function->step == NULL || state_size > function_state_max) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t size = sizeof(function_self) + state_size;
    function_self *self = ploy_env_alloc_zero(env, size);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->function = function;
    self->size = size;
    self->state_size = state_size;
    function_reset(self);
    out->type = &function_type;
    out->self = self;
    return PLOY_OK;
}

static ploy_result function_make(void *user, const ploy_env *env, ploy_behavior *out) {
    return ploy_function_behavior(user, env, out);
}

ploy_maker ploy_function_maker(const ploy_function *function) {
    ploy_maker maker = {function_make, (void *)function, NULL, NULL};
    if (function != NULL) maker.name = function->name;
    return maker;
}
