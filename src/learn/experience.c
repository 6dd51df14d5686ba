// The experience log; the format is in the header.
//
// Invariant of a log: its bytes are a header and complete records that its learner or actor accepts.
#include "ploy/learn/experience.h"

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

enum { // kinds of records
    EXPERIENCE_EXAMPLE = 1,
    EXPERIENCE_RESET = 2,
    EXPERIENCE_FREEZE = 3,
    EXPERIENCE_THAW = 4,
    EXPERIENCE_CHOICE = 5, // situation
    EXPERIENCE_STEP = 6,   // situation, action, next action + 1, how it ended, reward, situation
    EXPERIENCE_SCORE = 7   // score, as it is passed to keep_best
};
enum { EXPERIENCE_HEADER = 16 };                         // the magic and a hash
enum { EXPERIENCE_OBSERVED = 1, EXPERIENCE_MASKED = 2 }; // parts of a situation
enum { EXPERIENCE_TERMINATED = 1, EXPERIENCE_TRUNCATED = 2 };

static const char experience_magic[8] = {'P', 'L', 'O', 'Y', 'E', 'X', 'P', '1'};

// What records are about: a learner or an actor; the other is none.
typedef struct experience_pupil {
    ploy_learner learner;
    ploy_actor actor;
} experience_pupil;

// A situation with its own room.
typedef struct experience_view {
    ploy_situation situation;
    float observation[PLOY_PROBLEM_OBSERVED_MAX];
    bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
} experience_view;

// One record, decoded.
typedef struct experience_record {
    unsigned char kind;
    double *row; // room for one example; NULL for actors
    experience_view now, next;
    int32_t action, next_action;
    ploy_problem_result result;
    double score;
} experience_record;

struct ploy_experience {
    ploy_env env;
    experience_pupil pupil;
    ploy_buffer buffer; // always has a header
    double *row;        // one example, to check those of a load; NULL for actors
    size_t row_size;
};

// ---- numbers in bytes

static void experience_write(unsigned char *to, uint64_t value, int32_t bytes) {
    for (int32_t i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t experience_read(const unsigned char *from, int32_t bytes) {
    uint64_t value = 0;
    for (int32_t i = 0; i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static void experience_write_f32(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    experience_write(to, bits, 4);
}

static float experience_read_f32(const unsigned char *from) {
    uint32_t bits = (uint32_t)experience_read(from, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void experience_write_f64(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    experience_write(to, bits, 8);
}

static double experience_read_f64(const unsigned char *from) {
    uint64_t bits = experience_read(from, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- records

static int32_t experience_columns(experience_pupil pupil) {
    return pupil.learner.type == NULL ? 0 : ploy_schema_count(ploy_learner_schema(pupil.learner));
}

static size_t experience_situation_size(ploy_actor actor) {
    const ploy_problem_space *space = ploy_actor_space(actor);
    return 9 + 4 * (size_t)space->observed + ((size_t)space->actions + 7) / 8;
}

// Bytes behind the kind of a record; SIZE_MAX for a kind that the log does not have.
static size_t experience_size(experience_pupil pupil, unsigned char kind) {
    bool acts = pupil.actor.type != NULL;
    switch (kind) {
    case EXPERIENCE_RESET:
    case EXPERIENCE_FREEZE:
    case EXPERIENCE_THAW: return 0;
    case EXPERIENCE_EXAMPLE: return acts ? SIZE_MAX : 8 * (size_t)experience_columns(pupil);
    case EXPERIENCE_CHOICE: return acts ? experience_situation_size(pupil.actor) : SIZE_MAX;
    case EXPERIENCE_STEP: return acts ? 2 * experience_situation_size(pupil.actor) + 7 : SIZE_MAX;
    case EXPERIENCE_SCORE: return acts ? 8 : SIZE_MAX;
    default: return SIZE_MAX;
    }
}

// Whether the actor can use a situation: tables have a place for each state, and numbers are finite.
static bool experience_takes(ploy_actor actor, const ploy_situation *now) {
    const ploy_problem_space *space = ploy_actor_space(actor);
    if (now == NULL) return false;
    if (space->states > 0 && (now->state < 0 || now->state >= space->states)) return false;
    if (space->observed > 0 && now->observation == NULL) return false;
    for (int32_t i = 0; i < space->observed; i++) {
        if (!ploy_is_finite(now->observation[i])) return false;
    }
    return true;
}

static ploy_result experience_note(ploy_experience *log, const void *bytes, size_t size) {
    return ploy_buffer_append(&log->buffer, bytes, size);
}

static void experience_note_situation(ploy_experience *log, const ploy_situation *now) {
    const ploy_problem_space *space = ploy_actor_space(log->pupil.actor);
    unsigned char head[9], number[4], bits[(PLOY_PROBLEM_ACTIONS_MAX + 7) / 8] = {0};
    experience_write(head, (uint64_t)now->state, 8);
    head[8] = (unsigned char)((now->observation != NULL ? EXPERIENCE_OBSERVED : 0) |
                              (now->allowed != NULL ? EXPERIENCE_MASKED : 0));
    (void)experience_note(log, head, sizeof head);
    for (int32_t i = 0; i < space->observed; i++) {
        experience_write_f32(number, now->observation[i]); // experience_takes has seen it
        (void)experience_note(log, number, sizeof number);
    }
    for (int32_t a = 0; a < space->actions; a++) {
        if (now->allowed != NULL && now->allowed[a]) bits[a / 8] |= (unsigned char)(1 << a % 8);
    }
    (void)experience_note(log, bits, ((size_t)space->actions + 7) / 8);
}

// Fills the view. @return whether the actor can use it.
static bool experience_read_situation(ploy_actor actor, const unsigned char *at,
                                      experience_view *out) {
    const ploy_problem_space *space = ploy_actor_space(actor);
    int32_t parts = at[8];
    out->situation.state = (int64_t)experience_read(at, 8);
    out->situation.observation = (parts & EXPERIENCE_OBSERVED) != 0 ? out->observation : NULL;
    out->situation.allowed = (parts & EXPERIENCE_MASKED) != 0 ? out->allowed : NULL;
    if (parts > (EXPERIENCE_OBSERVED | EXPERIENCE_MASKED)) return false;
    at += 9;
    for (int32_t i = 0; i < space->observed; i++, at += 4) {
        out->observation[i] = experience_read_f32(at);
    }
    for (int32_t a = 0; a < space->actions; a++) out->allowed[a] = (at[a / 8] >> a % 8 & 1) != 0;
    return experience_takes(actor, &out->situation);
}

static bool experience_read_step(ploy_actor actor, const unsigned char *at,
                                 experience_record *out) {
    size_t size = experience_situation_size(actor);
    int32_t actions = ploy_actor_space(actor)->actions;
    if (!experience_read_situation(actor, at, &out->now)) return false;
    at += size;
    out->action = at[0];
    out->next_action = (int32_t)at[1] - 1;
    out->result.terminated = (at[2] & EXPERIENCE_TERMINATED) != 0;
    out->result.truncated = (at[2] & EXPERIENCE_TRUNCATED) != 0;
    out->result.reward = experience_read_f32(at + 3);
    return at[2] <= (EXPERIENCE_TERMINATED | EXPERIENCE_TRUNCATED) && out->action < actions &&
           out->next_action < actions && ploy_is_finite(out->result.reward) &&
           experience_read_situation(actor, at + 7, &out->next);
}

// Decodes the record at *at, which moves behind it.
// @return false if it is unknown, cut off, or nothing that the learner or actor takes.
static bool experience_next(experience_pupil pupil, const unsigned char **at,
                            const unsigned char *end, experience_record *out) {
    out->kind = *(*at)++;
    size_t size = experience_size(pupil, out->kind);
    const unsigned char *body = *at;
    if (size > (size_t)(end - body)) return false;
    *at += size;
    switch (out->kind) {
    case EXPERIENCE_EXAMPLE:
        for (int32_t i = 0; i < experience_columns(pupil); i++, body += 8) {
            out->row[i] = experience_read_f64(body);
        }
        return ploy_schema_accepts(ploy_learner_schema(pupil.learner), out->row);
    case EXPERIENCE_CHOICE: return experience_read_situation(pupil.actor, body, &out->now);
    case EXPERIENCE_STEP: return experience_read_step(pupil.actor, body, out);
    case EXPERIENCE_SCORE:
        out->score = experience_read_f64(body);
        return ploy_is_finite_d(out->score);
    default: return true;
    }
}

static bool experience_valid(experience_pupil pupil, const unsigned char *at,
                             const unsigned char *end, double *row) {
    experience_record record;
    record.row = row;
    while (at < end) {
        if (!experience_next(pupil, &at, end, &record)) return false;
    }
    return true;
}

static ploy_result experience_apply(experience_pupil pupil, const experience_record *record) {
    bool acts = pupil.actor.type != NULL, freezes = record->kind == EXPERIENCE_FREEZE;
    switch (record->kind) {
    case EXPERIENCE_EXAMPLE: return ploy_learner_observe(pupil.learner, record->row);
    case EXPERIENCE_CHOICE: (void)ploy_actor_choose(pupil.actor, &record->now.situation); break;
    case EXPERIENCE_STEP:
        return ploy_actor_learn(pupil.actor, &record->now.situation, record->action, record->result,
                                &record->next.situation, record->next_action);
    case EXPERIENCE_SCORE: (void)ploy_actor_keep_best(pupil.actor, record->score); break;
    case EXPERIENCE_RESET:
        if (acts) ploy_actor_reset(pupil.actor);
        if (!acts) ploy_learner_reset(pupil.learner);
        break;
    default:
        if (acts) ploy_actor_freeze(pupil.actor, freezes);
        if (!acts) ploy_learner_freeze(pupil.learner, freezes);
    }
    return PLOY_OK;
}

// ---- the log

static void experience_describe_space(const ploy_actor_common *common, ploy_describe *out) {
    const ploy_problem_space *space = &common->space;
    ploy_describe_i64(out, "states", PLOY_STATE, space->states);
    ploy_describe_i64(out, "actions", PLOY_STATE, space->actions);
    ploy_describe_i64(out, "observed", PLOY_STATE, space->observed);
    ploy_describe_f32(out, "discount", PLOY_STATE, space->discount);
    for (int32_t i = 0; i < PLOY_PROBLEM_RANGES_MAX; i++) {
        ploy_describe_f32(out, "low", PLOY_STATE, space->low[i]);
        ploy_describe_f32(out, "high", PLOY_STATE, space->high[i]);
    }
    ploy_describe_u64(out, "seed", PLOY_STATE, common->seed);
}

// What a learner is made of: kind, schema, settings; an actor: kind, space, seed, settings.
static uint64_t experience_kind(experience_pupil pupil) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    if (pupil.actor.type != NULL) {
        ploy_describe_text(&out, "actor", PLOY_STATE, pupil.actor.type->name);
        experience_describe_space(pupil.actor.self, &out);
        ploy_fields_describe(pupil.actor.type->fields(), ploy_actor_def(pupil.actor), PLOY_STATE,
                             &out);
        return ploy_hash_sink_result(&sink);
    }
    ploy_learner learner = pupil.learner;
    ploy_describe_text(&out, "learner", PLOY_STATE, learner.type->name);
    ploy_describe_u64(&out, "schema", PLOY_STATE, ploy_schema_hash(ploy_learner_schema(learner)));
    ploy_fields_describe(learner.type->fields(), ploy_learner_def(learner), PLOY_STATE, &out);
    return ploy_hash_sink_result(&sink);
}

static ploy_result experience_create(experience_pupil pupil, size_t max_bytes, const ploy_env *env,
                                     ploy_experience **out) {
    ploy_experience *log = ploy_env_alloc_zero(env, sizeof *log);
    if (log == NULL) return PLOY_ERR_MEMORY;
    log->env = *env;
    log->pupil = pupil;
    ploy_buffer_init(&log->buffer, max_bytes, env);
    unsigned char header[EXPERIENCE_HEADER];
    memcpy(header, experience_magic, sizeof experience_magic);
    experience_write(header + 8, experience_kind(pupil), 8);
    log->row_size = (size_t)experience_columns(pupil) * sizeof(double);
    ploy_result result = PLOY_OK;
    if (log->row_size > 0) {
        log->row = ploy_env_alloc(env, log->row_size);
        if (log->row == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result == PLOY_OK) result = experience_note(log, header, sizeof header);
    if (result != PLOY_OK) {
        ploy_experience_destroy(log);
        return result;
    }
    *out = log;
    return PLOY_OK;
}

ploy_result ploy_experience_create(ploy_learner learner, size_t max_bytes, const ploy_env *env,
                                   ploy_experience **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (learner.type == NULL || learner.type->observe == NULL || env == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    experience_pupil pupil = {learner, {NULL, NULL}};
    return experience_create(pupil, max_bytes, env, out);
}

ploy_result ploy_experience_create_actor(ploy_actor actor, size_t max_bytes, const ploy_env *env,
                                         ploy_experience **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (actor.type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    experience_pupil pupil = {{NULL, NULL}, actor};
    return experience_create(pupil, max_bytes, env, out);
}

void ploy_experience_destroy(ploy_experience *log) {
    if (log == NULL) return;
    ploy_env env = log->env;
    ploy_buffer_fini(&log->buffer);
    ploy_env_free(&env, log->row, log->row_size);
    ploy_env_free(&env, log, sizeof *log);
}

// Makes room for a record, so that noting it cannot fail.
static ploy_result experience_reserve(ploy_experience *log, unsigned char kind) {
    if (log == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = experience_size(log->pupil, kind);
    if (size == SIZE_MAX) return PLOY_ERR_ARGUMENT;
    if (log->buffer.limit > 0 && log->buffer.size + 1 + size > log->buffer.limit) {
        return PLOY_ERR_LIMIT;
    }
    return ploy_buffer_reserve(&log->buffer, 1 + size);
}

static void experience_note_kind(ploy_experience *log, unsigned char kind) {
    (void)experience_note(log, &kind, 1);
}

// A call without more than its kind.
static ploy_result experience_plain(ploy_experience *log, unsigned char kind) {
    experience_record record;
    record.kind = kind;
    ploy_result result = experience_reserve(log, kind);
    if (result == PLOY_OK) result = experience_apply(log->pupil, &record);
    if (result == PLOY_OK) experience_note_kind(log, kind);
    return result;
}

ploy_result ploy_experience_reset(ploy_experience *log) {
    return experience_plain(log, EXPERIENCE_RESET);
}

ploy_result ploy_experience_freeze(ploy_experience *log, bool frozen) {
    return experience_plain(log, frozen ? EXPERIENCE_FREEZE : EXPERIENCE_THAW);
}

ploy_result ploy_experience_observe(ploy_experience *log, const double *example) {
    ploy_result result = experience_reserve(log, EXPERIENCE_EXAMPLE);
    if (result == PLOY_OK) result = ploy_learner_observe(log->pupil.learner, example);
    if (result != PLOY_OK) return result;
    experience_note_kind(log, EXPERIENCE_EXAMPLE);
    for (int32_t i = 0; i < experience_columns(log->pupil); i++) {
        unsigned char bytes[8];
        experience_write_f64(bytes, example[i]);
        (void)experience_note(log, bytes, sizeof bytes);
    }
    return PLOY_OK;
}

ploy_result ploy_experience_choose(ploy_experience *log, const ploy_situation *now,
                                   int32_t *action) {
    ploy_result result = experience_reserve(log, EXPERIENCE_CHOICE);
    if (result != PLOY_OK) return result;
    if (action == NULL || !experience_takes(log->pupil.actor, now)) return PLOY_ERR_ARGUMENT;
    *action = ploy_actor_choose(log->pupil.actor, now);
    experience_note_kind(log, EXPERIENCE_CHOICE);
    experience_note_situation(log, now);
    return PLOY_OK;
}

ploy_result ploy_experience_learn(ploy_experience *log, const ploy_situation *now, int32_t action,
                                  ploy_problem_result result, const ploy_situation *next,
                                  int32_t next_action) {
    ploy_result done = experience_reserve(log, EXPERIENCE_STEP);
    if (done != PLOY_OK) return done;
    ploy_actor actor = log->pupil.actor;
    int32_t actions = ploy_actor_space(actor)->actions;
    if (!experience_takes(actor, now) || !experience_takes(actor, next) || action < 0 ||
        action >= actions || next_action < -1 || next_action >= actions ||
        !ploy_is_finite(result.reward)) {
        return PLOY_ERR_ARGUMENT;
    }
    done = ploy_actor_learn(actor, now, action, result, next, next_action);
    if (done != PLOY_OK) return done;
    unsigned char bytes[7] = {(unsigned char)action, (unsigned char)(next_action + 1),
                              (unsigned char)((result.terminated ? EXPERIENCE_TERMINATED : 0) |
                                              (result.truncated ? EXPERIENCE_TRUNCATED : 0))};
    experience_write_f32(bytes + 3, result.reward);
    experience_note_kind(log, EXPERIENCE_STEP);
    experience_note_situation(log, now);
    (void)experience_note(log, bytes, sizeof bytes);
    experience_note_situation(log, next);
    return PLOY_OK;
}

ploy_result ploy_experience_keep_best(ploy_experience *log, double score, bool *kept) {
    ploy_result result = experience_reserve(log, EXPERIENCE_SCORE);
    if (result != PLOY_OK) return result;
    if (!ploy_is_finite_d(score)) return PLOY_ERR_ARGUMENT;
    bool keeps = ploy_actor_keep_best(log->pupil.actor, score);
    if (kept != NULL) *kept = keeps;
    unsigned char bytes[8];
    experience_write_f64(bytes, score);
    experience_note_kind(log, EXPERIENCE_SCORE);
    return experience_note(log, bytes, sizeof bytes);
}

const void *ploy_experience_bytes(const ploy_experience *log, size_t *size) {
    if (size != NULL) *size = log != NULL ? log->buffer.size : 0;
    return log != NULL ? log->buffer.bytes : NULL;
}

// In a load: the number of bytes in the file, which a fault leaves at `now`. A file holds a text of
// two digits for each byte, so it cannot claim a buffer much larger than itself.
static size_t experience_loaded(ploy_visit *v, size_t now) {
    const ploy_json *doc = NULL;
    ploy_json_node node;
    if (!ploy_visit_reader(v, "records", &doc, &node, NULL)) return now;
    size_t size = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        size_t length = 0;
        (void)ploy_json_text(doc, ploy_json_at(doc, node, i), &length);
        size += length / 2;
    }
    return size;
}

void ploy_experience_visit(ploy_visit *v, void *object) {
    ploy_experience *log = object;
    ploy_buffer *buffer = &log->buffer;
    ploy_visit_object(v, "experience", log, sizeof *log);
    PLOY_VISIT_SCRATCH(v, log->env);
    PLOY_VISIT_SCRATCH(v, log->pupil);
    PLOY_VISIT_SCRATCH(v, log->buffer);
    PLOY_VISIT_SCRATCH(v, log->row);
    PLOY_VISIT_SCRATCH(v, log->row_size);
    ploy_visit_block(v, "experience.bytes", buffer->bytes, buffer->capacity);
    ploy_visit_block(v, "experience.row", log->row, log->row_size);
    ploy_value kind = ploy_value_u64(experience_kind(log->pupil));
    ploy_visit_same(v, "kind", PLOY_STATE, &kind);
    size_t now = buffer->size - EXPERIENCE_HEADER, size = experience_loaded(v, now);
    if (size > now && !ploy_visit_result(v, ploy_buffer_reserve(buffer, size - now))) return;
    unsigned char *records = (unsigned char *)buffer->bytes + EXPERIENCE_HEADER;
    bool visited = ploy_visit_bytes(v, "records", PLOY_STATE, records, size);
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, "bytes", PLOY_DERIVED, buffer->size);
    }
    if (!ploy_visit_loads(v) || !visited || !ploy_visit_is_ok(v)) return;
    bool valid = experience_valid(log->pupil, records, records + size, log->row);
    const char *expected = log->pupil.actor.type != NULL
                               ? "choices, steps, scores, resets and freezes"
                               : "examples, resets and freezes";
    if (!ploy_visit_check(v, valid, "invalid record", expected)) return;
    static const char end = 0;
    size += EXPERIENCE_HEADER;
    PLOY_VISIT_WRITE(v, buffer->size, size);
    ploy_visit_write(v, &buffer->bytes[size], &end, 1);
}

// row has room for one example of a learner.
static ploy_result experience_replay(experience_pupil pupil, const unsigned char *at, size_t size,
                                     double *row) {
    const unsigned char *end = at + size;
    if (size < EXPERIENCE_HEADER || memcmp(at, experience_magic, sizeof experience_magic) != 0 ||
        experience_read(at + 8, 8) != experience_kind(pupil)) {
        return PLOY_ERR_FORMAT;
    }
    at += EXPERIENCE_HEADER;
    if (!experience_valid(pupil, at, end, row)) return PLOY_ERR_FORMAT;
    experience_record record;
    record.row = row;
    ploy_result result = PLOY_OK;
    while (at < end && result == PLOY_OK) {
        (void)experience_next(pupil, &at, end, &record);
        result = experience_apply(pupil, &record);
    }
    return result;
}

ploy_result ploy_experience_replay(ploy_learner learner, const void *bytes, size_t size) {
    if (learner.type == NULL || bytes == NULL) return PLOY_ERR_ARGUMENT;
    experience_pupil pupil = {learner, {NULL, NULL}};
    const ploy_env *env = &((const ploy_learner_common *)learner.self)->env;
    size_t row_size = (size_t)experience_columns(pupil) * sizeof(double);
    double *row = ploy_env_alloc(env, row_size);
    if (row == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = experience_replay(pupil, bytes, size, row);
    ploy_env_free(env, row, row_size);
    return result;
}

ploy_result ploy_experience_replay_actor(ploy_actor actor, const void *bytes, size_t size) {
    if (actor.type == NULL || bytes == NULL) return PLOY_ERR_ARGUMENT;
    experience_pupil pupil = {{NULL, NULL}, actor};
    return experience_replay(pupil, bytes, size, NULL);
}
