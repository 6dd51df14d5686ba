// ploy tune GAME: searches parameters by playing.
//
// A checkpoint is written after every step of the search, in one go. Its scores are known then, so a
// run that continues from it makes the same requests and ends with the same bytes. Under mpirun every rank
// makes the search; the matches are divided, and their scores are the same everywhere (ranks.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/ranks.h"
#include "apps/ploy/tune.h"
#include "ploy/base/fields_json.h"
#include "ploy/base/hash.h"
#include "ploy/base/name.h"
#include "ploy/base/os.h"

typedef struct tune_options {
    const char *vary, *method, *params, *against, *checkpoint, *output, *score;
    int64_t evals, workers, ticks, verify;
    uint64_t seed;
    bool resume, minimise, json;
    cli_texts sets, options;
    ploy_env env;
} tune_options;

typedef struct tune_run {
    tune_game game;
    ploy_tune_def def;
    ploy_tune *tune;
    void *params, *opponent;
    char *names; // of the varied parameters, cut at the commas
    ploy_job_pool *pool;
    double *scores;
    size_t scores_size;
} tune_run;

static int tune_unknown_path(const tune_run *run, const char *path) {
    char nearest[PLOY_FIELD_PATH_MAX];
    bool near = ploy_fields_nearest(run->game.type->fields(), path, nearest);
    return cli_error_near("unknown parameter", path, near ? nearest : NULL);
}

// Which side a path belongs to, or -1.
static int32_t tune_side_of(const tune_sides *sides, const char *path) {
    for (int32_t i = 0; sides != NULL && i < 2; i++) {
        size_t length = strlen(sides->sides[i]);
        if (strncmp(path, sides->sides[i], length) == 0 && path[length] == '.') return i;
    }
    return -1;
}

// Cuts --vary into paths and makes a range of each.
static int tune_read_ranges(tune_run *run, const tune_options *o, ploy_tune_range *ranges) {
    tune_game *game = &run->game;
    size_t size = strlen(o->vary) + 1;
    run->names = malloc(size);
    if (run->names == NULL) return cli_error_result("tune", PLOY_ERR_MEMORY);
    memcpy(run->names, o->vary, size);
    for (char *at = run->names; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) *comma = 0;
        if (game->count >= PLOY_TUNE_PARAMETERS_MAX) {
            return cli_error("--vary takes at most 256 parameters", NULL);
        }
        ploy_result result =
            ploy_tune_range_of(game->type->fields(), run->params, at, &ranges[game->count]);
        if (result == PLOY_ERR_NOT_FOUND) return tune_unknown_path(run, at);
        if (result != PLOY_OK) return cli_error("--vary expects numbers, found", at);
        for (int32_t i = 0; i < game->count; i++) {
            if (strcmp(game->paths[i], at) == 0) return cli_error("--vary repeats", at);
        }
        int32_t side = tune_side_of(game->sides, at);
        if (game->sides != NULL && side < 0) {
            return cli_error("--vary takes parameters of one side only, found", at);
        }
        if (game->count > 0 && side != game->side) {
            return cli_error("--vary takes parameters of one side only", NULL);
        }
        game->side = side;
        game->paths[game->count++] = at;
        at = comma == NULL ? NULL : comma + 1;
    }
    return -1;
}

static int tune_read_def(tune_run *run, const tune_options *o) {
    ploy_fields fields = ploy_tune_fields();
    cli_texts sets = o->options;
    int status = cli_load_fields(fields, &run->def, NULL, &sets, &o->env);
    if (status >= 0) return status;
    ploy_value method = ploy_value_text(o->method);
    if (ploy_fields_set(fields, &run->def, "method", &method, NULL) != PLOY_OK) {
        const ploy_field *field = ploy_fields_find(fields, "method", NULL);
        ploy_nearest nearest = ploy_nearest_make(o->method);
        for (int32_t i = 0; i < field->choice_count; i++) {
            ploy_nearest_offer(&nearest, field->choices[i]);
        }
        if (nearest.best != NULL) {
            return cli_error_near("unknown method", o->method, nearest.best);
        }
        fprintf(stderr, "ploy: unknown method '%s'; known:", o->method);
        for (int32_t i = 0; i < field->choice_count; i++) {
            fprintf(stderr, " %s", field->choices[i]);
        }
        fprintf(stderr, "\n");
        return CLI_USAGE;
    }
    run->def.max_evaluations = (int32_t)o->evals;
    run->def.seed = o->seed;
    run->def.minimise = o->minimise;
    return -1;
}

static int tune_check_words(const tune_options *o, const tune_run *run) {
    if (o->vary == NULL) return cli_error("--vary is missing", NULL);
    if (o->output == NULL) return cli_error("-o is missing", NULL);
    if (o->resume && o->checkpoint == NULL) return cli_error("--resume needs --checkpoint", NULL);
    if (o->evals < 1 || o->evals > 1 << 30) return cli_error("--evals must be above 0", NULL);
    if (o->workers < 1 || o->workers > PLOY_JOBS_WORKERS_MAX) {
        return cli_error("--workers expects 1 to 256", NULL);
    }
    if (o->verify > 1 << 20) return cli_error("--verify expects at most 1048576 matches", NULL);
    bool sides = run->game.sides != NULL;
    if (sides && (o->score != NULL || o->minimise)) {
        return cli_error("--score and --minimise are for games without sides", NULL);
    }
    if (!sides && o->score == NULL) {
        return cli_error("missing --score: a game without sides needs the value that counts", NULL);
    }
    if (!sides && o->against != NULL) return cli_error("--against needs a game with sides", NULL);
    return -1;
}

// The hash of everything that scores depend on, so that a checkpoint is not mixed up with another run.
static uint64_t tune_run_hash(const tune_run *run) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_fields fields = run->game.type->fields();
    ploy_fields_describe(fields, run->params, PLOY_STATE, &out);
    ploy_fields_describe(fields, run->opponent, PLOY_STATE, &out);
    ploy_fields_describe(ploy_tune_fields(), &run->def, PLOY_STATE, &out);
    for (int32_t i = 0; i < run->game.count; i++) {
        ploy_describe_text(&out, "path", PLOY_STATE, run->game.paths[i]);
    }
    ploy_describe_text(&out, "score", PLOY_STATE, run->game.score);
    ploy_describe_u64(&out, "ticks", PLOY_STATE, run->game.ticks);
    return ploy_hash_combine(ploy_hash_sink_result(&sink), ploy_sim_type_hash(run->game.type));
}

static bool tune_write_json(const char *path, const tune_run *run, bool checkpoint,
                            const void *params, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, checkpoint ? 0 : 2);
    if (checkpoint) {
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "game");
        ploy_json_write_text(&json, run->game.type->name);
        ploy_json_write_key(&json, "run");
        ploy_json_write_u64(&json, tune_run_hash(run));
        ploy_json_write_key(&json, "search");
        ploy_visit_save(ploy_tune_visit, run->tune, NULL, &json);
        ploy_json_write_end_object(&json);
    } else {
        ploy_fields_save_json(run->game.type->fields(), params, &json);
    }
    bool written = ploy_json_writer_finish(&json) == PLOY_OK;
    if (written) {
        ploy_write_text(&writer, "\n");
        written = cli_write_file(path, &buffer);
    }
    ploy_buffer_fini(&buffer);
    return written;
}

static int tune_resume(tune_run *run, const tune_options *o) {
    enum { CHECKPOINT_BYTES_MAX = 1 << 28 };
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &o->env);
    ploy_diags *diags = NULL;
    ploy_json *doc = NULL;
    ploy_result result = PLOY_OK;
    if (ranks_rank() == 0) {
        result = ploy_os_read_file(o->checkpoint, CHECKPOINT_BYTES_MAX, &o->env, &bytes);
    }
    result = ranks_share(&bytes, result);
    if (result == PLOY_OK) result = ploy_diags_create(32, &o->env, &diags);
    if (result == PLOY_OK) {
        ploy_json_def def = ploy_json_def_default();
        result = ploy_json_load(bytes.bytes, bytes.size, o->checkpoint, &def, &o->env, diags, &doc);
    }
    bool other = false;
    if (result == PLOY_OK) {
        ploy_json_node root = ploy_json_root(doc);
        uint64_t hash = 0;
        (void)ploy_json_u64(doc, ploy_json_member(doc, root, "run"), &hash);
        other = hash != tune_run_hash(run);
        if (!other) {
            result = ploy_visit_load(ploy_tune_visit, run->tune, NULL, doc,
                                     ploy_json_member(doc, root, "search"), &o->env, diags);
        }
    }
    int status = -1;
    if (other) {
        status = cli_error("the checkpoint is of another run", o->checkpoint);
    } else if (result != PLOY_OK) {
        bool told = diags != NULL && ploy_diags_count(diags) > 0;
        status = told ? cli_error_diags(diags) : cli_error_read(o->checkpoint, result);
    }
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}

static int tune_search(tune_run *run, const tune_options *o) {
    const ploy_jobs *jobs = run->pool != NULL ? ploy_job_pool_jobs(run->pool) : NULL;
    cli_progress progress = cli_progress_begin("tuning", (uint64_t)o->evals, true);
    int status = -1;
    for (;;) {
        int32_t count = 0;
        const double *points = ploy_tune_ask(run->tune, &count);
        if (points == NULL) break;
        size_t size = (size_t)count * sizeof *run->scores;
        if (size > run->scores_size) {
            double *more = realloc(run->scores, size);
            if (more == NULL) {
                status = cli_error_result("tune", PLOY_ERR_MEMORY);
                break;
            }
            run->scores = more;
            run->scores_size = size;
        }
        uint64_t batch = (uint64_t)ploy_tune_outcome_of(run->tune).evaluations;
        ploy_result result =
            tune_game_scores(&run->game, points, count, run->def.repeats, batch, jobs, run->scores);
        if (result == PLOY_ERR_NOT_FOUND) {
            status = cli_error("unknown value", run->game.score);
            break;
        }
        if (result == PLOY_OK) result = ploy_tune_tell(run->tune, run->scores);
        if (result != PLOY_OK) {
            status = cli_error_result(run->game.type->name, result);
            break;
        }
        bool writes = o->checkpoint != NULL && ranks_rank() == 0;
        if (writes && !tune_write_json(o->checkpoint, run, true, NULL, &o->env)) {
            status = cli_error("cannot write", o->checkpoint);
            break;
        }
        cli_progress_step(&progress, (uint64_t)ploy_tune_outcome_of(run->tune).evaluations);
    }
    cli_progress_end(&progress);
    return status;
}

// What the search answers: with noisy scores the centre of what it draws is better than its best
// point, which had luck too.
static const double *tune_answer(const tune_run *run) {
    bool centre = run->def.method == PLOY_TUNE_SPSA || run->def.method == PLOY_TUNE_CMA;
    return centre && run->game.sides != NULL ? ploy_tune_at(run->tune) : ploy_tune_best(run->tune);
}

static void tune_print(const tune_run *run, const tune_options *o, const void *params,
                       double verified) {
    ploy_tune_outcome outcome = ploy_tune_outcome_of(run->tune);
    ploy_writer writer = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    if (!o->json) {
        printf("%lld evaluations in %lld steps, best score %.6g (%s)\n",
               (long long)outcome.evaluations, (long long)outcome.steps, outcome.best,
               outcome.reason);
    } else {
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "game");
        ploy_json_write_text(&json, run->game.type->name);
        ploy_json_write_key(&json, "method");
        ploy_json_write_text(&json, o->method);
        ploy_json_write_key(&json, "evaluations");
        ploy_json_write_i64(&json, outcome.evaluations);
        ploy_json_write_key(&json, "steps");
        ploy_json_write_i64(&json, outcome.steps);
        ploy_json_write_key(&json, "reason");
        ploy_json_write_text(&json, outcome.reason);
        ploy_json_write_key(&json, "best");
        ploy_json_write_f64(&json, outcome.best);
        ploy_json_write_key(&json, "parameters");
        ploy_json_write_begin_object(&json);
    }
    for (int32_t i = 0; i < run->game.count; i++) {
        ploy_value value;
        if (ploy_fields_get(run->game.type->fields(), params, run->game.paths[i], &value) !=
            PLOY_OK)
            continue;
        if (!o->json) {
            printf("%s = ", run->game.paths[i]);
            fflush(stdout);
        } else {
            ploy_json_write_key(&json, run->game.paths[i]);
        }
        ploy_json_write_value(&json, &value);
        if (!o->json) {
            (void)ploy_json_writer_finish(&json);
            printf("\n");
            ploy_json_writer_init(&json, &writer, 0);
        }
    }
    if (o->json) {
        ploy_json_write_end_object(&json);
        if (o->verify > 0) {
            ploy_json_write_key(&json, "verified");
            ploy_json_write_f64(&json, verified);
        }
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        printf("\n");
    } else if (o->verify > 0) {
        printf("%.4g over %lld unseen matches\n", verified, (long long)o->verify);
    }
}

static int tune_finish(tune_run *run, const tune_options *o) {
    const double *answer = tune_answer(run);
    void *params = malloc(run->game.type->fields().size);
    if (params == NULL) return cli_error_result("tune", PLOY_ERR_MEMORY);
    double verified = 0.0;
    ploy_result result = tune_game_params(&run->game, answer, params);
    if (result == PLOY_OK && o->verify > 0) {
        result =
            tune_game_verify(&run->game, answer, (int32_t)o->verify,
                             run->pool != NULL ? ploy_job_pool_jobs(run->pool) : NULL, &verified);
    }
    int status = CLI_OK;
    if (result != PLOY_OK) {
        status = cli_error_result("tune", result);
    } else if (ranks_rank() == 0 && !tune_write_json(o->output, run, false, params, &o->env)) {
        status = cli_error("cannot write", o->output);
    } else {
        tune_print(run, o, params, verified);
    }
    free(params);
    return status;
}

static int tune_begin(tune_run *run, const tune_options *o) {
    ploy_fields fields = run->game.type->fields();
    int status = tune_check_words(o, run);
    if (status >= 0) return status;
    run->params = calloc(1, fields.size);
    run->opponent = calloc(1, fields.size);
    if (run->params == NULL || run->opponent == NULL) {
        return cli_error_result("tune", PLOY_ERR_MEMORY);
    }
    status = cli_load_fields(fields, run->params, o->params, &o->sets, &o->env);
    cli_texts none = {{NULL}, 0};
    const char *opponent = o->against != NULL ? o->against : o->params;
    if (status < 0) {
        status = cli_load_fields(fields, run->opponent, opponent,
                                 o->against != NULL ? &none : &o->sets, &o->env);
    }
    if (status < 0) status = tune_read_def(run, o);
    ploy_tune_range ranges[PLOY_TUNE_PARAMETERS_MAX];
    if (status < 0) status = tune_read_ranges(run, o, ranges);
    if (status >= 0) return status;
    run->game.params = run->params;
    run->game.opponent = run->opponent;
    ploy_result result = ploy_tune_create(&run->def, ranges, run->game.count, &o->env, &run->tune);
    if (result == PLOY_OK && o->workers > 1) {
        result = ploy_job_pool_create((int32_t)o->workers, &o->env, &run->pool);
    }
    return result == PLOY_OK ? -1 : cli_error_result("tune", result);
}

static int tune_main(int argc, char **argv, bool *started) {
    tune_options o;
    memset(&o, 0, sizeof o);
    o.method = "cma";
    o.evals = 2000;
    o.workers = 1;
    o.seed = 1;
    o.env = cli_env();
    const cli_option options[] = {
        {"--vary", CLI_TEXT, &o.vary, "PATH,..",
         "parameters to search, as in --parameters of play"},
        {"--method", CLI_TEXT, &o.method, "NAME",
         "steepest, first, direct, boltzmann, spsa or cma (default cma)"},
        {"--evals", CLI_COUNT, &o.evals, "N", "runs of the game at most (default 2000)"},
        {"--seed", CLI_U64, &o.seed, "S", "seed of search and games (default 1)"},
        {"--params", CLI_TEXT, &o.params, "F", "parameters to start from"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a parameter; may be repeated"},
        {"--against", CLI_TEXT, &o.against, "F", "parameters of the other side"},
        {"--option", CLI_MANY, &o.options, "K=V",
         "set an option of the search: repeats, sigma, population, starts, ..."},
        {"--score", CLI_TEXT, &o.score, "PATH",
         "described value that counts, in games without sides: state.summary.pellets"},
        {"--minimise", CLI_FLAG, &o.minimise, NULL, "smaller values of --score are better"},
        {"--ticks", CLI_COUNT, &o.ticks, "N", "length of a run (default 10800)"},
        {"--workers", CLI_COUNT, &o.workers, "N", "number of threads; does not change the result"},
        {"--checkpoint", CLI_TEXT, &o.checkpoint, "F", "write the search after every step"},
        {"--resume", CLI_FLAG, &o.resume, NULL, "continue from the checkpoint"},
        {"--verify", CLI_COUNT, &o.verify, "N", "play N matches on unseen seeds at the end"},
        {"-o", CLI_TEXT, &o.output, "F", "write the parameters that were found"},
        {"--json", CLI_FLAG, &o.json, NULL, "print the outcome as JSON"},
    };
    const cli_usage usage = {"tune",
                             "GAME --vary PATH,.. -o F [options]",
                             "Searches good parameters of a game by playing it. In a game with\n"
                             "sides, one side varies and plays against the other one. Under\n"
                             "mpirun the matches are divided among the ranks.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    const char *nearest = NULL;
    tune_run run;
    memset(&run, 0, sizeof run);
    run.game.type = ploy_sim_type_find(cli_sims(), words[0], &nearest);
    if (run.game.type == NULL)
        return cli_error_unknown("unknown game", words[0], nearest, "play list");
    run.game.sides = tune_sides_find(words[0]);
    run.game.score = o.score != NULL ? o.score : "";
    run.game.ticks = o.ticks > 0 ? (uint64_t)o.ticks : 10800;
    if (o.ticks == 0 && run.game.sides != NULL) run.game.ticks = run.game.sides->ticks;
    run.game.seed = o.seed;
    run.game.env = o.env;
    status = ranks_agree(tune_begin(&run, &o));
    if (status < 0 && o.resume) status = ranks_agree(tune_resume(&run, &o));
    *started = status < 0;
    if (status < 0) status = tune_search(&run, &o);
    if (status < 0) status = tune_finish(&run, &o);
    ploy_job_pool_destroy(run.pool);
    ploy_tune_destroy(run.tune);
    free(run.scores);
    free(run.names);
    free(run.params);
    free(run.opponent);
    return status;
}

int cmd_tune(int argc, char **argv) {
    bool started = false;
    ranks_begin();
    return ranks_end(tune_main(argc, argv, &started), started);
}
