// The parameters of Simple Soccer. Lengths are a tenth of those in Buckland, "Programming Game AI
// by Example", 2005, chapter 4 (its pixels), times are seconds at 60 ticks.
#include "games/soccer/soccer.h"

static const char *const soccer_line_ups[] = {"balanced", "bold", "cautious"};

static const ploy_field soccer_team_items[] = {
    PLOY_FIELD_ENUM(soccer_team_def, line_up, SOCCER_LINE_UP_BALANCED, soccer_line_ups,
                    "where the team plays"),
    PLOY_FIELD_F32(soccer_team_def, accuracy, 0.99, 0, 1, "", "of shots and passes"),
    PLOY_FIELD_F32(soccer_team_def, potshot_chance, 0.005, 0, 1, "",
                   "of a hopeless shot, at each kick"),
    PLOY_FIELD_F32(soccer_team_def, comfort_zone, 5, 0, 70, "m",
                   "an opponent ahead and nearer than this makes a player pass"),
    PLOY_FIELD_F32(soccer_team_def, shooting_speed, 36, 0.1, 60, "kg m/s", "of the hardest shot"),
    PLOY_FIELD_F32(soccer_team_def, passing_speed, 18, 0.1, 60, "kg m/s", "of the hardest pass"),
    PLOY_FIELD_F32(soccer_team_def, dribble_speed, 9, 0.1, 60, "kg m/s", "of a kick to oneself"),
    PLOY_FIELD_F32(soccer_team_def, turn_speed, 4.8, 0.1, 60, "kg m/s",
                   "of the kicks that bring the ball round"),
    PLOY_FIELD_I32(soccer_team_def, shot_attempts, 5, 1, 100, "",
                   "points of the goal that are looked at"),
    PLOY_FIELD_F32(soccer_team_def, min_pass, 16, 0, 70, "m", "shortest pass of a field player"),
    PLOY_FIELD_F32(soccer_team_def, keeper_min_pass, 5, 0, 70, "m", "shortest pass of the keeper"),
    PLOY_FIELD_BOOL(soccer_team_def, soft_passes, false, "passes are only as hard as they must be"),
    PLOY_FIELD_BOOL(soccer_team_def, dodge, true, "dribble around opponents"),
    PLOY_FIELD_BOOL(soccer_team_def, marking, false,
                    "defenders move between an attacker and its supporter"),
    PLOY_FIELD_BOOL(soccer_team_def, pressing, false,
                    "hem in the opponent with the ball, and mark theirs near the own goal"),
    PLOY_FIELD_F32(soccer_team_def, lead, 0, 0, 70, "m",
                   "a dribbler farther ahead of its supporter waits for it; 0: never"),
    PLOY_FIELD_F32(soccer_team_def, anticipation, 0.7, 0, 1, "",
                   "0: run at the ball, 1: to where one meets it"),
    PLOY_FIELD_F32(soccer_team_def, arrival_speed, 6, 0, 60, "m/s",
                   "of the ball at the end of a soft pass"),
    PLOY_FIELD_F32(soccer_team_def, request_chance, 0.1, 0, 1, "",
                   "of a call for the ball, at each tick that allows one"),
    PLOY_FIELD_F32(soccer_team_def, arrive_chance, 0.5, 0, 1, "",
                   "of awaiting a pass where it was announced"),
    PLOY_FIELD_F32(soccer_team_def, receive_threat, 7, 0, 70, "m",
                   "an opponent nearer than this: run to meet the ball"),
    PLOY_FIELD_F32(soccer_team_def, spot_rate, 1, 0.01, 60, "1/s",
                   "how often the support spots are looked at"),
    PLOY_FIELD_F32(soccer_team_def, spot_pass, 2, 0, 100, "", "score: a pass gets there"),
    PLOY_FIELD_F32(soccer_team_def, spot_shot, 1, 0, 100, "", "score: a shot goes in from there"),
    PLOY_FIELD_F32(soccer_team_def, spot_distance, 2, 0, 100, "",
                   "score: at the right distance from the ball"),
    PLOY_FIELD_F32(soccer_team_def, spot_closeness, 0, 0, 100, "", "score: near the supporter"),
    PLOY_FIELD_F32(soccer_team_def, spot_ahead, 0, 0, 100, "", "score: ahead of the ball"),
    PLOY_FIELD_F32(soccer_team_def, support_distance, 20, 0.1, 70, "m", "that right distance"),
    PLOY_FIELD_F32(soccer_team_def, tend_distance, 2, 0, 20, "m", "of the keeper from its line"),
    PLOY_FIELD_F32(soccer_team_def, intercept_range, 10, 0, 70, "m",
                   "from the goal, in which the keeper runs for the ball"),
    PLOY_FIELD_F32(soccer_team_def, hold_max, 4, 0.1, 60, "s",
                   "how long the keeper looks for a pass before it clears the ball"),
    PLOY_FIELD_F32(soccer_team_def, stamina, 0, 0, 3600, "s",
                   "running that a player has in it; 0: no player tires"),
};

ploy_fields soccer_team_fields(void) {
    return PLOY_FIELDS(soccer_team_def, soccer_team_items);
}

static const ploy_field soccer_items[] = {
    PLOY_FIELD_BOOL(soccer_def, swap_sides, false,
                    "red plays from right to left, from the next kick-off on"),
    PLOY_FIELD_BOOL(soccer_def, solid, true, "players do not run through each other"),
    PLOY_FIELD_BOOL(soccer_def, edge_counts, false, "a goal once the ball's edge is over the line"),
    PLOY_FIELD_BOOL(soccer_def, referee, true, "a referee watches"),
    PLOY_FIELD_F32(soccer_def, goal_width, 10, 2, 30, "m", "between the posts"),
    PLOY_FIELD_F32(soccer_def, ball_radius, 0.5, 0.1, 0.9, "m", "size of the ball"),
    PLOY_FIELD_F32(soccer_def, ball_mass, 1, 0.1, 10, "kg", "of the ball"),
    PLOY_FIELD_F32(soccer_def, friction, 5.4, 0.1, 50, "m/s^2", "by which the ball slows"),
    PLOY_FIELD_F32(soccer_def, bounce, 0.75, 0, 1, "",
                   "part of its speed that a wall leaves the ball"),
    PLOY_FIELD_F32(soccer_def, player_radius, 0.9, 0.1, 1, "m", "size of a player"),
    PLOY_FIELD_F32(soccer_def, max_speed, 9.6, 1, 50, "m/s", "of players without the ball"),
    PLOY_FIELD_F32(soccer_def, max_speed_ball, 7.2, 1, 50, "m/s", "of a player with the ball"),
    PLOY_FIELD_F32(soccer_def, max_acceleration, 120, 1, 1000, "m/s^2", "of players"),
    PLOY_FIELD_F32(soccer_def, reaction, 0.05, 0.017, 5, "s",
                   "in which a desired velocity is reached"),
    PLOY_FIELD_F32(soccer_def, turn_rate, 24, 1, 200, "rad/s", "of players"),
    PLOY_FIELD_F32(soccer_def, brake, 0.8, 0, 0.99, "",
                   "part of its speed that a player without an order keeps in a tick"),
    PLOY_FIELD_F32(soccer_def, kicking_distance, 1.1, 0.5, 5, "m", "from the player to the ball"),
    PLOY_FIELD_F32(soccer_def, kick_rate, 8, 0.5, 60, "1/s", "kicks of one player, at most"),
    PLOY_FIELD_F32(soccer_def, tackle, 0.4, 0, 5, "s",
                   "that a player who was robbed of the ball cannot kick"),
    PLOY_FIELD_F32(soccer_def, receiving_range, 1.5, 0.5, 10, "m",
                   "near enough for a pass to have come"),
    PLOY_FIELD_F32(soccer_def, target_range, 1, 0.1, 10, "m", "near enough to a place"),
    PLOY_FIELD_F32(soccer_def, keeper_range, 1.5, 0.5, 10, "m", "in which a keeper grabs the ball"),
    PLOY_FIELD_F32(soccer_def, separation, 120, 0, 1000, "m^2/s^2", "how players keep off others"),
    PLOY_FIELD_F32(soccer_def, separation_range, 3, 0.1, 20, "m", "from how far"),
    PLOY_FIELD_DEF(soccer_def, red, soccer_team_fields, "the red team"),
    PLOY_FIELD_DEF(soccer_def, blue, soccer_team_fields, "the blue team"),
};

ploy_fields soccer_fields(void) {
    return PLOY_FIELDS(soccer_def, soccer_items);
}

int32_t soccer_line_up_home(soccer_line_up line_up, bool attacking, int32_t number) {
    static const int32_t homes[][2][SOCCER_TEAM_SIZE] = {
        // defending and at kick-off     attacking
        {{16, 9, 11, 12, 14}, {16, 3, 5, 9, 13}},  // balanced
        {{16, 9, 11, 12, 14}, {16, 3, 5, 6, 8}},   // bold: all go forward
        {{16, 12, 14, 15, 17}, {16, 6, 8, 12, 14}} // cautious: all stay back
    };
    return homes[line_up][attacking ? 1 : 0][number];
}
