// A person in the game: selecting and possessing bots, moves, fire and weapons.
//
// A possessed bot faces the cursor and does what the person orders: it neither looks, chooses
// targets, strategies or weapons nor aims by itself, but it follows paths. Everything arrives as a
// command and is logged.
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"

const ploy_command raven_commands[RAVEN_COMMANDS] = {
    {"select", "show what a bot knows; once more: possess it", PLOY_VALUE_NONE, true, "s"},
    {"take", "possess the selected bot, or the first", PLOY_VALUE_NONE, false, "t"},
    {"release", "give the bot back", PLOY_VALUE_NONE, false, "x"},
    {"go", "walk there, instead of anything else", PLOY_VALUE_VEC2, false, "Pointer"},
    {"queue", "walk there afterwards", PLOY_VALUE_VEC2, false, "Shift Pointer"},
    {"aim", "face the cursor", PLOY_VALUE_VEC2, false, "Hover"},
    {"fire", "fire at that point", PLOY_VALUE_VEC2, false, NULL},
    {"shoot", "fire at the cursor", PLOY_VALUE_NONE, false, "f"},
    {"weapon1", "take the blaster", PLOY_VALUE_NONE, false, "1"},
    {"weapon2", "take the shotgun", PLOY_VALUE_NONE, false, "2"},
    {"weapon3", "take the railgun", PLOY_VALUE_NONE, false, "3"},
    {"weapon4", "take the rocket launcher", PLOY_VALUE_NONE, false, "4"},
    {"watch", "the camera shows that place", PLOY_VALUE_VEC2, false, "View"},
    {"unwatch", "the camera shows nothing in particular", PLOY_VALUE_NONE, false, "Whole"},
    {"add", "add a bot", PLOY_VALUE_NONE, false, NULL},
    {"remove", "remove the last bot", PLOY_VALUE_NONE, false, NULL},
};

static ploy_vec2 person_point(const raven_match *match, const ploy_input *input) {
    const ploy_box2 *box = &match->map->box;
    return ploy_vec2_make(ploy_clampf(input->value.as.vec[0], box->min.x, box->max.x),
                          ploy_clampf(input->value.as.vec[1], box->min.y, box->max.y));
}

static void person_release(raven_match *match, raven_bot *bot) {
    ploy_step_context context = raven_context(match, bot);
    ploy_goals_clear(bot->orders, &context, ploy_goals_root(bot->orders));
    bot->possessed = false;
    bot->finger.by_person = false;
    bot->faces = false;
}

static void person_possess(raven_match *match, raven_bot *bot) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (match->bots[i].present && match->bots[i].possessed && &match->bots[i] != bot) {
            person_release(match, &match->bots[i]);
        }
    }
    ploy_step_context context = raven_context(match, bot);
    ploy_nested_exit(&bot->brain, &context, PLOY_EXIT_INTERRUPTED);
    ploy_target_clear(&bot->target);
    raven_steer(bot, PLOY_GOAL_STEER_NONE, bot->body.position, 0.0f);
    bot->weaves = false;
    bot->possessed = true;
    bot->cursor = ploy_vec2_add(bot->body.position, ploy_vec2_make(1.0f, 0.0f));
    raven_face(bot, bot->cursor);
}

// The bot that a person plays: the one that the command names, otherwise the first.
static raven_bot *person_bot(raven_match *match, const ploy_input *input) {
    raven_bot *named = raven_bot_of(match, input->agent);
    if (named != NULL && named->possessed) return named;
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (match->bots[i].present && match->bots[i].possessed) return &match->bots[i];
    }
    return NULL;
}

static void person_select(raven_match *match, const ploy_input *input) {
    raven_bot *bot = raven_bot_of(match, input->agent);
    if (bot == NULL) return;
    if (match->selected == bot->index) {
        person_possess(match, bot);
        return;
    }
    raven_bot *old = person_bot(match, input);
    if (old != NULL && old != bot) person_release(match, old);
    match->selected = bot->index;
}

static void person_take(raven_match *match, const ploy_input *input) {
    raven_bot *bot = raven_bot_of(match, input->agent);
    if (bot == NULL && match->selected != RAVEN_NOBODY) bot = &match->bots[match->selected];
    for (int32_t i = 0; i < match->bot_count && bot == NULL; i++) {
        if (match->bots[i].present) bot = &match->bots[i];
    }
    if (bot == NULL) return;
    match->selected = bot->index;
    person_possess(match, bot);
}

static ploy_result person_go(raven_match *match, raven_bot *bot, ploy_vec2 to, bool queued) {
    ploy_step_context context = raven_context(match, bot);
    ploy_goal root = ploy_goals_root(bot->orders);
    ploy_goal_place_params place = {to};
    if (!queued) ploy_goals_clear(bot->orders, &context, root);
    if (ploy_goals_count(bot->orders) >= RAVEN_ORDERS_MAX + 4) return PLOY_OK; // enough to do
    return ploy_goals_add(bot->orders, &context, root, PLOY_GOAL_REAR, ploy_goal_move_to(), &place,
                          sizeof place, NULL);
}

static void person_fire(raven_bot *bot, ploy_vec2 at) {
    bot->cursor = at;
    raven_face(bot, at);
    bot->finger.fires = true;
    bot->finger.by_person = true;
    bot->finger.point = at;
}

static ploy_result person_command(raven_match *match, const ploy_input *input) {
    const char *name = input->name;
    if (strcmp(name, "select") == 0) {
        person_select(match, input);
    } else if (strcmp(name, "take") == 0) {
        person_take(match, input);
    } else if (strcmp(name, "watch") == 0) {
        match->watching = true;
        match->watch = person_point(match, input);
    } else if (strcmp(name, "unwatch") == 0) {
        match->watching = false;
        match->selected = RAVEN_NOBODY;
    } else if (strcmp(name, "add") == 0) {
        match->wanted = ploy_mini(match->wanted + 1, RAVEN_BOTS_MAX);
    } else if (strcmp(name, "remove") == 0) {
        match->wanted = match->wanted > 1 ? match->wanted - 1 : 1;
    }
    raven_bot *bot = person_bot(match, input);
    if (bot == NULL) return PLOY_OK;
    if (strcmp(name, "release") == 0) {
        person_release(match, bot);
    } else if (strcmp(name, "go") == 0 || strcmp(name, "queue") == 0) {
        return person_go(match, bot, person_point(match, input), name[0] == 'q');
    } else if (strcmp(name, "aim") == 0) {
        bot->cursor = person_point(match, input);
        raven_face(bot, bot->cursor);
    } else if (strcmp(name, "fire") == 0) {
        person_fire(bot, person_point(match, input));
    } else if (strcmp(name, "shoot") == 0) {
        person_fire(bot, bot->cursor);
    } else if (strncmp(name, "weapon", 6) == 0) {
        (void)raven_change_weapon(bot, (raven_weapon)(name[6] - '1'));
    }
    return PLOY_OK;
}

ploy_result raven_apply_inputs(raven_match *match, const ploy_sim_context *context) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_COMMAND) result = person_command(match, input);
    }
    return result;
}
