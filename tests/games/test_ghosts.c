// The maze chase: targets on boards of their own, junctions, waves, and whole games with everything
// that must hold checked in every tick.
#include "games/ghosts/ghosts.h"
#include "tests/games/game_test.h"

typedef struct maze_scene {
    ploy_region *region;
    ploy_env env;
    ghosts_game *game;
    ghosts_def def;
    ploy_rng_key key;
    uint64_t tick;
} maze_scene;

static const ploy_sim_type *maze_type(void) {
    return ploy_sim_type_find(ploy_games(), "ghosts", NULL);
}

static void maze_begin(test_context *t, maze_scene *scene, uint64_t seed) {
    memset(scene, 0, sizeof *scene);
    ploy_env env = ploy_env_default();
    CHECK(maze_type() != NULL);
    CHECK_OK(ploy_region_create((size_t)4 << 20, &env, &scene->region));
    scene->env = ploy_region_env(scene->region);
    scene->key = ploy_rng_key_make(seed);
    ploy_fields_default(ghosts_fields(), &scene->def);
    void *state = NULL;
    CHECK_OK(maze_type()->create(&scene->def, scene->key, &scene->env, &state));
    scene->game = state;
}

static void maze_end(maze_scene *scene) {
    ploy_region_destroy(scene->region);
}

static void maze_input(test_context *t, maze_scene *scene, const ploy_input *input) {
    ploy_sim_context context;
    memset(&context, 0, sizeof context);
    context.tick = scene->tick++;
    context.dt = maze_type()->dt;
    context.inputs = input;
    context.input_count = input != NULL ? 1 : 0;
    context.key = scene->key;
    context.params = &scene->def;
    context.env = &scene->env;
    CHECK_OK(maze_type()->step(scene->game, &context));
}

static void maze_tick(test_context *t, maze_scene *scene, const char *command) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = command;
    maze_input(t, scene, command != NULL ? &input : NULL);
}

static void maze_run(test_context *t, maze_scene *scene, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) maze_tick(t, scene, NULL);
}

static ghosts_tile maze_tile(int32_t x, int32_t y) {
    ghosts_tile tile = {x, y};
    return tile;
}

static bool maze_same(ghosts_tile a, ghosts_tile b) {
    return a.x == b.x && a.y == b.y;
}

static int32_t maze_exit_count(const ghosts_game *game, ghosts_tile tile) {
    int32_t count = 0;
    for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
        count += ghosts_open(game, ghosts_next(tile, way), false) ? 1 : 0;
    }
    return count;
}

TEST(the_maze_is_closed_and_has_no_dead_ends) {
    maze_scene scene;
    maze_begin(t, &scene, 1);
    int32_t pips = 0, powers = 0;
    ghosts_tile tile;
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            char letter = ghosts_letter(scene.game, tile);
            CHECK(strchr("#.o -HXP", letter) != NULL);
            if (letter == '#') continue;
            ploy_grid_cost cost; // everything hangs together
            CHECK(ploy_grid_search_cost(scene.game->home, ghosts_cell(tile), &cost));
            CHECK(ploy_grid_search_cost(scene.game->out, ghosts_cell(tile), &cost));
            CHECK(tile.y > 0 && tile.y < GHOSTS_HEIGHT - 1);
            if (ghosts_open(scene.game, tile, false)) CHECK(maze_exit_count(scene.game, tile) >= 2);
            pips += letter == '.' ? 1 : 0;
            powers += letter == 'o' ? 1 : 0;
            // The mirror image is the same.
            char other = ghosts_letter(scene.game, maze_tile(GHOSTS_WIDTH - 1 - tile.x, tile.y));
            CHECK_INT(other, letter);
        }
    }
    CHECK_INT(powers, 4);
    CHECK_INT(ghosts_pips_left(scene.game), pips + powers);
    CHECK_INT(ghosts_letter(scene.game, maze_tile(-1, 0)), '#');
    CHECK(maze_same(ghosts_next(maze_tile(0, 9), GHOSTS_LEFT), maze_tile(GHOSTS_WIDTH - 1, 9)));
    maze_end(&scene);
}

TEST(each_ghost_goes_for_something_else) { // ENG-12
    ghosts_def def;
    ploy_fields_default(ghosts_fields(), &def);
    static const struct {
        const char *row;
        ghosts_who who;
        ghosts_tile player;
        ghosts_way way;
        ghosts_tile red, own, want;
    } rows[] = {
        {"red: the player", GHOSTS_RED, {5, 5}, GHOSTS_UP, {1, 1}, {1, 1}, {5, 5}},
        {"pink: four ahead", GHOSTS_PINK, {5, 5}, GHOSTS_RIGHT, {1, 1}, {9, 9}, {9, 5}},
        {"pink: upward too", GHOSTS_PINK, {5, 5}, GHOSTS_UP, {1, 1}, {9, 9}, {5, 9}},
        {"pink: out of the maze if need be",
         GHOSTS_PINK,
         {1, 5},
         GHOSTS_LEFT,
         {1, 1},
         {9, 9},
         {-3, 5}},
        {"blue: red mirrored two ahead",
         GHOSTS_BLUE,
         {5, 5},
         GHOSTS_RIGHT,
         {4, 4},
         {9, 9},
         {10, 6}},
        {"blue: red right behind", GHOSTS_BLUE, {5, 5}, GHOSTS_DOWN, {5, 6}, {9, 9}, {5, 0}},
        {"orange from afar", GHOSTS_ORANGE, {5, 5}, GHOSTS_UP, {1, 1}, {13, 5}, {5, 5}},
        {"orange nearby", GHOSTS_ORANGE, {5, 5}, GHOSTS_UP, {1, 1}, {12, 5}, {1, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ghosts_tile target = ghosts_chase_target(&def, rows[i].who, rows[i].player,
                                                 (int32_t)rows[i].way, rows[i].red, rows[i].own);
        CHECK_INT(target.x, rows[i].want.x);
        CHECK_INT(target.y, rows[i].want.y);
    }
}

TEST(waves_come_at_their_times) { // ENG-12: 7/20/7/20/5/20/5/for ever
    ghosts_def def;
    ploy_fields_default(ghosts_fields(), &def);
    static const double ends[] = {7, 27, 34, 54, 59, 79, 84};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        ghosts_state before = i % 2 == 0 ? GHOSTS_SCATTER : GHOSTS_CHASE;
        CHECK_INT(ghosts_wave(&def, ends[i] - 0.001), before);
        CHECK_INT(ghosts_wave(&def, ends[i]),
                  before == GHOSTS_SCATTER ? GHOSTS_CHASE : GHOSTS_SCATTER);
    }
    CHECK_INT(ghosts_wave(&def, 1e9), GHOSTS_CHASE);
}

TEST(at_a_junction_the_exit_that_points_to_the_target_is_taken) {
    maze_scene scene;
    maze_begin(t, &scene, 1);
    ghosts_tile cross;
    int32_t junctions = 0;
    for (cross.y = 0; cross.y < GHOSTS_HEIGHT; cross.y++) {
        for (cross.x = 0; cross.x < GHOSTS_WIDTH; cross.x++) {
            if (!ghosts_open(scene.game, cross, false)) continue;
            for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
                int32_t back = ghosts_opposite(way);
                if (!ghosts_open(scene.game, ghosts_next(cross, back), false))
                    continue; // nobody comes so
                for (int32_t to = 0; to < GHOSTS_WAYS; to++) {
                    // A target far away straight along a way: taken if it is open and not back.
                    ploy_vec2 step = ghosts_way_vector(to);
                    ghosts_tile target = {cross.x + 100 * (int32_t)step.x,
                                          cross.y + 100 * (int32_t)step.y};
                    int32_t chosen = ghosts_greedy(scene.game, cross, way, target);
                    CHECK(ghosts_open(scene.game, ghosts_next(cross, chosen), false));
                    CHECK(chosen != back);
                    if (to != back && ghosts_open(scene.game, ghosts_next(cross, to), false)) {
                        CHECK_INT(chosen, to);
                        junctions++;
                    }
                }
            }
        }
    }
    CHECK(junctions > 200);
    maze_end(&scene);
}

// What must hold after every tick.
static void maze_check(test_context *t, const maze_scene *scene) {
    const ghosts_game *game = scene->game;
    CHECK(ghosts_open(game, game->player.mover.tile, false));
    CHECK(game->player.mover.along >= 0.0f && game->player.mover.along < 1.0f);
    if (game->player.moving)
        CHECK(
            ghosts_open(game, ghosts_next(game->player.mover.tile, game->player.mover.way), false));
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        const ghosts_ghost *ghost = &game->ghosts[i];
        int32_t state = ghost->machine.state;
        bool inside = state == GHOSTS_EYES || state == GHOSTS_HOUSE || state == GHOSTS_LEAVE;
        CHECK(ghosts_open(game, ghost->mover.tile, inside));
        CHECK(ghost->mover.along >= 0.0f && ghost->mover.along < 1.0f);
        if (state != GHOSTS_HOUSE && state != GHOSTS_EYES) {
            CHECK(ghosts_open(game, ghosts_next(ghost->mover.tile, ghost->mover.way), inside));
        }
        if (state == GHOSTS_FRIGHTENED) CHECK(game->fright_left > 0.0f);
    }
    CHECK(ghosts_pips_left(game) > 0);
    CHECK(game->lives >= 1 && game->level >= 1);
    CHECK(game->score <= game->best);
}

TEST(whole_games_keep_to_the_rules) {
    int32_t lost = 0, eaten = 0, levels = 0, pips = 0, visits[GHOSTS_STATES] = {0};
    for (int64_t seed = 1; seed <= test_rounds(6); seed++) {
        TEST_SEED(seed);
        maze_scene scene;
        maze_begin(t, &scene, (uint64_t)seed);
        ghosts_mover before[GHOSTS_COUNT];
        int32_t states[GHOSTS_COUNT];
        for (int32_t tick = 0; tick < 6000; tick++) {
            int32_t turns = scene.game->turns_ended, level = scene.game->level;
            for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
                before[i] = scene.game->ghosts[i].mover;
                states[i] = scene.game->ghosts[i].machine.state;
                visits[states[i]]++;
            }
            maze_run(t, &scene, 1);
            maze_check(t, &scene);
            if (scene.game->turns_ended != turns || scene.game->level != level) continue;
            for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
                const ghosts_mover *now = &scene.game->ghosts[i].mover;
                if (states[i] > GHOSTS_FRIGHTENED) continue; // these may turn round
                if (scene.game->ghosts[i].machine.state > GHOSTS_FRIGHTENED) continue;
                CHECK(now->way != ghosts_opposite(before[i].way)); // there are no dead ends
                // It turns only where it arrives.
                if (maze_same(now->tile, before[i].tile)) CHECK_INT(now->way, before[i].way);
            }
        }
        lost += scene.game->turns_ended;
        eaten += scene.game->eaten;
        levels += scene.game->level - 1;
        pips += scene.game->pips_eaten;
        maze_end(&scene);
    }
    printf("the bot: %d lives lost, %d ghosts and %d pips eaten, %d levels\n", (int)lost,
           (int)eaten, (int)pips, (int)levels);
    for (int32_t i = 0; i < GHOSTS_STATES; i++) {
        t->row = ghosts_state_name(i);
        CHECK(visits[i] > 0); // every state was seen
    }
    t->row = NULL;
    CHECK(lost > 0 && eaten > 0 && pips > 500);
}

// The game begins after its pause, and the player stands where nobody comes.
static void maze_start(test_context *t, maze_scene *scene) {
    maze_run(t, scene, 61);
    scene->game->person = true;
}

TEST(a_power_frightens_and_eaten_ghosts_go_home_the_shortest_way) {
    maze_scene scene;
    maze_begin(t, &scene, 3);
    maze_start(t, &scene);
    ghosts_game *game = scene.game;
    scene.def.frightened = 100.0f;
    scene.def.wait = 1000.0f; // red alone
    for (int32_t i = 1; i < GHOSTS_COUNT; i++) game->ghosts[i].waits = 1000.0f;
    // On the power, in the corner.
    game->player.mover.tile = ghosts_find(game, 'o');
    game->player.moving = false;
    game->player.turn = GHOSTS_LEFT;
    maze_tick(t, &scene, NULL);
    CHECK_INT(game->ghosts[GHOSTS_RED].machine.state, GHOSTS_FRIGHTENED);
    CHECK_INT(game->ghosts[GHOSTS_PINK].machine.state, GHOSTS_HOUSE); // safe at home
    CHECK(game->fright_left > 99.0f);
    int32_t score = game->score;
    double clock = game->clock;
    // The player is put where red is.
    maze_run(t, &scene, 120);
    CHECK(game->clock == clock); // the waves wait
    game->player.mover = game->ghosts[GHOSTS_RED].mover;
    game->player.moving = true;
    game->player.turn = game->player.mover.way;
    maze_tick(t, &scene, NULL);
    CHECK_INT(game->ghosts[GHOSTS_RED].machine.state, GHOSTS_EYES);
    CHECK(game->score >= score + 200);
    // From the next tile on every step is one nearer.
    ploy_grid_cost cost;
    ghosts_tile tile =
        ghosts_next(game->ghosts[GHOSTS_RED].mover.tile, game->ghosts[GHOSTS_RED].mover.way);
    CHECK(ploy_grid_search_cost(game->home, ghosts_cell(tile), &cost));
    int64_t left = cost.straight;
    CHECK(left > 2);
    ghosts_tile last = game->ghosts[GHOSTS_RED].mover.tile;
    bool first = true;
    for (int32_t i = 0; i < 600 && game->ghosts[GHOSTS_RED].machine.state == GHOSTS_EYES; i++) {
        game->player.mover.tile = maze_tile(1, 1); // out of the way
        game->player.moving = false;
        maze_tick(t, &scene, NULL);
        if (maze_same(game->ghosts[GHOSTS_RED].mover.tile, last)) continue;
        last = game->ghosts[GHOSTS_RED].mover.tile;
        CHECK(ploy_grid_search_cost(game->home, ghosts_cell(last), &cost));
        if (!first) left--;
        first = false;
        CHECK_INT(cost.straight, left);
    }
    CHECK_INT(left, 0);
    CHECK_INT(game->ghosts[GHOSTS_RED].machine.state, GHOSTS_HOUSE);
    maze_end(&scene);
}

TEST(being_caught_costs_a_life_and_the_last_one_the_game) {
    maze_scene scene;
    maze_begin(t, &scene, 3);
    ghosts_game *game = scene.game;
    for (int32_t i = 1; i <= 3; i++) {
        maze_start(t, &scene);
        maze_run(t, &scene, 30);
        int32_t score = game->score;
        CHECK(i == 1 || score > 0);
        game->player.mover = game->ghosts[GHOSTS_RED].mover;
        game->player.moving = true;
        game->player.turn = game->player.mover.way;
        maze_tick(t, &scene, NULL);
        CHECK_INT(game->turns_ended, i);
        CHECK_INT(game->lives, i < 3 ? 3 - i : 3);
        CHECK(maze_same(game->player.mover.tile, ghosts_find(game, 'P')));
    }
    CHECK_INT(game->games, 1);
    CHECK_INT(game->score, 0);
    CHECK(game->best > 0);
    maze_end(&scene);
}

TEST(the_last_pip_ends_the_level) {
    maze_scene scene;
    maze_begin(t, &scene, 3);
    maze_start(t, &scene);
    ghosts_game *game = scene.game;
    int32_t all = ghosts_pips_left(game);
    memset(game->pips, 0, sizeof game->pips);
    memset(game->powers, 0, sizeof game->powers);
    game->pips[1] = 1u << 1;
    game->player.mover.tile = maze_tile(1, 1);
    game->player.moving = false;
    game->player.turn = GHOSTS_DOWN; // a wall
    game->player.mover.way = GHOSTS_DOWN;
    maze_tick(t, &scene, NULL);
    CHECK_INT(game->level, 2);
    CHECK(ghosts_pips_left(game) >= all); // full again
    CHECK(maze_same(game->player.mover.tile, ghosts_find(game, 'P')));
    maze_end(&scene);
}

TEST(keys_turn_the_player_at_the_next_tile_and_back_at_once) {
    maze_scene scene;
    maze_begin(t, &scene, 3);
    scene.def.ghost_speed = 0.0f;
    maze_run(t, &scene, 61);
    ghosts_game *game = scene.game;
    maze_tick(t, &scene, "right");
    CHECK(game->person);
    maze_run(t, &scene, 14);
    CHECK_INT(game->player.mover.way, GHOSTS_RIGHT);
    ploy_vec2 at = ghosts_position(&game->player.mover);
    maze_tick(t, &scene, "left");
    CHECK_INT(game->player.mover.way, GHOSTS_LEFT);
    CHECK(ghosts_position(&game->player.mover).x < at.x);
    CHECK(ghosts_position(&game->player.mover).x > at.x - 0.2f);
    maze_tick(t, &scene, "down"); // a wall all along: it goes on to the left until it may
    maze_run(t, &scene, 5);
    CHECK_INT(game->player.mover.way, GHOSTS_LEFT);
    maze_run(t, &scene, 40);
    CHECK_INT(game->player.mover.way, GHOSTS_DOWN); // the spoke at x = 9
    CHECK_INT(game->player.mover.tile.x, 9);
    maze_tick(t, &scene, "release");
    CHECK(!game->person);
    maze_tick(t, &scene, "take");
    CHECK(game->person);
    maze_end(&scene);
}

TEST(the_bot_flees_when_it_must_and_eats_when_it_can) {
    maze_scene scene;
    maze_begin(t, &scene, 3);
    ghosts_game *game = scene.game;
    ploy_sim_context context;
    memset(&context, 0, sizeof context);
    game->context = &context;
    game->player.mover.tile = maze_tile(6, 17); // on the outer ring, above the spoke at (6, 16)
    CHECK(ghosts_open(game, game->player.mover.tile, false));
    int32_t way = ghosts_bot_way(game, game->player.mover.tile, NULL, NULL);
    CHECK(ghosts_open(game, ghosts_next(game->player.mover.tile, way), false));
    CHECK(ghosts_bit(game->pips, ghosts_next(game->player.mover.tile, way))); // next door
    // Hunted from the right, everything eaten on the left: it goes left nevertheless.
    memset(game->pips, 0, sizeof game->pips);
    memset(game->powers, 0, sizeof game->powers);
    game->pips[17] = 1u << 12;
    game->ghosts[GHOSTS_RED].mover.tile = maze_tile(8, 17);
    game->ghosts[GHOSTS_RED].state = GHOSTS_CHASE;
    CHECK(ghosts_bot_way(game, game->player.mover.tile, NULL, NULL) != GHOSTS_RIGHT);
    // A frightened one is no reason.
    game->ghosts[GHOSTS_RED].state = GHOSTS_FRIGHTENED;
    CHECK_INT(ghosts_bot_way(game, game->player.mover.tile, NULL, NULL), GHOSTS_RIGHT);
    game->context = NULL;
    maze_end(&scene);
}

static void maze_play(test_context *t, ploy_sim *sim) {
    static const char *const keys[] = {"up", "left", "release", "down", "right", "take"};
    for (int32_t i = 0; i < 400; i++) {
        if (i % 40 == 39) {
            lab_command(t, sim, keys[i / 40 % 6], ploy_value_none());
        } else {
            CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        }
    }
}

TEST(the_maze_rewinds_draws_and_survives_failing_allocations) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "ghosts", NULL, &env);
    lab_check_rewind(t, sim, 900);
    lab_check_rewind_of(t, sim, maze_play);
    CHECK(lab_drawn(sim) > 100);
    CHECK(lab_number(t, sim, "summary/pips_eaten") > 10);
    ploy_sim_destroy(sim);
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "ghosts");
}

TEST(the_maze_is_edited_under_the_game) {
    static const lab_edit edit = {"maze", "#.####.#####.#####.####.#", "#.......................#",
                                  "#.####.#####.#####!####.#", 3};
    lab_check_edited(t, "ghosts", &edit);
    static const struct {
        const char *row, *from, *to;
        int32_t line, column;
    } rows[] = {{"a letter that is none", "#.#o", "#.#?", 4, 4},
                {"a short row", "#.......................#", "#......................#", 2, 25},
                {"a long row", "#.......................#", "#........................#", 2, 26},
                {"an open edge", "#########################", "######## ################", 1, 9},
                {"no player", "....P....", ".........", 1, 1},
                {"two players", "....X....", "....P....", 14, 13},
                {"no house", "##HHH##", "##   ##", 1, 1},
                {"a house in pieces", "##HHH##", "#HHH#H#", 10, 15},
                {"a dead end", "....##HHH", ".....#HHH", 10, 10},
                {"walled in", "....##HHH", "....#.HHH", 10, 11}};
    maze_scene scene;
    maze_begin(t, &scene, 1);
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char rows_read[GHOSTS_HEIGHT][GHOSTS_WIDTH];
        char *text = lab_replace(t, scene.game->text.bytes, rows[i].from, rows[i].to);
        ploy_diags_clear(diags);
        CHECK_INT(ghosts_read_maze(text, strlen(text), rows_read, diags), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        free(text);
    }
    ploy_diags_destroy(diags);
    maze_end(&scene);
}

// Walls that come and go under everybody's feet; what must hold, holds in every tick.
TEST(whoever_would_stand_in_a_wall_begins_anew) {
    static const char *const rooms[][2] = {
        {"#.####.#####.#####.####.#", "#.......................#"},
        {"#.#.#####.#####.#####.#.#", "#.#...................#.#"},
        {"#.#.#.##.###.###.##.#.#.#", "#.#.#...............#.#.#"}};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        TEST_SEED(seed);
        maze_scene scene;
        maze_begin(t, &scene, seed);
        char *own = lab_replace(t, scene.game->text.bytes, "P", "P");
        char *wide = lab_replace(t, own, rooms[seed % 3][0], rooms[seed % 3][1]);
        for (int32_t i = 0; i < 900; i++) {
            ploy_input input = lab_reload_input("maze", i % 200 == 99 ? wide : own);
            maze_input(t, &scene, i % 100 == 99 ? &input : NULL);
            maze_check(t, &scene);
        }
        CHECK_UINT(scene.game->text.reloads, 9);
        free(wide);
        free(own);
        maze_end(&scene);
    }
}

// Plays seeds with one setting. @return lives lost a minute of play.
static double maze_catches(test_context *t, ghosts_predictor predictor, int64_t seeds,
                           double shares[GHOSTS_PREDICTORS]) {
    const int32_t ticks = 3600;
    int64_t lost = 0, turns = 0, hits[GHOSTS_PREDICTORS] = {0};
    for (int64_t seed = 1; seed <= seeds; seed++) {
        maze_scene scene;
        maze_begin(t, &scene, (uint64_t)seed);
        scene.def.predictor = predictor;
        maze_run(t, &scene, ticks);
        lost += scene.game->turns_ended;
        turns += scene.game->turns;
        for (int32_t i = 0; i < GHOSTS_PREDICTORS; i++) hits[i] += scene.game->hits[i];
        maze_end(&scene);
    }
    for (int32_t i = 0; i < GHOSTS_PREDICTORS; i++) shares[i] = (double)hits[i] / (double)turns;
    return (double)lost / (double)seeds;
}

TEST(ghosts_predict_turns_better_than_raw_counts) { // 200 seeds in soak
    int64_t seeds = test_rounds(20);
    if (seeds > 200) seeds = 200;
    static const char *const names[] = {"none", "raw", "windows"};
    for (int32_t i = 0; i < 3; i++) {
        double shares[GHOSTS_PREDICTORS];
        double catches = maze_catches(t, (ghosts_predictor)i, seeds, shares);
        printf("predictor %-8s %d seeds: %.3f catches a minute; turns predicted: raw %.3f, windows "
               "%.3f\n",
               names[i], (int)seeds, catches, shares[GHOSTS_RAW], shares[GHOSTS_WINDOWS]);
        CHECK(shares[GHOSTS_WINDOWS] >= shares[GHOSTS_RAW] + 0.1);
    }
}
