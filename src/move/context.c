// Context steering. Described in the header.
#include "ploy/move/context.h"

#include <string.h>

#include "move/move_internal.h"

static const char *const context_masks[] = {"least", "limit", "subtract"};

static const ploy_field context_fields[] = {
    PLOY_FIELD_I32(ploy_context_def, slots, 16, 4, PLOY_CONTEXT_SLOTS_MAX, "",
                   "directions around the agent"),
    PLOY_FIELD_ENUM(ploy_context_def, mask, PLOY_CONTEXT_LEAST, context_masks,
                    "how danger closes directions"),
    PLOY_FIELD_F32(ploy_context_def, danger_limit, 0.5, 0, 1e6, "", "danger that is still open"),
    PLOY_FIELD_F32(ploy_context_def, interest_spread, 1.5707964, 0.01, 3.1415927, "rad",
                   "where an interest falls to nothing"),
    PLOY_FIELD_F32(ploy_context_def, danger_spread, 0.7853982, 0.01, 3.1415927, "rad",
                   "where a danger falls to nothing"),
    PLOY_FIELD_F32(ploy_context_def, hysteresis, 0, 0, 1e6, "", "added to the last choice"),
    PLOY_FIELD_BOOL(ploy_context_def, refine, true, "choose between the slots"),
};

ploy_fields ploy_context_fields(void) {
    return PLOY_FIELDS(ploy_context_def, context_fields);
}

ploy_context_def ploy_context_def_default(void) {
    ploy_context_def def;
    memset(&def, 0, sizeof def); // the gap behind `refine`, which copies carry on
    ploy_fields_default(ploy_context_fields(), &def);
    return def;
}

static bool context_def_ok(const ploy_context_def *def) {
    return def != NULL && def->slots >= 4 && def->slots <= PLOY_CONTEXT_SLOTS_MAX &&
           (uint32_t)def->mask <= (uint32_t)PLOY_CONTEXT_SUBTRACT &&
           ployi_within(def->danger_limit, 0, 1e6) &&
           ployi_within(def->interest_spread, 0.01, 3.1415928) &&
           ployi_within(def->danger_spread, 0.01, 3.1415928) &&
           ployi_within(def->hysteresis, 0, 1e6);
}

// The direction of a slot, or between two of them.
static ploy_vec2 context_heading(int32_t slots, float slot) {
    float angle = slot * (2.0f * PLOY_PI_F) / (float)slots;
    return ploy_vec2_make(ploy_cosf(angle), ploy_sinf(angle));
}

void ploy_context_init(ploy_context *context, const ploy_context_def *def) {
    memset(context, 0, sizeof *context);
    if (!context_def_ok(def)) return;
    context->slots = def->slots;
    context->interest_cos = ploy_cosf(def->interest_spread);
    context->danger_cos = ploy_cosf(def->danger_spread);
    for (int32_t k = 0; k < def->slots; k++) {
        context->heading[k] = context_heading(def->slots, (float)k);
    }
}

void ploy_context_clear(ploy_context *context) {
    memset(context->interest, 0, sizeof context->interest);
    memset(context->danger, 0, sizeof context->danger);
}

// Falls from 1 along the direction to 0 where the cosine of the angle is `edge`; the whole strength
// remains up to where it is `full`.
static void context_write(const ploy_context *context, float *map, ploy_vec2 direction,
                          float strength, float full, float edge) {
    if (!(strength > 0.0f) || !(strength <= FLT_MAX) || !ploy_vec2_is_finite(direction)) return;
    ploy_vec2 unit = ploy_vec2_normalise(direction);
    if (ploy_vec2_is_zero(unit)) return;
    float over = 1.0f / ploy_maxf(full - edge, 1e-6f);
    for (int32_t k = 0; k < context->slots; k++) {
        float part = (ploy_vec2_dot(context->heading[k], unit) - edge) * over;
        float value = strength * ploy_clampf(part, 0.0f, 1.0f);
        map[k] = ploy_maxf(map[k], value);
    }
}

void ploy_context_add_interest(ploy_context *context, ploy_vec2 direction, float strength) {
    context_write(context, context->interest, direction, strength, 1.0f, context->interest_cos);
}

void ploy_context_add_danger(ploy_context *context, ploy_vec2 direction, float strength) {
    context_write(context, context->danger, direction, strength, 1.0f, context->danger_cos);
}

void ploy_context_add_body(ploy_context *context, ploy_vec2 from, ploy_vec2 body, float radius,
                           float range) {
    ploy_vec2 offset = ploy_vec2_sub(body, from);
    float distance = ploy_vec2_length(offset);
    if (!(radius >= 0.0f) || !(range > 0.0f) || !(distance < radius + range)) return;
    // The half angle under which it is seen, a quarter turn once it touches; and that angle and the
    // spread together, by the cosine of a sum.
    float sine = distance > radius ? radius / distance : 1.0f;
    float cosine = sqrtf(ploy_maxf(1.0f - sine * sine, 0.0f));
    float spread_sine = sqrtf(ploy_maxf(1.0f - context->danger_cos * context->danger_cos, 0.0f));
    float edge = cosine * context->danger_cos - sine * spread_sine;
    float strength = 1.0f - ploy_clampf((distance - radius) / range, 0.0f, 1.0f);
    context_write(context, context->danger, offset, strength, cosine, edge);
}

// The score of each slot; closed ones are far below all others.
#define CONTEXT_CLOSED (-FLT_MAX)

static void context_scores(const ploy_context *context, const ploy_context_def *def, int32_t last,
                           float *scores) {
    float least = FLT_MAX;
    for (int32_t k = 0; k < context->slots; k++) least = ploy_minf(least, context->danger[k]);
    float open = def->mask == PLOY_CONTEXT_LIMIT ? ploy_maxf(least, def->danger_limit) : least;
    for (int32_t k = 0; k < context->slots; k++) {
        bool subtract = def->mask == PLOY_CONTEXT_SUBTRACT;
        float score = context->interest[k] - (subtract ? context->danger[k] : 0.0f);
        // Hysteresis makes nothing interesting that is not.
        if (k == last && context->interest[k] > 0.0f) score += def->hysteresis;
        scores[k] = subtract || context->danger[k] <= open ? score : CONTEXT_CLOSED;
    }
}

static int32_t context_best(const ploy_context *context, const float *scores) {
    int32_t best = -1;
    for (int32_t k = 0; k < context->slots; k++) {
        bool wanted = scores[k] > 0.0f;
        if (wanted && (best < 0 || scores[k] > scores[best])) best = k;
    }
    return best;
}

ploy_context_choice ploy_context_decide(const ploy_context *context, const ploy_context_def *def,
                                        int32_t last) {
    ploy_context_choice out = {-1, {0.0f, 0.0f}, 0.0f, 0.0f};
    if (!context_def_ok(def) || context->slots != def->slots) return out;
    float scores[PLOY_CONTEXT_SLOTS_MAX];
    context_scores(context, def, last, scores);
    int32_t best = context_best(context, scores), slots = context->slots;
    if (best < 0) return out;
    out.slot = best;
    out.score = scores[best];
    out.interest = context->interest[best];
    out.direction = context->heading[best];
    int32_t right = (best + slots - 1) % slots, left = (best + 1) % slots;
    bool open = scores[right] > CONTEXT_CLOSED && scores[left] > CONTEXT_CLOSED;
    if (def->refine && open) {
        // Without the bonus of the last choice, which belongs to no direction.
        float middle = scores[best] - (best == last ? def->hysteresis : 0.0f);
        float a = scores[right] - (right == last && scores[right] > 0.0f ? def->hysteresis : 0.0f);
        float b = scores[left] - (left == last && scores[left] > 0.0f ? def->hysteresis : 0.0f);
        float bend = a - 2.0f * middle + b;
        if (bend < -1e-6f * middle) {
            float shift = ploy_clampf(0.5f * (a - b) / bend, -0.5f, 0.5f);
            out.direction = context_heading(slots, (float)best + shift);
        }
    }
    return out;
}

ploy_result ploy_context_decide_batch(const ploy_context *contexts, int32_t context_count,
                                      const ploy_context_def *def, int32_t first, int32_t count,
                                      int32_t *lasts, ploy_context_choice *choices) {
    if (contexts == NULL || choices == NULL || def == NULL || !context_def_ok(def) ||
        !ploy_range_within(first, count, context_count)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = first; i < first + count; i++) {
        choices[i] = ploy_context_decide(&contexts[i], def, lasts != NULL ? lasts[i] : -1);
        if (lasts != NULL) lasts[i] = choices[i].slot;
    }
    return PLOY_OK;
}

ploy_steering ploy_context_steer(const ploy_context_def *def, const ploy_context *map,
                                 const ploy_seek_def *seek, ploy_kinematic agent, int32_t *last) {
    if (!context_def_ok(def) || map->slots != def->slots) return ploy_steering_invalid();
    ploy_context_choice choice = ploy_context_decide(map, def, *last);
    *last = choice.slot;
    if (choice.slot < 0) return ploy_steering_none();
    ploy_seek_def law = *seek;
    law.max_speed *= ploy_minf(choice.interest, 1.0f);
    return ploy_seek(&law, agent, ploy_vec2_add(agent.position, choice.direction));
}

void ploy_context_trace(const ploy_context *context, const ploy_context_def *def, int32_t last,
                        ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL || !context_def_ok(def) || context->slots != def->slots) return;
    float scores[PLOY_CONTEXT_SLOTS_MAX];
    context_scores(context, def, last, scores);
    int32_t best = context_best(context, scores);
    ploy_trace_begin(trace, id, "steer", "context");
    for (int32_t k = 0; k < context->slots; k++) {
        if (!(context->interest[k] > 0.0f)) continue;
        char name[32] = "slot ";
        ploy_value number = ploy_value_i64(k);
        ploy_value_print(&number, name + 5, sizeof name - 5);
        bool closed = !(scores[k] > CONTEXT_CLOSED);
        ploy_trace_option(trace, name,
                          k == best ? PLOY_OUTCOME_WON
                          : closed  ? PLOY_OUTCOME_REJECTED
                                    : PLOY_OUTCOME_LOST,
                          (double)(closed ? context->interest[k] : scores[k]),
                          k == best ? "the best of the open directions"
                          : closed  ? "too dangerous"
                                    : "less interesting");
    }
    if (best < 0) ploy_trace_note(trace, "No open direction is worth going.");
    ploy_trace_end(trace);
}

void ploy_context_draw(const ploy_context *context, ploy_vec2 at, float scale, ploy_agent_id id,
                       ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_FORCES)) return;
    for (int32_t k = 0; k < context->slots; k++) {
        ploy_vec2 direction = context->heading[k],
                  side = ploy_vec2_scale(ploy_vec2_perp(direction), 0.02f);
        ploy_vec2 to = ploy_vec2_add_scaled(at, direction, scale * context->interest[k]);
        ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_GOOD, id, at, to);
        ploy_vec2 from = ploy_vec2_add_scaled(at, side, scale);
        to = ploy_vec2_add_scaled(from, direction, scale * context->danger[k]);
        ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_BAD, id, from, to);
    }
}

#undef CONTEXT_CLOSED
