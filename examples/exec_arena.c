// An arena: which of two parameter files is better? Each file sets how a side of a small duel of
// archers plays. Every seed is played twice with the sides swapped, so that neither the place nor
// the luck of a seed decides. Shows ploy_sim_play and ploy/base/fields_text.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/fields_text.h"
#include "ploy/exec/sim.h"

// ---- the game: draw, aim, shoot; aiming longer hits more often

enum { DRAW = 6 }; // ticks

typedef struct archer_def {
    uint32_t cookie;
    int32_t aim; // ticks before each shot
    float calm;  // how much each tick of aiming helps
} archer_def;
static const ploy_field archer_table[] = {
    PLOY_FIELD_I32(archer_def, aim, 10, 1, 60, "", "ticks of aiming before a shot"),
    PLOY_FIELD_F32(archer_def, calm, 0.1f, 0, 1, "", "share of the error that a tick removes")};
static ploy_fields archer_fields(void) {
    return PLOY_FIELDS(archer_def, archer_table);
}

typedef struct duel_def {
    uint32_t cookie;
    archer_def red, blue;
} duel_def;
static const ploy_field duel_table[] = {
    PLOY_FIELD_DEF(duel_def, red, archer_fields, "the first archer"),
    PLOY_FIELD_DEF(duel_def, blue, archer_fields, "the second")};
static ploy_fields duel_fields(void) {
    return PLOY_FIELDS(duel_def, duel_table);
}

typedef struct duel {
    int32_t aimed[2], hits[2]; // ticks since the last shot
} duel;

static ploy_result duel_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params, (void)key;
    *out = ploy_env_alloc_zero(env, sizeof(duel));
    return *out != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
}

static ploy_result duel_step(void *state, const ploy_sim_context *context) {
    duel *own = state;
    const duel_def *def = context->params;
    const archer_def *archers[2] = {&def->red, &def->blue};
    for (uint32_t i = 0; i < 2; i++) {
        if (++own->aimed[i] < DRAW + archers[i]->aim) continue;
        float error = 1.0f;
        for (; own->aimed[i] > DRAW; own->aimed[i]--) error *= 1.0f - archers[i]->calm;
        own->aimed[i] = 0;
        own->hits[i] += ploy_rng_float_at(context->key, i, context->tick, 0) >= error;
    }
    return PLOY_OK;
}

static void duel_describe(const void *state, ploy_describe *out) {
    const duel *own = state;
    ploy_describe_i64(out, "red", PLOY_STATE, own->hits[0]);
    ploy_describe_i64(out, "blue", PLOY_STATE, own->hits[1]);
    ploy_describe_i64(out, "red_aimed", PLOY_STATE, own->aimed[0]);
    ploy_describe_i64(out, "blue_aimed", PLOY_STATE, own->aimed[1]);
}

static const ploy_sim_type duel_type = {.name = "duel",
                                        .title = "Duel",
                                        .help = "Two archers.",
                                        .version = 1,
                                        .dt = 0.1f,
                                        .view = {0, 0, 10, 2},
                                        .fields = duel_fields,
                                        .create = duel_create,
                                        .step = duel_step,
                                        .describe = duel_describe};

// ---- the arena

// Reads the side red of a parameter file; what the file leaves out keeps its default.
static bool arena_read(const char *name, const char *text, archer_def *out) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    duel_def def;
    ploy_fields_default(duel_fields(), &def);
    if (ploy_diags_create(4, &env, &diags) != PLOY_OK) return false;
    bool read =
        ploy_fields_load_text(duel_fields(), &def, text, strlen(text), name, diags) == PLOY_OK;
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        const ploy_diag *diag = ploy_diags_get(diags, i);
        printf("%s:%d: %s\n", diag->name, (int)diag->line, diag->message);
    }
    ploy_diags_destroy(diags);
    *out = def.red;
    return read;
}

int main(void) {
    static const char hasty[] = "red.aim 3     // shoots as soon as it can\n";
    static const char steady[] = "red.aim 15    // takes its time\n";
    static const char faulty[] = "red.calm 0.1\nred.aimm 15\n";
    static const char *const paths[] = {"state.red", "state.blue"};
    enum { MATCHES = 200, TICKS = 1200 };
    ploy_env env = ploy_env_default();
    archer_def sides[2], other;
    if (!arena_read("hasty.txt", hasty, &sides[0]) ||
        !arena_read("steady.txt", steady, &sides[1])) {
        return 1;
    }
    if (arena_read("faulty.txt", faulty, &other)) return 1; // a fault changes nothing

    int32_t won[2] = {0, 0};
    double hits[2] = {0.0, 0.0};
    for (int32_t i = 0; i < MATCHES; i++) {
        int32_t first = i % 2; // who is red
        double read[2];
        duel_def def;
        ploy_fields_default(duel_fields(), &def);
        def.red = sides[first];
        def.blue = sides[1 - first];
        if (ploy_sim_play(&duel_type, &def, 1 + (uint64_t)i / 2, TICKS, paths, 2, &env, read,
                          NULL) != PLOY_OK) {
            return 1;
        }
        double a = read[first], b = read[1 - first];
        won[0] += a > b;
        won[1] += b > a;
        hits[0] += a;
        hits[1] += b;
    }
    double decided = (double)(won[0] + won[1]);
    printf("hasty against steady: %d won, %d lost of %d\n", (int)won[0], (int)won[1], MATCHES);
    printf("share of the hits: %.1f %%\n", 100.0 * hits[0] / (hits[0] + hits[1]));
    printf("lead: %.1f standard errors\n", (double)(won[0] - won[1]) / sqrt(decided));
    return 0;
}
