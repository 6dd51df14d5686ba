// The decorators of a behavior tree; see bt_step.c for the walk.
#include "decide/bt_walk.h"

// A time that comes from a key is kept as when it ends, so that the key may change meanwhile; one
// of the definition as when it began.
static void bt_decorate_begin(const ployi_bt_walk *walk, const ployi_bt_extra *extra,
                              uint32_t *words) {
    bool keyed = ployi_bt_keyed(extra, PLOYI_BT_SETTING_SECONDS);
    double span = keyed ? ployi_bt_seconds(walk, extra, PLOYI_BT_SETTING_SECONDS) : 0.0;
    ployi_bt_set_time(words, walk->context->now + span);
}

static bool bt_decorate_is_over(const ployi_bt_walk *walk, const ployi_bt_extra *extra,
                                const uint32_t *words) {
    bool keyed = ployi_bt_keyed(extra, PLOYI_BT_SETTING_SECONDS);
    return walk->context->now - ployi_bt_time(words) >= (keyed ? 0.0 : extra->seconds);
}

// Visits a decorator; its child is the next node.
ployi_bt_way ployi_bt_decorate(ployi_bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    bool runs = ployi_bt_runs(walk, node), child_runs = ployi_bt_runs(walk, node + 1);
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    *status = PLOY_STATUS_FAILURE;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY: {
        int32_t count = ployi_bt_count(walk, extra, -1);
        if (count < 0 || (int32_t)words[0] < count) break;
        words[0] = 0;
        if (at->kind == PLOY_BT_REPEAT) *status = PLOY_STATUS_SUCCESS;
        return PLOYI_BT_ANSWER;
    }
    case PLOY_BT_RESTART:
        if (!runs) words[0] = 0;
        break;
    case PLOY_BT_TIMEOUT:
        if (!runs) bt_decorate_begin(walk, extra, words);
        if (!runs || !bt_decorate_is_over(walk, extra, words)) break;
        ployi_bt_halt_children(walk, node);
        *status = extra->result;
        return PLOYI_BT_ANSWER;
    case PLOY_BT_DELAY:
        if (!runs) bt_decorate_begin(walk, extra, words);
        if (child_runs || bt_decorate_is_over(walk, extra, words)) break;
        return PLOYI_BT_YIELD;
    case PLOY_BT_COOLDOWN:
        if (runs || words[0] == 0) break;
        if (walk->context->now - ployi_bt_time(&words[1]) >=
            ployi_bt_seconds(walk, extra, PLOYI_BT_SETTING_SECONDS)) {
            break;
        }
        return PLOYI_BT_ANSWER;
    case PLOY_BT_RUN_ONCE:
        if (words[0] == 0) break;
        *status = extra->flag ? PLOY_STATUS_SKIPPED : (ploy_status)(words[0] - 1);
        return PLOYI_BT_ANSWER;
    case PLOY_BT_LIMIT:
        if (runs) break;
        if ((int32_t)words[0] >= ployi_bt_count(walk, extra, 0)) return PLOYI_BT_ANSWER;
        words[0]++;
        break;
    case PLOY_BT_PRECONDITION: {
        if (child_runs) break;
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (ployi_bt_holds(&extra->condition, &call)) break;
        *status = extra->result;
        return extra->result == PLOY_STATUS_RUNNING ? PLOYI_BT_YIELD : PLOYI_BT_ANSWER;
    }
    case PLOY_BT_LOOP:
        if (!runs) words[0] = 0;
        if (child_runs) break;
        *status = extra->result;
        if (ployi_bt_keyed(extra, PLOYI_BT_SETTING_QUEUE)) {
            bool wrong;
            if (ployi_bt_take(walk, extra, &wrong)) break;
            if (wrong) *status = PLOY_STATUS_FAILURE;
            return PLOYI_BT_ANSWER;
        }
        if (words[0] >= extra->value_count) return PLOYI_BT_ANSWER;
        ployi_bt_set(walk->instance, extra->ref,
                     PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value + words[0]));
        words[0]++;
        break;
    case PLOY_BT_SKIP_UNLESS_UPDATED:
    case PLOY_BT_WAIT_VALUE_UPDATE: {
        if (child_runs) break;
        uint32_t changes = ployi_bt_changes(walk, extra);
        bool same = changes == words[0];
        words[0] = changes;
        if (!same) break;
        *status = PLOY_STATUS_SKIPPED;
        return at->kind == PLOY_BT_WAIT_VALUE_UPDATE ? PLOYI_BT_YIELD : PLOYI_BT_ANSWER;
    }
    case PLOY_BT_SEMAPHORE_GUARD:
        if (runs) break;
        if (!ploy_semaphores_acquire(walk->instance->semaphores,
                                     walk->instance->guards[extra->target])) {
            return PLOYI_BT_ANSWER;
        }
        words[0] = 1;
        break;
    case PLOY_BT_INTERRUPTER:
        if (!runs) words[0] = 0;
        if (words[0] == 0) break;
        ployi_bt_halt_children(walk, node);
        *status = (ploy_status)(words[0] - 1);
        words[0] = 0;
        return PLOYI_BT_ANSWER;
    case PLOY_BT_GATE:
        if (words[0] == 1 || (words[0] == 0 && extra->flag)) break;
        ployi_bt_halt_children(walk, node);
        return PLOYI_BT_ANSWER;
    case PLOY_BT_HOLD:
        if (!runs) words[0] = words[1] = 0;
        if (words[0] == 0) break;
        if (words[1] == 0) return PLOYI_BT_YIELD;
        *status = (ploy_status)(words[0] - 1);
        return PLOYI_BT_ANSWER;
    case PLOY_BT_BLACKBOARD_SCOPE:
        if (runs) break;
        ploy_blackboard_reset(walk->instance->boards[extra->scope]);
        ploy_blackboard_set_parent(
            walk->instance->boards[extra->scope],
            walk->instance
                ->boards[PLOYI_BT_AT(walk->bt, scopes, ployi_bt_scope, extra->scope)->parent]);
        break;
    default: break;
    }
    walk->status[node] = PLOYI_BT_RUNS;
    return PLOYI_BT_DOWN;
}

// A decorator's child answered.
ployi_bt_way ployi_bt_filter(ployi_bt_walk *walk, uint32_t node, uint32_t *next,
                             ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    bool running = *status == PLOY_STATUS_RUNNING, skipped = *status == PLOY_STATUS_SKIPPED;
    bool success = *status == PLOY_STATUS_SUCCESS;
    if (at->kind == PLOY_BT_INTERRUPTER && words[0] != 0) {
        ployi_bt_halt_children(walk, node);
        *status = (ploy_status)(words[0] - 1);
        words[0] = 0;
        return PLOYI_BT_ANSWER;
    }
    if (running) return PLOYI_BT_ANSWER;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
        if (skipped) return PLOYI_BT_ANSWER;
        if (success == (at->kind == PLOY_BT_REPEAT)) {
            int32_t count = ployi_bt_count(walk, extra, -1);
            if (count < 0) return PLOYI_BT_YIELD;
            *next = node + 1;
            if ((int32_t)++words[0] < count) return PLOYI_BT_DOWN;
        }
        words[0] = 0;
        return PLOYI_BT_ANSWER;
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE:
        return success || skipped ? PLOYI_BT_YIELD : PLOYI_BT_ANSWER;
    case PLOY_BT_UNTIL_FAIL:
    case PLOY_BT_UNTIL_SUCCESS:
        if (skipped) return PLOYI_BT_ANSWER;
        if (success == (at->kind == PLOY_BT_UNTIL_FAIL)) return PLOYI_BT_YIELD;
        *status = extra->result;
        return PLOYI_BT_ANSWER;
    case PLOY_BT_RESTART: {
        int32_t count = ployi_bt_count(walk, extra, 0);
        if (count <= 0 || (int32_t)++words[0] < count) return PLOYI_BT_YIELD;
        *status = PLOY_STATUS_SUCCESS;
        return PLOYI_BT_ANSWER;
    }
    case PLOY_BT_RUN_ONCE:
        if (!skipped) words[0] = (uint32_t)*status + 1;
        return PLOYI_BT_ANSWER;
    case PLOY_BT_LOOP: return *status == PLOY_STATUS_FAILURE ? PLOYI_BT_ANSWER : PLOYI_BT_YIELD;
    case PLOY_BT_HOLD:
        if (words[1] != 0) return PLOYI_BT_ANSWER;
        words[0] = (uint32_t)*status + 1;
        return PLOYI_BT_YIELD;
    case PLOY_BT_SEMAPHORE_GUARD:
    case PLOY_BT_COOLDOWN: ployi_bt_end(walk->instance, walk->context, at); return PLOYI_BT_ANSWER;
    default: return PLOYI_BT_ANSWER;
    }
}
