// Tiers: the chain of command; described in the header.
//
// Invariants, from create to destroy:
//   (1) a tier's parent has a lower number, so that numbers are an order from the top down;
//   (2) orders of a tray fall by priority and rise by id among equals;
//   (3) a tier with `noticed` has an order that was given and neither taken nor refused;
//   (4) the block of tiers never moves: the group's members point into it.
#include "ploy/tactics/tiers.h"

#include <math.h>
#include <string.h>

#include "ploy/base/fields.h"
#include "ploy/exec/behavior_visit.h"
#include "tiers_internal.h"

enum { TIERS_KEYS = 5, TIERS_MESSAGES = 8, TIERS_ACTIONS = 16 };

static const ploy_field tiers_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_tiers_def, capacity, 16, 1, 65535, "", "most tiers"),
    PLOY_FIELD_I32(ploy_tiers_def, retries, 2, 1, 1000, "",
                   "how often an order may get stuck before it is refused"),
    PLOY_FIELD_F32(ploy_tiers_def, delay, 0, 0, 1e6f, "s", "how long a telegram takes"),
    PLOY_FIELD_BOOL(ploy_tiers_def, bottom_up, false, "no orders, only reports"),
    PLOY_FIELD_BOOL(ploy_tiers_def, queue, false, "orders queue up by priority"),
};

static const char *const tiers_schemes[] = {"direct", "poll", "events"};

static const ploy_field tier_fields[] = {
    PLOY_FIELD_I32(ploy_tier_def, parent, -1, -1, 65535, "", "the tier above; -1: none"),
    PLOY_FIELD_I32(ploy_tier_def, period, 1, 1, 1 << 20, "", "steps between two turns"),
    PLOY_FIELD_I32(ploy_tier_def, phase, 0, 0, 1 << 20, "", "steps by which turns are earlier"),
    PLOY_FIELD_ENUM(ploy_tier_def, scheme, PLOY_TIER_DIRECT, tiers_schemes,
                    "how its orders arrive"),
};

typedef struct tiers_tier {
    ploy_tiers *owner;
    char name[PLOY_TIER_NAME_MAX];
    int32_t parent; // -1: a top
    int32_t member; // in the group; -1: no behavior
    ploy_tier_scheme scheme;
    bool gone;
    bool noticed; // see (3)
    ploy_agent_id agent;
    ploy_blackboard *board;
    ploy_slot keys[TIERS_KEYS];
    ploy_outbox *outbox; // empty between steps
    ploy_nested mind;
    int32_t order_count;
    int32_t report_count;
    int32_t stuck_count; // how often `stuck` got stuck
    ploy_order notice;   // given, not yet taken
    ploy_order stuck;    // the last one that got stuck
    ploy_order orders[PLOY_TIER_ORDERS_MAX];
    ploy_report reports[PLOY_TIER_REPORTS_MAX]; // oldest first
} tiers_tier;

struct ploy_tiers {
    ploy_env env;
    ploy_tiers_def def;
    ploy_tiers_host host;
    ploy_telegrams *telegrams;
    ploy_group *group;
    size_t size;
    uint64_t last_id;
    int32_t count;
    bool entered; // the group
    int32_t report_count;
    ploy_report reports[PLOY_TIER_REPORTS_MAX]; // for the game, above the tops
    ployi_tiers_log log;
    tiers_tier tiers[];
};

const char *ploy_tier_scheme_text(ploy_tier_scheme scheme) {
    return (uint32_t)scheme < PLOY_TIER_SCHEMES ? tiers_schemes[scheme] : "?";
}

ploy_fields ploy_tiers_fields(void) {
    return PLOY_FIELDS(ploy_tiers_def, tiers_fields);
}

ploy_tiers_def ploy_tiers_def_default(void) {
    ploy_tiers_def def;
    ploy_fields_default(ploy_tiers_fields(), &def);
    return def;
}

ploy_fields ploy_tier_fields(void) {
    return PLOY_FIELDS(ploy_tier_def, tier_fields);
}

ploy_tier_def ploy_tier_def_default(void) {
    ploy_tier_def def;
    ploy_fields_default(ploy_tier_fields(), &def);
    return def;
}

static tiers_tier *tiers_get(const ploy_tiers *tiers, int32_t index) {
    if (tiers == NULL || index < 0 || index >= tiers->count) return NULL;
    tiers_tier *tier = (tiers_tier *)(uintptr_t)&tiers->tiers[index];
    return tier->gone ? NULL : tier;
}

static int32_t tiers_index(const tiers_tier *tier) {
    return (int32_t)(tier - tier->owner->tiers);
}

// ---- orders in the tray

// Shows the order in effect on the blackboard, where the layout has the keys.
static void tiers_show(tiers_tier *tier) {
    if (tier->board == NULL) return;
    ploy_order none = ploy_order_make(PLOY_ORDER_NONE, ploy_vec2_make(0.0f, 0.0f));
    none.radius = 0.0f;
    const ploy_order *order = tier->order_count > 0 ? &tier->orders[0] : &none;
    ploy_name kind = {0};
    if (order->kind == PLOY_ORDER_OWN) {
        kind = order->what;
    } else if (order->kind != PLOY_ORDER_NONE) {
        kind = ploy_name_of(ploy_order_kind_text(order->kind));
    }
    const float place[2] = {order->place.x, order->place.y};
    // A key that the layout lacks is slot none, and writing it changes nothing.
    (void)ploy_blackboard_set_name(tier->board, tier->keys[0], kind);
    (void)ploy_blackboard_set_u64(tier->board, tier->keys[1], order->id);
    (void)ploy_blackboard_set_vec(tier->board, tier->keys[2], place);
    (void)ploy_blackboard_set_id(tier->board, tier->keys[3], order->unit.id);
    (void)ploy_blackboard_set_f32(tier->board, tier->keys[4], order->radius);
}

static void tiers_remove_order(tiers_tier *tier, int32_t index) {
    for (int32_t i = index; i + 1 < tier->order_count; i++) tier->orders[i] = tier->orders[i + 1];
    tier->order_count--;
    tiers_show(tier);
}

static int32_t tiers_find_order(const tiers_tier *tier, uint64_t id) {
    for (int32_t i = 0; i < tier->order_count; i++) {
        if (tier->orders[i].id == id) return i;
    }
    return -1;
}

// Keeps (2). There is room: see tiers_room.
static void tiers_insert(tiers_tier *tier, const ploy_order *order) {
    int32_t at = tier->order_count++;
    for (; at > 0 && tier->orders[at - 1].priority < order->priority; at--) {
        tier->orders[at] = tier->orders[at - 1];
    }
    tier->orders[at] = *order;
    tiers_show(tier);
}

// ---- reports

// Puts a report in a tray; sightings and losses of one unit become one, the oldest goes if it is full.
static void tiers_push(ploy_report *reports, int32_t *count, const ploy_report *report) {
    bool about_unit = report->kind == PLOY_REPORT_SEEN || report->kind == PLOY_REPORT_LOST;
    for (int32_t i = 0; i < *count && about_unit && !ploy_id_is_none(report->unit.id); i++) {
        if (reports[i].kind != report->kind ||
            !ploy_id_equal(reports[i].unit.id, report->unit.id)) {
            continue;
        }
        int32_t merged = reports[i].count;
        reports[i] = *report;
        reports[i].count = merged < INT32_MAX ? merged + 1 : merged;
        return;
    }
    if (*count == PLOY_TIER_REPORTS_MAX) {
        memmove(reports, reports + 1, (size_t)(*count - 1) * sizeof *reports);
        (*count)--;
    }
    reports[(*count)++] = *report;
}

static ploy_result tiers_post(ploy_tiers *tiers, int32_t from, const ploy_report *report,
                              double now);

// The report has reached the tier above `from`. What concerns all tiers goes on from there.
static ploy_result tiers_arrive(ploy_tiers *tiers, int32_t from, const ploy_report *report,
                                double now) {
    int32_t parent = tiers->tiers[from].parent;
    ployi_tiers_log_report(&tiers->log, from, parent, report, now);
    if (parent < 0) {
        tiers_push(tiers->reports, &tiers->report_count, report);
        return PLOY_OK;
    }
    tiers_tier *above = &tiers->tiers[parent];
    tiers_push(above->reports, &above->report_count, report);
    if (report->kind != PLOY_REPORT_SEEN && report->kind != PLOY_REPORT_LOST) return PLOY_OK;
    return tiers_post(tiers, parent, report, now);
}

// The report as a telegram: order, unit, place, kind with reason, and the reporting tier.
static ploy_result tiers_telegraph(ploy_tiers *tiers, int32_t from, const ploy_report *report) {
    unsigned char bytes[PLOY_MESSAGE_PAYLOAD];
    uint32_t codes[2] = {(uint32_t)report->kind | (uint32_t)report->reason << 8,
                         (uint32_t)report->tier};
    memcpy(bytes, &report->order, 8);
    memcpy(bytes + 8, &report->unit.id.index, 4);
    memcpy(bytes + 12, &report->unit.id.generation, 4);
    memcpy(bytes + 16, &report->place.x, 4);
    memcpy(bytes + 20, &report->place.y, 4);
    memcpy(bytes + 24, codes, 8);
    const tiers_tier *tier = &tiers->tiers[from];
    ploy_message message =
        ploy_message_make(tier->agent, tiers->tiers[tier->parent].agent, ploy_name_of("report"));
    ploy_result result = ploy_message_set_payload(&message, bytes, sizeof bytes);
    if (result != PLOY_OK) return result;
    return ploy_telegrams_send(tiers->telegrams, &message, (double)tiers->def.delay, NULL);
}

static ploy_result tiers_post(ploy_tiers *tiers, int32_t from, const ploy_report *report,
                              double now) {
    const tiers_tier *tier = &tiers->tiers[from];
    bool wire = tier->scheme == PLOY_TIER_EVENTS && tier->parent >= 0 &&
                !ploy_id_is_none(tiers->tiers[tier->parent].agent.id);
    if (wire) return tiers_telegraph(tiers, from, report);
    return tiers_arrive(tiers, from, report, now);
}

ploy_result ploy_tiers_report(ploy_tiers *tiers, int32_t tier_index, const ploy_report *report,
                              double now) {
    tiers_tier *tier = tiers_get(tiers, tier_index);
    if (tier == NULL) return PLOY_ERR_NOT_FOUND;
    if (report == NULL || (uint32_t)report->kind >= PLOY_REPORT_KINDS ||
        (uint32_t)report->reason >= PLOY_REASONS || !ploy_vec2_is_finite(report->place)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_report own = *report;
    own.tier = tier_index;
    own.count = 1;
    own.time = now;
    bool ends = own.kind == PLOY_REPORT_DONE || own.kind == PLOY_REPORT_FAILED ||
                own.kind == PLOY_REPORT_STUCK;
    int32_t at = own.order != 0 ? tiers_find_order(tier, own.order) : -1;
    if (ends && at < 0) return PLOY_ERR_NOT_FOUND;
    if (ends && own.kind == PLOY_REPORT_STUCK) {
        bool same = tier->stuck_count > 0 && ploy_order_same(&tier->stuck, &tier->orders[at]);
        tier->stuck_count = same ? tier->stuck_count + 1 : 1;
        tier->stuck = tier->orders[at];
    }
    if (ends) tiers_remove_order(tier, at);
    return tiers_post(tiers, tier_index, &own, now);
}

bool ploy_tiers_next_report(ploy_tiers *tiers, int32_t tier_index, ploy_report *out) {
    if (tiers == NULL || out == NULL) return false;
    tiers_tier *tier = tiers_get(tiers, tier_index);
    if (tier == NULL && tier_index != -1) return false;
    ploy_report *reports = tier != NULL ? tier->reports : tiers->reports;
    int32_t *count = tier != NULL ? &tier->report_count : &tiers->report_count;
    if (*count == 0) return false;
    *out = reports[0];
    (*count)--;
    memmove(reports, reports + 1, (size_t)*count * sizeof *reports);
    return true;
}

static ploy_result tiers_post_about(tiers_tier *tier, ploy_report_kind kind, uint64_t order,
                                    ploy_report_reason reason, double now) {
    ploy_report report = ploy_report_make(kind, order, reason);
    report.tier = tiers_index(tier);
    report.unit = tier->agent;
    report.time = now;
    return tiers_post(tier->owner, report.tier, &report, now);
}

// ---- giving orders

// Takes an order into the tray. In a queue the last one may have to go; there is room or one to go.
static ploy_result tiers_take(tiers_tier *tier, const ploy_order *order, double now) {
    ploy_result result = PLOY_OK;
    if (!tier->owner->def.queue) tier->order_count = 0;
    if (tier->order_count == PLOY_TIER_ORDERS_MAX) {
        uint64_t last = tier->orders[tier->order_count - 1].id;
        tiers_remove_order(tier, tier->order_count - 1);
        result = tiers_post_about(tier, PLOY_REPORT_FAILED, last, PLOY_REASON_REPLACED, now);
    }
    tiers_insert(tier, order);
    if (result != PLOY_OK) return result;
    return tiers_post_about(tier, PLOY_REPORT_ACCEPTED, order->id, PLOY_REASON_NONE, now);
}

// The receiver looks at the order that was left for it.
static ploy_result tiers_consider(tiers_tier *tier, double now) {
    if (!tier->noticed) return PLOY_OK;
    const ploy_tiers_host *host = &tier->owner->host;
    tier->noticed = false;
    if (host->accept != NULL && !host->accept(host->user, tiers_index(tier), &tier->notice)) {
        return tiers_post_about(tier, PLOY_REPORT_FAILED, tier->notice.id, PLOY_REASON_REFUSED,
                                now);
    }
    return tiers_take(tier, &tier->notice, now);
}

static bool tiers_room(const tiers_tier *tier, const ploy_order *order) {
    if (!tier->owner->def.queue || tier->order_count < PLOY_TIER_ORDERS_MAX) return true;
    return tier->orders[tier->order_count - 1].priority < order->priority;
}

ploy_result ploy_tiers_give(ploy_tiers *tiers, int32_t to, const ploy_order *order, double now,
                            uint64_t *id) {
    tiers_tier *tier = tiers_get(tiers, to);
    if (tier == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_order_check(order);
    if (result != PLOY_OK) return result;
    if (tiers->def.bottom_up) return PLOY_ERR_DENIED;
    if (tier->stuck_count >= tiers->def.retries && ploy_order_same(&tier->stuck, order)) {
        return PLOY_ERR_LIMIT;
    }
    if (!tiers_room(tier, order)) return PLOY_ERR_CAPACITY;
    ploy_order own = *order;
    own.id = tiers->last_id + 1;
    own.issued = now;
    ployi_tiers_log_order(&tiers->log, tier->parent, to, &own, now);
    if (tier->scheme == PLOY_TIER_EVENTS) {
        ploy_agent_id sender =
            tier->parent >= 0 ? tiers->tiers[tier->parent].agent : ploy_agent_id_none();
        ploy_message message = ploy_message_make(sender, tier->agent, ploy_name_of("order"));
        result = ploy_message_set_payload(&message, &own.id, sizeof own.id);
        if (result != PLOY_OK) return result;
        // Before sending, because a telegram without delay arrives within the call.
        ploy_order before = tier->notice;
        bool noticed = tier->noticed;
        tier->notice = own;
        tier->noticed = true;
        tiers->last_id = own.id;
        result = ploy_telegrams_send(tiers->telegrams, &message, (double)tiers->def.delay, NULL);
        if (result != PLOY_OK && tier->noticed && tier->notice.id == own.id) {
            tier->notice = before;
            tier->noticed = noticed;
        }
    } else if (tier->scheme == PLOY_TIER_POLL) {
        tiers->last_id = own.id;
        tier->notice = own;
        tier->noticed = true;
    } else {
        tiers->last_id = own.id;
        result = tiers_take(tier, &own, now);
        if (tiers->host.force != NULL) tiers->host.force(tiers->host.user, to, &own);
    }
    if (result == PLOY_OK && id != NULL) *id = own.id;
    return result;
}

const ploy_order *ploy_tiers_order(const ploy_tiers *tiers, int32_t tier_index) {
    const tiers_tier *tier = tiers_get(tiers, tier_index);
    return tier != NULL && tier->order_count > 0 ? &tier->orders[0] : NULL;
}

// ---- telegrams

ploy_message ploy_tiers_sighting(ploy_report_kind kind, ploy_agent_id unit, ploy_vec2 place) {
    ploy_message message = ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(),
                                             ploy_name_of(ploy_report_kind_text(kind)));
    unsigned char bytes[16];
    memcpy(bytes, &unit.id.index, 4);
    memcpy(bytes + 4, &unit.id.generation, 4);
    memcpy(bytes + 8, &place.x, 4);
    memcpy(bytes + 12, &place.y, 4);
    (void)ploy_message_set_payload(&message, bytes, sizeof bytes); // it fits
    return message;
}

static ploy_result tiers_receive_order(ploy_tiers *tiers, const ploy_message *message,
                                       bool *handled) {
    tiers_tier *tier = tiers_get(tiers, ploy_tiers_find(tiers, message->receiver));
    uint64_t id = 0;
    if (tier == NULL || message->size != sizeof id) return PLOY_OK;
    memcpy(&id, message->payload, sizeof id);
    *handled = true;
    // A later order replaces one under way, and arrives in its place: orders that are given faster than
    // they travel must not starve the receiver.
    if (!tier->noticed || tier->notice.id < id) return PLOY_OK;
    return tiers_consider(tier, ploy_telegrams_now(tiers->telegrams));
}

static ploy_result tiers_receive_report(ploy_tiers *tiers, const ploy_message *message,
                                        bool *handled) {
    int32_t from = ploy_tiers_find(tiers, message->sender);
    if (message->size != PLOY_MESSAGE_PAYLOAD || from < 0 || tiers->tiers[from].parent < 0) {
        return PLOY_OK;
    }
    uint32_t codes[2];
    ploy_report report = ploy_report_make(PLOY_REPORT_ACCEPTED, 0, PLOY_REASON_NONE);
    const unsigned char *bytes = message->payload;
    memcpy(&report.order, bytes, 8);
    memcpy(&report.unit.id.index, bytes + 8, 4);
    memcpy(&report.unit.id.generation, bytes + 12, 4);
    memcpy(&report.place.x, bytes + 16, 4);
    memcpy(&report.place.y, bytes + 20, 4);
    memcpy(codes, bytes + 24, 8);
    // A telegram is not trusted: a replayed or foreign one must not bring bad numbers in.
    if ((codes[0] & 255u) >= PLOY_REPORT_KINDS || codes[0] >> 8 >= PLOY_REASONS ||
        codes[1] >= (uint32_t)tiers->count || !ploy_vec2_is_finite(report.place)) {
        return PLOY_OK;
    }
    *handled = true;
    report.kind = (ploy_report_kind)(codes[0] & 255u);
    report.reason = (ploy_report_reason)(codes[0] >> 8);
    report.tier = (int32_t)codes[1];
    report.time = ploy_telegrams_now(tiers->telegrams);
    return tiers_arrive(tiers, from, &report, report.time);
}

ploy_result ploy_tiers_receive(void *object, const ploy_message *message, bool *handled) {
    ploy_tiers *tiers = object;
    if (tiers == NULL || message == NULL || handled == NULL) return PLOY_ERR_ARGUMENT;
    *handled = false;
    if (tiers->telegrams == NULL) return PLOY_OK;
    if (ploy_name_equal(message->kind, ploy_name_of("order"))) {
        return tiers_receive_order(tiers, message, handled);
    }
    if (ploy_name_equal(message->kind, ploy_name_of("report"))) {
        return tiers_receive_report(tiers, message, handled);
    }
    return PLOY_OK;
}

// ---- thinking

// An action of the outbox is an order to a subordinate.
static ploy_result tiers_order_of(tiers_tier *tier, const ploy_action_request *request,
                                  double now) {
    int32_t to = ploy_tiers_find(tier->owner, request->agent);
    if (to < 0 || tier->owner->tiers[to].parent != tiers_index(tier)) return PLOY_ERR_NOT_FOUND;
    ploy_order order =
        ploy_order_make(PLOY_ORDER_OWN, ploy_vec2_make(request->position.x, request->position.y));
    for (int32_t kind = 1; kind < PLOY_ORDER_OWN; kind++) {
        ploy_name name = ploy_name_of(ploy_order_kind_text((ploy_order_kind)kind));
        if (ploy_name_equal(request->kind, name)) order.kind = (ploy_order_kind)kind;
    }
    if (order.kind == PLOY_ORDER_OWN) order.what = request->kind;
    order.unit.id = request->target;
    order.formation = request->style;
    order.radius = request->reach;
    order.priority = (int32_t)request->parameters[0];
    if (request->parameters[1] > 0.0f) order.expiry = now + (double)request->parameters[1];
    // A subordinate that is ordered the same again and again, turn by turn, goes on with it.
    const ploy_order *present = ploy_tiers_order(tier->owner, to);
    const tiers_tier *child = &tier->owner->tiers[to];
    if (present != NULL && ploy_order_same(present, &order)) return PLOY_OK;
    if (child->noticed && ploy_order_same(&child->notice, &order)) return PLOY_OK;
    return ploy_tiers_give(tier->owner, to, &order, now, NULL);
}

// A message of the outbox is a report if its kind is one's text. Others go by telegram.
static ploy_result tiers_report_of(tiers_tier *tier, const ploy_message *message, double now) {
    for (int32_t kind = 0; kind < PLOY_REPORT_KINDS; kind++) {
        const char *text = ploy_report_kind_text((ploy_report_kind)kind);
        if (!ploy_name_equal(message->kind, ploy_name_of(text))) continue;
        uint64_t order = tier->order_count > 0 ? tier->orders[0].id : 0;
        bool about_unit = kind == PLOY_REPORT_SEEN || kind == PLOY_REPORT_LOST;
        ploy_report report = ploy_report_make((ploy_report_kind)kind, about_unit ? 0 : order,
                                              kind == PLOY_REPORT_STUCK ? PLOY_REASON_NO_PROGRESS
                                                                        : PLOY_REASON_NONE);
        report.unit = tier->agent;
        if (message->size == 16) {
            memcpy(&report.unit.id.index, message->payload, 4);
            memcpy(&report.unit.id.generation, message->payload + 4, 4);
            memcpy(&report.place.x, message->payload + 8, 4);
            memcpy(&report.place.y, message->payload + 12, 4);
        }
        ploy_result result = ploy_tiers_report(tier->owner, tiers_index(tier), &report, now);
        // Done twice, or done after the order was taken back: there is nothing left to end.
        return result == PLOY_ERR_NOT_FOUND ? PLOY_OK : result;
    }
    if (tier->owner->telegrams == NULL) return PLOY_OK;
    return ploy_telegrams_post(tier->owner->telegrams, message);
}

static void tiers_trace(const tiers_tier *tier, ploy_trace *trace) {
    if (trace == NULL || tier->order_count == 0) return;
    ploy_trace_begin(trace, tier->agent, "order", "tiers");
    for (int32_t i = 0; i < tier->order_count; i++) {
        ploy_trace_option(trace, ploy_order_kind_text(tier->orders[i].kind),
                          i == 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)tier->orders[i].priority,
                          i == 0 ? "highest priority, then oldest" : "waits in the tray");
    }
    ploy_trace_option(trace, "its own plan", PLOY_OUTCOME_REJECTED, 0.0, "an order is in effect");
    ploy_trace_end(trace);
}

static ploy_result tiers_mind_enter(void *self, ploy_step_context *context) {
    tiers_tier *tier = self;
    (void)ploy_nested_enter(&tier->mind, &tier->owner->env, tier->name, context);
    return PLOY_OK;
}

// What a callback or a full tray answers to an order is the subordinate's affair, not an error.
static bool tiers_fatal(ploy_result result) {
    return result == PLOY_ERR_MEMORY;
}

static ploy_result tiers_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    tiers_tier *tier = self;
    ploy_result result = PLOY_OK;
    if (tier->scheme == PLOY_TIER_POLL) result = tiers_consider(tier, context->now);
    if (tiers_fatal(result)) return result;
    tiers_show(tier);
    tiers_trace(tier, context->trace);
    ploy_outbox *outer = context->outbox;
    context->outbox = tier->outbox;
    *status = ploy_nested_step(&tier->mind, &tier->owner->env, tier->name, context);
    context->outbox = outer;
    result = PLOY_OK;
    for (int32_t i = 0; i < ploy_outbox_action_count(tier->outbox) && !tiers_fatal(result); i++) {
        result = tiers_order_of(tier, ploy_outbox_action_at(tier->outbox, i), context->now);
        if (result != PLOY_OK) ploy_trace_note(context->trace, "an order was not accepted");
    }
    for (int32_t i = 0; i < ploy_outbox_message_count(tier->outbox) && !tiers_fatal(result); i++) {
        result = tiers_report_of(tier, ploy_outbox_message_at(tier->outbox, i), context->now);
    }
    ploy_outbox_clear(tier->outbox);
    return tiers_fatal(result) ? result : PLOY_OK;
}

static void tiers_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    tiers_tier *tier = self;
    ploy_nested_exit(&tier->mind, context, reason);
}

static ploy_result tiers_mind_commit(void *self, ploy_step_context *context) {
    tiers_tier *tier = self;
    ploy_nested_commit(&tier->mind, &tier->owner->env, tier->name, context);
    return PLOY_OK;
}

static ploy_result tiers_mind_message(void *self, ploy_step_context *context,
                                      const ploy_message *message, bool *handled) {
    tiers_tier *tier = self;
    *handled = ploy_nested_message(&tier->mind, &tier->owner->env, tier->name, context, message);
    return PLOY_OK;
}

static void tiers_mind_destroy(void *self) {
    tiers_tier *tier = self;
    ploy_nested_destroy(&tier->mind);
}

static void tiers_mind_visit(ploy_visit *v, void *object) {
    tiers_tier *tier = object;
    ploy_visit_nested(v, "mind", PLOY_STATE, &tier->mind, &tier->owner->env, tier->name);
}

static const ploy_behavior_type tiers_mind = {.name = "tier",
                                              .enter = tiers_mind_enter,
                                              .step = tiers_mind_step,
                                              .exit = tiers_mind_exit,
                                              .commit = tiers_mind_commit,
                                              .message = tiers_mind_message,
                                              .destroy = tiers_mind_destroy,
                                              .visit = tiers_mind_visit};

ploy_result ploy_tiers_step(ploy_tiers *tiers, const ploy_step_context *context) {
    if (tiers == NULL || context == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < tiers->count && result == PLOY_OK; i++) {
        tiers_tier *tier = &tiers->tiers[i];
        if (tier->gone) continue;
        for (int32_t k = tier->order_count - 1; k >= 0; k--) {
            if (!(tier->orders[k].expiry <= context->now)) continue;
            uint64_t id = tier->orders[k].id;
            tiers_remove_order(tier, k);
            result =
                tiers_post_about(tier, PLOY_REPORT_FAILED, id, PLOY_REASON_EXPIRED, context->now);
        }
        // A tier without a behavior looks whenever time passes.
        bool polls = tier->member < 0 && tier->scheme == PLOY_TIER_POLL;
        if (polls && result == PLOY_OK) result = tiers_consider(tier, context->now);
    }
    if (tiers_fatal(result)) return result;
    ploy_step_context own = *context;
    ploy_behavior group = ploy_group_behavior(tiers->group);
    ploy_status status = PLOY_STATUS_RUNNING;
    if (ploy_group_count(tiers->group) == 0) return PLOY_OK;
    if (!tiers->entered) {
        tiers->entered = true;
        result = ploy_behavior_enter(group, &own);
        if (result != PLOY_OK) return result;
    }
    result = ploy_behavior_step(group, &own, &status);
    if (result == PLOY_OK) result = ploy_behavior_commit(group, &own);
    return result;
}

// ---- life

ploy_result ploy_tiers_create(const ploy_tiers_def *def, const ploy_tiers_host *host,
                              ploy_telegrams *telegrams, const ploy_env *env, ploy_tiers **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_tiers_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_tiers), def->capacity, sizeof(tiers_tier), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_tiers *tiers = ploy_env_alloc_zero(env, size);
    if (tiers == NULL) return PLOY_ERR_MEMORY;
    tiers->env = *env;
    tiers->def = *def;
    if (host != NULL) tiers->host = *host;
    tiers->telegrams = telegrams;
    tiers->size = size;
    ploy_scheduler_def scheduler = ploy_scheduler_def_default();
    scheduler.capacity = def->capacity;
    result = ploy_group_create(&scheduler, env, &tiers->group);
    if (result != PLOY_OK) {
        ploy_env_free(env, tiers, size);
        return result;
    }
    *out = tiers;
    return PLOY_OK;
}

void ploy_tiers_destroy(ploy_tiers *tiers) {
    if (tiers == NULL) return;
    ploy_env env = tiers->env;
    ploy_group_destroy(tiers->group);
    for (int32_t i = 0; i < tiers->count; i++) ploy_outbox_destroy(tiers->tiers[i].outbox);
    ploy_env_free(&env, tiers, tiers->size);
}

static ploy_result tiers_check(const ploy_tiers *tiers, const ploy_tier_def *def) {
    ploy_result result = ploy_fields_check(ploy_tier_fields(), def, &tiers->env);
    if (result != PLOY_OK) return result;
    bool agentless = ploy_id_is_none(def->agent.id);
    if (def->name == NULL || def->name[0] == 0 || strlen(def->name) >= PLOY_TIER_NAME_MAX ||
        (def->parent >= 0 && tiers_get(tiers, def->parent) == NULL) ||
        (agentless && (def->behavior.type != NULL || def->scheme == PLOY_TIER_EVENTS))) {
        return PLOY_ERR_ARGUMENT;
    }
    if (def->scheme == PLOY_TIER_EVENTS && tiers->telegrams == NULL) return PLOY_ERR_STATE;
    if (tiers->count == tiers->def.capacity) return PLOY_ERR_CAPACITY;
    if (!agentless && ploy_tiers_find(tiers, def->agent) >= 0) return PLOY_ERR_EXISTS;
    for (int32_t i = 0; i < tiers->count; i++) {
        if (strcmp(tiers->tiers[i].name, def->name) == 0) return PLOY_ERR_EXISTS;
    }
    return PLOY_OK;
}

ploy_result ploy_tiers_add(ploy_tiers *tiers, const ploy_tier_def *def, int32_t *out) {
    if (tiers == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = tiers_check(tiers, def);
    if (result != PLOY_OK) return result;
    static const struct {
        const char *name;
        ploy_value_type type;
    } keys[TIERS_KEYS] = {{"order", PLOY_VALUE_NAME},
                          {"order_id", PLOY_VALUE_U64},
                          {"order_place", PLOY_VALUE_VEC2},
                          {"order_unit", PLOY_VALUE_ID},
                          {"order_radius", PLOY_VALUE_F32}};
    tiers_tier *tier = &tiers->tiers[tiers->count];
    memset(tier, 0, sizeof *tier);
    tier->owner = tiers;
    memcpy(tier->name, def->name, strlen(def->name) + 1);
    tier->parent = def->parent;
    tier->member = -1;
    tier->scheme = def->scheme;
    tier->agent = def->agent;
    tier->board = def->blackboard;
    if (def->blackboard != NULL) {
        const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(def->blackboard);
        for (int32_t i = 0; i < TIERS_KEYS; i++) {
            ploy_slot slot = ploy_blackboard_layout_find(layout, keys[i].name);
            bool fits = ploy_blackboard_layout_type(layout, slot) == keys[i].type;
            tier->keys[i] = fits ? slot : ploy_slot_none();
        }
    }
    if (def->behavior.type != NULL) {
        result = ploy_outbox_create(def->agent, TIERS_MESSAGES, TIERS_ACTIONS, &tiers->env,
                                    &tier->outbox);
        if (result != PLOY_OK) return result;
        ploy_group_member member = ploy_group_member_default();
        member.schedule.period = def->period;
        member.schedule.phase = def->phase;
        member.behavior.type = &tiers_mind;
        member.behavior.self = tier;
        member.agent = def->agent;
        member.blackboard = def->blackboard;
        member.name = tier->name;
        tier->mind.behavior = def->behavior;
        result = ploy_group_add(tiers->group, &member, &tier->member);
        if (result != PLOY_OK) {
            ploy_outbox_destroy(tier->outbox);
            memset(tier, 0, sizeof *tier);
            return result;
        }
    }
    if (out != NULL) *out = tiers->count;
    tiers->count++;
    tiers_show(tier);
    return PLOY_OK;
}

ploy_result ploy_tiers_lose(ploy_tiers *tiers, int32_t tier_index, double now) {
    tiers_tier *tier = tiers_get(tiers, tier_index);
    if (tier == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = PLOY_OK;
    if (tier->member >= 0) result = ploy_group_remove(tiers->group, tier->member);
    if (result != PLOY_OK) return result;
    tier->member = -1;
    // Not by telegram: a member that is lost cannot send one, but its parent notices.
    ploy_report report = ploy_report_make(PLOY_REPORT_LOST, 0, PLOY_REASON_LOSSES);
    report.unit = tier->agent;
    report.tier = tier_index;
    report.time = now;
    result = tiers_arrive(tiers, tier_index, &report, now);
    tier->order_count = 0;
    tier->report_count = 0;
    tier->noticed = false;
    tier->gone = true;
    for (int32_t i = tier_index + 1; i < tiers->count; i++) {
        if (tiers->tiers[i].parent == tier_index) tiers->tiers[i].parent = tier->parent;
    }
    return tiers_fatal(result) ? result : PLOY_OK;
}

int32_t ploy_tiers_count(const ploy_tiers *tiers) {
    return tiers != NULL ? tiers->count : 0;
}

int32_t ploy_tiers_find(const ploy_tiers *tiers, ploy_agent_id agent) {
    if (tiers == NULL || ploy_id_is_none(agent.id)) return -1;
    for (int32_t i = 0; i < tiers->count; i++) {
        const tiers_tier *tier = &tiers->tiers[i];
        if (!tier->gone && ploy_id_equal(tier->agent.id, agent.id)) return i;
    }
    return -1;
}

int32_t ploy_tiers_parent(const ploy_tiers *tiers, int32_t tier_index) {
    const tiers_tier *tier = tiers_get(tiers, tier_index);
    return tier != NULL ? tier->parent : -1;
}

// ---- sight

static const char *tiers_name(const void *user, int32_t tier) {
    const ploy_tiers *tiers = user;
    return tier >= 0 && tier < tiers->count ? tiers->tiers[tier].name : "the game";
}

static void tiers_visit_reports(ploy_visit *v, ploy_report *reports, int32_t *count) {
    ploy_visit_scratch(v, reports, PLOY_TIER_REPORTS_MAX * sizeof *reports);
    int32_t items = ploy_visit_list(v, "reports", PLOY_STATE, count, PLOY_TIER_REPORTS_MAX);
    for (int32_t i = 0; i < items; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_report_visit(v, &reports[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void tiers_visit_tier(ploy_visit *v, tiers_tier *tier) {
    ploy_visit_struct(v, "tier", tier, sizeof *tier);
    PLOY_VISIT_SCRATCH(v, tier->owner);
    PLOY_VISIT_SCRATCH(v, tier->name);
    PLOY_VISIT_SCRATCH(v, tier->member);
    PLOY_VISIT_SCRATCH(v, tier->scheme);
    PLOY_VISIT_SCRATCH(v, tier->agent);
    PLOY_VISIT_SCRATCH(v, tier->board);
    PLOY_VISIT_SCRATCH(v, tier->keys);
    PLOY_VISIT_SCRATCH(v, tier->outbox);
    PLOY_VISIT_SCRATCH(v, tier->mind); // visited with the group
    ploy_describe_text(v->describe, "scheme", PLOY_NOTE, ploy_tier_scheme_text(tier->scheme));
    // Keeps (1).
    ploy_visit_i32_in(v, "parent", PLOY_STATE, &tier->parent, -1, tiers_index(tier) - 1);
    ploy_value gone = ploy_value_bool(tier->gone);
    PLOY_VISIT_SCRATCH(v, tier->gone);
    ploy_visit_same(v, "gone", PLOY_STATE,
                    &gone); // its behavior is destroyed: no load brings it back
    PLOY_VISIT_SCRATCH(v, tier->orders);
    int32_t items =
        ploy_visit_list(v, "orders", PLOY_STATE, &tier->order_count, PLOY_TIER_ORDERS_MAX);
    for (int32_t i = 0; i < items; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_order_visit(v, &tier->orders[i]);
        bool sorted = i == 0 || tier->orders[i - 1].priority >= tier->orders[i].priority;
        ploy_visit_check(v, sorted, "orders are not sorted by priority", NULL); // keeps (2)
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_bool(v, "noticed", PLOY_STATE, &tier->noticed);
    ploy_visit_begin(v, "notice", PLOY_STATE);
    ploy_order_visit(v, &tier->notice);
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "stuck_count", PLOY_STATE, &tier->stuck_count, 0, INT32_MAX - 1);
    ploy_visit_begin(v, "stuck", PLOY_STATE);
    ploy_order_visit(v, &tier->stuck);
    ploy_visit_end(v);
    tiers_visit_reports(v, tier->reports, &tier->report_count);
    if (tier->outbox == NULL) return;
    ploy_visit_begin(v, "outbox", PLOY_STATE);
    ploy_outbox_visit(v, tier->outbox);
    ploy_visit_end(v);
}

void ploy_tiers_visit(ploy_visit *v, void *object) {
    ploy_tiers *tiers = object;
    ploy_visit_struct(v, "tiers", tiers, sizeof *tiers);
    ploy_visit_block(v, "tiers", tiers, tiers->size);
    PLOY_VISIT_SCRATCH(v, tiers->env);
    PLOY_VISIT_SCRATCH(v, tiers->def);
    PLOY_VISIT_SCRATCH(v, tiers->host);
    PLOY_VISIT_SCRATCH(v, tiers->telegrams);
    PLOY_VISIT_SCRATCH(v, tiers->group);
    PLOY_VISIT_SCRATCH(v, tiers->size);
    PLOY_VISIT_SCRATCH(v, tiers->count);
    PLOY_VISIT_SCRATCH(v, tiers->log);
    if (v->describe != NULL) {
        ployi_tiers_log_describe(&tiers->log, tiers_name, tiers, v->describe);
    }
    ploy_visit_u64(v, "last_id", PLOY_STATE, &tiers->last_id);
    tiers_visit_reports(v, tiers->reports, &tiers->report_count);
    int32_t count = ploy_visit_fixed(v, "tiers", PLOY_STATE, tiers->count);
    for (int32_t i = 0; i < count; i++) {
        tiers_tier *tier = &tiers->tiers[i];
        // In a description by name; in a file the list is in order.
        if (v->describe != NULL) {
            ploy_visit_begin_agent(v, tier->name, PLOY_STATE, tier->agent);
        } else {
            ploy_visit_begin_item(v, i, PLOY_STATE);
        }
        tiers_visit_tier(v, tier);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    // Last: a load of behaviors cannot be undone.
    PLOY_VISIT_SCRATCH(v, tiers->entered);
    bool minds = v->mode == PLOY_VISIT_MEMORY || tiers->entered;
    if (!ploy_visit_optional(v, "minds", minds)) return;
    if (ploy_visit_loads(v)) {
        if (!ploy_visit_is_ok(v)) return;
        bool entered = true;
        PLOY_VISIT_WRITE(v, tiers->entered, entered);
    }
    ploy_visit_behavior(v, "minds", ploy_group_behavior(tiers->group), v->context);
}

void ploy_tiers_describe(const ploy_tiers *tiers, ploy_describe *out) {
    if (tiers == NULL || out == NULL) return;
    ploy_visit_describe(ploy_tiers_visit, tiers, NULL, out);
}

void ploy_tiers_draw(const ploy_tiers *tiers, ploy_vec2 (*position)(void *user, int32_t tier),
                     void *user, ploy_draw *out) {
    if (tiers == NULL || position == NULL || out == NULL) return;
    for (int32_t i = 0; i < tiers->count; i++) {
        const tiers_tier *tier = &tiers->tiers[i];
        if (tier->gone || tier->order_count == 0) continue;
        const ploy_order *order = &tier->orders[0];
        ploy_vec2 at = position(user, i);
        for (int32_t k = 0; k < order->avoid_count; k++) {
            ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_BAD, tier->agent,
                             order->avoid[k].centre, order->avoid[k].radius);
        }
        for (int32_t k = 0; k < order->route_count; k++) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, tier->agent, at,
                           order->route[k]);
            at = order->route[k];
        }
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, tier->agent, at, order->place);
        ploy_draw_text(out, tier->agent, at, ploy_order_kind_text(order->kind));
    }
}

void ploy_tiers_memory(const ploy_tiers *tiers, ploy_memory_fn fn, void *user) {
    if (tiers == NULL) return;
    ploy_visit_memory(ploy_tiers_visit, tiers, fn, user);
}
