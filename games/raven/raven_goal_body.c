// What the goals of a bot ask its body: the target, room to step aside, items. The answers come from
// the bot's memory and from what its side knows, never from the opponents themselves.
#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"

static bool body_target(void *user, ploy_goal_target *out) {
    const raven_bot *bot = user;
    if (raven_target(bot) == RAVEN_NOBODY) return false;
    out->place = bot->body.position;
    out->known = raven_target_place(bot, &out->place);
    out->shootable = out->known && raven_target_shootable(bot);
    if (out->known && !out->shootable) out->place = raven_team_approach(bot, out->place);
    return true;
}

static bool body_side_step(void *user, int32_t side, ploy_vec2 *out) {
    const raven_bot *bot = user;
    ploy_vec2 toward;
    return raven_target_place(bot, &toward) && raven_can_step(bot, toward, (float)side, out);
}

// Metres to walk and seconds to wait, for ploy_item_choose. With the word timing a bot will wait
// a moment; an item that is left to a comrade is never there.
static ploy_item_option body_option(const raven_bot *bot, int32_t item, float slack) {
    ploy_item_option option = {raven_item_cost(bot, item), raven_item_wait(bot->match, item)};
    option.pause = ploy_maxf(option.pause - slack, 0.0f);
    if (raven_team_leaves(bot, item, option.cost)) option.pause = INFINITY;
    return option;
}

static float body_slack(const raven_bot *bot, bool *aware) {
    const raven_thinker *thinker = raven_thinker_of(bot);
    *aware = (raven_words(bot) & RAVEN_TIMING) != 0;
    return *aware && thinker != NULL ? thinker->traits.slack : 0.0f;
}

int32_t raven_goal_item(const raven_bot *bot, int32_t kind, float *cost) {
    const raven_map *map = bot->match->map;
    bool aware = false;
    float slack = body_slack(bot, &aware), least = INFINITY;
    int32_t best = RAVEN_NOBODY;
    for (int32_t i = 0; i < map->item_count; i++) {
        if (map->items[i].kind != kind) continue;
        ploy_item_option option = body_option(bot, i, slack);
        if (option.cost < least &&
            ploy_item_choose(&option, 1, bot->match->def.max_speed, aware) == 0) {
            least = option.cost;
            best = i;
        }
    }
    if (cost != NULL) *cost = least;
    return best;
}

static bool body_find_item(void *user, ploy_name kind, ploy_goal_item *out) {
    raven_bot *bot = user;
    raven_thinker *thinker = raven_thinker_of(bot);
    for (int32_t i = 0; i < RAVEN_ITEM_KINDS && thinker != NULL; i++) {
        if (!ploy_name_equal(ploy_name_of(raven_item_name(i)), kind)) continue;
        int32_t item = raven_goal_item(bot, i, NULL);
        thinker->item = item;
        thinker->items = bot->items;
        raven_team_claim(bot, item);
        if (item == RAVEN_NOBODY) return false;
        out->place = bot->match->map->items[item].position;
        out->item.index = (uint32_t)item;
        out->item.generation = 1;
        return true;
    }
    return false;
}

static ploy_goal_item_state body_item(void *user, const ploy_goal_item *goal) {
    raven_bot *bot = user;
    const raven_match *match = bot->match;
    const raven_thinker *thinker = raven_thinker_of(bot);
    int32_t item = (int32_t)goal->item.index;
    if (thinker == NULL || item >= match->map->item_count) return PLOY_GOAL_ITEM_GONE;
    bool aware = false;
    float slack = body_slack(bot, &aware);
    if (raven_item_active(match, item)) return PLOY_GOAL_ITEM_WORTH;
    // Taken: by this bot if it is there and has picked something up since it chose the item.
    float distance = ploy_vec2_distance(bot->body.position, goal->place);
    if (bot->items > thinker->items &&
        distance < match->def.giver_range + 3.0f * match->def.radius) {
        return PLOY_GOAL_ITEM_TAKEN;
    }
    ploy_item_option option = body_option(bot, item, slack);
    bool in_time = aware && ploy_item_in_time(option, match->def.max_speed);
    return in_time ? PLOY_GOAL_ITEM_WORTH : PLOY_GOAL_ITEM_GONE;
}

static bool body_explore(void *user, ploy_step_context *context, ploy_vec2 *out) {
    raven_bot *bot = user;
    (void)context;
    return raven_team_place(bot, out) || raven_random_place(bot, out);
}

void raven_goal_body(raven_bot *bot) {
    bot->mover.target = body_target;
    bot->mover.side_step = body_side_step;
    bot->mover.find_item = body_find_item;
    bot->mover.item = body_item;
    bot->mover.explore = body_explore;
}
