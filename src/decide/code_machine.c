// State machines written as code, as behaviors; see code_fsm.h.
#include <stddef.h>
#include <string.h>

#include "decide_internal.h"
#include "ploy/decide/code_fsm.h"
#include "ploy/exec/behavior_visit.h"

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

static const char *code_machine_visit_text(const void *user, uint32_t number) {
    const ploy_code_machine *machine = user;
    return code_machine_name(machine, number <= INT32_MAX ? (int32_t)number : -1);
}

static const char *code_machine_visit_status(int32_t status) {
    return ploy_status_text((ploy_status)status);
}

// The state: by its name if it has one, otherwise by its number.
static bool code_machine_visit_state(ploy_visit *v, code_machine_self *self) {
    const ploy_code_machine *machine = self->machine;
    ploy_describe_i64(v->describe, "state", PLOY_STATE, self->fsm.state);
    ploy_json_writer *json = NULL;
    if (machine->states == NULL) {
        if ((json = ploy_visit_writer(v, "state")) != NULL) ploy_json_write_text(json, "");
        (void)ploy_visit_reader(v, "state", NULL, NULL, NULL);
        bool there = ploy_visit_optional(v, "number", true);
        ploy_visit_i32_in(v, "number", PLOY_SAVED, &self->fsm.state, 0, INT32_MAX);
        return there;
    }
    ploy_visit_table states = {
        code_machine_visit_text,        NULL,    machine,
        (uint32_t)machine->state_count, "state", "no longer exists: the machine restarts"};
    bool there = ploy_visit_optional(v, "state", true);
    bool known = ploy_visit_ref(v, "state", PLOY_SAVED, (uint32_t *)&self->fsm.state, &states);
    if ((json = ploy_visit_writer(v, "number")) != NULL) ploy_json_write_i64(json, self->fsm.state);
    (void)ploy_visit_reader(v, "number", NULL, NULL, NULL);
    return there && known && (!ploy_visit_loads(v) || self->fsm.state >= 0);
}

// { "machine": "hunter", "state": "flee", "number": 1, "changes": 3, "status": "running",
//   "owner": { as the field table says } }
static void code_machine_visit(ploy_visit *v, void *object) {
    code_machine_self *self = object;
    const ploy_code_machine *machine = self->machine;
    bool started = true;
    if (ploy_visit_tolerates(v)) code_machine_reset(self);
    ploy_visit_object(v, "code machine", self, self->size);
    PLOY_VISIT_SCRATCH(v, self->env);
    PLOY_VISIT_SCRATCH(v, self->machine);
    PLOY_VISIT_SCRATCH(v, self->size);
    PLOY_VISIT_SCRATCH(v, self->owner_size);
    PLOY_VISIT_SCRATCH(v, self->fsm.next); // only within a step, as are
    PLOY_VISIT_SCRATCH(v, self->fsm.changing);
    PLOY_VISIT_SCRATCH(v, self->fsm.handled);
    PLOY_VISIT_SCRATCH(v, self->fsm.context);
    PLOY_VISIT_SCRATCH(v, self->fsm.started); // always, when it is saved
    size_t head = offsetof(code_machine_self, fsm) + sizeof self->fsm;
    ploy_visit_scratch(v, (char *)self + head,
                       offsetof(code_machine_self, owner) - head); // padding
    ploy_value name = ploy_value_text(machine->name);
    bool goes_on = ploy_visit_same(v, "machine", PLOY_STATE, &name);
    goes_on = code_machine_visit_state(v, self) && goes_on;
    ploy_describe_bool(v->describe, "started", PLOY_STATE, self->fsm.started);
    ploy_visit_u64(v, "changes", PLOY_STATE, &self->fsm.changes);
    ploy_describe_text(v->describe, "name", PLOY_NOTE, code_machine_name(machine, self->fsm.state));
    PLOY_VISIT_ENUM(v, "status", PLOY_STATE, self->fsm.status, code_machine_visit_status,
                    PLOY_STATUS_SKIPPED + 1);
    if (machine->owner_fields != NULL) {
        ploy_visit_begin(v, "owner", PLOY_DERIVED);
        bool loaded =
            ploy_visit_record(v, "owner", PLOY_STATE, machine->owner_fields(), self->owner);
        ploy_visit_end(v);
        if (goes_on && !loaded) {
            ploy_visit_lost(v, "machine", machine->name, "has another owner now: restarts");
        }
        goes_on = goes_on && loaded;
    } else if (self->owner_size > 0) {
        ploy_visit_scratch(v, self->owner, self->owner_size);
        if (goes_on) {
            ploy_visit_lost(v, "machine", machine->name, "does not save its owner: restarts");
        }
        goes_on = false;
    }
    if (!ploy_visit_loads(v)) return;
    if (goes_on) {
        PLOY_VISIT_WRITE(v, self->fsm.started, started);
    } else if (ploy_visit_tolerates(v)) {
        ploy_visit_result(v, code_machine_enter(self, v->context));
    }
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
        .visit = code_machine_visit,
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
