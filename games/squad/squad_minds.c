// The machines of leader and members, and the words that their texts use: C functions by name.
//
// The member's chart is that of the text (WaitingForCommand, MovingToGoal, WaypointReached) with a
// flag for waiting orders instead of a look at the path, and LookingAround for noises. The leader's
// flat machine has a transition for members that never arrive.
#include <string.h>

#include "games/squad/squad.h"

const char squad_leader_text[] =
    "{\"name\": \"SquadLeader\", \"initial\": \"CommandSquadToPOI\", \"run\": \"listen\",\n"
    " \"states\": [\n"
    "  {\"id\": \"CommandSquadToPOI\", \"run\": \"send_squad_to_random_poi\", \"rules\": [\n"
    "    {\"id\": \"SquadsProceedingToPOI\", \"to\": \"AwaitingSquadTaskCompletion\"}]},\n"
    "  {\"id\": \"AwaitingSquadTaskCompletion\", \"rules\": [\n"
    "    {\"id\": \"SquadArrivedAtPOI\", \"if\": \"squad_arrived_at_goal\",\n"
    "     \"to\": \"WaitToGiveOrders\"},\n"
    "    {\"id\": \"SquadTimedOut\", \"if\": \"squad_timed_out\", \"to\": "
    "\"WaitToGiveOrders\"}]},\n"
    "  {\"id\": \"WaitToGiveOrders\", \"rules\": [\n"
    "    {\"id\": \"GiveOrders\", \"if\": \"after(1)\", \"to\": \"CommandSquadToPOI\"}]}]}\n";

const char squad_member_text[] =
    "{\"name\": \"SquadMember\", \"initial\": \"WaitingForCommand\", \"states\": [\n"
    "  {\"id\": \"WaitingForCommand\", \"enter\": [{\"call\": \"on_waiting_for_command\"}],\n"
    "   \"rules\": [{\"id\": \"CommandGiven\", \"if\": \"order_pending\", \"to\": "
    "\"MovingToGoal\",\n"
    "     \"do\": [{\"call\": \"take_order\"}]}]},\n"
    "  {\"id\": \"MovingToGoal\", \"rules\": [\n"
    "    {\"id\": \"NewCommand\", \"if\": \"order_pending\", \"to\": \"WaitingForCommand\"},\n"
    "    {\"id\": \"OrderEnded\", \"if\": \"!has_order\", \"to\": \"WaitingForCommand\"},\n"
    "    {\"id\": \"HaveReachedWaypoint\", \"if\": \"waypoint_reached || goal_reached\",\n"
    "     \"to\": \"WaypointReached\"}]},\n"
    "  {\"id\": \"WaypointReached\", \"enter\": [{\"if\": \"waypoint_reached\",\n"
    "     \"then\": [{\"call\": \"on_waypoint_reached\"}],\n"
    "     \"else\": [{\"call\": \"on_goal_reached\"}]}], \"rules\": [\n"
    "    {\"id\": \"HeardThere\", \"if\": \"goal_reached && !has_valid_path && investigates\",\n"
    "     \"to\": \"LookingAround\"},\n"
    "    {\"id\": \"NoMoreWaypoints\", \"if\": \"goal_reached && !has_valid_path\",\n"
    "     \"to\": \"WaitingForCommand\", \"do\": [{\"call\": \"report_arrival\"}]},\n"
    "    {\"id\": \"HasMoreWaypoints\", \"if\": \"has_valid_path || !goal_reached\",\n"
    "     \"to\": \"MovingToGoal\"}]},\n"
    "  {\"id\": \"LookingAround\", \"enter\": [{\"send\": \"looked\", \"delay\": \"2s\", \"id\": "
    "\"l\"}],\n"
    "   \"exit\": [{\"cancel\": \"l\"}], \"rules\": [\n"
    "    {\"id\": \"OrderEndedThere\", \"if\": \"!has_order\", \"to\": \"WaitingForCommand\"},\n"
    "    {\"id\": \"NothingThere\", \"on\": \"looked\", \"to\": \"WaitingForCommand\",\n"
    "     \"do\": [{\"call\": \"report_arrival\"}]}]}]}\n";

// ---- words of the leader

static ploy_result squad_work_send(void *user, const ploy_fsm_turn *turn) {
    return squad_send_to_random_poi(user, turn->context);
}

static ploy_result squad_work_listen(void *user, const ploy_fsm_turn *turn) {
    return squad_listen(user, turn->context);
}

static bool squad_test_arrived(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    (void)args;
    return squad_arrived(user);
}

static bool squad_test_timed_out(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    (void)args;
    return squad_timed_out(user);
}

static ploy_result squad_build_leader(void *game, const void *bytes, size_t size,
                                      const ploy_env *env, ploy_diags *diags, ploy_fsm_type **out) {
    const ploy_word tests[] = {{"squad_arrived_at_goal", squad_test_arrived, NULL, game, 0},
                               {"squad_timed_out", squad_test_timed_out, NULL, game, 0}};
    ploy_machine_work works[2];
    memset(works, 0, sizeof works);
    works[0].name = "send_squad_to_random_poi";
    works[0].hooks.enter = squad_work_send;
    works[0].hooks.user = game;
    works[1].name = "listen";
    works[1].hooks.execute = squad_work_listen;
    works[1].hooks.user = game;
    ploy_machine_words words;
    memset(&words, 0, sizeof words);
    words.tests = tests;
    words.test_count = 2;
    words.works = works;
    words.work_count = 2;
    ploy_machine *machine = NULL;
    ploy_result result = ploy_machine_load_json(bytes, size, "leader", env, diags, &machine);
    if (result == PLOY_OK) {
        result = ploy_machine_build_fsm(machine, NULL, &words, env, diags, out);
    }
    ploy_machine_destroy(machine);
    return result;
}

// ---- words of the members

static int32_t squad_index(const ploy_step_context *context) {
    return (int32_t)context->agent.id.index - 1 - SQUAD_FIRST_TIER;
}

static squad_member *squad_self(void *user, const ploy_step_context *context) {
    squad_game *game = user;
    return &game->members[squad_index(context)];
}

static bool squad_test_pending(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return squad_order_pending(user, squad_index(moment->context));
}

static bool squad_test_has_order(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return squad_self(user, moment->context)->order != 0;
}

static bool squad_test_path(void *user, const ploy_moment *moment, const float *args) {
    const squad_member *member = squad_self(user, moment->context);
    (void)args;
    return member->handled < member->errand.stop_count;
}

static bool squad_test_waypoint(void *user, const ploy_moment *moment, const float *args) {
    const squad_member *member = squad_self(user, moment->context);
    (void)args;
    return member->handled < member->errand.next; // the errand's test is the only one
}

static bool squad_test_valid_waypoint(void *user, const ploy_moment *moment, const float *args) {
    const squad_member *member = squad_self(user, moment->context);
    (void)args;
    return member->order != 0 && member->errand.next < member->errand.stop_count;
}

static bool squad_test_goal(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return squad_goal_reached(squad_self(user, moment->context));
}

static bool squad_test_investigates(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return squad_self(user, moment->context)->investigates;
}

static ploy_result squad_act_waiting(void *user, const ploy_hsm_turn *turn) {
    squad_self(user, turn->context)->color = 0x96ff96;
    return PLOY_OK;
}

static ploy_result squad_act_waypoint(void *user, const ploy_hsm_turn *turn) {
    const squad_game *game = user;
    squad_member *member = squad_self(user, turn->context);
    uint32_t color = 0; // black without a tag
    (void)ploy_network_tag(game->network, member->waypoints[member->handled], PLOY_WAYPOINT_COLOR,
                           &color);
    member->color = color;
    member->handled++; // each waypoint is reported once
    return PLOY_OK;
}

static ploy_result squad_act_goal(void *user, const ploy_hsm_turn *turn) {
    squad_self(user, turn->context)->color = 0xff9696;
    return PLOY_OK;
}

static ploy_result squad_act_take(void *user, const ploy_hsm_turn *turn) {
    return squad_take_order(user, squad_index(turn->context), turn->context);
}

static ploy_result squad_act_report(void *user, const ploy_hsm_turn *turn) {
    return squad_finish(user, squad_index(turn->context), PLOY_REPORT_DONE, PLOY_REASON_NONE);
}

static ploy_result squad_build_members(void *game, const void *bytes, size_t size,
                                       const ploy_env *env, ploy_diags *diags,
                                       ploy_hsm_type **out) {
    const ploy_word tests[] = {
        {"order_pending", squad_test_pending, NULL, game, 0},
        {"has_order", squad_test_has_order, NULL, game, 0},
        {"has_valid_path", squad_test_path, NULL, game, 0},
        {"has_valid_waypoint", squad_test_valid_waypoint, NULL, game, 0},
        {"waypoint_reached", squad_test_waypoint, NULL, game, 0},
        {"goal_reached", squad_test_goal, NULL, game, 0},
        {"investigates", squad_test_investigates, NULL, game, 0},
    };
    const ploy_machine_action actions[] = {
        {"on_waiting_for_command", squad_act_waiting, game},
        {"on_waypoint_reached", squad_act_waypoint, game},
        {"on_goal_reached", squad_act_goal, game},
        {"take_order", squad_act_take, game},
        {"report_arrival", squad_act_report, game},
    };
    ploy_machine_words words;
    memset(&words, 0, sizeof words);
    words.tests = tests;
    words.test_count = (int32_t)(sizeof tests / sizeof tests[0]);
    words.actions = actions;
    words.action_count = (int32_t)(sizeof actions / sizeof actions[0]);
    ploy_machine *machine = NULL;
    ploy_result result = ploy_machine_load_json(bytes, size, "member", env, diags, &machine);
    if (result == PLOY_OK) result = ploy_machine_build(machine, NULL, &words, env, diags, out);
    ploy_machine_destroy(machine);
    return result;
}

// ---- loading

ploy_result squad_load_leader(squad_game *game, ploy_step_context *context) {
    const ploy_definition_text *text = &game->texts[SQUAD_LEADER_TEXT];
    ploy_fsm_type *type = NULL;
    ploy_result result = squad_build_leader(game, text->bytes, text->size, &game->env, NULL, &type);
    if (result != PLOY_OK) return result;
    if (game->leader == NULL) {
        result = ploy_fsm_create(type, game, &game->env, &game->leader);
    } else {
        context->agent = squad_id(SQUAD_LEADER_TIER);
        result = ploy_fsm_swap(game->leader, context, type, true, NULL);
    }
    ploy_fsm_type *unused = result == PLOY_OK ? game->leader_type : type;
    if (result == PLOY_OK) game->leader_type = type;
    ploy_fsm_type_destroy(unused);
    return result;
}

ploy_result squad_load_members(squad_game *game, ploy_step_context *context) {
    const ploy_definition_text *text = &game->texts[SQUAD_MEMBER_TEXT];
    ploy_hsm_type *type = NULL;
    ploy_result result =
        squad_build_members(game, text->bytes, text->size, &game->env, NULL, &type);
    for (int32_t i = 0; i < game->def.members && result == PLOY_OK; i++) {
        squad_member *member = &game->members[i];
        if (member->mind == NULL) {
            result = ploy_hsm_create(type, game, &game->env, &member->mind);
            continue;
        }
        context->agent = squad_id(SQUAD_FIRST_TIER + i);
        result = ploy_hsm_swap(member->mind, context, type, NULL);
    }
    if (result != PLOY_OK) return result; // the simulation stops
    ploy_hsm_type_destroy(game->member_type);
    game->member_type = type;
    return PLOY_OK;
}

ploy_result squad_check_mind(int32_t text, const void *bytes, size_t size, const ploy_env *env,
                             ploy_diags *diags) {
    // Words are only resolved, not called, so they need no game.
    if (text == SQUAD_LEADER_TEXT) {
        ploy_fsm_type *type = NULL;
        ploy_result result = squad_build_leader(NULL, bytes, size, env, diags, &type);
        ploy_fsm_type_destroy(type);
        return result;
    }
    ploy_hsm_type *type = NULL;
    ploy_result result = squad_build_members(NULL, bytes, size, env, diags, &type);
    ploy_hsm_type_destroy(type);
    return result;
}
