// What hierarchical machines do by themselves: contents, and events sent for later.
// Technique: the executable content of SCXML (W3C, 2015, sections 4 and 6.2), flattened: each branch
// knows where the next one is, so that doing a content is one walk without a stack.
#include "hsm_internal.h"

#include "decide/decide_internal.h"

#include <string.h>

enum { HSM_CONTENT_DEPTH = 64 };

// The names of one step, and what is wrong with it, or NULL.
static const char *hsm_content_fill(ploy_hsm_type *type, const ploy_hsm_op *op, ployi_hsm_op *out) {
    bool event = op->kind == PLOY_HSM_OP_RAISE || op->kind == PLOY_HSM_OP_SEND ||
                 op->kind == PLOY_HSM_OP_FAIL;
    bool branch = op->kind == PLOY_HSM_OP_IF || op->kind == PLOY_HSM_OP_ELSE_IF;
    bool text = op->text != NULL && op->text[0] != '\0';
    if ((unsigned)op->kind > PLOY_HSM_OP_END) return "unknown step of executable content";
    if ((event || op->kind == PLOY_HSM_OP_CANCEL) && !text)
        return "missing name in executable content";
    if (op->kind == PLOY_HSM_OP_CALL && op->action == NULL)
        return "missing function in executable content";
    if (branch && !ployi_condition_valid(type->conditions, op->when)) return "unknown condition";
    if (op->kind == PLOY_HSM_OP_SEND && !(op->delay >= 0.0 && op->delay <= 1e9)) {
        return "delay is out of range";
    }
    out->kind = op->kind;
    out->when = op->when;
    out->delay = op->delay;
    out->action = op->action;
    out->user = op->user;
    if (event) out->event = ploy_hsm_event_make(op->text);
    if (text)
        out->text = ployi_build_name(&type->build, "invalid name in executable content", op->text);
    if (op->id != NULL && op->id[0] != '\0') {
        out->id = ployi_build_name(&type->build, "invalid id of a send", op->id);
    }
    return NULL;
}

// Links the branches of each if. False if they do not match.
static bool hsm_content_link(ployi_hsm_op *ops, int32_t count) {
    int32_t ifs[HSM_CONTENT_DEPTH], last[HSM_CONTENT_DEPTH], depth = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_hsm_op_kind kind = ops[i].kind;
        if (kind < PLOY_HSM_OP_IF) continue;
        if (kind == PLOY_HSM_OP_IF) {
            if (depth == HSM_CONTENT_DEPTH) return false;
            ifs[depth] = last[depth] = i;
            depth++;
            continue;
        }
        if (depth == 0) return false;
        if (kind != PLOY_HSM_OP_END && ops[last[depth - 1]].kind == PLOY_HSM_OP_ELSE) return false;
        ops[last[depth - 1]].next = i;
        last[depth - 1] = i;
        if (kind != PLOY_HSM_OP_END) continue;
        depth--;
        for (int32_t k = ifs[depth]; k < i; k = ops[k].next) ops[k].end = i;
    }
    return depth == 0;
}

ploy_hsm_content ploy_hsm_type_content(ploy_hsm_type *type, const ploy_hsm_op *ops, int32_t count) {
    ploy_hsm_content content = {0};
    if (!ployi_build_open(&type->build)) return content;
    if (count < 0 || (count > 0 && ops == NULL) || count > INT32_MAX / 2 - type->ops.count) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "invalid executable content", "");
        return content;
    }
    ployi_hsm_block block = {type->ops.count, count};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ployi_hsm_op op;
        memset(&op, 0, sizeof op);
        const char *wrong = hsm_content_fill(type, &ops[i], &op);
        if (wrong != NULL) {
            (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, wrong, ops[i].text);
        }
        if (!ployi_build_open(&type->build)) return content;
        result = ploy_array_push(&type->ops, &op);
    }
    if (result == PLOY_OK && count > 0 &&
        !hsm_content_link(PLOY_ARRAY_ITEMS(&type->ops, ployi_hsm_op) + block.first, count)) {
        result = PLOY_ERR_ARGUMENT;
    }
    if (result == PLOY_OK) result = ploy_array_push(&type->blocks, &block);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "cannot build executable content", "");
        return content;
    }
    content.number = (uint32_t)type->blocks.count;
    return content;
}

ploy_result ploy_hsm_type_set_content(ploy_hsm_type *type, ploy_hsm_state state, ploy_hsm_when when,
                                      ploy_hsm_content content) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    bool root = state.number == 0 && when != PLOY_HSM_ON_INITIAL;
    if (root || state.number >= (uint32_t)type->nodes.count ||
        (unsigned)when > PLOY_HSM_ON_INITIAL || !ployi_hsm_content_valid(type, content)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown state or content", "");
    }
    ployi_hsm_node *node = &PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node)[state.number];
    ploy_hsm_content *places[] = {&node->on_enter, &node->on_exit, &node->on_initial};
    *places[when] = content;
    return PLOY_OK;
}

static bool hsm_content_is_in(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return moment->asker != NULL && ployi_hsm_is_active(moment->asker, (uint32_t)(uintptr_t)user);
}

ploy_condition ploy_hsm_type_in(ploy_hsm_type *type, ploy_hsm_state state) {
    const char *id = ploy_hsm_type_id(type, state);
    if (!ployi_build_open(&type->build)) return ploy_condition_none();
    if (id[0] == '\0') {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown state in a condition",
                                "");
        return ploy_condition_none();
    }
    char name[256] = "In('"; // ids have at most 200 characters
    strncat(name, id, sizeof name - 8);
    strncat(name, "')", 3);
    return ploy_condition_call(type->conditions, name, hsm_content_is_in,
                               (void *)(uintptr_t)state.number);
}

// ---- running

// Keeps an event until it is due; those due at the same time stay in order.
static ploy_result hsm_content_send(ploy_hsm *hsm, const ploy_step_context *context,
                                    const ployi_hsm_op *op) {
    if (!(op->delay > 0.0)) return ploy_hsm_send(hsm, &op->event);
    if (hsm->later_count == hsm->type->def.queue) return PLOY_ERR_CAPACITY;
    double due = context->now + op->delay;
    int32_t at = hsm->later_count++;
    for (; at > 0 && hsm->later[at - 1].due > due; at--) hsm->later[at] = hsm->later[at - 1];
    ployi_hsm_later *later = &hsm->later[at];
    memset(later, 0, sizeof *later);
    later->event = op->event;
    later->id = op->id;
    later->due = due;
    return PLOY_OK;
}

// Drops the first n of those kept for later whose place is not needed any more; the freed places are
// zeroed, as state that is compared byte by byte has to be.
static void hsm_content_shorten(ploy_hsm *hsm, int32_t count) {
    for (int32_t i = count; i < hsm->later_count; i++) {
        memset(&hsm->later[i], 0, sizeof hsm->later[i]);
    }
    hsm->later_count = count;
}

static void hsm_content_cancel(ploy_hsm *hsm, ploy_name id) {
    int32_t kept = 0;
    for (int32_t i = 0; i < hsm->later_count; i++) {
        if (ploy_name_equal(hsm->later[i].id, id)) continue;
        hsm->later[kept++] = hsm->later[i];
    }
    hsm_content_shorten(hsm, kept);
}

void ployi_hsm_deliver(ploy_hsm *hsm, double now) {
    int32_t done = 0;
    while (done < hsm->later_count && hsm->later[done].due <= now &&
           ploy_hsm_send(hsm, &hsm->later[done].event) == PLOY_OK) {
        done++;
    }
    if (done == 0) return;
    for (int32_t i = done; i < hsm->later_count; i++) hsm->later[i - done] = hsm->later[i];
    hsm_content_shorten(hsm, hsm->later_count - done);
}

// One step that is no branch. False if the rest is left out.
static bool hsm_content_step(ploy_hsm *hsm, ploy_step_context *context, const ployi_hsm_op *op) {
    ploy_result before = hsm->result;
    const char *text = ployi_build_text(&hsm->type->build, op->text);
    switch (op->kind) {
    case PLOY_HSM_OP_RAISE:
    case PLOY_HSM_OP_FAIL: ployi_hsm_raise_own(hsm, &op->event); break;
    case PLOY_HSM_OP_SEND: ployi_hsm_note(hsm, hsm_content_send(hsm, context, op)); break;
    case PLOY_HSM_OP_CANCEL: hsm_content_cancel(hsm, op->text); break;
    case PLOY_HSM_OP_CALL: ployi_hsm_act(hsm, context, op->action, op->user); break;
    default: // a log
        ploy_env_log(&hsm->env, PLOY_SEVERITY_INFO, text);
        if (context->trace != NULL) ploy_trace_text(context->trace, "log", text);
        break;
    }
    return op->kind != PLOY_HSM_OP_FAIL && hsm->result == before;
}

void ployi_hsm_do(ploy_hsm *hsm, ploy_step_context *context, ploy_hsm_content content) {
    if (content.number == 0) return;
    const ploy_hsm_type *type = hsm->type;
    ployi_hsm_block block = PLOY_ARRAY_ITEMS(&type->blocks, ployi_hsm_block)[content.number - 1];
    const ployi_hsm_op *ops = PLOY_ARRAY_ITEMS(&type->ops, ployi_hsm_op) + block.first;
    bool seeking = false; // a branch that holds, at the branch before which none did
    for (int32_t i = 0; i < block.count;) {
        const ployi_hsm_op *op = &ops[i];
        if (op->kind < PLOY_HSM_OP_IF) {
            if (!hsm_content_step(hsm, context, op)) return;
            i++;
        } else if (op->kind == PLOY_HSM_OP_IF || (op->kind == PLOY_HSM_OP_ELSE_IF && seeking)) {
            ploy_moment moment = ployi_hsm_moment(hsm, context);
            seeking = !ploy_condition_test(type->conditions, op->when, &moment);
            i = seeking ? op->next : i + 1;
        } else if (op->kind == PLOY_HSM_OP_END || seeking) {
            seeking = false;
            i++;
        } else {
            i = op->end; // the branch before this one was done
        }
    }
}
