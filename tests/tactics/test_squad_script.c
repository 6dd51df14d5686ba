// Squad scripts as text (TAC-51, TAC-52) and their linter against every interleaving (TAC-50).
#include <stdlib.h>

#include "ploy/tactics/squad_script.h"
#include "tests/test.h"

static ploy_result load(const char *text, const ploy_env *env, ploy_diags *diags,
                        ploy_squad_scripts **out) {
    return ploy_squad_scripts_load(text, strlen(text), "f", env, diags, out);
}

static const char *const whole = "# two scripts\n"
                                 "script big\n"
                                 "external boom\n"
                                 "keep boom\n"
                                 "shared alarm\n"
                                 "fallback small\n"
                                 "actor one\n"
                                 "    move outside first at 3 -4.5 within 0.5 for 2\n"
                                 "    signal ready\n"
                                 "    wait boom alarm idle play aim door timeout 12 continue\n"
                                 "    together\n"
                                 "        move corner\n"
                                 "        sequence\n"
                                 "            show shout\n"
                                 "            play fire\n"
                                 "        end\n"
                                 "    end\n"
                                 "actor two\n"
                                 "    wait ready   # then\n"
                                 "    joint lift play crouch idle play look timeout 3\n"
                                 "    signal alarm\n"
                                 "script small\n"
                                 "actor one\n"
                                 "    think route\n"
                                 "    change door open\n";

TEST(a_file_is_read_as_written) {
    ploy_env env = ploy_env_default();
    ploy_squad_scripts *scripts = NULL;
    CHECK_OK(load(whole, &env, NULL, &scripts));
    CHECK_INT(ploy_squad_scripts_count(scripts), 2);
    CHECK_TEXT(ploy_squad_scripts_name(scripts, 1), "small");
    CHECK_INT(ploy_squad_scripts_find(scripts, "small"), 1);
    CHECK_INT(ploy_squad_scripts_find(scripts, "none"), -1);
    CHECK_INT(ploy_squad_scripts_actors(scripts, 0), 2);
    CHECK_TEXT(ploy_squad_scripts_actor(scripts, 0, 1), "two");
    CHECK(ploy_squad_scripts_actor(scripts, 0, 2) == NULL);
    CHECK_TEXT(ploy_squad_scripts_text(scripts, ploy_name_of("crouch")), "crouch");
    CHECK_TEXT(ploy_squad_scripts_external(scripts, 0, 0), "boom");
    CHECK(ploy_squad_scripts_external(scripts, 0, 1) == NULL);
    CHECK(ploy_squad_scripts_external(scripts, 1, 0) == NULL);
    static const struct {
        int32_t actor, step;
        ploy_squad_step_kind kind;
        int32_t line;
        const char *text;
        float timeout;
        bool go_on;
    } rows[] = {
        {0, 0, PLOY_SQUAD_ACTION, 8, "outside", 0, false},
        {0, 1, PLOY_SQUAD_SIGNAL, 9, "ready", 0, false},
        {0, 2, PLOY_SQUAD_WAIT, 10, "boom", 12, true},
        {0, 3, PLOY_SQUAD_ACTION, 11, "together", 0, false},
        {1, 0, PLOY_SQUAD_WAIT, 19, "ready", 0, false},
        {1, 1, PLOY_SQUAD_JOINT, 20, "lift", 3, false},
    };
    CHECK_INT(ploy_squad_scripts_steps(scripts, 0, 0), 4);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_squad_step step;
        t->row = rows[i].text;
        CHECK_OK(ploy_squad_scripts_step_at(scripts, 0, rows[i].actor, rows[i].step, &step));
        CHECK_INT(step.kind, rows[i].kind);
        CHECK_INT(step.line, rows[i].line);
        CHECK_TEXT(step.text, rows[i].text);
        CHECK_SAME(step.timeout, rows[i].timeout);
        CHECK_INT(step.go_on, rows[i].go_on);
    }
    ploy_squad_step step;
    CHECK_INT(ploy_squad_scripts_step_at(scripts, 0, 0, 4, &step), PLOY_ERR_ARGUMENT);
    ploy_squad_scripts_destroy(scripts);
}

TEST(faults_have_a_line_and_a_column) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
        const char *message;
    } rows[] = {
        {"nothing", "", 1, 1, "the file has no script"},
        {"a step first", "signal a\n", 1, 1, "unexpected text before the first script"},
        {"no actors", "script a\n", 1, 1, "the script has no actors"},
        {"no name", "script\n", 1, 7, "missing word"},
        {"a typo", "script a\nactor b\n  singal x\n", 3, 3, "unknown word 'singal'"},
        {"outside an actor", "script a\n signal x\n", 2, 2, "unexpected step outside an actor"},
        {"a number", "script a\nactor b\n wait x timeout soon\n", 3, 17, "invalid number"},
        {"a negative timeout", "script a\nactor b\n wait x timeout -1\n", 3, 17, "invalid number"},
        {"no number", "script a\nactor b\n wait x timeout\n", 3, 16, "missing number"},
        {"more words", "script a\nactor b\n signal x y\n", 3, 11, "unexpected word"},
        {"an open block", "script a\nactor b\n together\n  move x\n", 3, 1,
         "the block is not closed"},
        {"an end too many", "script a\nactor b\n end\n", 3, 1, "'end' without a block"},
        {"an empty block", "script a\nactor b\n together\n end\n", 4, 1, "the block is empty"},
        {"a signal in a block", "script a\nactor b\n together\n  signal x\n  move y\n end\n", 4, 3,
         "only actions may be inside a block"},
        {"a script twice", "script a\nactor b\n move x\nscript a\nactor b\n move x\n", 4, 8,
         "duplicate script"},
        {"an actor twice", "script a\nactor b\n move x\nactor b\n move x\n", 4, 7,
         "duplicate actor"},
        {"no fallback", "script a\nfallback c\nactor b\n move x\n", 2, 10, "no such script"},
        {"a late head", "script a\nactor b\n move x\nexternal y\n", 4, 1,
         "declaration must be in front of the actors"},
        {"a joint alone", "script a\nactor b\n joint j play x timeout 1 continue\n", 3, 27,
         "a joint action cannot continue without its partners"},
        {"a keyword as a name", "script a\nactor b\n wait idle\n", 3, 7, "invalid name"},
        {"a digit first", "script a\nactor b\n signal 1x\n", 3, 9, "invalid name"},
        {"a long word", "script a\nactor b\n signal aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 3, 9,
         "too long word"},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_squad_scripts *scripts = NULL;
        ploy_diags_clear(diags);
        ploy_result result = load(rows[i].text, &env, diags, &scripts);
        CHECK(result == PLOY_ERR_FORMAT || result == PLOY_ERR_LIMIT);
        CHECK(scripts == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    ploy_squad_scripts *scripts = NULL;
    ploy_result result = load(arg, env, NULL, &scripts);
    ploy_squad_scripts_destroy(scripts);
    return result;
}

TEST(a_load_survives_a_lack_of_memory) {
    CHECK_FAIL_NTH(load_body, (void *)(uintptr_t)whole);
}

TEST(cut_and_changed_files_never_crash) {
    ploy_env env = ploy_env_default();
    size_t size = strlen(whole);
    char *copy = malloc(size + 1);
    ploy_rng rng = ploy_rng_make(5);
    for (int64_t i = 0; i < test_rounds(2000); i++) {
        TEST_SEED(i);
        memcpy(copy, whole, size + 1);
        for (int32_t k = ploy_rng_int(&rng, 1, 4); k > 0; k--) {
            size_t at = (size_t)ploy_rng_below(&rng, size);
            copy[at] = " \n#abmsw09e"[ploy_rng_below(&rng, 11)];
        }
        size_t length = (size_t)ploy_rng_below(&rng, size + 1);
        ploy_squad_scripts *scripts = NULL;
        ploy_result result = ploy_squad_scripts_load(copy, length, "f", &env, NULL, &scripts);
        CHECK((result == PLOY_OK) == (scripts != NULL));
        if (scripts != NULL) (void)ploy_squad_scripts_lint(scripts, NULL);
        ploy_squad_scripts_destroy(scripts);
    }
    free(copy);
}

// ---- the linter

TEST(the_linter_names_who_waits_for_whom) {
    static const struct {
        const char *row, *text;
        int32_t errors;
        uint32_t blocked;
        const char *message; // the first diagnostic; NULL: none
    } rows[] = {
        {"football",
         "script a\nactor runner\n move run\n signal there\nactor passer\n wait there timeout 9\n "
         "play throw\n",
         0, 0, NULL},
        {"no signal at all", "script a\nactor b\n wait x\n", 1, 1,
         "deadlock in 'a': 'b' waits for 'x', which no actor signals"},
        {"each waits for the other",
         "script a\nactor b\n wait y\n signal x\nactor c\n wait x\n signal y\n", 2, 3,
         "deadlock in 'a': 'b' waits for 'y', which 'c' signals only later"},
        {"its own signal comes too late", "script a\nactor b\n wait x\n signal x\n", 1, 1,
         "deadlock in 'a': 'b' waits for 'x', which it signals only later"},
        {"a timeout", "script a\nactor b\n wait x timeout 2\n", 0, 0,
         "sure to time out in 'a': 'b' waits for 'x', which no actor signals"},
        {"a timeout that goes on",
         "script a\nactor b\n wait x timeout 2 continue\n signal y\n"
         "actor c\n wait y\n",
         0, 0, NULL},
        {"the game sets it", "script a\nexternal boom\nactor b\n wait boom\n", 0, 0,
         "the wait for 'boom', which the game sets, has no timeout"},
        {"a signal for nobody", "script a\nactor b\n signal x\n", 0, 0,
         "no wait uses the signal 'x'"},
        {"a joint with too few",
         "script a\nactor b\n joint j play up\n joint j play up\nactor c\n "
         "joint j play up\n",
         1, 1, "deadlock in 'a': 'b' waits in joint 'j' for 'c', which has no such step left"},
        {"a fallback as large",
         "script a\nfallback b\nactor c\n move x\nscript b\nactor c\n move "
         "x\n",
         0, 0, "the fallback 'b' needs as many actors"},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_squad_scripts *scripts = NULL;
        CHECK_OK(load(rows[i].text, &env, diags, &scripts));
        ploy_diags_clear(diags);
        CHECK_INT(ploy_squad_scripts_lint(scripts, diags), rows[i].errors);
        CHECK_UINT(ploy_squad_scripts_deadlock(scripts, 0), rows[i].blocked);
        CHECK_INT(ploy_diags_count(diags) > 0, rows[i].message != NULL);
        if (rows[i].message != NULL) {
            CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        }
        ploy_squad_scripts_destroy(scripts);
    }
    CHECK_INT(ploy_squad_scripts_lint(NULL, NULL), 0);
    ploy_diags_destroy(diags);
}

// The obvious version: every state that some order of steps can reach. Places are the whole state, as
// a signal is set if an actor is past it.
enum { TRY_ACTORS = 5, TRY_STEPS = 5 };

typedef enum try_kind { TRY_ACT, TRY_SIGNAL, TRY_WAIT, TRY_JOINT } try_kind;

typedef struct try_step {
    try_kind kind;
    int32_t id;
    int32_t timeout; // 0 none, 1 aborts, 2 goes on
} try_step;

typedef struct try_script {
    int32_t actors, counts[TRY_ACTORS];
    try_step steps[TRY_ACTORS][TRY_STEPS];
    bool seen[7776]; // 6 places of 5 actors
    bool hangs;
} try_script;

static bool try_is_set(const try_script *script, const int32_t *at, int32_t id) {
    for (int32_t i = 0; i < script->actors; i++) {
        for (int32_t k = 0; k < at[i]; k++) {
            const try_step *step = &script->steps[i][k];
            if (step->kind == TRY_SIGNAL && step->id == id) return true;
        }
    }
    return false;
}

static bool try_is_in(const try_script *script, int32_t actor, int32_t joint) {
    for (int32_t k = 0; k < script->counts[actor]; k++) {
        const try_step *step = &script->steps[actor][k];
        if (step->kind == TRY_JOINT && step->id == joint) return true;
    }
    return false;
}

static bool try_is_at(const try_script *script, const int32_t *at, int32_t actor, int32_t joint) {
    if (at[actor] >= script->counts[actor]) return false;
    const try_step *step = &script->steps[actor][at[actor]];
    return step->kind == TRY_JOINT && step->id == joint;
}

static void try_all(try_script *script, int32_t *at) {
    int32_t number = 0;
    for (int32_t i = 0; i < TRY_ACTORS; i++) number = number * 6 + at[i];
    if (script->seen[number]) return;
    script->seen[number] = true;
    bool ended = true, stuck = true;
    for (int32_t i = 0; i < script->actors; i++) {
        if (at[i] >= script->counts[i]) continue;
        ended = false;
        const try_step *step = &script->steps[i][at[i]];
        if (step->timeout == 1) stuck = false; // the run ends here
        if (step->kind == TRY_JOINT) {
            bool met = true;
            for (int32_t k = 0; k < script->actors; k++) {
                if (try_is_in(script, k, step->id)) {
                    met = met && try_is_at(script, at, k, step->id);
                }
            }
            if (!met) continue;
            int32_t next[TRY_ACTORS];
            for (int32_t k = 0; k < TRY_ACTORS; k++) {
                next[k] = at[k] + (k < script->actors && try_is_in(script, k, step->id) ? 1 : 0);
            }
            stuck = false;
            try_all(script, next);
            continue;
        }
        if (step->kind == TRY_WAIT && step->timeout != 2 && !try_is_set(script, at, step->id)) {
            continue;
        }
        stuck = false;
        at[i]++;
        try_all(script, at);
        at[i]--;
    }
    if (stuck && !ended) script->hangs = true;
}

static void try_write(const try_script *script, char *text, size_t size) {
    size_t at = (size_t)snprintf(text, size, "script s\n");
    for (int32_t i = 0; i < script->actors; i++) {
        at += (size_t)snprintf(text + at, size - at, "actor a%d\n", (int)i);
        for (int32_t k = 0; k < script->counts[i]; k++) {
            const try_step *step = &script->steps[i][k];
            static const char *const forms[] = {"move m", "signal s%d", "wait s%d",
                                                "joint j%d play p"};
            char form[32];
            snprintf(form, sizeof form, forms[step->kind], (int)step->id);
            static const char *const ends[] = {"", " timeout 1", " timeout 1 continue"};
            at += (size_t)snprintf(text + at, size - at, " %s%s\n", form, ends[step->timeout]);
        }
    }
}

TEST(the_linter_agrees_with_every_interleaving) {
    ploy_env env = ploy_env_default();
    int32_t hanging = 0, rounds = (int32_t)test_rounds(3000);
    for (int32_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        try_script script;
        memset(&script, 0, sizeof script);
        script.actors = ploy_rng_int(&rng, 2, TRY_ACTORS);
        int32_t ids = ploy_rng_int(&rng, 1, 4);
        for (int32_t i = 0; i < script.actors; i++) {
            script.counts[i] = ploy_rng_int(&rng, 1, TRY_STEPS);
            for (int32_t k = 0; k < script.counts[i]; k++) {
                try_step *step = &script.steps[i][k];
                int32_t draw = ploy_rng_int(&rng, 0, 9);
                step->kind = draw < 1   ? TRY_ACT
                             : draw < 6 ? TRY_SIGNAL
                             : draw < 9 ? TRY_WAIT
                                        : TRY_JOINT;
                step->id = ploy_rng_int(&rng, 0, ids - 1);
                int32_t timeout = ploy_rng_int(&rng, 0, 11);
                if (step->kind == TRY_WAIT && timeout > 9) step->timeout = timeout - 9;
                if (step->kind == TRY_JOINT && timeout > 10) step->timeout = 1;
            }
        }
        int32_t at[TRY_ACTORS] = {0};
        try_all(&script, at);
        char text[2048];
        try_write(&script, text, sizeof text);
        t->row = text;
        ploy_squad_scripts *scripts = NULL;
        CHECK_OK(load(text, &env, NULL, &scripts));
        uint32_t blocked = ploy_squad_scripts_deadlock(scripts, 0);
        CHECK_INT(blocked != 0, script.hangs);
        CHECK_INT(ploy_squad_scripts_lint(scripts, NULL) > 0, script.hangs);
        hanging += script.hangs;
        ploy_squad_scripts_destroy(scripts);
    }
    t->row = NULL;
    // Both kinds are well represented, or the comparison would be worth little.
    CHECK(hanging > rounds / 10);
    CHECK(hanging < rounds - rounds / 10);
}
