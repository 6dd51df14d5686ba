// Queries as text and as tables, and queries inside decisions (TAC-06, TAC-07, TAC-08).
#include "ploy/decide/fuzzy.h"
#include "query_world.h"

TEST(a_bad_text_is_refused_with_line_and_column) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column;
        const char *nearest;
    } rows[] = {
        {"fine",
         "# cover\npick best\nmargin 0.2\nfrom points cover within 20\ntest hidden in 1..1\n",
         PLOY_OK, 0, 0, ""},
        {"nothing", "", PLOY_ERR_FORMAT, 1, 1, ""},
        {"unknown word", "from points\ntset hidden\n", PLOY_ERR_FORMAT, 2, 1, "test"},
        {"unknown generator", "from pionts\n", PLOY_ERR_FORMAT, 1, 6, "points"},
        {"unknown measure", "from points\ntest hiden in 1..1\n", PLOY_ERR_FORMAT, 2, 6, "hidden"},
        {"unknown quality", "from points covr\n", PLOY_ERR_NOT_FOUND, 1, 13, "cover"},
        {"unknown quality of a row", "from points\ntest quality shdow weight 1\n",
         PLOY_ERR_NOT_FOUND, 2, 14, "shadow"},
        {"unknown quality in a text", "from points\ntest \"cover + shdow\" weight 1\n",
         PLOY_ERR_NOT_FOUND, 2, 15, "shadow"},
        {"no number", "from ring wide\n", PLOY_ERR_FORMAT, 1, 11, ""},
        {"no range", "from points\ntest hidden in 1\n", PLOY_ERR_FORMAT, 2, 16, ""},
        {"range upside down", "from points\ntest hidden in 1..0\n", PLOY_ERR_ARGUMENT, 2, 6, ""},
        {"test before from", "test hidden in 1..1\n", PLOY_ERR_FORMAT, 1, 1, ""},
        {"two generators", "from points\nfrom list\n", PLOY_ERR_FORMAT, 2, 1, ""},
        {"open quote", "from points\ntest \"cover\n", PLOY_ERR_FORMAT, 2, 7, ""},
        {"bad expression", "from points\ntest \"cover +\" weight 1\n", PLOY_ERR_FORMAT, 2, 14, ""},
        {"extra word", "from points\nelse now\nfrom list\n", PLOY_ERR_FORMAT, 2, 6, ""},
        {"bad curve", "from points\ntest hidden weight 1 curve table 1 0 0 1\n", PLOY_ERR_FORMAT, 2,
         34, ""},
        {"bad margin", "margin 7\nfrom points\n", PLOY_ERR_ARGUMENT, 1, 8, ""},
        {"bad distance", "from points\npick apart 3 -1\n", PLOY_ERR_ARGUMENT, 2, 14, ""},
        {"bad rule", "quality x = cover &&\nfrom points\n", PLOY_ERR_FORMAT, 1, 21, ""},
        {"path with shortest", "pick shortest\nfrom points\ntest path in ..3\n", PLOY_ERR_ARGUMENT,
         3, 6, ""},
        {"grid too large", "from grid 100 spacing 0.01\n", PLOY_ERR_ARGUMENT, 1, 1, ""},
    };
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        field f;
        field_open(t, &f, 1, 4);
        ploy_diags_clear(diags);
        ploy_query_type *type = NULL;
        CHECK_INT(ploy_query_type_load(rows[i].text, strlen(rows[i].text), "q", NULL, f.points,
                                       NULL, &env, diags, &type),
                  rows[i].want);
        CHECK_INT(type != NULL, rows[i].want == PLOY_OK);
        if (rows[i].column > 0) {
            const ploy_diag *diag = ploy_diags_get(diags, 0);
            CHECK(diag != NULL);
            if (rows[i].line > 0) CHECK_INT(diag->line, rows[i].line);
            CHECK_INT(diag->column, rows[i].column);
            CHECK_TEXT(diag->nearest, rows[i].nearest);
        }
        ploy_query_type_destroy(type);
        field_close(&f);
    }
    ploy_diags_destroy(diags);
}

TEST(an_unknown_word_lists_what_is_possible) {
    static const struct {
        const char *text, *expected;
    } rows[] = {{"tset hidden\n", "from, test, else, pick, margin or quality"},
                {"pick bset\n", "best, random, apart or shortest"},
                {"from pionts\n", "points, ring, grid, cone, path, places or list"},
                {"from points\ntest distance here\n", "self, target or enemy"}};
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    field f;
    field_open(t, &f, 1, 4);
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_query_type *type = NULL;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_query_type_load(rows[i].text, strlen(rows[i].text), "q", NULL, f.points,
                                       NULL, &env, diags, &type),
                  PLOY_ERR_FORMAT);
        CHECK_TEXT(ploy_diags_get(diags, 0)->expected, rows[i].expected);
    }
    ploy_diags_destroy(diags);
    field_close(&f);
}

TEST(a_table_and_a_text_are_the_same_query) {
    static const ploy_query_row cover[] = {
        {.measure = PLOY_QUERY_HIDDEN, .require = true, .min = 0.4f, .max = 1},
        {.measure = PLOY_QUERY_QUALITY, .of = "hiding", .weight = 2},
        {.measure = PLOY_QUERY_DISTANCE,
         .whom = PLOY_QUERY_SELF,
         .weight = 1,
         .high = 25,
         .curve = {PLOY_CURVE_LINEAR, 0, -1, 1, 1, {0}, {0}}},
        {.measure = PLOY_QUERY_TEXT, .of = "near(fire, 5)", .weight = 1},
    };
    static const ploy_query_option options[] = {
        {.name = "cover",
         .from = PLOY_QUERY_FROM_POINTS,
         .tag = "hiding",
         .radius = 25,
         .rows = cover,
         .row_count = 4},
        {.name = "away", .from = PLOY_QUERY_FROM_RING, .radius = 6, .count = 12},
    };
    static const char text[] =
        "quality hiding = min(cover, shadow)\nfrom points hiding within 25\ntest hidden in 0.4..1\n"
        "test quality hiding weight 2\ntest distance self weight 1 from 0 to 25 curve linear -1 1\n"
        "test \"near(fire, 5)\" weight 1\nelse\nfrom ring 6 count 12\n";
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(30); seed++) {
        TEST_SEED(seed);
        field f;
        field_open(t, &f, seed, FIELD_POINTS);
        ploy_query_type *a = field_type(t, f.points, text), *b = NULL;
        ploy_query_def def = ploy_query_def_default();
        CHECK_OK(ploy_query_type_create(&def, options, 2, f.points, NULL, &env, &b));
        ploy_query *x = field_query(t, a), *y = field_query(t, b);
        ploy_query_result p, q;
        CHECK_OK(ploy_query_run(x, &f.context, &p));
        CHECK_OK(ploy_query_run(y, &f.context, &q));
        CHECK_INT(p.outcome, q.outcome);
        CHECK_INT(p.option, q.option);
        CHECK_INT(p.rays, q.rays);
        CHECK_INT(p.spots[0].candidate, q.spots[0].candidate);
        CHECK_SAME(p.spots[0].score, q.spots[0].score);
        ploy_query_destroy(x);
        ploy_query_destroy(y);
        ploy_query_type_destroy(a);
        ploy_query_type_destroy(b);
        field_close(&f);
    }
}

// ---- in decisions

typedef struct text_game {
    field f;
    int32_t asked;
} text_game;

static ploy_result text_ask(void *user, ploy_step_context *step, ploy_query_context *out) {
    text_game *game = user;
    ploy_step_context *kept = out->step;
    ploy_agent_id agent = out->agent;
    double now = out->now;
    (void)step;
    *out = game->f.context;
    out->step = kept;
    out->agent = agent;
    out->now = now;
    game->asked++;
    return PLOY_OK;
}

static ploy_blackboard_layout *text_layout(test_context *t) {
    static const ploy_blackboard_key keys[] = {
        {"spot", PLOY_VALUE_VEC3, {PLOY_VALUE_NONE, {0}}, "where to go"},
        {"point", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, "the tactical point"},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "test", &env, NULL, &layout));
    return layout;
}

TEST(a_leaf_claims_and_the_second_agent_gets_the_next_place) {
    ploy_env env = ploy_env_default();
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 4, FIELD_POINTS);
    ploy_blackboard_layout *layout = text_layout(t);
    ploy_query_type *type = field_type(
        t, game.f.points, "from points cover\ntest quality cover weight 1\ntest hidden weight 1\n");
    ploy_query_leaf leaf = {"take cover",
                            type,
                            text_ask,
                            &game,
                            game.f.points,
                            5,
                            ploy_blackboard_layout_find(layout, "spot"),
                            ploy_blackboard_layout_find(layout, "point")};
    ploy_behavior minds[2];
    ploy_blackboard *boards[2];
    ploy_step_context steps[2];
    bool done[2] = {false, false};
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_maker_make(ploy_query_leaf_maker(&leaf), &env, &minds[i]));
        CHECK_OK(ploy_blackboard_create(layout, &env, &boards[i]));
        steps[i] = ploy_step_context_make(ploy_agent_id_make((uint32_t)i + 1, 1), boards[i], 0.1f);
        CHECK_OK(ploy_behavior_enter(minds[i], &steps[i]));
    }
    for (int32_t tick = 0; tick < 400 && !(done[0] && done[1]); tick++) {
        for (int32_t i = 0; i < 2; i++) { // both think before either commits
            ploy_budget budget = ploy_budget_units(20);
            ploy_status status = PLOY_STATUS_RUNNING;
            if (done[i]) continue;
            steps[i].budget = &budget;
            CHECK_OK(ploy_behavior_step(minds[i], &steps[i], &status));
            done[i] = status == PLOY_STATUS_SUCCESS;
            CHECK(status != PLOY_STATUS_FAILURE);
        }
        for (int32_t i = 0; i < 2; i++) {
            CHECK_OK(ploy_behavior_commit(minds[i], &steps[i]));
            ploy_step_context_next(&steps[i]);
        }
    }
    CHECK(done[0] && done[1]);
    ploy_tactical_id a = {ploy_blackboard_get_id(boards[0], leaf.point)};
    ploy_tactical_id b = {ploy_blackboard_get_id(boards[1], leaf.point)};
    CHECK(!ploy_id_is_none(a.id) && !ploy_id_is_none(b.id) && !ploy_tactical_id_equal(a, b));
    CHECK_INT(ploy_tactical_points_owner(game.f.points, a, 0.2).id.index, 1);
    CHECK_INT(ploy_tactical_points_owner(game.f.points, b, 0.2).id.index, 2);
    CHECK_INT(game.asked, 3); // the second one asked again
    float spot[4];
    ploy_tactical_point point;
    ploy_blackboard_get_vec(boards[1], leaf.spot, spot);
    CHECK(ploy_tactical_points_get(game.f.points, b, &point));
    CHECK_SAME(spot[0], point.position.x);
    for (int32_t i = 0; i < 2; i++) {
        ploy_behavior_exit(minds[i], &steps[i], PLOY_EXIT_FINISHED);
        ploy_behavior_destroy(minds[i]);
        ploy_blackboard_destroy(boards[i]);
    }
    ploy_query_type_destroy(type);
    ploy_blackboard_layout_destroy(layout);
    field_close(&game.f);
}

TEST(a_leaf_is_saved_in_the_middle_and_goes_on) {
    ploy_env env = ploy_env_default();
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 6, FIELD_POINTS);
    ploy_query_type *type = field_type(
        t, game.f.points, "from points cover\ntest quality cover weight 1\ntest hidden weight 1\n");
    ploy_query_leaf leaf = {"take cover", type, text_ask, &game, NULL, 0, {0}, {0}};
    ploy_behavior a, b;
    CHECK_OK(ploy_maker_make(ploy_query_leaf_maker(&leaf), &env, &a));
    CHECK_OK(ploy_maker_make(ploy_query_leaf_maker(&leaf), &env, &b));
    ploy_step_context step = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_budget budget = ploy_budget_units(63);
    step.budget = &budget;
    CHECK_OK(ploy_behavior_enter(a, &step));
    CHECK_OK(ploy_behavior_step(a, &step, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_behavior_reload(a, b, &step, &env, diags));
    CHECK_INT(ploy_diags_count(diags), 0);
    step.budget = NULL;
    CHECK_OK(ploy_behavior_step(b, &step, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    ploy_behavior_exit(b, &step, PLOY_EXIT_FINISHED);
    ploy_diags_destroy(diags);
    ploy_behavior_destroy(a);
    ploy_behavior_destroy(b);
    ploy_query_type_destroy(type);
    field_close(&game.f);
}

TEST(a_condition_keeps_the_place_and_asks_once_a_tick) {
    // TAC-07: the decision tests whether there is cover; the move uses the point that was found.
    ploy_env env = ploy_env_default();
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 4, FIELD_POINTS);
    ploy_blackboard_layout *layout = text_layout(t);
    ploy_query_type *type =
        field_type(t, game.f.points, "from points cover\ntest quality cover weight 1\n");
    ploy_query_leaf leaf = {"cover",
                            type,
                            text_ask,
                            &game,
                            NULL,
                            0,
                            ploy_blackboard_layout_find(layout, "spot"),
                            ploy_blackboard_layout_find(layout, "point")};
    ploy_query_fact *fact = NULL;
    CHECK_OK(ploy_query_fact_create(&leaf, &env, &fact));
    ploy_conditions *set = NULL;
    CHECK_OK(ploy_conditions_create(layout, &env, &set));
    ploy_word words[2];
    CHECK_INT(ploy_query_fact_words(fact, "has_cover", "cover_score", words), 2);
    CHECK_OK(ploy_conditions_register_words(set, words, 2));
    ploy_condition covered = ploy_condition_text(set, "has_cover && cover_score > 0.5");
    ploy_score score = ploy_score_text(set, "cover_score");
    CHECK_OK(ploy_conditions_result(set));
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_step_context step = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 0.1f);
    ploy_moment moment = ploy_moment_make(&step);
    CHECK(ploy_condition_test(set, covered, &moment));
    CHECK_SAME(ploy_score_value(set, score, &moment), ploy_query_fact_result(fact)->spots[0].score);
    CHECK_INT(game.asked, 1);
    ploy_tactical_id point = {ploy_blackboard_get_id(board, leaf.point)};
    CHECK(ploy_tactical_id_equal(point, ploy_query_fact_result(fact)->spots[0].id));
    ploy_step_context_next(&step);
    CHECK(ploy_condition_test(set, covered, &moment));
    CHECK_INT(game.asked, 2);
    ploy_tactical_points_clear(game.f.points);
    ploy_step_context_next(&step);
    CHECK(!ploy_condition_test(set, covered, &moment));
    CHECK_SAME(ploy_query_fact_score(fact, &step), 0);
    ploy_query_fact_destroy(fact);
    ploy_conditions_destroy(set);
    ploy_blackboard_destroy(board);
    ploy_query_type_destroy(type);
    ploy_blackboard_layout_destroy(layout);
    field_close(&game.f);
}

// Cover 0.7 and shadow 0.9 at the point where the character is.
static float text_value(test_context *t, text_game *game, const char *tag) {
    ploy_env env = ploy_env_default();
    char text[64];
    snprintf(text, sizeof text, "from points %s\ntest quality %s weight 1\n", tag, tag);
    ploy_query_type *type = field_type(t, game->f.points, text);
    ploy_query_leaf leaf = {tag, type, text_ask, game, NULL, 0, {0}, {0}};
    ploy_query_fact *fact = NULL;
    CHECK_OK(ploy_query_fact_create(&leaf, &env, &fact));
    ploy_step_context step = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    float score = ploy_query_fact_score(fact, &step);
    ploy_query_fact_destroy(fact);
    ploy_query_type_destroy(type);
    return score;
}

// Two rules over inputs from 0 to 1, and what each input is.
typedef struct text_choice {
    const char *row, *suppress, *ambush;
    double degrees[2]; // of the rules
} text_choice;

// The degrees of the rules "suppress" and "ambush" for four inputs; true if ambush has the larger one.
static bool text_ambushes(test_context *t, const text_choice *choice, const float inputs[4]) {
    static const char *const names[] = {"cover", "shadow", "friend_moves", "unseen"};
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_fuzzy_variable_def range = ploy_fuzzy_variable_def_default();
    range.min = 0.0;
    range.max = 1.0;
    ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(0.0, 1.0, 1.0);
    ploy_fuzzy_block_def block = ploy_fuzzy_block_def_default();
    CHECK_OK(ploy_fuzzy_type_create("what to do", &env, &type));
    for (int32_t i = 0; i < 4; i++) {
        CHECK_INT(ploy_fuzzy_type_input(type, names[i], &range), i);
        CHECK_INT(ploy_fuzzy_type_term(type, i, "good", &high), 0);
    }
    for (int32_t i = 0; i < 2; i++) {
        int32_t output = ploy_fuzzy_type_output(type, i == 0 ? "suppress" : "ambush", &range);
        CHECK_INT(output, PLOY_FUZZY_OUTPUT + i);
        CHECK_INT(ploy_fuzzy_type_term(type, output, "done", &high), 0);
    }
    CHECK_INT(ploy_fuzzy_type_block(type, "rules", &block), 0);
    CHECK_OK(ploy_fuzzy_type_rule(type, 0, choice->suppress, NULL));
    CHECK_OK(ploy_fuzzy_type_rule(type, 0, choice->ambush, NULL));
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    for (int32_t i = 0; i < 4; i++) ploy_fuzzy_set_input(fuzzy, i, (double)inputs[i]);
    ploy_fuzzy_step(fuzzy, NULL);
    for (int32_t i = 0; i < 2; i++) {
        CHECK_NEAR(ploy_fuzzy_rule_degree(fuzzy, 0, i), choice->degrees[i], 1e-6);
    }
    bool ambushes = ploy_fuzzy_output(fuzzy, 1) > ploy_fuzzy_output(fuzzy, 0);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return ambushes;
}

TEST(tactical_values_are_fuzzy_inputs) {
    // TAC-08: cover 0.7 and shadow 0.9 choose the ambush; with a friend that moves (0.9) and enemies in
    // sight (no visible enemies: 0.5) suppression wins, 0.7 to 0.5.
    static const text_choice choices[] = {
        {"by the place alone",
         "if cover is good then suppress is done",
         "if shadow is good then ambush is done",
         {0.7, 0.9}},
        {"by the situation too",
         "if cover is good and friend_moves is good then suppress is done",
         "if shadow is good and unseen is good then ambush is done",
         {0.7, 0.5}}};
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 4, 1);
    ploy_tactical_id id = ploy_tactical_points_at(game.f.points, 0);
    CHECK_OK(ploy_tactical_points_set_value(game.f.points, id, PLOY_TACTICAL_COVER, 0.7f));
    CHECK_OK(ploy_tactical_points_set_value(game.f.points, id, PLOY_TACTICAL_SHADOW, 0.9f));
    float inputs[4] = {text_value(t, &game, "cover"), text_value(t, &game, "shadow"), 0.9f, 0.5f};
    CHECK_SAME(inputs[0], 0.7f);
    CHECK_SAME(inputs[1], 0.9f);
    for (size_t i = 0; i < COUNT_OF(choices); i++) {
        t->row = choices[i].row;
        CHECK_INT(text_ambushes(t, &choices[i], inputs), i == 0);
    }
    field_close(&game.f);
}

typedef struct text_memory {
    const ploy_query_leaf *leaf;
} text_memory;

static ploy_result text_body(const ploy_env *env, void *arg) {
    const text_memory *with = arg;
    ploy_query_fact *fact = NULL;
    ploy_behavior behavior = {NULL, NULL};
    ploy_result result = ploy_query_fact_create(with->leaf, env, &fact);
    if (result == PLOY_OK)
        result = ploy_maker_make(ploy_query_leaf_maker(with->leaf), env, &behavior);
    ploy_behavior_destroy(behavior);
    ploy_query_fact_destroy(fact);
    return result;
}

TEST(a_lack_of_memory_leaves_no_leaf_behind) {
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 4, 4);
    ploy_query_type *type = field_type(t, game.f.points, "from points\n");
    ploy_query_leaf leaf = {"cover", type, text_ask, &game, NULL, 0, {0}, {0}};
    text_memory with = {&leaf};
    CHECK_FAIL_NTH(text_body, &with);
    ploy_query_type_destroy(type);
    field_close(&game.f);
}

TEST(a_warm_leaf_and_a_warm_condition_allocate_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
    text_game game;
    memset(&game, 0, sizeof game);
    field_open(t, &game.f, 4, FIELD_POINTS);
    ploy_blackboard_layout *layout = text_layout(t);
    ploy_query_type *type = field_type(
        t, game.f.points, "from points cover\ntest quality cover weight 1\ntest hidden weight 1\n");
    ploy_query_leaf leaf = {"cover",
                            type,
                            text_ask,
                            &game,
                            game.f.points,
                            5,
                            ploy_blackboard_layout_find(layout, "spot"),
                            ploy_blackboard_layout_find(layout, "point")};
    ploy_behavior mind;
    ploy_query_fact *fact = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &plain, &board));
    CHECK_OK(ploy_maker_make(ploy_query_leaf_maker(&leaf), &env, &mind));
    CHECK_OK(ploy_query_fact_create(&leaf, &env, &fact));
    ploy_step_context step = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 0.1f);
    int64_t calls = 0;
    for (int32_t round = 0; round < 20; round++) {
        if (round == 1) calls = counts.calls;
        ploy_status status = PLOY_STATUS_RUNNING;
        CHECK_OK(ploy_behavior_enter(mind, &step));
        for (int32_t tick = 0; tick < 3 && status == PLOY_STATUS_RUNNING; tick++) {
            CHECK_OK(ploy_behavior_step(mind, &step, &status));
            CHECK_OK(ploy_behavior_commit(mind, &step)); // the claim, which the next step reads
            ploy_step_context_next(&step);
        }
        CHECK_INT(status, PLOY_STATUS_SUCCESS);
        ploy_behavior_exit(mind, &step, PLOY_EXIT_FINISHED);
        CHECK(ploy_query_fact_score(fact, &step) > 0.0f);
    }
    CHECK_INT(counts.calls, calls);
    ploy_behavior_destroy(mind);
    ploy_query_fact_destroy(fact);
    CHECK_INT(counts.bytes, 0);
    ploy_blackboard_destroy(board);
    ploy_query_type_destroy(type);
    ploy_blackboard_layout_destroy(layout);
    field_close(&game.f);
}
