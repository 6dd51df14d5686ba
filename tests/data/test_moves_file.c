// Patterns of movement from files: INT-05's zigzag, and files that are refused.
#include "ploy/data/moves_file.h"

#include <string.h>

#include "ploy/base/math.h"
#include "tests/test.h"

static const char moves_text[] =
    "{\"patterns\": [\n"
    "  {\"name\": \"zigzag\", \"weight\": 2, \"end\": \"stop\", \"moves\": [{\"forward\": 2}, "
    "{\"forward\": 2},\n"
    "    {\"right\": 10}, {\"right\": 10}, {\"forward\": 2}, {\"forward\": 2}, {\"left\": 10}]},\n"
    "  {\"name\": \"strafe\", \"end\": \"ping-pong\", \"moves\": [{\"back\": 1, \"action\": "
    "\"fire\"}, {}]}]}";

static ploy_result moves_load(const char *text, const ploy_env *env, ploy_diags *diags,
                              ploy_moves_file **out) {
    return ploy_moves_file_load(text, strlen(text), "moves.json", env, diags, out);
}

TEST(the_zigzag_of_a_file_goes_where_the_text_says) { // INT-05
    ploy_env env = ploy_env_default();
    ploy_moves_file *file = NULL;
    CHECK_OK(moves_load(moves_text, &env, NULL, &file));
    CHECK_INT(ploy_moves_file_count(file), 2);
    CHECK_INT(ploy_moves_file_find(file, "strafe"), 1);
    CHECK_INT(ploy_moves_file_find(file, "nothing"), -1);
    CHECK_NEAR(ploy_moves_file_weights(file)[0], 2, 0);
    CHECK_NEAR(ploy_moves_file_weights(file)[1], 1, 0);
    CHECK_INT(ploy_moves_file_at(file, 1).end, PLOY_MOVES_PING_PONG);
    CHECK_UINT(ploy_moves_file_at(file, 1).moves[0].action.hash, ploy_name_of("fire").hash);
    CHECK_INT(ploy_moves_file_at(file, 2).count, 0);
    ploy_moves zigzag = ploy_moves_file_at(file, ploy_moves_file_find(file, "zigzag"));
    ploy_moves_state state;
    ploy_kinematic mover;
    memset(&state, 0, sizeof state);
    memset(&mover, 0, sizeof mover);
    for (int32_t i = 1; ploy_moves_step(&zigzag, &state, &mover, NULL); i++) {
        if (i == 4) CHECK_NEAR(mover.position.x, 4, 1e-5);
        if (i == 4) CHECK_NEAR(mover.orientation, -20 * PLOY_PI_F / 180, 1e-5);
        if (i == 6) CHECK_NEAR(mover.position.x, 7.75877, 1e-4);
        if (i == 6) CHECK_NEAR(mover.position.y, -1.36808, 1e-4);
    }
    CHECK_NEAR(mover.orientation, -10 * PLOY_PI_F / 180, 1e-5);
    ploy_moves_file_destroy(file);
}

TEST(faulty_files_of_moves_are_refused_with_the_place) {
    static const struct {
        const char *row, *text;
    } rows[] = {
        {"no JSON", "{"},
        {"a list", "[]"},
        {"no patterns", "{}"},
        {"unknown key", "{\"patterns\":[],\"x\":1}"},
        {"a pattern that is a number", "{\"patterns\":[1]}"},
        {"no name", "{\"patterns\":[{\"moves\":[{}]}]}"},
        {"an empty name", "{\"patterns\":[{\"name\":\"\",\"moves\":[{}]}]}"},
        {"no moves", "{\"patterns\":[{\"name\":\"a\"}]}"},
        {"empty moves", "{\"patterns\":[{\"name\":\"a\",\"moves\":[]}]}"},
        {"a move that is a text", "{\"patterns\":[{\"name\":\"a\",\"moves\":[\"left\"]}]}"},
        {"a misspelt move", "{\"patterns\":[{\"name\":\"a\",\"moves\":[{\"lefft\":1}]}]}"},
        {"a distance out of range", "{\"patterns\":[{\"name\":\"a\",\"moves\":[{\"back\":1e9}]}]}"},
        {"a turn that is a text", "{\"patterns\":[{\"name\":\"a\",\"moves\":[{\"left\":\"x\"}]}]}"},
        {"a negative weight", "{\"patterns\":[{\"name\":\"a\",\"weight\":-1,\"moves\":[{}]}]}"},
        {"an unknown end", "{\"patterns\":[{\"name\":\"a\",\"end\":\"now\",\"moves\":[{}]}]}"},
        {"a name twice", "{\"patterns\":[{\"name\":\"a\",\"moves\":[{}]},"
                         "{\"name\":\"a\",\"moves\":[{}]}]}"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_moves_file *file = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(moves_load(rows[i].text, &env, diags, &file), PLOY_ERR_FORMAT);
        CHECK(file == NULL);
        CHECK(ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
        ploy_diags_destroy(diags);
    }
}

static ploy_result moves_load_nth(const ploy_env *env, void *arg) {
    ploy_moves_file *file = NULL;
    (void)arg;
    ploy_result result = moves_load(moves_text, env, NULL, &file);
    ploy_moves_file_destroy(file);
    return result;
}

TEST(loading_moves_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(moves_load_nth, NULL);
}
