// The emergent fire team (TAC-48) and what its dwell is good for (TAC-49).
#include "ploy/tactics/fireteam.h"
#include "tests/state.h"

static const char *const text_of_roles =
    "role rifleman   # the machine of the catalog\n"
    "    in-cover -> suppress : sees && ammo > 0\n"
    "    in-cover -> advance : (!sees || suppressing >= 2) && advancing == 0\n"
    "    advance -> in-cover : reached\n"
    "    suppress -> in-cover : ammo == 0 || !sees\n"
    "    any -> regroup : team_distance > 15\n"
    "    regroup -> in-cover : team_distance < 8\n"
    "role medic like rifleman\n"
    "    in-cover -> aid : fallen_distance < 12\n"
    "    aid -> in-cover : fallen_distance >= 12\n";

static ploy_result load(const char *text, const ploy_env *env, ploy_diags *diags,
                        ploy_fireteam_roles **out) {
    return ploy_fireteam_roles_load(text, strlen(text), "roles", env, diags, out);
}

typedef struct team_scene {
    ploy_env env;
    ploy_fireteam_roles *roles;
    ploy_fireteam *team;
    ploy_step_context context;
} team_scene;

static void team_open(test_context *t, team_scene *s, int32_t members, float dwell, int32_t medics,
                      const ploy_env *env) {
    memset(s, 0, sizeof *s);
    s->env = *env;
    CHECK_OK(load(text_of_roles, env, NULL, &s->roles));
    ploy_fireteam_def def = ploy_fireteam_def_default();
    def.capacity = 16;
    def.dwell = dwell;
    CHECK_OK(ploy_fireteam_create(&def, s->roles, env, &s->team));
    for (int32_t i = 0; i < members; i++) {
        CHECK_OK(ploy_fireteam_add(s->team, i < medics ? 1 : 0,
                                   ploy_agent_id_make((uint32_t)i + 1, 1), NULL));
    }
    s->context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
}

static void team_close(team_scene *s) {
    ploy_fireteam_destroy(s->team);
    ploy_fireteam_roles_destroy(s->roles);
}

static void team_step(test_context *t, team_scene *s) {
    CHECK_OK(ploy_fireteam_step(s->team, &s->context));
    ploy_step_context_next(&s->context);
}

static const char *mode_of(const team_scene *s, int32_t member) {
    const char *text = ploy_fireteam_roles_mode(s->roles, ploy_fireteam_mode(s->team, member));
    return text != NULL ? text : "";
}

TEST(each_rule_of_the_machine_fires) {
    ploy_env env = ploy_env_default();
    team_scene s;
    team_open(t, &s, 4, 0.0f, 1, &env);
    ploy_fireteam_senses senses[4];
    for (int32_t i = 0; i < 4; i++) {
        senses[i] = ploy_fireteam_senses_make(ploy_vec2_make(0.0f, (float)i));
        senses[i].ammo = 10;
        CHECK_OK(ploy_fireteam_sense(s.team, i, &senses[i]));
    }
    CHECK_TEXT(mode_of(&s, 0), "");
    team_step(t, &s); // nobody sees an enemy: exactly one advances
    CHECK_TEXT(mode_of(&s, 0), "advance");
    for (int32_t i = 1; i < 4; i++) CHECK_TEXT(mode_of(&s, i), "in-cover");
    senses[0].reached = true;
    CHECK_OK(ploy_fireteam_sense(s.team, 0, &senses[0]));
    team_step(t, &s); // there: the next may go, in the same step
    CHECK_TEXT(mode_of(&s, 0), "in-cover");
    CHECK_TEXT(mode_of(&s, 1), "advance");
    for (int32_t i = 0; i < 4; i++) {
        senses[i].sees = true;
        senses[i].reached = i == 1;
        CHECK_OK(ploy_fireteam_sense(s.team, i, &senses[i]));
    }
    team_step(t, &s); // under fire all suppress who are not on their way
    CHECK_TEXT(mode_of(&s, 0), "suppress");
    CHECK_TEXT(mode_of(&s, 2), "suppress");
    senses[2].ammo = 0;
    CHECK_OK(ploy_fireteam_sense(s.team, 2, &senses[2]));
    team_step(t, &s); // without rounds it goes to cover
    CHECK_TEXT(mode_of(&s, 2), "in-cover");
    team_step(t, &s); // and advances, as two others suppress
    CHECK_TEXT(mode_of(&s, 2), "advance");
    senses[3].at = ploy_vec2_make(40.0f, 0.0f);
    CHECK_OK(ploy_fireteam_sense(s.team, 3, &senses[3]));
    team_step(t, &s); // too far from the team
    CHECK_TEXT(mode_of(&s, 3), "regroup");
    // The medic goes to the fallen from cover.
    senses[0].sees = false;
    senses[0].fallen_distance = 5.0f;
    CHECK_OK(ploy_fireteam_sense(s.team, 0, &senses[0]));
    team_step(t, &s);
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 0), "aid");
    team_close(&s);
}

TEST(at_most_one_advances_whatever_happens) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 1; seed <= test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t members = ploy_rng_int(&rng, 1, 12);
        float dwell = ploy_rng_range(&rng, 0.0f, 2.0f);
        team_scene s;
        team_open(t, &s, members, dwell, 1, &env);
        for (int32_t tick = 0; tick < 150; tick++) {
            for (int32_t i = 0; i < members; i++) {
                float x = ploy_rng_range(&rng, 0.0f, 20.0f);
                ploy_fireteam_senses senses = ploy_fireteam_senses_make(ploy_vec2_make(x, 0.0f));
                senses.sees = ploy_rng_chance(&rng, 0.5f);
                senses.reached = ploy_rng_chance(&rng, 0.3f);
                senses.urgent = ploy_rng_chance(&rng, 0.1f);
                senses.ammo = ploy_rng_int(&rng, 0, 3);
                CHECK_OK(ploy_fireteam_sense(s.team, i, &senses));
            }
            int32_t fallen = ploy_rng_int(&rng, 0, 400);
            if (fallen < members) (void)ploy_fireteam_lose(s.team, fallen);
            team_step(t, &s);
            int32_t advancing = 0;
            for (int32_t i = 0; i < members; i++) {
                advancing += strcmp(mode_of(&s, i), "advance") == 0;
            }
            CHECK(advancing <= 1);
        }
        team_close(&s);
    }
}

TEST(the_team_goes_on_when_members_fall) {
    ploy_env env = ploy_env_default();
    team_scene s;
    team_open(t, &s, 3, 0.0f, 0, &env);
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 0), "advance");
    CHECK_OK(ploy_fireteam_lose(s.team, 0));
    CHECK_INT(ploy_fireteam_lose(s.team, 0), PLOY_ERR_NOT_FOUND);
    CHECK_TEXT(mode_of(&s, 0), "");
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 1), "advance"); // the fallen one does not count as advancing
    CHECK_OK(ploy_fireteam_lose(s.team, 1));
    CHECK_OK(ploy_fireteam_lose(s.team, 2));
    team_step(t, &s);
    CHECK_OK(ploy_fireteam_revive(s.team, 2));
    CHECK_INT(ploy_fireteam_revive(s.team, 2), PLOY_ERR_STATE);
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 2), "advance");
    team_close(&s);
}

// Enemies that come and go quickly: without a dwell everybody switches with them.
TEST(a_dwell_slows_the_switching) {
    ploy_env env = ploy_env_default();
    uint64_t switches[2] = {0, 0};
    for (int32_t k = 0; k < 2; k++) {
        team_scene s;
        team_open(t, &s, 6, k == 0 ? 0.0f : 1.5f, 0, &env);
        for (int32_t tick = 0; tick < 400; tick++) {
            for (int32_t i = 0; i < 6; i++) {
                ploy_fireteam_senses senses = ploy_fireteam_senses_make(ploy_vec2_make(0.0f, 0.0f));
                senses.sees = tick / 3 % 2 == 0;
                senses.ammo = 5;
                senses.reached = true;
                CHECK_OK(ploy_fireteam_sense(s.team, i, &senses));
            }
            team_step(t, &s);
        }
        for (int32_t i = 0; i < 6; i++) {
            ploy_dwell_info info;
            CHECK_OK(ploy_fireteam_info(s.team, i, &info));
            switches[k] += info.switches;
        }
        team_close(&s);
    }
    CHECK(switches[1] * 3 < switches[0]);
}

TEST(faults_of_roles_have_a_line_and_a_column) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
        const char *message;
    } rows[] = {
        {"nothing", "", 1, 1, "the file has no role"},
        {"a rule first", "a -> b : sees\n", 1, 1, "unexpected rule before the first role"},
        {"no rules", "role a\n", 1, 1, "the role has no rules"},
        {"no arrow", "role a\n in-cover advance\n", 2, 11, "unexpected text"},
        {"no condition", "role a\n b -> c :\n", 2, 10, "missing condition"},
        {"no colon", "role a\n b -> c sees\n", 2, 9, "unexpected text"},
        {"to any", "role a\n b -> any : sees\n", 2, 12, "invalid mode 'any' behind the arrow"},
        {"a role twice", "role a\n b -> c : sees\nrole a\n b -> c : sees\n", 3, 1,
         "duplicate role"},
        {"like nobody", "role a like b\n", 1, 13, "no such role"},
        {"an unknown key", "role a\n b -> c : saes\n", 2, 11, NULL},
    };
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fireteam_roles *roles = NULL;
        ploy_diags_clear(diags);
        CHECK_INT(load(rows[i].text, &env, diags, &roles), PLOY_ERR_FORMAT);
        CHECK(roles == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        if (rows[i].message != NULL) {
            CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        }
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
}

TEST(the_roles_of_the_library_are_read) {
    ploy_env env = ploy_env_default();
    ploy_fireteam_roles *roles = NULL;
    CHECK_OK(load(ploy_fireteam_text(), &env, NULL, &roles));
    CHECK_INT(ploy_fireteam_roles_count(roles), 4);
    CHECK_INT(ploy_fireteam_roles_find(roles, "medic"), 2);
    CHECK_TEXT(ploy_fireteam_roles_name(roles, 3), "radio");
    CHECK_TEXT(ploy_fireteam_roles_mode(roles, ploy_name_of("grenade")), "grenade");
    ploy_fireteam_roles_destroy(roles);
}

TEST(edited_roles_keep_the_modes) {
    ploy_env env = ploy_env_default();
    team_scene s;
    team_open(t, &s, 3, 0.0f, 0, &env);
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 0), "advance");
    ploy_fireteam_roles *fresh = NULL, *gone = NULL;
    CHECK_OK(load("role rifleman\n in-cover -> wait : true\n advance -> wait : reached\n wait -> "
                  "advance : false\n",
                  &env, NULL, &fresh));
    CHECK_OK(load("role cook\n a -> b : sees\n", &env, NULL, &gone));
    CHECK_INT(ploy_fireteam_reload(s.team, gone, &s.context, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_fireteam_reload(s.team, fresh, &s.context, NULL));
    ploy_fireteam_roles_destroy(s.roles);
    s.roles = fresh;
    CHECK_TEXT(mode_of(&s, 0), "advance"); // still on its way
    team_step(t, &s);
    CHECK_TEXT(mode_of(&s, 0), "advance");
    CHECK_TEXT(mode_of(&s, 1), "wait"); // by the new rule
    ploy_fireteam_roles_destroy(gone);
    team_close(&s);
}

TEST(state_of_a_team_is_saved_and_goes_on) {
    ploy_env env = ploy_env_default();
    team_scene s, other;
    team_open(t, &s, 3, 0.5f, 1, &env);
    team_open(t, &other, 3, 0.5f, 1, &env);
    for (int32_t tick = 0; tick < 12; tick++) {
        ploy_fireteam_senses senses = ploy_fireteam_senses_make(ploy_vec2_make(1.0f, 2.0f));
        senses.reached = tick % 3 == 0;
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_fireteam_sense(s.team, i, &senses));
        team_step(t, &s);
    }
    CHECK_OK(ploy_fireteam_lose(s.team, 2));
    other.context = s.context;
    state_check a = {ploy_fireteam_visit, s.team, &s.context, NULL, NULL};
    state_check b = {ploy_fireteam_visit, other.team, &other.context, NULL, NULL};
    state_check_cover(t, &a);
    char *text = state_save(t, &a);
    state_expect_load(t, &b, text);
    free(text);
    CHECK_UINT(state_hash(&a), state_hash(&b));
    for (int32_t tick = 0; tick < 30; tick++) {
        team_step(t, &s);
        team_step(t, &other);
        for (int32_t i = 0; i < 3; i++) CHECK_TEXT(mode_of(&other, i), mode_of(&s, i));
    }
    CHECK_UINT(state_hash(&a), state_hash(&b));
    team_close(&other);
    team_close(&s);
}

TEST(a_team_reports_its_memory) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_env plain = ploy_env_default();
    ploy_fireteam_roles *roles = NULL;
    ploy_fireteam *team = NULL;
    ploy_fireteam_def def = ploy_fireteam_def_default();
    CHECK_OK(load(text_of_roles, &plain, NULL, &roles));
    CHECK_OK(ploy_fireteam_create(&def, roles, &env, &team));
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_fireteam_add(team, 0, ploy_agent_id_make(i + 1, 1), NULL));
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    CHECK_OK(ploy_fireteam_step(team, &context));
    int64_t bytes = 0, before = counts.calls;
    ploy_fireteam_memory(team, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_fireteam_step(team, &context));
    CHECK_INT(counts.calls, before); // nothing allocates once it runs
    ploy_fireteam_destroy(team);
    CHECK_INT(counts.blocks, 0);
    ploy_fireteam_roles_destroy(roles);
}

static ploy_result team_body(const ploy_env *env, void *arg) {
    ploy_fireteam_roles *roles = NULL, *fresh = NULL;
    ploy_fireteam *team = NULL;
    ploy_fireteam_def def = ploy_fireteam_def_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    (void)arg;
    ploy_result result = load(text_of_roles, env, NULL, &roles);
    if (result == PLOY_OK) result = load(text_of_roles, env, NULL, &fresh);
    if (result == PLOY_OK) result = ploy_fireteam_create(&def, roles, env, &team);
    for (uint32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = ploy_fireteam_add(team, (int32_t)i, ploy_agent_id_make(i + 1, 1), NULL);
    }
    if (result == PLOY_OK) result = ploy_fireteam_step(team, &context);
    if (result == PLOY_OK) result = ploy_fireteam_reload(team, fresh, &context, NULL);
    if (result == PLOY_OK) result = ploy_fireteam_step(team, &context);
    ploy_fireteam_destroy(team);
    ploy_fireteam_roles_destroy(fresh);
    ploy_fireteam_roles_destroy(roles);
    return result;
}

TEST(a_team_survives_a_lack_of_memory) {
    CHECK_FAIL_NTH(team_body, NULL);
}

TEST(cut_and_changed_roles_never_crash) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    size_t size = strlen(text_of_roles);
    char copy[1024];
    ploy_rng rng = ploy_rng_make(5);
    for (int64_t i = 0; i < test_rounds(500); i++) {
        TEST_SEED(i);
        memcpy(copy, text_of_roles, size);
        for (int32_t k = ploy_rng_int(&rng, 1, 4); k > 0; k--) {
            size_t at = (size_t)ploy_rng_below(&rng, size);
            copy[at] = " \n#a->:(&1"[ploy_rng_below(&rng, 10)];
        }
        size_t length = (size_t)ploy_rng_below(&rng, size + 1);
        ploy_fireteam_roles *roles = NULL;
        ploy_result result = ploy_fireteam_roles_load(copy, length, "f", &env, NULL, &roles);
        CHECK((result == PLOY_OK) == (roles != NULL));
        ploy_fireteam_roles_destroy(roles);
    }
}
