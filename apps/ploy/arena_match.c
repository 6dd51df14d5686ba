// ploy arena over a simulation whose two sides have groups of parameters: raven, soccer.
//
// A pair of matches has the same seed and the sides swapped. Matches run on any number of workers;
// results are counted in order, so that the output is the same for all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/arena.h"
#include "apps/ploy/ranks.h"
#include "apps/ploy/tune.h"
#include "ploy/base/hash.h"
#include "ploy/base/jobs.h"

enum { MATCH_ROUND = 32 };

typedef struct match_result {
    double scores[2]; // of A and of B
    uint64_t hash;
    int64_t result; // ploy_result; the struct has no gap, as its bytes are sent
} match_result;

typedef struct match_arena {
    const ploy_sim_type *type;
    const tune_sides *sides;
    ploy_env env;
    unsigned char *params; // of both sides
    uint32_t offsets[2];   // of the sides' groups
    ploy_fields group;     // their table
    unsigned char *own[2]; // the group of A and of B
    uint64_t first, ticks;
    int64_t round_first;
    match_result round[MATCH_ROUND];
    int64_t wins, draws, losses, voids;
    double sums[2];
    uint64_t hash;
} match_arena;

static void match_play(const match_arena *a, int64_t index, match_result *out) {
    int32_t swap = (int32_t)(index % 2);
    size_t size = a->group.size;
    unsigned char *params = malloc(a->type->fields().size);
    out->result = PLOY_ERR_MEMORY;
    if (params == NULL) return;
    memcpy(params, a->params, a->type->fields().size);
    memcpy(params + a->offsets[swap], a->own[0], size);
    memcpy(params + a->offsets[1 - swap], a->own[1], size);
    double read[2];
    out->result = ploy_sim_play(a->type, params, a->first + (uint64_t)index / 2, a->ticks,
                                a->sides->score, 2, &a->env, read, &out->hash);
    if (out->result == PLOY_OK) {
        out->scores[0] = read[swap];
        out->scores[1] = read[1 - swap];
    }
    free(params);
}

static void match_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    match_arena *a = arg;
    (void)worker;
    for (int32_t i = first; i < first + count; i++) {
        match_play(a, a->round_first + i, &a->round[i]);
    }
}

// ---- sides

// A file, of which the first side counts, or settings: "tactics=team,skill=hard"; "default".
static int match_read_side(match_arena *a, const char *text, unsigned char **out) {
    ploy_fields fields = a->type->fields();
    unsigned char *params = malloc(fields.size);
    *out = malloc(a->group.size);
    if (params == NULL || *out == NULL) {
        free(params);
        return cli_error_result("arena", PLOY_ERR_MEMORY);
    }
    cli_texts sets;
    memset(&sets, 0, sizeof sets);
    char buffer[1024];
    int status = -1;
    bool settings = strchr(text, '=') != NULL;
    if (settings && strlen(text) >= sizeof buffer / 2) {
        status = cli_error("side is too long:", text);
    } else if (settings) {
        ploy_diags *diags = NULL;
        ploy_result result = ploy_diags_create(32, &a->env, &diags);
        memcpy(params, a->params, fields.size);
        char *rest = buffer;
        memcpy(buffer, text, strlen(text) + 1);
        while (rest != NULL && result == PLOY_OK) {
            char *comma = strchr(rest, ','), *equals = strchr(rest, '=');
            if (comma != NULL) *comma = 0;
            char path[256];
            if (equals == NULL || (comma != NULL && equals > comma)) {
                ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, text, 0, 0,
                               "expected NAME=VALUE", NULL, NULL);
            } else {
                *equals = 0;
                (void)snprintf(path, sizeof path, "%s.%.200s", a->sides->sides[0], rest);
                (void)ploy_fields_set_text(fields, params, path, equals + 1, diags);
            }
            rest = comma != NULL ? comma + 1 : NULL;
        }
        if (result != PLOY_OK) {
            status = cli_error_result("arena", result);
        } else if (ploy_diags_count(diags) > 0) {
            status = cli_error_diags(diags);
        }
        ploy_diags_destroy(diags);
    } else {
        status = cli_load_fields(fields, params, strcmp(text, "default") == 0 ? NULL : text, &sets,
                                 &a->env);
    }
    if (status < 0) memcpy(*out, params + a->offsets[0], a->group.size);
    free(params);
    return status;
}

static int match_setup(match_arena *a, const char *const words[3], const arena_match_options *o) {
    ploy_fields fields = a->type->fields();
    a->params = malloc(fields.size);
    if (a->params == NULL) return cli_error_result("arena", PLOY_ERR_MEMORY);
    int status = cli_load_fields(fields, a->params, NULL, o->sets, &a->env);
    if (status < 0 && a->sides->number != NULL) {
        (void)ploy_fields_set_text(fields, a->params, a->sides->number, "2", NULL);
    }
    for (int32_t i = 0; i < 2 && status < 0; i++) {
        const ploy_field *group = ploy_fields_find(fields, a->sides->sides[i], &a->offsets[i]);
        if (group == NULL || group->def == NULL) {
            status = cli_error("unknown side", a->sides->sides[i]);
        } else {
            a->group = group->def();
        }
    }
    for (int32_t i = 0; i < 2 && status < 0; i++) {
        status = match_read_side(a, words[1 + i], &a->own[i]);
    }
    return status;
}

// ---- results

static void match_count(match_arena *a, const match_result *r) {
    if (r->result != PLOY_OK) {
        a->voids++;
        a->hash = ploy_hash_combine(a->hash, 0);
        return;
    }
    a->wins += r->scores[0] > r->scores[1];
    a->draws += r->scores[0] == r->scores[1];
    a->losses += r->scores[0] < r->scores[1];
    for (int32_t i = 0; i < 2; i++) a->sums[i] += r->scores[i];
    a->hash = ploy_hash_combine(a->hash, r->hash);
}

static void match_print_one(const match_result *r, int64_t index, bool json) {
    if (r->result != PLOY_OK) {
        printf(json ? "{\"game\":%lld,\"result\":\"void\",\"reason\":\"%s\"}\n"
                    : "match %lld: void, %s\n",
               (long long)index + 1, ploy_result_text((ploy_result)r->result));
        return;
    }
    printf(json ? "{\"game\":%lld,\"first\":\"%s\",\"a\":%.17g,\"b\":%.17g,\"hash\":\"%016llx\"}\n"
                : "match %lld, %s first: %g to %g, hash %016llx\n",
           (long long)index + 1, index % 2 == 0 ? "A" : "B", r->scores[0], r->scores[1],
           (unsigned long long)r->hash);
}

static void match_print(const match_arena *a, const char *const words[3], bool json,
                        const char *verdict) {
    arena_numbers n = arena_numbers_of(a->wins, a->draws, a->losses);
    long long games = (long long)(a->wins + a->draws + a->losses);
    double all = a->sums[0] + a->sums[1], share = all > 0.0 ? a->sums[0] / all : 0.5;
    if (json) {
        printf("{\"games\":%lld,\"wins\":%lld,\"draws\":%lld,\"losses\":%lld,\"score\":%.4f,"
               "\"error95\":%.4f,\"elo\":%.1f,\"elo_low\":%.1f,\"elo_high\":%.1f,\"p\":%.4g,"
               "\"void\":%lld,\"hash\":\"%016llx\"",
               games, (long long)a->wins, (long long)a->draws, (long long)a->losses, n.score,
               n.error95, n.elo, n.elo_low, n.elo_high, n.p, (long long)a->voids,
               (unsigned long long)a->hash);
        if (a->sides->share != NULL) printf(",\"%s\":%.4f", a->sides->share, share);
        if (verdict != NULL) printf(",\"sprt\":\"%s\"", verdict);
        printf("}\n");
        return;
    }
    printf("%s against %s: %lld matches, %lld won, %lld drawn, %lld lost, %lld void\n", words[1],
           words[2], games, (long long)a->wins, (long long)a->draws, (long long)a->losses,
           (long long)a->voids);
    printf("score %.1f %% +- %.1f, Elo %.0f (%.0f to %.0f), p %.3g, hash %016llx\n",
           100.0 * n.score, 100.0 * n.error95, n.elo, n.elo_low, n.elo_high, n.p,
           (unsigned long long)a->hash);
    if (a->sides->share != NULL) printf("%s %.1f %%\n", a->sides->share, 100.0 * share);
    if (verdict != NULL) printf("sprt: %s\n", verdict);
}

static const char *match_run(match_arena *a, const arena_match_options *o, const ploy_jobs *jobs,
                             double low, double high) {
    cli_progress progress = cli_progress_begin("arena", (uint64_t)o->games, true);
    const char *verdict = o->sprt != NULL ? "undecided" : NULL;
    bool decided = false;
    for (int64_t done = 0; done < o->games && !decided; done += MATCH_ROUND) {
        int64_t left = o->games - done;
        int32_t count = left < MATCH_ROUND ? (int32_t)left : MATCH_ROUND;
        a->round_first = done;
        ranks_run(jobs, match_job, a, count, a->round, sizeof a->round[0]);
        for (int32_t i = 0; i < count && !decided; i++) {
            match_count(a, &a->round[i]);
            if (o->matches) cli_progress_hide(&progress);
            if (o->matches) match_print_one(&a->round[i], done + i, o->json);
            if (o->sprt == NULL || i % 2 == 0) continue; // both places
            double llr = arena_llr(a->wins, a->draws, a->losses, low, high);
            decided = llr >= 2.944 || llr <= -2.944; // 5 % for either error
            if (decided) verdict = llr > 0.0 ? "better" : "not better";
        }
        cli_progress_step(&progress, (uint64_t)(done + count));
    }
    cli_progress_end(&progress);
    return verdict;
}

int arena_match(const char *const words[3], const arena_match_options *o) {
    double low = 0.0, high = 0.0;
    int status = o->sprt != NULL ? arena_read_sprt(o->sprt, &low, &high) : -1;
    if (status >= 0) return status;
    if (o->games < 1 || o->games > 10000000) return cli_error("--games must be above 0", NULL);
    if (o->workers < 1 || o->workers > 64) return cli_error("--workers must be 1 to 64", NULL);
    match_arena *a = calloc(1, sizeof *a);
    if (a == NULL) return cli_error_result("arena", PLOY_ERR_MEMORY);
    a->env = cli_env();
    a->sides = tune_sides_find(words[0]);
    a->type = ploy_sim_type_find(cli_sims(), words[0], NULL);
    a->first = (uint64_t)o->first;
    a->ticks = o->ticks > 0 ? (uint64_t)o->ticks : a->sides->ticks;
    status = a->type != NULL ? match_setup(a, words, o) : cli_error("unknown game", words[0]);
    ploy_job_pool *pool = NULL;
    if (status < 0 && o->workers > 1) {
        ploy_result result = ploy_job_pool_create((int32_t)o->workers, &a->env, &pool);
        if (result != PLOY_OK) status = cli_error_result("workers", result);
    }
    status = ranks_agree(status);
    if (status < 0) {
        const char *verdict =
            match_run(a, o, pool == NULL ? NULL : ploy_job_pool_jobs(pool), low, high);
        match_print(a, words, o->json, verdict);
        status = CLI_OK;
    }
    ploy_job_pool_destroy(pool);
    for (int32_t i = 0; i < 2; i++) free(a->own[i]);
    free(a->params);
    free(a);
    return status;
}
