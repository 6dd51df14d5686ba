// What the bots of a side do together. Each side is a chain of command (ploy/tactics/tiers.h):
//
//     team            thinks twice a second: whom to shoot at
//       squad         four bots; hands on what its members report
//         bot         reports whom it sees, carries orders out as far as its own eyes allow
//
// Reports and orders travel by radio: they are telegrams that arrive after radio_delay. A bot never
// gets more than a report contains; a reported opponent counts as sensed, not as seen. Which of
// these things a side does is decided by its words (raven_side.h).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"

enum { TEAM_ID = 200, TEAM_SQUAD_ID = 300, TEAM_SQUAD = 4 };

static const double team_report_pause = 0.4; // s, between two reports of a bot about an opponent
static const double team_period = 0.5;       // s
static const float team_focus_bonus = 8.0f;  // as if it were that many metres nearer

// ---- who belongs together

const raven_side_def *raven_side_of(const raven_match *match, int32_t side) {
    const raven_side_def *sides[RAVEN_SIDES_MAX] = {&match->def.red, &match->def.blue,
                                                    &match->def.green, &match->def.yellow};
    return match->def.sides > 1 && side >= 0 && side < RAVEN_SIDES_MAX ? sides[side] : sides[0];
}

// Without sides every bot is alone; only the words that need no comrade count.
uint32_t raven_words(const raven_bot *bot) {
    uint32_t words = raven_side_words(raven_side_of(bot->match, bot->side));
    return bot->match->def.sides > 1 ? words : words & (RAVEN_TIMING | RAVEN_COVER | RAVEN_HOLD);
}

bool raven_comrades(const raven_match *match, const raven_bot *a, const raven_bot *b) {
    return a != b && raven_alive(a) && raven_alive(b) && match->def.sides > 1 && a->side == b->side;
}

static raven_team *team_of(const raven_bot *bot) {
    int32_t side = bot->side;
    return bot->match->def.sides > 1 && side >= 0 && side < RAVEN_SIDES_MAX
               ? &bot->match->plans->teams[side]
               : NULL;
}

static raven_member *team_member(const raven_bot *bot) {
    return &bot->match->plans->members[bot->index];
}

static const ploy_sense_record *team_record(const raven_bot *bot, int32_t opponent) {
    return ploy_sense_memory_get(bot->memory, raven_life_id(&bot->match->bots[opponent]));
}

// ---- the chain of command

static ploy_result team_receive(void *user, const ploy_message *message, bool *handled) {
    raven_match *match = user;
    ploy_result result = PLOY_ERR_NOT_FOUND;
    for (int32_t i = 0; i < match->def.sides && !*handled; i++) {
        ploy_tiers *tiers = match->plans->teams[i].tiers;
        if (tiers == NULL || ploy_tiers_find(tiers, message->receiver) < 0) continue;
        result = ploy_tiers_receive(tiers, message, handled);
    }
    return result;
}

static ploy_result team_create(raven_match *match, int32_t side, const ploy_env *env) {
    static const char *const names[RAVEN_SIDES_MAX] = {"red", "blue", "green", "yellow"};
    raven_team *team = &match->plans->teams[side];
    ploy_tiers_def def = ploy_tiers_def_default();
    def.capacity = 1 + RAVEN_BOTS_MAX + RAVEN_BOTS_MAX / TEAM_SQUAD;
    def.delay = match->def.radio_delay;
    ploy_result result = ploy_tiers_create(&def, NULL, match->plans->radio, env, &team->tiers);
    if (result != PLOY_OK) return result;
    ploy_tier_def top = ploy_tier_def_default();
    top.name = names[side];
    top.agent = ploy_agent_id_make(TEAM_ID + (uint32_t)side, 1);
    return ploy_tiers_add(team->tiers, &top, &team->top);
}

// A tier for a bot, and a squad for every four of them.
static ploy_result team_enlist(raven_match *match, raven_bot *bot) {
    raven_team *team = team_of(bot);
    raven_member *member = team_member(bot);
    if (team == NULL || member->tier != RAVEN_NOBODY) return PLOY_OK;
    int32_t comrades = 0;
    for (int32_t i = 0; i < match->bot_count; i++) {
        comrades += match->bots[i].side == bot->side && match->plans->members[i].tier >= 0;
    }
    char name[PLOY_TIER_NAME_MAX];
    ploy_result result = PLOY_OK;
    ploy_tier_def def = ploy_tier_def_default();
    if (comrades / TEAM_SQUAD >= team->squad_count) {
        (void)snprintf(name, sizeof name, "squad %d", (int)team->squad_count + 1);
        def.name = name;
        def.parent = team->top;
        def.agent =
            ploy_agent_id_make((uint32_t)(TEAM_SQUAD_ID + bot->side * 16 + team->squad_count), 1);
        result = ploy_tiers_add(team->tiers, &def, &team->squads[team->squad_count]);
        if (result != PLOY_OK) return result;
        team->squad_count++;
    }
    (void)snprintf(name, sizeof name, "bot %d", (int)bot->index + 1);
    def.name = name;
    def.parent = team->squads[team->squad_count - 1];
    def.agent = raven_id(bot->index);
    def.scheme = PLOY_TIER_EVENTS;
    return ploy_tiers_add(team->tiers, &def, &member->tier);
}

ploy_result raven_plans_create(raven_match *match, const ploy_env *env) {
    raven_plans *plans = ploy_env_alloc_zero(env, sizeof *plans);
    if (plans == NULL) return PLOY_ERR_MEMORY;
    match->plans = plans;
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) {
        plans->members[i].tier = plans->members[i].claim = RAVEN_NOBODY;
        for (int32_t k = 0; k < RAVEN_BOTS_MAX; k++) plans->members[i].seen[k] = -INFINITY;
        for (int32_t k = 0; k < RAVEN_SIDES_MAX; k++) plans->teams[k].contacts[i].time = -INFINITY;
    }
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.capacity = 1024;
    def.limit = 1024;
    ploy_result result = ploy_telegrams_create(&def, env, &plans->radio);
    if (result == PLOY_OK) ploy_telegrams_set_receiver(plans->radio, team_receive, match);
    for (int32_t i = 0; i < RAVEN_SIDES_MAX && result == PLOY_OK; i++) {
        plans->teams[i].focus = RAVEN_NOBODY;
        result = team_create(match, i, env);
    }
    if (result == PLOY_OK) result = raven_mind_create(match, env);
    if (result == PLOY_OK) result = raven_rules_create(match, env);
    return result == PLOY_OK ? raven_strategies_create(env, &plans->strategies) : result;
}

// ---- radio

static void team_report_seen(raven_match *match, raven_bot *bot) {
    raven_member *member = team_member(bot);
    int32_t count = ploy_sense_memory_count(bot->memory);
    for (int32_t i = 0; i < count; i++) {
        const ploy_sense_record *record = ploy_sense_memory_at(bot->memory, i);
        int32_t other = (int32_t)record->agent.id.index - 1;
        if (!record->visible || match->now - member->seen[other] < team_report_pause) continue;
        if (!raven_alive(&match->bots[other])) continue;
        ploy_report report = ploy_report_make(PLOY_REPORT_SEEN, 0, PLOY_REASON_NONE);
        report.unit = record->agent;
        report.place = ploy_vec2_from_vec3(record->position);
        // A full radio loses reports; the next look sends another.
        if (ploy_tiers_report(team_of(bot)->tiers, member->tier, &report, match->now) == PLOY_OK) {
            member->seen[other] = match->now;
            match->plans->reports++;
        }
    }
}

static void team_tell(raven_match *match, int32_t side, const ploy_report *report) {
    int32_t other = (int32_t)report->unit.id.index - 1;
    if (other < 0 || other >= match->bot_count || !raven_alive(&match->bots[other])) return;
    raven_contact *contact = &match->plans->teams[side].contacts[other];
    contact->place = report->place;
    contact->time = match->now;
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        bool listens = raven_alive(bot) && bot->side == side && !bot->possessed;
        if (listens && (raven_words(bot) & RAVEN_RADIO) != 0) raven_tell(bot, other, report->place);
    }
}

static void team_listen(raven_match *match, int32_t side) {
    raven_team *team = &match->plans->teams[side];
    ploy_report report;
    while (ploy_tiers_next_report(team->tiers, team->top, &report)) {
        if (report.kind == PLOY_REPORT_SEEN) team_tell(match, side, &report);
    }
    for (int32_t i = 0; i < team->squad_count; i++) { // the team above has heard the same
        while (ploy_tiers_next_report(team->tiers, team->squads[i], &report)) continue;
    }
    while (ploy_tiers_next_report(team->tiers, -1, &report)) continue;
}

// ---- focus: the opponent that most members see, above all one that they have hurt

void raven_team_hit(const raven_bot *bot, int32_t opponent, float damage) {
    raven_team *team = team_of(bot);
    if (team != NULL) team->hurt[opponent] += damage;
}

void raven_team_killed(raven_match *match, int32_t dead) {
    for (int32_t i = 0; i < RAVEN_SIDES_MAX; i++) match->plans->teams[i].hurt[dead] = 0.0f;
}

// How much it is worth to finish an opponent off, 0 to 1: members know what they hit, not what it
// has picked up since.
static float team_hurt(const raven_match *match, int32_t side, int32_t other) {
    float share = match->plans->teams[side].hurt[other] / match->def.max_health;
    return ploy_minf(share, 1.0f);
}

static int32_t team_seen_by(const raven_match *match, int32_t side, int32_t other) {
    int32_t count = 0;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot) || bot->side != side) continue;
        const ploy_sense_record *record = team_record(bot, other);
        count += record != NULL && record->visible && record->shootable;
    }
    return count;
}

static void team_choose_focus(raven_match *match, int32_t side, ploy_trace *trace) {
    raven_team *team = &match->plans->teams[side];
    float most = 0.0f;
    int32_t best = RAVEN_NOBODY;
    ploy_trace_begin(trace, ploy_agent_id_make(TEAM_ID + (uint32_t)side, 1), "focus",
                     "the opponent that most members see and have hurt");
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *other = &match->bots[i];
        if (!raven_alive(other) || other->side == side) continue;
        float score = (float)team_seen_by(match, side, i) + (i == team->focus ? 0.5f : 0.0f);
        if (score >= 1.0f) score += 2.0f * team_hurt(match, side, i);
        if (score >= 1.0f && score > most) {
            most = score;
            best = i;
        }
    }
    for (int32_t i = 0; i < match->bot_count && trace != NULL; i++) {
        char name[RAVEN_NAME_MAX];
        const raven_bot *other = &match->bots[i];
        if (!raven_alive(other) || other->side == side) continue;
        int32_t seen = team_seen_by(match, side, i);
        ploy_trace_option(trace, raven_bot_name(other, name),
                          i == best  ? PLOY_OUTCOME_WON
                          : seen > 0 ? PLOY_OUTCOME_LOST
                                     : PLOY_OUTCOME_REJECTED,
                          (double)seen + 2.0 * (double)team_hurt(match, side, i),
                          seen > 0 ? "members that see it, and what they hurt it"
                                   : "no member sees it");
    }
    ploy_trace_end(trace);
    team->focus = best;
}

static ploy_result team_order_focus(raven_match *match, int32_t side) {
    raven_team *team = &match->plans->teams[side];
    if (team->focus == RAVEN_NOBODY) return PLOY_OK;
    ploy_order order = ploy_order_make(PLOY_ORDER_ATTACK, team->contacts[team->focus].place);
    order.unit = raven_id(team->focus);
    order.expiry = match->now + (double)match->def.radio_delay + 2.0 * team_period;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        const raven_member *member = &match->plans->members[i];
        if (!raven_alive(bot) || bot->side != side || member->tier < 0) continue;
        ploy_result result = ploy_tiers_give(team->tiers, member->tier, &order, match->now, NULL);
        if (result == PLOY_ERR_MEMORY) return result;
        match->plans->orders += result == PLOY_OK;
    }
    return PLOY_OK;
}

float raven_team_bonus(const raven_bot *bot, int32_t opponent) {
    const raven_team *team = team_of(bot);
    const raven_member *member = team_member(bot);
    if (team == NULL || member->tier < 0 || (raven_words(bot) & RAVEN_FOCUS) == 0) return 0.0f;
    const ploy_sense_record *record = team_record(bot, opponent);
    if (record == NULL || !record->shootable) return 0.0f;
    const ploy_order *order = ploy_tiers_order(team->tiers, member->tier);
    bool ordered = order != NULL && order->kind == PLOY_ORDER_ATTACK &&
                   (int32_t)order->unit.id.index - 1 == opponent;
    return ordered ? team_focus_bonus : 0.0f;
}

// ---- items

void raven_team_claim(raven_bot *bot, int32_t item) {
    raven_member *member = team_member(bot);
    if (member->claim == item) return;
    member->claim = item;
    member->claimed = bot->match->now;
}

// How much a comrade needs what an item gives, 0 to 1.
static float team_need(const raven_bot *bot, int32_t kind) {
    int32_t weapon = raven_item_weapon(kind);
    if (weapon == RAVEN_NOBODY) return 1.0f - bot->health / bot->match->def.max_health;
    return 1.0f - raven_weapon_strength(bot, (raven_weapon)weapon);
}

bool raven_team_leaves(const raven_bot *bot, int32_t item, float cost) {
    const raven_match *match = bot->match;
    if ((raven_words(bot) & RAVEN_HEAL) == 0) return false;
    int32_t kind = match->map->items[item].kind;
    float need = team_need(bot, kind);
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *other = &match->bots[i];
        const raven_member *member = &match->plans->members[i];
        if (!raven_comrades(match, bot, other)) continue;
        bool heard = match->now - member->claimed >= (double)match->def.radio_delay;
        if (member->claim != item || !heard) continue;
        float others = raven_item_cost(other, item);
        if (others <= cost || team_need(other, kind) > need + 0.25f) return true;
    }
    return false;
}

// ---- places

ploy_vec2 raven_team_approach(const raven_bot *bot, ploy_vec2 place) {
    raven_match *match = bot->match;
    raven_member *member = team_member(bot);
    if ((raven_words(bot) & RAVEN_FLANK) == 0) return place;
    // The same side as long as the target is where it was: a new place would be a new path.
    if (ploy_vec2_distance(member->flank_of, place) < 1.0f) return member->flank_to;
    member->flank_of = member->flank_to = place;
    int32_t target = raven_target(bot);
    float own = ploy_vec2_distance(bot->body.position, place);
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *other = &match->bots[i];
        if (!raven_comrades(match, bot, other) || raven_target(other) != target) continue;
        ploy_vec2 line = ploy_vec2_sub(other->body.position, place);
        float distance = ploy_vec2_length(line);
        if (!(distance < own) || !(distance > 0.1f)) continue;
        ploy_vec2 side = ploy_vec2_scale(ploy_vec2_make(-line.y, line.x), 4.0f / distance);
        ploy_vec2 away = ploy_vec2_sub(bot->body.position, place);
        if (ploy_vec2_dot(side, away) < 0.0f) side = ploy_vec2_scale(side, -1.0f);
        ploy_vec2 to = ploy_vec2_add(place, side);
        if (raven_walks(match, place, to, match->def.radius)) member->flank_to = to;
        break;
    }
    return member->flank_to;
}

bool raven_team_place(raven_bot *bot, ploy_vec2 *out) {
    const raven_match *match = bot->match;
    uint32_t words = raven_words(bot);
    if ((words & RAVEN_GATHER) != 0) {
        float least = INFINITY;
        for (int32_t i = 0; i < match->bot_count; i++) {
            const raven_bot *other = &match->bots[i];
            if (!raven_comrades(match, bot, other)) continue;
            float distance = ploy_vec2_distance(bot->body.position, other->body.position);
            if (distance < 4.0f) { // together: on, wherever
                least = INFINITY;
                break;
            }
            if (distance < least) {
                least = distance;
                *out = other->body.position;
            }
        }
        if (least < INFINITY) return true;
    }
    if ((words & RAVEN_HOLD) == 0 || match->map->item_count == 0) return false;
    int32_t count = match->map->item_count;
    int32_t item = (int32_t)(raven_random(bot) * (float)count);
    item = item < count ? item : count - 1;
    *out = match->map->items[item].position;
    return raven_item_cost(bot, item) < INFINITY;
}

bool raven_team_cover(raven_bot *bot, ploy_vec2 *out) {
    const raven_match *match = bot->match;
    for (int32_t k = 0; k < 16; k++) {
        float sine, cosine, reach = 1.5f + 0.4f * (float)k;
        ploy_sincosf(6.2831853f * raven_random(bot), &sine, &cosine);
        ploy_vec2 to =
            ploy_vec2_add(bot->body.position, ploy_vec2_make(reach * cosine, reach * sine));
        if (!raven_walks(match, bot->body.position, to, match->def.radius)) continue;
        bool hidden = true;
        int32_t count = ploy_sense_memory_count(bot->memory);
        for (int32_t i = 0; i < count && hidden; i++) {
            const ploy_sense_record *record = ploy_sense_memory_at(bot->memory, i);
            bool recent = match->now - record->last_sensed < 3.0 && record->has_position;
            hidden = !recent || !raven_sees(match, ploy_vec2_from_vec3(record->position), to);
        }
        *out = to;
        if (hidden) return true;
    }
    return false;
}

// ---- a tick

ploy_result raven_plans_step(raven_match *match) {
    raven_plans *plans = match->plans;
    uint32_t words[RAVEN_SIDES_MAX] = {0};
    ploy_result result = raven_mind_skills(match);
    if (match->def.sides < 2) return result;
    for (int32_t i = 0; i < match->bot_count && result == PLOY_OK; i++) {
        raven_bot *bot = &match->bots[i];
        if (!bot->present) continue;
        words[bot->side] |= raven_words(bot);
        result = team_enlist(match, bot);
        if (raven_alive(bot) && (raven_words(bot) & RAVEN_RADIO) != 0) team_report_seen(match, bot);
    }
    if (result == PLOY_OK) result = ploy_telegrams_step(plans->radio, match->now, NULL, NULL, NULL);
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, match->dt);
    context.tick = match->tick;
    context.now = match->now;
    for (int32_t i = 0; i < match->def.sides && result == PLOY_OK; i++) {
        raven_team *team = &plans->teams[i];
        context.agent = ploy_agent_id_make(TEAM_ID + (uint32_t)i, 1);
        result = ploy_tiers_step(team->tiers, &context);
        if (result == PLOY_OK) team_listen(match, i);
        if ((words[i] & RAVEN_FOCUS) == 0 || match->now < team->next) continue;
        team->next = match->now + team_period;
        team_choose_focus(match, i, match->context != NULL ? match->context->trace : NULL);
        if (result == PLOY_OK) result = team_order_focus(match, i);
    }
    return result;
}

// ---- sight

void raven_plans_describe(const raven_match *match, ploy_describe *out) {
    const raven_plans *plans = match->plans;
    ploy_describe_begin(out, "teams");
    for (int32_t i = 0; i < match->def.sides; i++) {
        const raven_team *team = &plans->teams[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_i64(out, "focus", PLOY_STATE, team->focus);
        ploy_describe_f64(out, "next", PLOY_STATE, team->next);
        ploy_describe_begin(out, "hurt");
        for (int32_t k = 0; k < match->bot_count; k++) {
            ploy_describe_begin_item(out, k);
            ploy_describe_f32(out, "damage", PLOY_STATE, team->hurt[k]);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
        ploy_describe_begin(out, "goal_seconds");
        for (int32_t k = 0; k < RAVEN_STRATEGIES; k++) {
            ploy_describe_f64(out, raven_strategy_name(k), PLOY_STATE, plans->seconds[i][k]);
        }
        ploy_describe_end(out);
        if (match->def.sides > 1) ploy_tiers_describe(team->tiers, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "radio");
    ploy_describe_i64(out, "orders", PLOY_STATE, plans->orders);
    ploy_describe_i64(out, "reports", PLOY_STATE, plans->reports);
    ploy_telegrams_describe(plans->radio, match->names, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "members");
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_member *member = &plans->members[i];
        if (member->claim == RAVEN_NOBODY && member->tier == RAVEN_NOBODY) continue;
        ploy_describe_begin_item(out, i);
        ploy_describe_i64(out, "claim", PLOY_STATE, member->claim);
        ploy_describe_f64(out, "claimed", PLOY_STATE, member->claimed);
        ploy_describe_vec2(out, "flank", PLOY_STATE, member->flank_to.x, member->flank_to.y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    for (int32_t i = 0; i < RAVEN_MIND_FILES; i++) {
        ploy_definition_text_describe(
            &plans->texts[i], raven_definitions[RAVEN_DEFINITION_MINDS + i].name, NULL, out);
    }
    for (int32_t i = 0; i < RAVEN_RULES; i++) {
        ploy_definition_text_describe(
            &plans->rules[i].text, raven_definitions[RAVEN_DEFINITION_RULES + i].name, NULL, out);
    }
}
