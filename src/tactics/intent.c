// The intent interpreter; described in the header.
#include "ploy/tactics/intent.h"

#include "ploy/base/math.h"

static const ploy_field intent_fields[] = {
    PLOY_FIELD_F32(ploy_intent_def, look_ahead, 6, 0, 1e3f, "m", "how far a junction may be"),
    PLOY_FIELD_F32(ploy_intent_def, walk, 1.5f, 1e-3f, 1e3f, "m/s",
                   "speed at which the direction is certain"),
    PLOY_FIELD_F32(ploy_intent_def, dwell, 0.75f, 0, 1e3f, "s", "how long a new reading must hold"),
};

static const float intent_stride = 0.25f; // m between two looks ahead

const char *ploy_intent_kind_text(ploy_intent_kind kind) {
    static const char *const texts[] = {"unknown", "corridor", "junction", "room"};
    return (uint32_t)kind < PLOY_INTENT_KINDS ? texts[kind] : "?";
}

static const char *intent_text(int32_t kind) {
    return ploy_intent_kind_text((ploy_intent_kind)kind);
}

ploy_fields ploy_intent_fields(void) {
    return PLOY_FIELDS(ploy_intent_def, intent_fields);
}

ploy_intent_def ploy_intent_def_default(void) {
    ploy_intent_def def;
    ploy_fields_default(ploy_intent_fields(), &def);
    return def;
}

static int32_t intent_area(const ploy_intent_area *areas, int32_t count, ploy_vec2 at) {
    for (int32_t i = 0; i < count; i++) {
        const ploy_box2 *box = &areas[i].box;
        if (at.x >= box->min.x && at.x <= box->max.x && at.y >= box->min.y && at.y <= box->max.y) {
            return i;
        }
    }
    return -1;
}

// The first other area along the movement, or -1.
static int32_t intent_ahead(const ploy_intent_def *def, const ploy_intent_area *areas,
                            int32_t count, int32_t area, ploy_vec2 position, ploy_vec2 velocity) {
    ploy_vec2 stride = ploy_vec2_with_length(velocity, intent_stride);
    if (!(ploy_vec2_length(stride) > 0.0f)) return -1;
    int32_t steps = (int32_t)(def->look_ahead / intent_stride);
    for (int32_t i = 0; i < steps; i++) {
        position = ploy_vec2_add(position, stride);
        int32_t found = intent_area(areas, count, position);
        if (found >= 0 && found != area) return found;
    }
    return -1;
}

bool ploy_intent_step(const ploy_intent_def *def, ploy_intent *intent,
                      const ploy_intent_area *areas, int32_t count, ploy_vec2 position,
                      ploy_vec2 velocity, double now) {
    static const ploy_intent_kind kinds[] = {PLOY_INTENT_CORRIDOR, PLOY_INTENT_JUNCTION,
                                             PLOY_INTENT_ROOM};
    float speed = ploy_vec2_length(velocity);
    intent->area = intent_area(areas, count, position);
    intent->next = -1;
    if (intent->area >= 0) {
        intent->next = intent_ahead(def, areas, count, intent->area, position, velocity);
    }
    ploy_intent_kind reading = PLOY_INTENT_UNKNOWN;
    if (intent->area >= 0) reading = kinds[areas[intent->area].kind];
    bool near_junction = intent->next >= 0 && areas[intent->next].kind == PLOY_AREA_JUNCTION;
    if (reading == PLOY_INTENT_CORRIDOR && near_junction) reading = PLOY_INTENT_JUNCTION;
    if (speed > 0.1f * def->walk) intent->heading = ploy_atan2f(velocity.y, velocity.x);
    if (!intent->known || reading != intent->reading) intent->since = now;
    intent->reading = reading;
    bool held = now - intent->since >= (double)def->dwell;
    bool changed = (!intent->known || held) && intent->kind != reading;
    if (changed) intent->kind = reading;
    intent->known = true;
    float certain = speed >= def->walk ? 1.0f : 0.5f + 0.5f * speed / def->walk;
    intent->confidence = intent->kind == reading ? certain : 0.5f * certain;
    if (intent->kind == PLOY_INTENT_UNKNOWN) intent->confidence = 0.0f;
    return changed;
}

void ploy_intent_visit(ploy_visit *v, void *object) {
    ploy_intent *intent = object;
    ploy_visit_struct(v, "intent", intent, sizeof *intent);
    PLOY_VISIT_SCRATCH(v, intent->reserved);
    PLOY_VISIT_ENUM(v, "kind", PLOY_STATE, intent->kind, intent_text, PLOY_INTENT_KINDS);
    ploy_visit_i32_in(v, "area", PLOY_STATE, &intent->area, -1, INT32_MAX);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &intent->next, -1, INT32_MAX);
    ploy_visit_f32(v, "heading", PLOY_STATE, &intent->heading);
    ploy_visit_f32_in(v, "confidence", PLOY_STATE, &intent->confidence, 0.0f, 1.0f);
    PLOY_VISIT_ENUM(v, "reading", PLOY_STATE, intent->reading, intent_text, PLOY_INTENT_KINDS);
    ploy_visit_f64(v, "since", PLOY_STATE, &intent->since);
    ploy_visit_bool(v, "known", PLOY_STATE, &intent->known);
}

void ploy_intent_describe(const ploy_intent *intent, ploy_describe *out) {
    if (intent == NULL || out == NULL) return;
    ploy_visit_describe(ploy_intent_visit, intent, NULL, out);
}
