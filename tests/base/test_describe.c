#include "ploy/base/describe.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

// A sink that writes everything down.
typedef struct test_tape {
    char text[4096];
    size_t length;
} test_tape;

static void tape_add(test_tape *tape, const char *text) {
    tape->length +=
        (size_t)snprintf(tape->text + tape->length, sizeof tape->text - tape->length, "%s", text);
}

static void tape_begin(void *user, const char *name, ploy_id owner) {
    tape_add(user, name);
    if (!ploy_id_is_none(owner)) {
        char text[32];
        ploy_value value = ploy_value_id(owner);
        ploy_value_print(&value, text, sizeof text);
        tape_add(user, "@");
        tape_add(user, text);
    }
    tape_add(user, "{");
}

static void tape_end(void *user) {
    tape_add(user, "}");
}

static void tape_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    char text[128];
    ploy_value_print(value, text, sizeof text);
    tape_add(user, name);
    tape_add(user, mark == PLOY_STATE ? "=" : mark == PLOY_DERIVED ? "~" : "!");
    tape_add(user, text);
    tape_add(user, ";");
}

TEST(the_helpers_tell_the_sink_name_mark_and_value) {
    test_tape tape = {{0}, 0};
    ploy_describe out = {tape_begin, tape_end, tape_value, &tape};
    ploy_describe_begin(&out, "lab");
    ploy_describe_begin_agent(&out, "seeker", ploy_agent_id_make(2, 1));
    ploy_describe_bool(&out, "b", PLOY_STATE, true);
    ploy_describe_i64(&out, "i", PLOY_STATE, -3);
    ploy_describe_u64(&out, "u", PLOY_STATE, 3);
    ploy_describe_f32(&out, "f", PLOY_DERIVED, 0.5f);
    ploy_describe_f64(&out, "d", PLOY_DERIVED, 0.25);
    ploy_describe_vec2(&out, "v2", PLOY_STATE, 1, 2);
    ploy_describe_vec3(&out, "v3", PLOY_STATE, 1, 2, 3);
    ploy_describe_id(&out, "id", PLOY_STATE, ploy_id_make(5, 6));
    ploy_name name = {1};
    ploy_describe_name(&out, "n", PLOY_STATE, name);
    ploy_describe_text(&out, "t", PLOY_NOTE, "why");
    ploy_describe_end(&out);
    ploy_describe_begin_item(&out, -12);
    ploy_describe_text(&out, NULL, PLOY_NOTE, NULL);
    ploy_describe_end(&out);
    ploy_describe_end(&out);
    CHECK_TEXT(tape.text, "lab{seeker@2:1{b=true;i=-3;u=3;f~0.5;d~0.25;v2=(1, 2);v3=(1, 2, 3);"
                          "id=5:6;n=#0000000000000001;t!why;}-12{!;}}");
    CHECK_TEXT(ploy_mark_text(PLOY_STATE), "state");
    CHECK_TEXT(ploy_mark_text(PLOY_DERIVED), "derived");
    CHECK_TEXT(ploy_mark_text(PLOY_NOTE), "note");
    CHECK_TEXT(ploy_mark_text((ploy_mark)7), "?");
}

TEST(nobody_and_sinks_with_holes_are_told_nothing) {
    ploy_describe holes = {NULL, NULL, NULL, NULL};
    ploy_describe *outs[] = {NULL, &holes};
    for (int i = 0; i < 2; i++) {
        t->row = i == 0 ? "nobody" : "no functions";
        ploy_describe_begin(outs[i], "x");
        ploy_describe_begin_agent(outs[i], "x", ploy_agent_id_none());
        ploy_describe_begin_item(outs[i], 1);
        ploy_describe_f32(outs[i], "x", PLOY_STATE, 1);
        ploy_describe_text(outs[i], NULL, PLOY_STATE, NULL);
        ploy_describe_value(outs[i], "x", PLOY_STATE, NULL);
        ploy_describe_end(outs[i]);
    }
}

// A small state that can be changed in one place at a time.
typedef struct test_state {
    const char *group, *inner, *name, *text;
    ploy_id owner;
    float f32;
    double f64;
    int64_t i64;
    uint64_t u64;
    bool flag, split, notes, swap;
} test_state;

static const test_state plain_state = {"g", "h", "x",  "abc", {0, 0}, 1.5f, 2.5,
                                       -3,  4,   true, false, false,  false};

static uint64_t state_hash(const test_state *state) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    if (state->notes) {
        ploy_describe_begin(&out, "for people");
        ploy_describe_begin(&out, "deeper");
        ploy_describe_text(&out, "x", PLOY_NOTE, "noise");
        ploy_describe_f32(&out, "y", PLOY_DERIVED, 9.0f);
        ploy_describe_end(&out);
        ploy_describe_end(&out);
    }
    ploy_agent_id owner = {state->owner};
    ploy_describe_begin_agent(&out, state->group, owner);
    ploy_describe_begin(&out, state->inner);
    ploy_describe_f32(&out, state->name, PLOY_STATE, state->f32);
    if (state->split) {
        ploy_describe_end(&out);
        ploy_describe_begin(&out, state->inner);
    }
    ploy_describe_f64(&out, "d", PLOY_STATE, state->f64);
    if (state->notes) ploy_describe_i64(&out, "n", PLOY_NOTE, 5);
    ploy_describe_end(&out);
    if (state->swap) ploy_describe_u64(&out, "u", PLOY_STATE, state->u64);
    ploy_describe_i64(&out, "i", PLOY_STATE, state->i64);
    if (!state->swap) ploy_describe_u64(&out, "u", PLOY_STATE, state->u64);
    ploy_describe_bool(&out, "b", PLOY_STATE, state->flag);
    ploy_describe_text(&out, "t", PLOY_STATE, state->text);
    ploy_describe_end(&out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_hash_changes_with_every_part_of_the_state) {
    uint64_t plain = state_hash(&plain_state);
    CHECK_UINT(state_hash(&plain_state), plain);
    test_state changed[16];
    for (size_t i = 0; i < COUNT_OF(changed); i++) changed[i] = plain_state;
    changed[0].group = "G";
    changed[1].inner = "H";
    changed[2].name = "y";
    changed[3].text = "abd";
    changed[4].owner = ploy_id_make(0, 1);
    changed[5].f32 = 1.5000001f;
    changed[6].f64 = 2.5000000000000004;
    changed[7].i64 = 3;
    changed[8].u64 = 5;
    changed[9].flag = false;
    changed[10].split = true;
    changed[11].swap = true;
    changed[12].f32 = 0.0f;
    changed[13].f32 = -0.0f;
    changed[14].text = "";
    changed[15].f32 = NAN;
    for (size_t i = 0; i < COUNT_OF(changed); i++) {
        TEST_SEED(i);
        CHECK(state_hash(&changed[i]) != plain);
        for (size_t k = 0; k < i; k++) CHECK(state_hash(&changed[i]) != state_hash(&changed[k]));
    }
}

TEST(notes_and_groups_without_state_leave_no_mark) {
    test_state noisy = plain_state;
    noisy.notes = true;
    CHECK_UINT(state_hash(&noisy), state_hash(&plain_state));
}

TEST(the_type_of_a_value_counts) {
    uint64_t hashes[6];
    ploy_value values[] = {ploy_value_i64(0), ploy_value_u64(0),  ploy_value_f32(0),
                           ploy_value_f64(0), ploy_value_bool(0), ploy_value_none()};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        ploy_describe_value(&out, "x", PLOY_STATE, &values[i]);
        hashes[i] = ploy_hash_sink_result(&sink);
        for (size_t k = 0; k < i; k++) CHECK(hashes[i] != hashes[k]);
    }
}

TEST(every_nan_is_the_same_one) {
    static const uint32_t patterns[] = {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu};
    uint64_t first = 0;
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        test_state state = plain_state;
        memcpy(&state.f32, &patterns[i], sizeof state.f32);
        uint64_t wide = 0x7FF8000000000000u | patterns[i];
        memcpy(&state.f64, &wide, sizeof state.f64);
        if (i == 0) first = state_hash(&state);
        CHECK_UINT(state_hash(&state), first);
    }
}

TEST(the_hash_is_the_same_on_every_machine) {
    // Also the golden value of the sink: a change of it changes the hash of every recording.
    CHECK_UINT(state_hash(&plain_state), 0xec88919892c8cf5fu);
}

// Describes a chain of groups with one value at its bottom and one behind it.
static uint64_t chain_hash(int depth, int renamed, bool value_behind) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    for (int i = 0; i < depth; i++) ploy_describe_begin(&out, i == renamed ? "other" : "g");
    ploy_describe_i64(&out, "x", PLOY_STATE, 1);
    for (int i = 0; i < depth; i++) ploy_describe_end(&out);
    if (value_behind) ploy_describe_i64(&out, "y", PLOY_STATE, 2);
    return ploy_hash_sink_result(&sink);
}

TEST(any_depth_of_groups_is_folded) {
    static const int depths[] = {1, 31, 32, 33, 40, 1000};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        TEST_SEED(depths[i]);
        uint64_t plain = chain_hash(depths[i], -1, false);
        CHECK(chain_hash(depths[i] + 1, -1, false) != plain);
        CHECK(chain_hash(depths[i], -1, true) != plain);
        CHECK(chain_hash(depths[i], 0, false) != plain);
        CHECK(chain_hash(depths[i], depths[i] - 1, false) != plain);
        CHECK(chain_hash(depths[i], depths[i] / 2, false) != plain);
    }
}

TEST(ends_without_a_begin_do_no_harm) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    for (int i = 0; i < 100; i++) ploy_describe_end(&out);
    ploy_describe_i64(&out, "x", PLOY_STATE, 1);
    uint64_t hash = ploy_hash_sink_result(&sink);
    ploy_hash_sink_init(&sink);
    ploy_describe_i64(&out, "x", PLOY_STATE, 1);
    CHECK_UINT(ploy_hash_sink_result(&sink), hash);
}

// Random trees, as text with brackets. Two trees hash alike exactly if their texts are alike.
static void random_tree(ploy_rng *rng, ploy_describe *out, int depth) {
    static const char *const names[] = {"a", "b"};
    int32_t count = (int32_t)(ploy_rng_u64(rng) % 3);
    for (int32_t i = 0; i < count; i++) {
        uint64_t draw = ploy_rng_u64(rng);
        const char *name = names[draw & 1];
        if ((draw & 2) != 0 && depth < 4) {
            ploy_describe_begin(out, name);
            random_tree(rng, out, depth + 1);
            ploy_describe_end(out);
        } else {
            ploy_describe_i64(out, name, PLOY_STATE, (int64_t)(draw >> 2 & 1));
        }
    }
}

// Removes groups that hold no value: they leave no mark.
static void remove_empty_groups(char *text) {
    char *found = NULL;
    while ((found = strstr(text, "a{}")) != NULL || (found = strstr(text, "b{}")) != NULL) {
        memmove(found, found + 3, strlen(found + 3) + 1);
    }
}

TEST(two_trees_hash_alike_exactly_if_they_are_alike) {
    enum { TREES = 400 };
    static test_tape tapes[TREES];
    uint64_t hashes[TREES];
    int alike = 0;
    for (int i = 0; i < TREES; i++) {
        ploy_rng rng = ploy_rng_make((uint64_t)i);
        tapes[i].length = 0;
        tapes[i].text[0] = '\0';
        ploy_describe tape = {tape_begin, tape_end, tape_value, &tapes[i]};
        random_tree(&rng, &tape, 0);
        remove_empty_groups(tapes[i].text);
        rng = ploy_rng_make((uint64_t)i);
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        random_tree(&rng, &out, 0);
        hashes[i] = ploy_hash_sink_result(&sink);
        for (int k = 0; k < i; k++) {
            TEST_SEED(i * 1000 + k);
            bool same = strcmp(tapes[i].text, tapes[k].text) == 0;
            alike += same;
            CHECK_INT(hashes[i] == hashes[k], same);
        }
    }
    CHECK(alike > 100); // the trees are small enough for the other half to be tested
}
