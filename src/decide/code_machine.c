// State machines written as code, as behaviors; see code_fsm.h.
#include <string.h>

#include "decide_internal.h"
#include "ploy/base/fields_json.h"
#include "ploy/decide/code_fsm.h"

// The largest owner.
static const size_t code_machine_owner_max = (size_t)1 << 20;

typedef struct code_machine_self {
    ploy_env env;
    const ploy_code_machine *machine;
    size_t size; // of this block
    size_t owner_size;
    ploy_code_fsm fsm;
    _Alignas(PLOY_ALIGNMENT) unsigned char owner[];
} code_machine_self;

static void code_machine_reset(code_machine_self *self) {
    self->fsm = ploy_code_fsm_make(self->machine->initial);
    if (self->machine->owner_fields != NULL) {
        ploy_fields_default(self->machine->owner_fields(), self->owner);
    } else {
        memset(self->owner, 0, self->owner_size);
    }
}

// The name of a state, or "" if it has none.
static const char *code_machine_name(const ploy_code_machine *machine, int32_t state) {
    bool named = machine->states != NULL && state >= 0 && state < machine->state_count;
    return named ? machine->states[state] : "";
}

static ploy_result code_machine_result(const code_machine_self *self, ploy_step_context *context,
                                       ploy_result result) {
    if (result == PLOY_OK) return PLOY_OK;
    const char *state = code_machine_name(self->machine, self->fsm.state);
    ploy_step_blame(context, state[0] != '\0' ? state : self->machine->name);
    return result;
}

static ploy_result code_machine_enter(void *user, ploy_step_context *context) {
    code_machine_self *self = user;
    code_machine_reset(self);
    self->fsm.context = context;
    ploy_result result =
        ployi_code_fsm_start(&self->fsm, self->machine->fn, self->owner, context->trace);
    self->fsm.context = NULL;
    return code_machine_result(self, context, result);
}

static ploy_result code_machine_step(void *user, ploy_step_context *context, ploy_status *status) {
    code_machine_self *self = user;
    ploy_result result = PLOY_OK;
    self->fsm.context = context;
    // One that was finished by its enter or a message answers without another update.
    if (self->fsm.status == PLOY_STATUS_RUNNING) {
        result = ploy_code_fsm_step(&self->fsm, self->machine->fn, self->owner, context->trace);
    }
    self->fsm.context = NULL;
    *status = (ploy_status)self->fsm.status;
    return code_machine_result(self, context, result);
}

static void code_machine_exit(void *user, ploy_step_context *context, ploy_exit_reason reason) {
    code_machine_self *self = user;
    (void)reason;
    if (!self->fsm.started) return;
    self->fsm.context = context;
    self->machine->fn(self->owner, &self->fsm, PLOY_CODE_EXIT, NULL);
    self->fsm.context = NULL;
    self->fsm.changing = false;
    self->fsm.started = false;
}

static ploy_result code_machine_message(void *user, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    code_machine_self *self = user;
    self->fsm.context = context;
    ploy_result result = ploy_code_fsm_message(&self->fsm, self->machine->fn, self->owner, message,
                                               context->trace, handled);
    self->fsm.context = NULL;
    return code_machine_result(self, context, result);
}

static void code_machine_destroy(void *user) {
    code_machine_self *self = user;
    ploy_env env = self->env;
    ploy_env_free(&env, self, self->size);
}

static void code_machine_describe(const void *user, ploy_describe *out) {
    const code_machine_self *self = user;
    const ploy_code_machine *machine = self->machine;
    ploy_describe_text(out, "machine", PLOY_STATE, machine->name);
    ploy_code_fsm_describe(&self->fsm, out);
    ploy_describe_text(out, "name", PLOY_NOTE, code_machine_name(machine, self->fsm.state));
    ploy_describe_text(out, "status", PLOY_STATE, ploy_status_text((ploy_status)self->fsm.status));
    if (machine->owner_fields == NULL) return;
    ploy_describe_begin(out, "owner");
    ploy_fields_describe(machine->owner_fields(), self->owner, PLOY_STATE, out);
    ploy_describe_end(out);
}

// { "machine": "hunter", "state": "flee", "number": 1, "changes": 3, "status": "running",
//   "owner": { as the field table says } }
static void code_machine_save(const void *user, ploy_json_writer *out) {
    const code_machine_self *self = user;
    const ploy_code_machine *machine = self->machine;
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "machine", machine->name);
    ployi_save_text(out, "state", code_machine_name(machine, self->fsm.state));
    ploy_json_write_key(out, "number");
    ploy_json_write_i64(out, self->fsm.state);
    ployi_save_u64(out, "changes", self->fsm.changes);
    ployi_save_text(out, "status", ploy_status_text((ploy_status)self->fsm.status));
    if (machine->owner_fields != NULL) {
        ploy_json_write_key(out, "owner");
        ploy_fields_save_json(machine->owner_fields(), self->owner, out);
    }
    ploy_json_write_end_object(out);
}

// The number of the saved state; false if it is not known any more.
static bool code_machine_find(const ploy_code_machine *machine, const ploy_json *doc,
                              ploy_json_node saved, int32_t *out) {
    const char *name = ploy_json_text(doc, ploy_json_member(doc, saved, "state"), NULL);
    if (machine->states == NULL) {
        int64_t number = -1;
        (void)ploy_json_i64(doc, ploy_json_member(doc, saved, "number"), &number);
        *out = (int32_t)number;
        return number >= 0 && number <= INT32_MAX;
    }
    for (int32_t i = 0; i < machine->state_count; i++) {
        if (strcmp(machine->states[i], name) != 0) continue;
        *out = i;
        return true;
    }
    return false;
}

static ploy_result code_machine_load(void *user, ploy_step_context *context, const ploy_json *doc,
                                     ploy_json_node saved, ploy_diags *diags) {
    code_machine_self *self = user;
    const ploy_code_machine *machine = self->machine;
    code_machine_reset(self);
    ploy_json_node named = ploy_json_member(doc, saved, "machine");
    const char *name = ploy_json_text(doc, named, NULL);
    const char *lost = NULL;
    int32_t state = 0;
    if (strcmp(name, machine->name) != 0) lost = "is gone: the new one starts";
    if (lost == NULL && !code_machine_find(machine, doc, saved, &state)) {
        lost = "was in a state that is gone: restarts";
    }
    if (lost == NULL && machine->owner_fields == NULL && self->owner_size > 0) {
        lost = "does not save its owner: restarts";
    }
    if (lost == NULL && machine->owner_fields != NULL &&
        ploy_fields_load_json(machine->owner_fields(), self->owner, doc,
                              ploy_json_member(doc, saved, "owner"), NULL) != PLOY_OK) {
        lost = "has another owner now: restarts";
    }
    if (lost != NULL) {
        ploy_behavior_lost(doc, named, diags, "machine", name, lost);
        return code_machine_enter(self, context);
    }
    self->fsm.state = state;
    self->fsm.started = true;
    ployi_load_u64(doc, saved, "changes", &self->fsm.changes);
    ploy_status status = PLOY_STATUS_RUNNING;
    (void)ployi_load_status(doc, ploy_json_member(doc, saved, "status"), &status);
    self->fsm.status = (uint8_t)status;
    return PLOY_OK;
}

ploy_result ploy_code_machine_behavior(const ploy_code_machine *machine, const ploy_env *env,
                                       ploy_behavior *out) {
    static const ploy_behavior_type type = {
        .name = "code machine",
        .enter = code_machine_enter,
        .step = code_machine_step,
        .exit = code_machine_exit,
        .message = code_machine_message,
        .destroy = code_machine_destroy,
        .describe = code_machine_describe,
        .save = code_machine_save,
        .load = code_machine_load,
    };
    if (machine == NULL || env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    size_t owner_size = machine->owner_size;
    if (machine->owner_fields != NULL) {
        size_t table = machine->owner_fields().size;
        if (owner_size != 0 && owner_size != table) return PLOY_ERR_ARGUMENT;
        owner_size = table;
    }
    bool named = machine->states == NULL ||
                 (machine->initial >= 0 && machine->initial < machine->state_count);
    if (machine->name == NULL || machine->fn == NULL || !named ||
        owner_size > code_machine_owner_max) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t size = sizeof(code_machine_self) + owner_size;
    code_machine_self *self = ploy_env_alloc_zero(env, size);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->machine = machine;
    self->size = size;
    self->owner_size = owner_size;
    code_machine_reset(self);
    out->type = &type;
    out->self = self;
    return PLOY_OK;
}

static ploy_result code_machine_make(void *user, const ploy_env *env, ploy_behavior *out) {
    return ploy_code_machine_behavior(user, env, out);
}

ploy_maker ploy_code_machine_maker(const ploy_code_machine *machine) {
    ploy_maker maker = {code_machine_make, (void *)machine, NULL, NULL};
    if (machine != NULL) maker.name = machine->name;
    return maker;
}
