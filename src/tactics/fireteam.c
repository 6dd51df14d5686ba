// The fire team: members that decide one after the other; described in the header.
//
// Each member has a blackboard and a machine inside a dwell. The dwells are definitions of the team, one
// for each role, because their settings are the team's.
#include "ploy/tactics/fireteam.h"

#include <math.h>
#include <string.h>

#include "fireteam_internal.h"
#include "ploy/exec/behavior_visit.h"

static const ploy_field fireteam_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_fireteam_def, capacity, 8, 1, PLOY_FIRETEAM_MEMBERS_MAX, "",
                         "most members"),
    PLOY_FIELD_F32(ploy_fireteam_def, dwell, 1.5f, 0, 1e3f, "s", "how long a mode stays at least"),
    PLOY_FIELD_F32(ploy_fireteam_def, window, 10, 0, 1e6f, "s", "in which the detector counts"),
    PLOY_FIELD_I32(ploy_fireteam_def, limit, 4, 0, PLOY_OSCILLATION_MAX, "",
                   "returns in it that count as oscillation; 0: never"),
};

typedef struct fireteam_member {
    ploy_agent_id agent;
    int32_t role;
    bool alive;
    bool entered;
    ploy_blackboard *board;
    ploy_nested mind;
    ploy_fireteam_senses senses;
} fireteam_member;

struct ploy_fireteam {
    ploy_env env;
    ploy_fireteam_def def;
    const ploy_fireteam_roles *roles;
    size_t size;
    int32_t count;
    ploy_dwell *dwells[PLOY_FIRETEAM_ROLES_MAX];
    fireteam_member members[];
};

ploy_fields ploy_fireteam_fields(void) {
    return PLOY_FIELDS(ploy_fireteam_def, fireteam_fields);
}

ploy_fireteam_def ploy_fireteam_def_default(void) {
    ploy_fireteam_def def;
    ploy_fields_default(ploy_fireteam_fields(), &def);
    return def;
}

ploy_fireteam_senses ploy_fireteam_senses_make(ploy_vec2 at) {
    ploy_fireteam_senses senses;
    memset(&senses, 0, sizeof senses);
    senses.at = at;
    senses.enemy_distance = senses.fallen_distance = 1e9f;
    return senses;
}

// The dwells of all roles; on failure none is left.
static ploy_result fireteam_make_dwells(const ploy_fireteam *team, const ploy_fireteam_roles *roles,
                                        ploy_dwell **out) {
    ploy_dwell_def def = ploy_dwell_def_default();
    def.seconds = team->def.dwell;
    def.window = team->def.window;
    def.limit = team->def.limit;
    def.key = roles->keys[PLOYI_FIRETEAM_MODE];
    def.urgent = roles->keys[PLOYI_FIRETEAM_URGENT];
    def.oscillating = roles->keys[PLOYI_FIRETEAM_OSCILLATING];
    for (int32_t i = 0; i < roles->roles.count; i++) {
        ploy_fsm_type *type = PLOY_ARRAY_ITEMS(&roles->roles, ployi_fireteam_role)[i].type;
        ploy_result result =
            ploy_dwell_create(&def, ploy_fsm_type_maker(type), roles->layout, &team->env, &out[i]);
        if (result == PLOY_OK) continue;
        while (i-- > 0) ploy_dwell_destroy(out[i]);
        return result;
    }
    return PLOY_OK;
}

ploy_result ploy_fireteam_create(const ploy_fireteam_def *def, const ploy_fireteam_roles *roles,
                                 const ploy_env *env, ploy_fireteam **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || roles == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_fireteam_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_fireteam), def->capacity, sizeof(fireteam_member),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_fireteam *team = ploy_env_alloc_zero(env, size);
    if (team == NULL) return PLOY_ERR_MEMORY;
    team->env = *env;
    team->def = *def;
    team->roles = roles;
    team->size = size;
    result = fireteam_make_dwells(team, roles, team->dwells);
    if (result != PLOY_OK) {
        ploy_env_free(env, team, size);
        return result;
    }
    *out = team;
    return PLOY_OK;
}

static ploy_step_context fireteam_context(const fireteam_member *member,
                                          const ploy_step_context *outer) {
    ploy_step_context context;
    if (outer != NULL) {
        context = *outer;
    } else {
        context = ploy_step_context_make(member->agent, NULL, 0.0f);
    }
    context.agent = member->agent;
    context.blackboard = member->board;
    return context;
}

static void fireteam_leave(fireteam_member *member, ploy_exit_reason reason) {
    ploy_step_context context = fireteam_context(member, NULL);
    ploy_nested_exit(&member->mind, &context, reason);
    member->entered = false;
}

void ploy_fireteam_destroy(ploy_fireteam *team) {
    if (team == NULL) return;
    ploy_env env = team->env;
    for (int32_t i = 0; i < team->count; i++) {
        fireteam_leave(&team->members[i], PLOY_EXIT_REMOVED);
        ploy_nested_destroy(&team->members[i].mind);
        ploy_blackboard_destroy(team->members[i].board);
    }
    for (int32_t i = 0; i < team->roles->roles.count; i++) ploy_dwell_destroy(team->dwells[i]);
    ploy_env_free(&env, team, team->size);
}

ploy_result ploy_fireteam_add(ploy_fireteam *team, int32_t role, ploy_agent_id agent,
                              int32_t *out) {
    if (team == NULL || role < 0 || role >= ploy_fireteam_roles_count(team->roles) ||
        ploy_id_is_none(agent.id)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (team->count == team->def.capacity) return PLOY_ERR_CAPACITY;
    fireteam_member *member = &team->members[team->count];
    memset(member, 0, sizeof *member);
    ploy_result result = ploy_blackboard_create(team->roles->layout, &team->env, &member->board);
    if (result != PLOY_OK) return result;
    result = ploy_nested_make(&member->mind, ploy_dwell_maker(team->dwells[role]), &team->env);
    if (result != PLOY_OK) {
        ploy_blackboard_destroy(member->board);
        return result;
    }
    member->agent = agent;
    member->role = role;
    member->alive = true;
    member->senses = ploy_fireteam_senses_make(ploy_vec2_make(0.0f, 0.0f));
    if (out != NULL) *out = team->count;
    team->count++;
    return PLOY_OK;
}

static fireteam_member *fireteam_get(const ploy_fireteam *team, int32_t member) {
    if (team == NULL || member < 0 || member >= team->count) return NULL;
    return (fireteam_member *)(uintptr_t)&team->members[member];
}

ploy_result ploy_fireteam_lose(ploy_fireteam *team, int32_t index) {
    fireteam_member *member = fireteam_get(team, index);
    if (member == NULL || !member->alive) return PLOY_ERR_NOT_FOUND;
    fireteam_leave(member, PLOY_EXIT_INTERRUPTED);
    ploy_blackboard_reset(member->board);
    member->alive = false;
    return PLOY_OK;
}

ploy_result ploy_fireteam_revive(ploy_fireteam *team, int32_t index) {
    fireteam_member *member = fireteam_get(team, index);
    if (member == NULL) return PLOY_ERR_NOT_FOUND;
    if (member->alive) return PLOY_ERR_STATE;
    member->alive = true;
    return PLOY_OK;
}

ploy_result ploy_fireteam_sense(ploy_fireteam *team, int32_t index,
                                const ploy_fireteam_senses *senses) {
    fireteam_member *member = fireteam_get(team, index);
    if (member == NULL) return PLOY_ERR_NOT_FOUND;
    if (senses == NULL || !ploy_vec2_is_finite(senses->at) ||
        !ploy_in_range(senses->enemy_distance, 0.0f, 1e9f) ||
        !ploy_in_range(senses->fallen_distance, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    member->senses = *senses;
    return PLOY_OK;
}

// Writes what the member knows: its senses, and what its team-mates do at this moment.
static void fireteam_look(const ploy_fireteam *team, const fireteam_member *member) {
    const ploy_slot *keys = team->roles->keys;
    const ploy_fireteam_senses *senses = &member->senses;
    ploy_blackboard *board = member->board;
    ploy_name advance = ploy_name_of("advance"), suppress = ploy_name_of("suppress");
    int64_t advancing = 0, suppressing = 0, others = 0;
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < team->count; i++) {
        const fireteam_member *other = &team->members[i];
        if (other == member || !other->alive) continue;
        ploy_name mode = ploy_blackboard_get_name(other->board, keys[PLOYI_FIRETEAM_MODE]);
        advancing += ploy_name_equal(mode, advance);
        suppressing += ploy_name_equal(mode, suppress);
        x += (double)other->senses.at.x;
        y += (double)other->senses.at.y;
        others++;
    }
    float distance = 0.0f; // no member left: the team is where it is
    if (others > 0) {
        ploy_vec2 middle = ploy_vec2_make((float)(x / (double)others), (float)(y / (double)others));
        distance = ploy_vec2_distance(senses->at, middle);
    }
    // The keys are of the team's own layout: writing them cannot fail.
    (void)ploy_blackboard_set_bool(board, keys[PLOYI_FIRETEAM_SEES], senses->sees);
    (void)ploy_blackboard_set_bool(board, keys[PLOYI_FIRETEAM_REACHED], senses->reached);
    (void)ploy_blackboard_set_bool(board, keys[PLOYI_FIRETEAM_URGENT], senses->urgent);
    (void)ploy_blackboard_set_bool(board, keys[PLOYI_FIRETEAM_LIGHT], senses->light_cover);
    (void)ploy_blackboard_set_bool(board, keys[PLOYI_FIRETEAM_HEAVY], senses->heavy);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_AMMO], senses->ammo);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_SUPPLIES], senses->supplies);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_ENEMIES], senses->enemies);
    (void)ploy_blackboard_set_f32(board, keys[PLOYI_FIRETEAM_ENEMY], senses->enemy_distance);
    (void)ploy_blackboard_set_f32(board, keys[PLOYI_FIRETEAM_FALLEN], senses->fallen_distance);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_ADVANCING], advancing);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_SUPPRESSING], suppressing);
    (void)ploy_blackboard_set_i64(board, keys[PLOYI_FIRETEAM_OTHERS], others);
    (void)ploy_blackboard_set_f32(board, keys[PLOYI_FIRETEAM_TEAM], distance);
}

static const char *fireteam_role_name(const ploy_fireteam *team, const fireteam_member *member) {
    return ploy_fireteam_roles_name(team->roles, member->role);
}

ploy_result ploy_fireteam_step(ploy_fireteam *team, const ploy_step_context *outer) {
    if (team == NULL || outer == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < team->count; i++) {
        fireteam_member *member = &team->members[i];
        if (!member->alive) continue;
        const char *place = fireteam_role_name(team, member);
        ploy_step_context context = fireteam_context(member, outer);
        fireteam_look(team, member);
        if (!member->entered) {
            member->entered = true;
            (void)ploy_nested_enter(&member->mind, &team->env, place, &context);
        }
        (void)ploy_nested_step(&member->mind, &team->env, place, &context);
    }
    return PLOY_OK;
}

ploy_name ploy_fireteam_mode(const ploy_fireteam *team, int32_t index) {
    ploy_name none = {0};
    const fireteam_member *member = fireteam_get(team, index);
    if (member == NULL || !member->alive) return none;
    return ploy_blackboard_get_name(member->board, team->roles->keys[PLOYI_FIRETEAM_MODE]);
}

ploy_result ploy_fireteam_info(const ploy_fireteam *team, int32_t index, ploy_dwell_info *out) {
    const fireteam_member *member = fireteam_get(team, index);
    if (member == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_dwell_info_of(member->mind.behavior, out);
}

ploy_result ploy_fireteam_reload(ploy_fireteam *team, const ploy_fireteam_roles *fresh,
                                 const ploy_step_context *outer, ploy_diags *diags) {
    if (team == NULL || fresh == NULL) return PLOY_ERR_ARGUMENT;
    int32_t roles[PLOY_FIRETEAM_MEMBERS_MAX];
    for (int32_t i = 0; i < team->count; i++) {
        roles[i] = ploy_fireteam_roles_find(fresh, fireteam_role_name(team, &team->members[i]));
        if (roles[i] >= 0) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, "roles", 0, 0,
                       "a role of the team is gone", fireteam_role_name(team, &team->members[i]),
                       NULL);
        return PLOY_ERR_NOT_FOUND;
    }
    ploy_dwell *dwells[PLOY_FIRETEAM_ROLES_MAX];
    fireteam_member *made = NULL;
    size_t size = (size_t)team->def.capacity * sizeof *made;
    ploy_result result = fireteam_make_dwells(team, fresh, dwells);
    if (result != PLOY_OK) return result;
    // Everything that can fail for lack of memory comes first.
    made = ploy_env_alloc_zero(&team->env, size);
    if (made == NULL) result = PLOY_ERR_MEMORY;
    int32_t count = 0;
    for (; count < team->count && result == PLOY_OK; count++) {
        result = ploy_blackboard_create(fresh->layout, &team->env, &made[count].board);
        if (result != PLOY_OK) break;
        result =
            ploy_nested_make(&made[count].mind, ploy_dwell_maker(dwells[roles[count]]), &team->env);
        if (result == PLOY_OK) continue;
        ploy_blackboard_destroy(made[count].board);
        break;
    }
    int32_t done = 0;
    for (; done < team->count && result == PLOY_OK; done++) {
        fireteam_member *member = &team->members[done], *next = &made[done];
        ploy_name mode =
            ploy_blackboard_get_name(member->board, team->roles->keys[PLOYI_FIRETEAM_MODE]);
        (void)ploy_blackboard_set_name(next->board, fresh->keys[PLOYI_FIRETEAM_MODE], mode);
        next->agent = member->agent;
        ploy_step_context from = fireteam_context(member, outer),
                          to = fireteam_context(next, outer);
        if (member->entered) {
            result = ploy_behavior_hand_over(member->mind.behavior, &from, next->mind.behavior, &to,
                                             &team->env, diags);
            next->mind.entered = result == PLOY_OK;
        }
        if (result != PLOY_OK) break;
        member->mind.entered = false;
    }
    if (result != PLOY_OK) {
        // Members that were handed over begin again in the old roles.
        for (int32_t i = 0; i < count; i++) {
            ploy_step_context to = fireteam_context(&made[i], outer);
            ploy_nested_exit(&made[i].mind, &to, PLOY_EXIT_REMOVED);
            ploy_nested_destroy(&made[i].mind);
            ploy_blackboard_destroy(made[i].board);
            if (i < done) team->members[i].entered = false;
        }
        for (int32_t i = 0; i < fresh->roles.count; i++) ploy_dwell_destroy(dwells[i]);
        if (made != NULL) ploy_env_free(&team->env, made, size);
        return result;
    }
    for (int32_t i = 0; i < team->count; i++) {
        fireteam_member *member = &team->members[i];
        ploy_nested_destroy(&member->mind);
        ploy_blackboard_destroy(member->board);
        member->mind = made[i].mind;
        member->board = made[i].board;
        member->role = roles[i];
    }
    for (int32_t i = 0; i < team->roles->roles.count; i++) ploy_dwell_destroy(team->dwells[i]);
    memset(team->dwells, 0, sizeof team->dwells);
    for (int32_t i = 0; i < fresh->roles.count; i++) team->dwells[i] = dwells[i];
    team->roles = fresh;
    ploy_env_free(&team->env, made, size);
    return PLOY_OK;
}

// ---- sight

static void fireteam_visit_senses(ploy_visit *v, ploy_fireteam_senses *senses) {
    ploy_visit_struct(v, "senses", senses, sizeof *senses);
    ploy_visit_vec2(v, "at", PLOY_STATE, &senses->at.x, &senses->at.y);
    ploy_visit_f32_in(v, "enemy_distance", PLOY_STATE, &senses->enemy_distance, 0.0f, 1e9f);
    ploy_visit_f32_in(v, "fallen_distance", PLOY_STATE, &senses->fallen_distance, 0.0f, 1e9f);
    ploy_visit_i32(v, "ammo", PLOY_STATE, &senses->ammo);
    ploy_visit_i32(v, "supplies", PLOY_STATE, &senses->supplies);
    ploy_visit_i32(v, "enemies", PLOY_STATE, &senses->enemies);
    ploy_visit_bool(v, "sees", PLOY_STATE, &senses->sees);
    ploy_visit_bool(v, "reached", PLOY_STATE, &senses->reached);
    ploy_visit_bool(v, "urgent", PLOY_STATE, &senses->urgent);
    ploy_visit_bool(v, "light_cover", PLOY_STATE, &senses->light_cover);
    ploy_visit_bool(v, "heavy", PLOY_STATE, &senses->heavy);
}

static void fireteam_visit_member(ploy_visit *v, ploy_fireteam *team, fireteam_member *member) {
    ploy_visit_struct(v, "member", member, sizeof *member);
    PLOY_VISIT_SCRATCH(v, member->agent);
    PLOY_VISIT_SCRATCH(v, member->role);
    PLOY_VISIT_SCRATCH(v, member->board);
    PLOY_VISIT_SCRATCH(v, member->mind);
    PLOY_VISIT_SCRATCH(v, member->entered); // with the mind
    ploy_describe_text(v->describe, "role", PLOY_NOTE, fireteam_role_name(team, member));
    ploy_visit_bool(v, "alive", PLOY_STATE, &member->alive);
    ploy_visit_begin(v, "senses", PLOY_STATE);
    fireteam_visit_senses(v, &member->senses);
    ploy_visit_end(v);
    ploy_visit_begin(v, "knows", PLOY_STATE);
    ploy_blackboard_visit(v, member->board);
    ploy_visit_end(v);
}

// The mind of a member that has begun. Its step context needs the member's board.
static void fireteam_visit_mind(ploy_visit *v, ploy_fireteam *team, fireteam_member *member) {
    bool begun = v->mode == PLOY_VISIT_MEMORY || member->entered;
    if (!ploy_visit_optional(v, "mind", begun)) return;
    if (ploy_visit_loads(v)) {
        bool yes = true;
        if (!ploy_visit_is_ok(v)) return;
        PLOY_VISIT_WRITE(v, member->entered, yes);
    }
    ploy_step_context context = fireteam_context(member, v->context);
    void *outer = v->context;
    v->context = &context;
    ploy_visit_nested(v, "mind", PLOY_STATE, &member->mind, &team->env,
                      fireteam_role_name(team, member));
    v->context = outer;
}

void ploy_fireteam_visit(ploy_visit *v, void *object) {
    ploy_fireteam *team = object;
    ploy_visit_struct(v, "fireteam", team, sizeof *team);
    ploy_visit_block(v, "fireteam", team, team->size);
    PLOY_VISIT_SCRATCH(v, team->env);
    PLOY_VISIT_SCRATCH(v, team->def);
    PLOY_VISIT_SCRATCH(v, team->roles);
    PLOY_VISIT_SCRATCH(v, team->size);
    PLOY_VISIT_SCRATCH(v, team->count);
    PLOY_VISIT_SCRATCH(v, team->dwells);
    for (int32_t i = 0; i < team->roles->roles.count; i++) {
        ploy_visit_block(v, "fireteam.dwell", team->dwells[i], ployi_dwell_size());
    }
    int32_t count = ploy_visit_fixed(v, "members", PLOY_STATE, team->count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        fireteam_visit_member(v, team, &team->members[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "minds", PLOY_STATE, team->count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        fireteam_visit_mind(v, team, &team->members[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_fireteam_describe(const ploy_fireteam *team, ploy_describe *out) {
    if (team == NULL || out == NULL) return;
    ploy_visit_describe(ploy_fireteam_visit, team, NULL, out);
}

void ploy_fireteam_draw(const ploy_fireteam *team, ploy_draw *out) {
    if (team == NULL || out == NULL) return;
    for (int32_t i = 0; i < team->count; i++) {
        const fireteam_member *member = &team->members[i];
        if (!member->alive) {
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GHOST, member->agent,
                             member->senses.at, 0.4f);
            continue;
        }
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, member->agent, member->senses.at,
                       0.4f, 1.0f);
        const char *mode = ploy_fireteam_roles_mode(team->roles, ploy_fireteam_mode(team, i));
        ploy_draw_text(out, member->agent,
                       ploy_vec2_add(member->senses.at, ploy_vec2_make(0.5f, 0.5f)),
                       mode != NULL ? mode : "");
    }
}

void ploy_fireteam_memory(const ploy_fireteam *team, ploy_memory_fn fn, void *user) {
    if (team == NULL) return;
    ploy_visit_memory(ploy_fireteam_visit, team, fn, user);
}
