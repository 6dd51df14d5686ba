// West World: the printed runs, line by line, and what must hold whatever happens.
#include "games/westworld/westworld.h"
#include "tests/games/game_test.h"
#include "world/world_internal.h"

enum { WEST_TEST_LINES = 4096 };

typedef struct west_scene {
    ploy_region *region;
    ploy_env env;
    west_town *town;
    west_def def;
    ploy_rng_key key;
    uint64_t tick;
    west_word said[WEST_TEST_LINES];
    int32_t count;
} west_scene;

static const ploy_sim_type *west_type(void) {
    return ploy_sim_type_find(ploy_games(), "westworld", NULL);
}

static void west_begin_in(test_context *t, west_scene *scene, uint64_t seed, west_stage stage,
                          west_language language) {
    memset(scene, 0, sizeof *scene);
    ploy_env env = ploy_env_default();
    CHECK(west_type() != NULL);
    CHECK_OK(ploy_region_create((size_t)1 << 22, &env, &scene->region));
    scene->env = ploy_region_env(scene->region);
    scene->key = ploy_rng_key_make(seed);
    ploy_fields_default(west_fields(), &scene->def);
    scene->def.stage = stage;
    scene->def.miner = language;
    void *state = NULL;
    CHECK_OK(west_type()->create(&scene->def, scene->key, &scene->env, &state));
    scene->town = state;
}

static void west_begin(test_context *t, west_scene *scene, uint64_t seed, west_stage stage) {
    west_begin_in(t, scene, seed, stage, WEST_IN_C);
}

static void west_end(west_scene *scene) {
    ploy_region_destroy(scene->region);
}

static bool west_in(const west_scene *scene, west_who who, const char *state) {
    return ploy_fsm_is_in(scene->town->people[who].fsm, state);
}

// What must hold after every tick.
static void west_check(test_context *t, const west_scene *scene) {
    const west_town *town = scene->town;
    CHECK(town->gold >= 0 && (town->def.two_changes || town->gold <= town->def.pockets));
    CHECK(town->fatigue >= 0 && town->thirst >= 0);
    CHECK_INT(west_in(scene, WEST_MINER, "fight"), west_in(scene, WEST_FLY, "fight"));
    CHECK(!west_in(scene, WEST_WIFE, "bathroom")); // never for longer than a tick
    int32_t cursor = 0, stews = 0;
    ploy_telegram_id id;
    while (ploy_telegrams_next(town->telegrams, &cursor, &id)) {
        stews += west_is(ploy_telegrams_get(town->telegrams, id), "stew") ? 1 : 0;
    }
    CHECK_INT(stews, town->cooking ? 1 : 0);
    ploy_telegrams_counts counts = ployi_telegrams_counts_of(town->telegrams);
    CHECK_INT(counts.fates[PLOY_TELEGRAM_FAILED] + counts.fates[PLOY_TELEGRAM_NOBODY] +
                  counts.fates[PLOY_TELEGRAM_TOO_DEEP] + counts.fates[PLOY_TELEGRAM_DUPLICATE],
              0);
}

static void west_run(test_context *t, west_scene *scene, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        ploy_sim_context context;
        memset(&context, 0, sizeof context);
        context.tick = scene->tick++;
        context.dt = west_type()->dt;
        context.key = scene->key;
        context.params = &scene->def;
        context.env = &scene->env;
        uint64_t before = scene->town->word_count;
        CHECK_OK(west_type()->step(scene->town, &context));
        CHECK(scene->town->word_count - before <= WEST_WORDS); // none is lost
        for (uint64_t k = before; k < scene->town->word_count; k++) {
            CHECK(scene->count < WEST_TEST_LINES);
            scene->said[scene->count++] = scene->town->words[k % WEST_WORDS];
        }
        west_check(t, scene);
    }
}

typedef struct west_wanted {
    uint64_t tick;
    int32_t line;
    int32_t number;
} west_wanted;

// The lines from `first` tick on, of one speaker (-1: of all), against a list.
static void west_compare(test_context *t, const west_scene *scene, uint64_t first, int32_t who,
                         const west_wanted *wanted, size_t count) {
    size_t at = 0;
    for (int32_t i = 0; i < scene->count && at < count; i++) {
        const west_word *word = &scene->said[i];
        if (word->tick < first || (who >= 0 && west_speaker(word->line) != who)) continue;
        char have[96], want[96], row[32];
        snprintf(row, sizeof row, "line %d", (int)at);
        t->row = row;
        west_print(word->line, word->number, true, have, sizeof have);
        west_print(wanted[at].line, wanted[at].number, true, want, sizeof want);
        CHECK_TEXT(have, want);
        CHECK_UINT(word->tick, wanted[at].tick);
        at++;
    }
    t->row = NULL;
    CHECK_UINT(at, count);
}

// The whole run of the first stage; the others contain pieces of it.
static const west_wanted west_first[] = {
    {0, WEST_RESTED, 0},       {0, WEST_WALK_MINE, 0},     {1, WEST_PICK, 0},
    {2, WEST_PICK, 0},         {3, WEST_PICK, 0},          {3, WEST_LEAVE_MINE, 0},
    {3, WEST_GO_BANK, 0},      {4, WEST_DEPOSIT, 3},       {4, WEST_LEAVE_BANK, 0},
    {4, WEST_WALK_MINE, 0},    {5, WEST_PICK, 0},          {5, WEST_LEAVE_MINE, 0},
    {5, WEST_THIRSTY_WALK, 0}, {6, WEST_LIQUOR, 0},        {6, WEST_LEAVE_SALOON, 0},
    {6, WEST_WALK_MINE, 0},    {7, WEST_PICK, 0},          {8, WEST_PICK, 0},
    {8, WEST_LEAVE_MINE, 0},   {8, WEST_GO_BANK, 0},       {9, WEST_DEPOSIT, 4},
    {9, WEST_LEAVE_BANK, 0},   {9, WEST_WALK_MINE, 0},     {10, WEST_PICK, 0},
    {11, WEST_PICK, 0},        {11, WEST_LEAVE_MINE, 0},   {11, WEST_THIRSTY_WALK, 0},
    {12, WEST_LIQUOR, 0},      {12, WEST_LEAVE_SALOON, 0}, {12, WEST_WALK_MINE, 0},
    {13, WEST_PICK, 0},        {13, WEST_LEAVE_MINE, 0},   {13, WEST_GO_BANK, 0},
    {14, WEST_DEPOSIT, 5},     {14, WEST_RICH, 0},         {14, WEST_LEAVE_BANK, 0},
    {14, WEST_WALK_HOME, 0},   {15, WEST_SLEEP, 0},        {16, WEST_SLEEP, 0},
    {17, WEST_SLEEP, 0},       {18, WEST_SLEEP, 0},        {19, WEST_RESTED, 0},
};

TEST(the_miner_alone_lives_the_printed_day) { // FSM-22, N1
    west_scene scene;
    west_begin(t, &scene, 1, WEST_STAGE_MINER);
    west_run(t, &scene, 15);
    CHECK_INT(scene.town->thirst, 2);
    CHECK_INT(scene.town->fatigue, 9);
    CHECK_INT(scene.town->gold, 0);
    CHECK_INT(scene.town->bank, 5);
    west_run(t, &scene, 4);
    CHECK_INT(scene.town->fatigue, 5);
    west_run(t, &scene, 1);
    west_compare(t, &scene, 0, -1, west_first, COUNT_OF(west_first));
    west_end(&scene);
}

static uint64_t west_hash(const west_scene *scene) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    west_describe(scene->town, &out);
    return ploy_hash_sink_result(&sink);
}

static void west_compare_languages(test_context *t, west_language language) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        TEST_SEED(seed);
        west_stage stage = seed % 3 == 0 ? WEST_STAGE_MINER : WEST_STAGE_BAR_FLY;
        static west_scene c, other;
        west_begin(t, &c, seed, stage);
        west_begin_in(t, &other, seed, stage, language);
        c.def.two_changes = other.def.two_changes = seed % 2 == 0;
        for (int32_t tick = 0; tick < 400; tick++) {
            west_run(t, &c, 1);
            west_run(t, &other, 1);
            CHECK_UINT(west_hash(&other), west_hash(&c));
        }
        CHECK_INT(other.count, c.count);
        for (int32_t i = 0; i < c.count && i < other.count; i++) {
            CHECK_INT(other.said[i].line, c.said[i].line);
        }
        CHECK(stage == WEST_STAGE_MINER || c.town->fights > 0);
        west_end(&c);
        west_end(&other);
    }
}

TEST(the_miner_as_a_program_lives_the_same_life) {
    static west_scene scene;
    west_begin_in(t, &scene, 1, WEST_STAGE_MINER, WEST_IN_PROGRAM);
    west_run(t, &scene, 20);
    west_compare(t, &scene, 0, -1, west_first, COUNT_OF(west_first));
    west_end(&scene);
    west_compare_languages(t, WEST_IN_PROGRAM);
}

#ifdef PLOY_HAS_SCRIPT_LUA
TEST(the_miner_in_lua_lives_the_same_life) {
    static west_scene scene;
    west_begin_in(t, &scene, 1, WEST_STAGE_MINER, WEST_IN_LUA);
    west_run(t, &scene, 20);
    west_compare(t, &scene, 0, -1, west_first, COUNT_OF(west_first));
    west_end(&scene);
    west_compare_languages(t, WEST_IN_LUA);
}
#endif

TEST(full_and_thirsty_at_once_is_one_change_or_two) { // FSM-22
    for (int i = 0; i < 2; i++) {
        west_scene scene;
        west_begin(t, &scene, 1, WEST_STAGE_MINER);
        scene.def.thirsty = 4;
        scene.def.two_changes = i == 1;
        west_run(t, &scene, 4); // ticks 0 to 3: three nuggets, and thirst 4
        static const west_wanted once[] = {
            {3, WEST_PICK, 0}, {3, WEST_LEAVE_MINE, 0}, {3, WEST_GO_BANK, 0}};
        static const west_wanted twice[] = {{3, WEST_PICK, 0},
                                            {3, WEST_LEAVE_MINE, 0},
                                            {3, WEST_GO_BANK, 0},
                                            {3, WEST_LEAVE_BANK, 0},
                                            {3, WEST_THIRSTY_WALK, 0}};
        west_compare(t, &scene, 3, -1, i == 0 ? once : twice,
                     i == 0 ? COUNT_OF(once) : COUNT_OF(twice));
        CHECK(west_in(&scene, WEST_MINER, i == 0 ? "bank" : "drink"));
        west_end(&scene);
    }
}

TEST(his_wife_has_needs_that_come_before_her_work) { // FSM-23, N2
    west_scene scene;
    west_begin(t, &scene, 2615810,
               WEST_STAGE_WIFE); // a seed whose draws are those of the printed run
    west_run(t, &scene, 15);
    static const west_wanted wife[] = {
        {8, WEST_BATHROOM, 0},  {8, WEST_RELIEF, 0},  {8, WEST_LEAVE_BATHROOM, 0},
        {9, WEST_BATHROOM, 0},  {9, WEST_RELIEF, 0},  {9, WEST_LEAVE_BATHROOM, 0},
        {10, WEST_MOP, 0},      {11, WEST_MOP, 0},    {12, WEST_BED, 0},
        {13, WEST_BATHROOM, 0}, {13, WEST_RELIEF, 0}, {13, WEST_LEAVE_BATHROOM, 0},
        {14, WEST_BATHROOM, 0}, {14, WEST_RELIEF, 0}, {14, WEST_LEAVE_BATHROOM, 0},
    };
    west_compare(t, &scene, 8, WEST_WIFE, wife, COUNT_OF(wife));
    west_compare(t, &scene, 0, WEST_MINER, west_first, 37); // his day is the same, up to tick 14
    // In each tick he comes first.
    for (int32_t i = 1; i < scene.count; i++) {
        bool she_before = west_speaker(scene.said[i - 1].line) == WEST_WIFE;
        if (she_before && west_speaker(scene.said[i].line) == WEST_MINER) {
            CHECK(scene.said[i].tick > scene.said[i - 1].tick);
        }
    }
    west_end(&scene);
}

TEST(the_stew_is_cooked_called_out_and_eaten) { // FSM-24, N3
    west_scene scene;
    west_begin(t, &scene, 31, WEST_STAGE_MESSAGES); // no needs in those ticks; dishes, then the bed
    west_run(t, &scene, 21);
    static const west_wanted all[] = {
        {14, WEST_DEPOSIT, 5},   {14, WEST_RICH, 0},       {14, WEST_LEAVE_BANK, 0},
        {14, WEST_WALK_HOME, 0}, {14, WEST_GREET, 0},      {14, WEST_STEW_IN, 0},
        {14, WEST_FUSS, 0},      {15, WEST_SLEEP, 0},      {15, WEST_FUSS, 0},
        {16, WEST_SLEEP, 0},     {16, WEST_FUSS, 0},       {17, WEST_SLEEP, 0},
        {17, WEST_FUSS, 0},      {17, WEST_STEW_READY, 0}, {17, WEST_COMING, 0},
        {17, WEST_SMELLS, 0},    {17, WEST_STEW_TABLE, 0}, {17, WEST_HOUSEWORK, 0},
        {18, WEST_TASTES, 0},    {18, WEST_THANKS, 0},     {18, WEST_DISHES, 0},
        {19, WEST_SLEEP, 0},     {19, WEST_BED, 0},        {20, WEST_RESTED, 0},
        {20, WEST_WALK_MINE, 0},
    };
    west_compare(t, &scene, 14, -1, all, COUNT_OF(all));
    CHECK_INT(scene.town->stews, 1);
    west_end(&scene);
}

TEST(how_long_a_stew_takes_decides_whether_he_eats) { // N3, with its erratum
    static const struct {
        const char *row;
        float clock, stew;
        uint64_t ready; // tick
        bool eaten;
    } rows[] = {{"as the run is printed", 0.30033f, 0.8f, 17, true},
                {"as the listing has it, he is gone", 0.30033f, 1.5f, 19, false},
                {"with longer ticks", 0.8f, 1.5f, 16, true},
                {"due at that very moment is not due before it", 0.5f, 1.0f, 17, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        west_scene scene;
        west_begin(t, &scene, 31, WEST_STAGE_MESSAGES);
        scene.def.clock = rows[i].clock;
        scene.def.stew = rows[i].stew;
        west_run(t, &scene, 21);
        uint64_t ready = 0;
        for (int32_t k = 0; k < scene.count; k++) {
            if (scene.said[k].line == WEST_STEW_READY) ready = scene.said[k].tick;
        }
        t->row = rows[i].row;
        CHECK_UINT(ready, rows[i].ready);
        CHECK_INT(scene.town->stews, rows[i].eaten);
        CHECK_INT(scene.town->lost_stews, !rows[i].eaten);
        west_end(&scene);
    }
}

TEST(a_need_while_cooking_serves_no_raw_stew) {
    int32_t needs = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TEST_SEED(seed);
        west_scene scene;
        west_begin(t, &scene, seed, WEST_STAGE_MESSAGES);
        scene.def.bathroom = 0.5f;
        west_run(t, &scene, 60);
        bool in = false;
        for (int32_t i = 0; i < scene.count; i++) {
            int32_t line = scene.said[i].line;
            if (line == WEST_STEW_IN) {
                CHECK(!in);
                in = true;
            }
            if (line == WEST_STEW_TABLE) {
                CHECK(in);
                in = false;
            }
            needs += in && line == WEST_BATHROOM ? 1 : 0;
        }
        west_end(&scene);
    }
    CHECK(needs > 10); // it did happen
}

TEST(an_insult_is_answered_and_fought_out) { // FSM-25
    int32_t fights = 0, won = 0;
    for (int64_t seed = 1; seed <= test_rounds(40); seed++) {
        TEST_SEED(seed);
        west_scene scene;
        west_begin(t, &scene, (uint64_t)seed, WEST_STAGE_BAR_FLY);
        west_run(t, &scene, 300);
        int32_t begun = 0, ended = 0, hits[2] = {0, 0};
        for (int32_t i = 0; i < scene.count; i++) {
            int32_t line = scene.said[i].line;
            if (line == WEST_INSULT) { // told, answered and taken up within one tick
                CHECK(i + 2 < scene.count);
                CHECK_INT(scene.said[i + 1].line, WEST_TAKES_UP);
                CHECK_INT(scene.said[i + 2].line, WEST_SLEEVES);
                CHECK_UINT(scene.said[i + 2].tick, scene.said[i].tick);
                begun++;
                hits[0] = hits[1] = 0;
            }
            if (line == WEST_MINER_HITS) hits[0]++;
            if (line == WEST_FLY_HITS) hits[1]++;
            if (line == WEST_FLY_DOWN || line == WEST_MINER_DOWN) {
                bool he_won = line == WEST_FLY_DOWN;
                CHECK_INT(hits[he_won ? 0 : 1], scene.def.health);
                CHECK(hits[he_won ? 1 : 0] < scene.def.health);
                CHECK_INT(scene.said[i + 1].line, he_won ? WEST_MINER_WINS : WEST_FLY_WINS);
                ended++;
            }
        }
        CHECK(begun - ended == 0 || begun - ended == 1);
        CHECK_INT(scene.town->fights, begun);
        CHECK(scene.town->fights_won <= ended);
        fights += ended;
        won += scene.town->fights_won;
        west_end(&scene);
    }
    CHECK(fights > 40);
    CHECK(won > fights / 10 && won < fights * 9 / 10); // either may win
}

TEST(a_sober_or_sleeping_bar_fly_lets_him_drink) {
    west_scene scene;
    west_begin(t, &scene, 1, WEST_STAGE_BAR_FLY);
    scene.def.drunk = 1000;
    west_run(t, &scene, 300);
    CHECK_INT(scene.town->fights, 0);
    west_end(&scene);
    west_begin(t, &scene, 1, WEST_STAGE_BAR_FLY);
    scene.def.sleep = 1000.0f; // beaten once, it does not wake in this run
    int32_t ticks = 0;
    for (; ticks < 1000 && !west_in(&scene, WEST_FLY, "sleep"); ticks++) west_run(t, &scene, 1);
    CHECK(ticks < 1000);
    int32_t fights = scene.town->fights;
    int64_t bank = scene.town->bank;
    west_run(t, &scene, 300);
    CHECK_INT(scene.town->fights, fights);
    CHECK(west_in(&scene, WEST_FLY, "sleep"));
    CHECK(scene.town->bank != bank); // life goes on
    scene.def.clock = 4.0f;          // and time passes: it wakes, sober
    west_run(t, &scene, 300);
    CHECK(scene.town->fights > fights);
    west_end(&scene);
}

TEST(the_game_rewinds_draws_and_tells_why) {
    ploy_env env = ploy_env_default();
    static const char *const stages[] = {"stage=miner", "stage=wife", "stage=messages",
                                         "stage=bar_fly"};
    for (size_t i = 0; i < COUNT_OF(stages); i++) {
        const char *settings[] = {stages[i], NULL};
        ploy_sim *sim = lab_start(t, "westworld", settings, &env);
        lab_check_rewind(t, sim, 150);
        CHECK(lab_drawn(sim) > 20);
        CHECK(lab_number(t, sim, "summary/lines") > 100);
        ploy_input input; // who is there is settled at the start
        memset(&input, 0, sizeof input);
        input.kind = PLOY_INPUT_PARAMETER;
        input.name = "stage";
        input.value = ploy_value_i64(0);
        CHECK_INT(ploy_sim_check_input(sim, &input, NULL), PLOY_ERR_DENIED);
        ploy_sim_destroy(sim);
    }
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "westworld");
}

TEST(every_line_has_a_speaker_and_a_text) {
    for (int32_t i = 0; i < WEST_LINES; i++) {
        char text[96];
        west_print(i, 42, true, text, sizeof text);
        CHECK(strlen(text) > 8);
        CHECK(strncmp(text, west_name(west_speaker(i)), strlen(west_name(west_speaker(i)))) == 0);
        CHECK(strchr(text, '#') == NULL);
    }
    char text[96];
    west_print(WEST_DEPOSIT, -3, false, text, sizeof text);
    CHECK_TEXT(text, "That makes -3 on my account.");
}

TEST(people_go_where_the_edited_ways_say) {
    static const lab_edit edit = {"ways", "home -> dig when", "home -> drink when",
                                  "home -> dg when", 1};
    lab_check_edited(t, "westworld", &edit);
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "westworld", NULL, &env);
    static const struct {
        const char *row, *text;
        int32_t line, column; // of the first fault; 0: there is none
    } rows[] = {
        {"nobody goes anywhere", "", 0, 0},
        {"remarks and blank lines",
         "# all of it\n\n  miner: home -> dig when he is rested # yes\r\n", 0, 0},
        {"a line that is none", "miner home dig", 1, 1},
        {"who is that", "\nmayor: home -> dig when he is rested", 2, 1},
        {"why is that", "miner: home -> dig when it rains", 1, 25},
        {"nobody knows there", "miner: bank -> dig when he is rested", 1, 8},
        {"to nowhere", "miner: home -> church when he is rested", 1, 16},
        {"into a fight", "miner: home -> fight when he is rested", 1, 16},
        {"twice", "fly: sleep -> sleep when it is sober\nfly: sleep -> drink when it is sober", 2,
         1},
    };
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_input input = lab_reload_input("ways", rows[i].text);
        ploy_diags_clear(diags);
        CHECK_INT(ploy_sim_check_input(sim, &input, diags),
                  rows[i].line == 0 ? PLOY_OK : PLOY_ERR_FORMAT);
        if (rows[i].line == 0) continue;
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
    // With no ways at all everybody stays in the state it is in.
    ploy_input input = lab_reload_input("ways", "");
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 50);
    ploy_sim_destroy(sim);
}

typedef struct west_texts {
    ploy_box2 houses[WEST_PLACES];
    ploy_box2 texts[32]; // of words and names, with letters as in a picture of 900 pixels
    char what[32][112];
    int32_t house_count, text_count;
} west_texts;

static void west_texts_item(void *user, const ploy_draw_item *item) {
    west_texts *seen = user;
    if (item->shape == PLOY_SHAPE_POLYGON && item->style == PLOY_STYLE_FLOOR) {
        ploy_box2 box = ploy_box2_empty();
        for (int32_t i = 0; i < item->count; i++) {
            ploy_vec2 at = ploy_vec2_from_vec3(item->points[i]);
            box = ploy_box2_merge(box, ploy_box2_make(at, at));
        }
        if (seen->house_count < WEST_PLACES) seen->houses[seen->house_count++] = box;
    }
    if (item->shape != PLOY_SHAPE_TEXT || ploy_id_is_none(item->owner)) return;
    if (seen->text_count >= 32) return;
    ploy_vec2 at = ploy_vec2_from_vec3(item->points[0]);
    ploy_vec2 end = {at.x + 0.64f * (float)strlen(item->text), at.y + 0.8f};
    snprintf(seen->what[seen->text_count], sizeof seen->what[0], "%s", item->text);
    seen->texts[seen->text_count++] = ploy_box2_make(at, end);
}

TEST(words_and_names_cover_no_house_and_stay_in_the_view) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ploy_sim_def def = ploy_sim_def_default();
        def.seed = seed;
        ploy_sim *sim = NULL;
        CHECK_OK(ploy_sim_create(&def, west_type(), NULL, NULL, &env, &sim));
        bool spoke[WEST_PEOPLE] = {false};
        for (int32_t tick = 0; tick < 600; tick++) {
            west_texts seen;
            memset(&seen, 0, sizeof seen);
            ploy_draw draw = {west_texts_item, &seen, UINT32_MAX};
            ploy_sim_draw(sim, &draw);
            CHECK_INT(seen.house_count, WEST_PLACES);
            for (int32_t i = 0; i < seen.text_count; i++) {
                t->row = seen.what[i];
                t->seed = seed;
                CHECK(seen.texts[i].min.x >= west_type()->view[0]);
                for (int32_t k = 0; k < seen.house_count; k++) {
                    CHECK(!ploy_box2_overlaps(seen.texts[i], seen.houses[k]));
                }
                spoke[0] |= seen.what[i][0] == '"';
                spoke[1] |= strncmp(seen.what[i], "Slim", 4) == 0;
            }
            CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        }
        CHECK(spoke[0] && spoke[1]);
        ploy_sim_destroy(sim);
    }
    t->row = NULL;
}
