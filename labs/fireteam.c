// The lab of the fire team: members who only look at each other cross a field of cover points against
// defenders. There is no leader; the roles are a text that can be edited while it runs.
//
// With `walk` they cross upright and without cover, for comparison. A round ends when the field is
// crossed or all fell; the next begins after a pause. The counters say how often modes changed and how
// many advanced at once under fire.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_reports.h"
#include "labs/labs.h"
#include "ploy/tactics/fireteam.h"

enum { FIRETEAM_MAX = 16, FIRETEAM_COVERS = 48, FIRETEAM_DEFENDERS = 4, FIRETEAM_LOST = 8 };

static const float fireteam_far = 54.0f;   // m, the other side of the field
static const float fireteam_width = 12.0f; // m, to each side

typedef struct fireteam_lab_def {
    uint32_t cookie;
    int32_t members;
    int32_t defenders;
    bool roles;
    bool walk;
    float dwell;
    float sight;
    int32_t magazine;
    float open_chance;
    float cover_chance;
    float pause;
} fireteam_lab_def;

static const ploy_field fireteam_lab_fields[] = {
    PLOY_FIELD_I32(fireteam_lab_def, members, 4, 1, FIRETEAM_MAX, "", "team of the next round"),
    PLOY_FIELD_I32(fireteam_lab_def, defenders, 3, 1, FIRETEAM_DEFENDERS, "", "on the other side"),
    PLOY_FIELD_BOOL(fireteam_lab_def, roles, false, "a grenadier, a medic and a radio operator"),
    PLOY_FIELD_BOOL(fireteam_lab_def, walk, false, "all walk upright, from the next round on"),
    PLOY_FIELD_F32(fireteam_lab_def, dwell, 1.5f, 0, 20, "s", "how long a mode stays at least"),
    PLOY_FIELD_F32(fireteam_lab_def, sight, 40, 5, 100, "m", "how far all see"),
    PLOY_FIELD_I32(fireteam_lab_def, magazine, 12, 1, 200, "", "rounds before a pause to reload"),
    PLOY_FIELD_F32(fireteam_lab_def, open_chance, 0.06f, 0, 1, "", "to be hit in the open"),
    PLOY_FIELD_F32(fireteam_lab_def, cover_chance, 0.002f, 0, 1, "", "to be hit in cover"),
    PLOY_FIELD_F32(fireteam_lab_def, pause, 2, 0, 60, "s", "between two rounds"),
};

static ploy_fields fireteam_lab_get_fields(void) {
    return PLOY_FIELDS(fireteam_lab_def, fireteam_lab_fields);
}

typedef struct fireteam_body {
    ploy_vec2 at, goal;
    bool alive;
    float busy;   // s until the next shot, throw or bandage
    float reload; // s left to reload
    int32_t ammo, supplies;
    ploy_name mode; // of the last tick
    int32_t cover;  // claimed; -1: none
    bool sees;      // a defender, in the last tick
} fireteam_body;

typedef struct fireteam_defender {
    ploy_vec2 at;
    bool alive, light, heavy;
    float busy, suppressed; // s
} fireteam_defender;

typedef struct fireteam_lab {
    fireteam_lab_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_fireteam_roles *roles;
    ploy_fireteam *team;
    ploy_definition_text text;
    ploy_diags *lost;
    ploy_vec2 covers[FIRETEAM_COVERS];
    fireteam_body bodies[FIRETEAM_MAX];
    fireteam_defender defenders[FIRETEAM_DEFENDERS];
    int32_t count, defender_count;
    bool walks, over;
    uint64_t tick;
    float rest;
    int64_t round, crossed, wiped, losses, killed, revived;
    int64_t switches, returns, member_ticks, ticks;
    int64_t crowded; // ticks in which more than one advanced under fire
    double now;      // s
    lab_reports reports;
} fireteam_lab;

static ploy_agent_id fireteam_id(int32_t member) {
    return ploy_agent_id_make((uint32_t)member + 1, 1);
}

static float fireteam_draw_number(const fireteam_lab *lab, uint32_t who, uint32_t draw, float min,
                                  float max) {
    return ploy_rng_range_at(lab->key, who, (uint64_t)lab->round, draw, min, max);
}

// ---- a round

static ploy_result fireteam_begin(fireteam_lab *lab) {
    static const char *const names[] = {"rifleman", "grenadier", "medic", "radio"};
    static const int32_t supplies[] = {0, 3, 2, 1};
    ploy_fireteam_destroy(lab->team);
    lab->team = NULL;
    lab->walks = lab->def.walk;
    lab->over = false;
    lab->count = lab->def.members;
    lab->defender_count = lab->def.defenders;
    for (uint32_t i = 0; i < FIRETEAM_COVERS; i++) {
        float x = fireteam_draw_number(lab, 200 + i, 0, 2.0f, fireteam_far + 2.0f);
        float y = fireteam_draw_number(lab, 200 + i, 1, -fireteam_width, fireteam_width);
        lab->covers[i] = ploy_vec2_make(x, y);
    }
    memset(lab->bodies, 0, sizeof lab->bodies);
    memset(lab->defenders, 0, sizeof lab->defenders);
    for (int32_t i = 0; i < lab->defender_count; i++) {
        fireteam_defender *defender = &lab->defenders[i];
        float y = fireteam_draw_number(lab, 300 + (uint32_t)i, 0, -8.0f, 8.0f);
        defender->at = ploy_vec2_make(fireteam_far + 6.0f, y);
        defender->alive = true;
        defender->light = i % 2 == 0;
        defender->heavy = i % 2 == 1;
    }
    ploy_fireteam_def def = ploy_fireteam_def_default();
    def.capacity = FIRETEAM_MAX;
    def.dwell = lab->def.dwell;
    ploy_result result = ploy_fireteam_create(&def, lab->roles, &lab->env, &lab->team);
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        fireteam_body *body = &lab->bodies[i];
        int32_t kind = lab->def.roles && i < 4 ? (i + 1) % 4 : 0;
        float y = 2.0f * ((float)i - 0.5f * (float)(lab->count - 1));
        body->at = body->goal = ploy_vec2_make(0.0f, y);
        body->alive = true;
        body->ammo = lab->def.magazine;
        body->supplies = supplies[kind];
        body->cover = -1;
        int32_t role = ploy_fireteam_roles_find(lab->roles, names[kind]);
        result = ploy_fireteam_add(lab->team, role, fireteam_id(i), NULL);
    }
    return result;
}

// ---- what members do in their modes

static bool fireteam_mode_is(const fireteam_body *body, const char *mode) {
    return ploy_name_equal(body->mode, ploy_name_of(mode));
}

static bool fireteam_claimed(const fireteam_lab *lab, int32_t cover, int32_t but) {
    for (int32_t i = 0; i < lab->count; i++) {
        if (i != but && lab->bodies[i].alive && lab->bodies[i].cover == cover) return true;
    }
    return false;
}

// The nearest free cover that is at least `ahead` meters further on (or anywhere, if negative).
static void fireteam_next_cover(fireteam_lab *lab, int32_t index, float ahead, ploy_vec2 near_to) {
    fireteam_body *body = &lab->bodies[index];
    int32_t best = -1;
    float best_distance = 0.0f;
    for (int32_t i = 0; i < FIRETEAM_COVERS; i++) {
        if (lab->covers[i].x < body->at.x + ahead || fireteam_claimed(lab, i, index)) continue;
        float distance = ploy_vec2_distance(lab->covers[i], near_to);
        if (best >= 0 && distance >= best_distance) continue;
        best = i;
        best_distance = distance;
    }
    body->cover = best;
    body->goal = best >= 0 ? lab->covers[best] : ploy_vec2_make(fireteam_far, body->at.y);
}

static ploy_vec2 fireteam_middle(const fireteam_lab *lab, int32_t but) {
    ploy_vec2 sum = {0.0f, 0.0f};
    int32_t count = 0;
    for (int32_t i = 0; i < lab->count; i++) {
        if (i == but || !lab->bodies[i].alive) continue;
        sum = ploy_vec2_add(sum, lab->bodies[i].at);
        count++;
    }
    return count > 0 ? ploy_vec2_scale(sum, 1.0f / (float)count) : lab->bodies[but].at;
}

static int32_t fireteam_nearest_fallen(const fireteam_lab *lab, ploy_vec2 from, float *distance) {
    int32_t best = -1;
    *distance = 1e9f;
    for (int32_t i = 0; i < lab->count; i++) {
        float gap = ploy_vec2_distance(lab->bodies[i].at, from);
        if (lab->bodies[i].alive || gap >= *distance) continue;
        *distance = gap;
        best = i;
    }
    return best;
}

static fireteam_defender *fireteam_nearest_defender(fireteam_lab *lab, ploy_vec2 from,
                                                    float *distance) {
    fireteam_defender *best = NULL;
    *distance = 1e9f;
    for (int32_t i = 0; i < lab->defender_count; i++) {
        float gap = ploy_vec2_distance(lab->defenders[i].at, from);
        if (!lab->defenders[i].alive || gap >= *distance) continue;
        *distance = gap;
        best = &lab->defenders[i];
    }
    return best;
}

static bool fireteam_hits(const fireteam_lab *lab, uint32_t who, uint32_t draw, float chance) {
    return ploy_rng_float_at(lab->key, who, lab->tick, draw) < chance;
}

static void fireteam_kill(fireteam_lab *lab, fireteam_defender *defender) {
    defender->alive = false;
    lab->killed++;
}

// Members spread their fire over the defenders in sight: each begins to count at its own number.
static fireteam_defender *fireteam_target(fireteam_lab *lab, int32_t index) {
    for (int32_t i = 0; i < lab->defender_count; i++) {
        fireteam_defender *defender = &lab->defenders[(index + i) % lab->defender_count];
        float distance = ploy_vec2_distance(defender->at, lab->bodies[index].at);
        if (defender->alive && distance <= lab->def.sight) return defender;
    }
    return NULL;
}

static void fireteam_shoot(fireteam_lab *lab, int32_t index, float chance) {
    fireteam_body *body = &lab->bodies[index];
    fireteam_defender *target = fireteam_target(lab, index);
    if (body->busy > 0.0f || body->ammo == 0 || target == NULL) return;
    body->busy = 0.5f;
    body->ammo--;
    if (body->ammo == 0) body->reload = 3.0f;
    // Unaimed fire while walking keeps no head down.
    if (!lab->walks) target->suppressed = 1.0f;
    if (fireteam_hits(lab, (uint32_t)index, 1, chance)) fireteam_kill(lab, target);
}

static ploy_result fireteam_help(fireteam_lab *lab, int32_t index) {
    fireteam_body *body = &lab->bodies[index];
    float distance = 0.0f;
    int32_t fallen = fireteam_nearest_fallen(lab, body->at, &distance);
    if (fallen < 0 || body->supplies == 0) return PLOY_OK;
    body->goal = lab->bodies[fallen].at;
    if (distance > 0.5f) {
        body->busy = 2.0f; // to bandage, once it is there
        return PLOY_OK;
    }
    if (body->busy > 0.0f) return PLOY_OK;
    body->supplies--;
    lab->bodies[fallen].alive = true;
    lab->bodies[fallen].cover = -1;
    lab->revived++;
    lab_reports_add(&lab->reports, lab->now, fallen, "on its feet again", NULL,
                    lab->bodies[fallen].at);
    return ploy_fireteam_revive(lab->team, fallen);
}

static void fireteam_special(fireteam_lab *lab, int32_t index) {
    fireteam_body *body = &lab->bodies[index];
    float distance = 0.0f;
    fireteam_defender *target = fireteam_nearest_defender(lab, body->at, &distance);
    if (target == NULL || body->busy > 0.0f || body->supplies == 0) return;
    if (fireteam_mode_is(body, "grenade")) {
        body->busy = 1.2f;
        body->supplies--;
        if (target->light && fireteam_hits(lab, (uint32_t)index, 2, 0.5f)) {
            fireteam_kill(lab, target);
        }
        return;
    }
    body->supplies--; // the air strike: every heavy weapon in sight
    for (int32_t i = 0; i < lab->defender_count; i++) {
        fireteam_defender *defender = &lab->defenders[i];
        if (!defender->alive || !defender->heavy) continue;
        if (fireteam_hits(lab, (uint32_t)index, 10 + (uint32_t)i, 0.6f)) {
            fireteam_kill(lab, defender);
        }
    }
}

static void fireteam_report_mode(fireteam_lab *lab, int32_t index, ploy_name mode) {
    const char *text = ploy_fireteam_roles_mode(lab->roles, mode);
    const char *before = ploy_fireteam_roles_mode(lab->roles, lab->bodies[index].mode);
    char reason[LAB_REPORT_TEXT] = "";
    if (before != NULL) snprintf(reason, sizeof reason, "after %s", before);
    lab_reports_add(&lab->reports, lab->now, index, text != NULL ? text : "unknown mode", reason,
                    lab->bodies[index].at);
}

static ploy_result fireteam_act(fireteam_lab *lab, int32_t index, float dt) {
    fireteam_body *body = &lab->bodies[index];
    ploy_name mode = ploy_fireteam_mode(lab->team, index);
    bool changed = !ploy_name_equal(mode, body->mode);
    if (changed && !lab->walks) fireteam_report_mode(lab, index, mode);
    body->mode = mode;
    body->busy = body->busy > dt ? body->busy - dt : 0.0f;
    if (body->reload > 0.0f) {
        body->reload -= dt;
        if (body->reload <= 0.0f) body->ammo = lab->def.magazine;
    }
    float speed = 0.0f;
    if (lab->walks) {
        speed = 1.6f;
        body->goal = ploy_vec2_make(fireteam_far + 1.0f, body->at.y);
        fireteam_shoot(lab, index, 0.015f);
    } else if (fireteam_mode_is(body, "advance")) {
        if (changed) fireteam_next_cover(lab, index, 2.0f, body->at);
        speed = 4.0f;
    } else if (fireteam_mode_is(body, "regroup")) {
        if (changed) fireteam_next_cover(lab, index, -100.0f, fireteam_middle(lab, index));
        speed = 4.0f;
    } else if (fireteam_mode_is(body, "suppress")) {
        fireteam_shoot(lab, index, 0.03f);
    } else if (fireteam_mode_is(body, "aid")) {
        speed = 4.0f;
        ploy_result result = fireteam_help(lab, index);
        if (result != PLOY_OK) return result;
    } else if (fireteam_mode_is(body, "grenade") || fireteam_mode_is(body, "call")) {
        if (changed) body->busy = fireteam_mode_is(body, "call") ? 3.0f : 0.5f;
        fireteam_special(lab, index);
    }
    ploy_vec2 way = ploy_vec2_sub(body->goal, body->at);
    float reach = speed * dt;
    body->at = ploy_vec2_length(way) <= reach
                   ? body->goal
                   : ploy_vec2_add(body->at, ploy_vec2_with_length(way, reach));
    return PLOY_OK;
}

static bool fireteam_covered(const fireteam_lab *lab, const fireteam_body *body) {
    if (lab->walks || body->cover < 0) return false;
    return ploy_vec2_distance(body->at, lab->covers[body->cover]) < 0.3f;
}

static ploy_result fireteam_fall(fireteam_lab *lab, int32_t member) {
    lab->bodies[member].alive = false;
    lab->bodies[member].sees = false;
    lab->losses++;
    lab_reports_add(&lab->reports, lab->now, member, "lost", NULL, lab->bodies[member].at);
    return ploy_fireteam_lose(lab->team, member);
}

static ploy_result fireteam_defend(fireteam_lab *lab, float dt) {
    for (int32_t i = 0; i < lab->defender_count; i++) {
        fireteam_defender *defender = &lab->defenders[i];
        defender->busy = defender->busy > dt ? defender->busy - dt : 0.0f;
        defender->suppressed = defender->suppressed > dt ? defender->suppressed - dt : 0.0f;
        if (!defender->alive || defender->busy > 0.0f) continue;
        int32_t target = -1;
        float best = lab->def.sight;
        for (int32_t k = 0; k < lab->count; k++) {
            const fireteam_body *body = &lab->bodies[k];
            float distance = ploy_vec2_distance(body->at, defender->at);
            if (!body->alive || distance > lab->def.sight) continue;
            // One in the open draws the fire of all who see it.
            if (!fireteam_covered(lab, body)) distance *= 0.5f;
            if (distance >= best) continue;
            best = distance;
            target = k;
        }
        if (target < 0) continue;
        fireteam_body *body = &lab->bodies[target];
        defender->busy = 0.6f;
        float chance = fireteam_covered(lab, body) ? lab->def.cover_chance : lab->def.open_chance;
        if (defender->suppressed > 0.0f) chance *= 0.15f;
        if (!fireteam_hits(lab, 100 + (uint32_t)i, 3, chance)) continue;
        ploy_result result = fireteam_fall(lab, target);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result fireteam_look_around(fireteam_lab *lab, int32_t *in_sight) {
    for (int32_t i = 0; i < lab->count; i++) {
        fireteam_body *body = &lab->bodies[i];
        ploy_vec2 enemy = body->at;
        ploy_fireteam_senses senses = ploy_fireteam_senses_make(body->at);
        (void)fireteam_nearest_fallen(lab, body->at, &senses.fallen_distance);
        for (int32_t k = 0; k < lab->defender_count; k++) {
            const fireteam_defender *defender = &lab->defenders[k];
            float distance = ploy_vec2_distance(defender->at, body->at);
            if (!defender->alive || distance > lab->def.sight) continue;
            senses.enemies++;
            senses.heavy = senses.heavy || defender->heavy;
            if (distance >= senses.enemy_distance) continue;
            senses.enemy_distance = distance;
            enemy = defender->at;
            senses.light_cover = defender->light;
        }
        senses.sees = senses.enemies > 0;
        senses.ammo = body->ammo;
        senses.supplies = body->supplies;
        senses.reached = ploy_vec2_distance(body->at, body->goal) < 0.1f;
        if (body->alive && senses.sees) (*in_sight)++;
        if (body->alive && senses.sees && !body->sees) {
            lab_reports_add(&lab->reports, lab->now, i, "seen", NULL, enemy);
        }
        body->sees = body->alive && senses.sees;
        ploy_result result = ploy_fireteam_sense(lab->team, i, &senses);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Adds the counters of the round that ended.
static ploy_result fireteam_count(fireteam_lab *lab) {
    for (int32_t i = 0; i < lab->count; i++) {
        ploy_dwell_info info;
        ploy_result result = ploy_fireteam_info(lab->team, i, &info);
        if (result != PLOY_OK) return result;
        lab->switches += (int64_t)info.switches;
        lab->returns += (int64_t)info.returns;
    }
    return PLOY_OK;
}

static ploy_result fireteam_judge(fireteam_lab *lab) {
    int32_t live = 0, there = 0, enemies = 0;
    for (int32_t i = 0; i < lab->count; i++) {
        live += lab->bodies[i].alive;
        there += lab->bodies[i].alive && lab->bodies[i].at.x >= fireteam_far - 4.0f;
    }
    for (int32_t i = 0; i < lab->defender_count; i++) enemies += lab->defenders[i].alive;
    lab->ticks++;
    lab->member_ticks += live;
    if (live > 0 && there < live && enemies > 0) return PLOY_OK;
    if (live > 0) lab->crossed++;
    if (live == 0) lab->wiped++;
    lab->over = true;
    lab->rest = lab->def.pause;
    return fireteam_count(lab);
}

// ---- the lab

static ploy_result fireteam_load(const void *bytes, size_t size, const ploy_env *env,
                                 ploy_diags *diags, ploy_fireteam_roles **out) {
    static const char *const names[] = {"rifleman", "grenadier", "medic", "radio"};
    ploy_result result = ploy_fireteam_roles_load(bytes, size, "roles", env, diags, out);
    for (int32_t i = 0; i < 4 && result == PLOY_OK; i++) {
        if (ploy_fireteam_roles_find(*out, names[i]) >= 0) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "roles", 1, 1,
                       "a role is missing", "rifleman, grenadier, medic and radio", NULL);
        result = PLOY_ERR_FORMAT;
        ploy_fireteam_roles_destroy(*out);
        *out = NULL;
    }
    return result;
}

static ploy_result fireteam_take(fireteam_lab *lab, const void *bytes, size_t size,
                                 const ploy_sim_context *sim) {
    ploy_fireteam_roles *fresh = NULL;
    ploy_result result = fireteam_load(bytes, size, &lab->env, NULL, &fresh);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, &lab->env);
    if (result == PLOY_OK && lab->team != NULL) {
        ploy_step_context step = lab_step_context(sim, ploy_agent_id_none());
        ploy_diags_clear(lab->lost);
        result = ploy_fireteam_reload(lab->team, fresh, &step, lab->lost);
    }
    if (result != PLOY_OK) return result; // out of memory: the region goes
    ploy_fireteam_roles_destroy(lab->roles);
    lab->roles = fresh;
    return PLOY_OK;
}

static ploy_result fireteam_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    fireteam_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    const char *text = ploy_fireteam_text();
    ploy_result result = ploy_diags_create(FIRETEAM_LOST, env, &lab->lost);
    if (result == PLOY_OK) result = fireteam_take(lab, text, strlen(text), NULL);
    if (result == PLOY_OK) result = fireteam_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result fireteam_lab_step(void *state, const ploy_sim_context *context) {
    fireteam_lab *lab = state;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    lab->now = (double)context->tick / 10.0; // see .dt
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            result = fireteam_take(lab, input->bytes, input->size, context);
        } else if (lab_input_is(input, "shell")) {
            for (int32_t k = lab->count - 1; k >= 0; k--) { // the last who lives falls
                if (!lab->bodies[k].alive) continue;
                result = fireteam_fall(lab, k);
                break;
            }
        }
    }
    if (result == PLOY_OK && lab->over) {
        lab->rest -= context->dt;
        if (lab->rest > 0.0f) return PLOY_OK;
        lab->round++;
        return fireteam_begin(lab);
    }
    int32_t in_sight = 0, advancing = 0;
    if (result == PLOY_OK) result = fireteam_look_around(lab, &in_sight);
    ploy_step_context step = lab_step_context(context, ploy_agent_id_none());
    if (result == PLOY_OK && !lab->walks) result = ploy_fireteam_step(lab->team, &step);
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        if (!lab->bodies[i].alive) continue;
        result = fireteam_act(lab, i, context->dt);
        advancing += fireteam_mode_is(&lab->bodies[i], "advance");
    }
    if (advancing > 1 && in_sight > 0) lab->crowded++;
    if (result == PLOY_OK) result = fireteam_defend(lab, context->dt);
    if (result == PLOY_OK) result = fireteam_judge(lab);
    return result;
}

static void fireteam_lab_draw(const void *state, ploy_draw *out) {
    const fireteam_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "member of the team");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "defender");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "defender under fire, fallen member");
    ploy_draw_key(out, PLOY_STYLE_WALL, "cover");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "covering fire");
    for (int32_t i = 0; i < FIRETEAM_COVERS; i++) {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, lab->covers[i], 0.6f);
    }
    for (int32_t i = 0; i < lab->defender_count; i++) {
        const fireteam_defender *defender = &lab->defenders[i];
        ploy_style style = defender->suppressed > 0.0f ? PLOY_STYLE_GHOST : PLOY_STYLE_AGENT_B;
        if (!defender->alive) continue;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_make(100 + (uint32_t)i, 1),
                       defender->at, 0.6f, 1.0f);
    }
    for (int32_t i = 0; i < lab->count; i++) {
        const fireteam_body *body = &lab->bodies[i];
        if (!body->alive) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, fireteam_id(i), body->at,
                       body->goal);
        const fireteam_defender *target = fireteam_target((fireteam_lab *)(uintptr_t)lab, i);
        if (target != NULL && fireteam_mode_is(body, "suppress")) {
            ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_WARNING, fireteam_id(i), body->at,
                           target->at);
        }
    }
    ploy_fireteam_draw(lab->team, out);
    char text[120];
    snprintf(text, sizeof text, "round %lld%s: %lld crossed, %lld wiped out, %lld losses",
             (long long)lab->round + 1, lab->walks ? ", all walk" : "", (long long)lab->crossed,
             (long long)lab->wiped, (long long)lab->losses);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, 14.0f), text);
}

// The team as a chain of command without orders: what each member does by itself. The same groups
// and names as ploy_tiers_describe, so that tools show both.
static void fireteam_lab_describe_tiers(const fireteam_lab *lab, ploy_describe *out) {
    ploy_describe_begin(out, "command");
    ploy_describe_begin(out, "tiers");
    ploy_describe_begin(out, "team without a leader");
    ploy_describe_i64(out, "parent", PLOY_NOTE, -1);
    ploy_describe_text(out, "scheme", PLOY_NOTE, "bottom-up");
    ploy_describe_end(out);
    for (int32_t i = 0; i < lab->count; i++) {
        const fireteam_body *body = &lab->bodies[i];
        const char *mode = ploy_fireteam_roles_mode(lab->roles, body->mode);
        lab_begin_numbered(out, "member", i, fireteam_id(i));
        ploy_describe_i64(out, "parent", PLOY_NOTE, 0);
        ploy_describe_bool(out, "gone", PLOY_NOTE, !body->alive);
        if (body->alive && mode != NULL) ploy_describe_text(out, "doing", PLOY_NOTE, mode);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    lab_reports_describe(&lab->reports, out);
    ploy_describe_end(out);
}

static void fireteam_lab_describe(const void *state, ploy_describe *out) {
    const fireteam_lab *lab = state;
    ploy_describe_i64(out, "round", PLOY_STATE, lab->round);
    ploy_describe_i64(out, "crossed", PLOY_STATE, lab->crossed);
    ploy_describe_i64(out, "wiped out", PLOY_STATE, lab->wiped);
    ploy_describe_i64(out, "losses", PLOY_STATE, lab->losses);
    ploy_describe_i64(out, "revived", PLOY_STATE, lab->revived);
    ploy_describe_i64(out, "killed", PLOY_STATE, lab->killed);
    ploy_describe_i64(out, "switches", PLOY_STATE, lab->switches);
    ploy_describe_i64(out, "returns", PLOY_STATE, lab->returns);
    ploy_describe_i64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "member ticks", PLOY_STATE, lab->member_ticks);
    ploy_describe_i64(out, "crowded", PLOY_STATE, lab->crowded);
    ploy_describe_bool(out, "over", PLOY_STATE, lab->over);
    ploy_describe_bool(out, "walks", PLOY_STATE, lab->walks);
    ploy_describe_f32(out, "rest", PLOY_STATE, lab->rest);
    for (int32_t i = 0; i < lab->count; i++) {
        const fireteam_body *body = &lab->bodies[i];
        lab_begin_numbered(out, "member", i, fireteam_id(i));
        ploy_describe_vec2(out, "at", PLOY_STATE, body->at.x, body->at.y);
        ploy_describe_vec2(out, "goal", PLOY_STATE, body->goal.x, body->goal.y);
        ploy_describe_bool(out, "alive", PLOY_STATE, body->alive);
        ploy_describe_f32(out, "busy", PLOY_STATE, body->busy);
        ploy_describe_f32(out, "reload", PLOY_STATE, body->reload);
        ploy_describe_i64(out, "ammo", PLOY_STATE, body->ammo);
        ploy_describe_i64(out, "supplies", PLOY_STATE, body->supplies);
        ploy_describe_i64(out, "cover", PLOY_STATE, body->cover);
        const char *mode = ploy_fireteam_roles_mode(lab->roles, body->mode);
        ploy_describe_text(out, "mode", PLOY_STATE, mode != NULL ? mode : "");
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < lab->defender_count; i++) {
        const fireteam_defender *defender = &lab->defenders[i];
        lab_begin_numbered(out, "defender", i, ploy_agent_id_make(100 + (uint32_t)i, 1));
        ploy_describe_vec2(out, "at", PLOY_STATE, defender->at.x, defender->at.y);
        ploy_describe_bool(out, "alive", PLOY_STATE, defender->alive);
        ploy_describe_f32(out, "busy", PLOY_STATE, defender->busy);
        ploy_describe_f32(out, "suppressed", PLOY_STATE, defender->suppressed);
        ploy_describe_end(out);
    }
    fireteam_lab_describe_tiers(lab, out);
    ploy_describe_begin(out, "team");
    ploy_fireteam_describe(lab->team, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result fireteam_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const fireteam_lab *)state)->text, out);
}

static ploy_result fireteam_lab_check(const void *state, int32_t definition, const void *bytes,
                                      size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_fireteam_roles *roles = NULL;
    ploy_result result = fireteam_load(bytes, size, env, diags, &roles);
    ploy_fireteam_roles_destroy(roles);
    return result;
}

static const ploy_definition fireteam_definitions[] = {
    {"roles", "txt",
     "What each role does: modes and the conditions that lead from one to another."},
};

static const ploy_command fireteam_lab_commands[] = {
    {"shell", "the last member falls", PLOY_VALUE_NONE, false, "s"},
};

extern const ploy_sim_type ploy_lab_fireteam; // in labs.c
const ploy_sim_type ploy_lab_fireteam = {
    .name = "fireteam",
    .title = "Fire team",
    .help =
        "A team without a leader crosses a field from cover to cover: each member looks at what "
        "the others do, and mutual cover emerges. Change the number of members and the dwell, "
        "edit the roles, or let them walk for comparison.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_TACTICS,
    .dt = 1.0f / 10.0f,
    .view = {-3.0f, -15.0f, 63.0f, 15.0f},
    .fields = fireteam_lab_get_fields,
    .commands = fireteam_lab_commands,
    .command_count = sizeof fireteam_lab_commands / sizeof fireteam_lab_commands[0],
    .create = fireteam_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = fireteam_lab_step,
    .draw = fireteam_lab_draw,
    .describe = fireteam_lab_describe,
    .definitions = fireteam_definitions,
    .definition_count = sizeof fireteam_definitions / sizeof fireteam_definitions[0],
    .write = fireteam_lab_write,
    .check = fireteam_lab_check,
};
