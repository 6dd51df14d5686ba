// Answers that improve; the technique is described in the header.
//
//     struct | answer 0 | answer 1        two buffers: one is the best, the other is written to
//
// Invariants, from create to destroy:
//   (1) front is 0 or 1 and says which buffer holds the best answer, if answers > 0;
//   (2) the version rises whenever something changes that get returns;
//   (3) state ASKED: question > 0; IDLE: nothing was asked yet; DONE: the question has ended.
#include "ploy/exec/anytime.h"

#include "exec/exec_internal.h"

#include <string.h>

static const ploy_field anytime_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_anytime_def, size, 16, 1, 1 << 24, "B", "bytes of an answer"),
};

typedef enum anytime_state { ANYTIME_IDLE, ANYTIME_ASKED, ANYTIME_DONE } anytime_state;

static const char *const anytime_texts[] = {"idle", "asked", "done"};

struct ploy_anytime {
    ploy_env env;
    size_t block; // bytes of this block
    size_t size;  // bytes of an answer
    uint64_t version;
    uint64_t question;
    int64_t answers;
    anytime_state state;
    ploy_result result;
    float quality;
    int32_t front;
};

ploy_fields ploy_anytime_fields(void) {
    return PLOY_FIELDS(ploy_anytime_def, anytime_fields);
}

ploy_anytime_def ploy_anytime_def_default(void) {
    ploy_anytime_def def;
    ploy_fields_default(ploy_anytime_fields(), &def);
    return def;
}

// Buffers begin at multiples of the alignment, so that answers can be read where they are.
static size_t anytime_pitch(size_t size) {
    return (size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
}

static unsigned char *anytime_buffer(const ploy_anytime *anytime, int32_t which) {
    size_t head = anytime_pitch(sizeof(ploy_anytime));
    size_t at = head + (size_t)which * anytime_pitch(anytime->size);
    return (unsigned char *)(uintptr_t)anytime + at;
}

ploy_result ploy_anytime_create(const ploy_anytime_def *def, const ploy_env *env,
                                ploy_anytime **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_anytime_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t block = 0;
    if (!ploy_size_add_array(anytime_pitch(sizeof(ploy_anytime)), 2,
                             anytime_pitch((size_t)def->size), &block)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_anytime *anytime = ploy_env_alloc_zero(env, block);
    if (anytime == NULL) return PLOY_ERR_MEMORY;
    anytime->env = *env;
    anytime->block = block;
    anytime->size = (size_t)def->size;
    anytime->result = PLOY_IN_PROGRESS;
    *out = anytime;
    return PLOY_OK;
}

void ploy_anytime_destroy(ploy_anytime *anytime) {
    if (anytime == NULL) return;
    ploy_env env = anytime->env;
    ploy_env_free(&env, anytime, anytime->block);
}

// ---- the publisher's side

void ploy_anytime_begin(ploy_anytime *anytime) {
    anytime->state = ANYTIME_ASKED;
    anytime->question++;
    anytime->version++; // keeps (2)
    anytime->answers = 0;
    anytime->quality = 0.0f;
    anytime->result = PLOY_IN_PROGRESS;
}

static bool anytime_better(const ploy_anytime *anytime, float quality) {
    if (anytime->state != ANYTIME_ASKED || quality != quality) return false;
    return anytime->answers == 0 || quality > anytime->quality;
}

// What is in the back buffer is the best from now on.
static void anytime_flip(ploy_anytime *anytime, float quality) {
    anytime->front = 1 - anytime->front; // keeps (1)
    anytime->quality = quality;
    anytime->answers++;
    anytime->version++; // keeps (2)
}

bool ploy_anytime_publish(ploy_anytime *anytime, const void *answer, float quality) {
    if (answer == NULL || !anytime_better(anytime, quality)) return false;
    // Readers may still hold the old answer, and it may be what `answer` points to.
    memmove(anytime_buffer(anytime, 1 - anytime->front), answer, anytime->size);
    anytime_flip(anytime, quality);
    return true;
}

ploy_result ploy_anytime_finish(ploy_anytime *anytime, ploy_result result) {
    if (anytime->state != ANYTIME_ASKED) return PLOY_ERR_STATE;
    anytime->state = ANYTIME_DONE;
    anytime->result = result > PLOY_OK ? PLOY_OK : result;
    anytime->version++; // keeps (2)
    return PLOY_OK;
}

ploy_result ploy_anytime_step(ploy_anytime *anytime, ploy_task task, ploy_anytime_best_fn best,
                              void *user, ploy_budget *budget) {
    if (best == NULL) return PLOY_ERR_ARGUMENT;
    if (anytime->state != ANYTIME_ASKED) return PLOY_ERR_STATE;
    ploy_result result = ploy_task_step(task, budget);
    // Also after an error: what was found before it is still the best there is.
    float quality = 0.0f;
    if (best(user, anytime_buffer(anytime, 1 - anytime->front), &quality) &&
        anytime_better(anytime, quality)) {
        anytime_flip(anytime, quality);
    }
    if (result != PLOY_IN_PROGRESS) ploy_anytime_finish(anytime, result);
    return result;
}

// ---- the consumer's side

ploy_anytime_info ploy_anytime_get(const ploy_anytime *anytime) {
    ploy_anytime_info info;
    memset(&info, 0, sizeof info);
    info.version = anytime->version;
    info.question = anytime->question;
    info.answers = anytime->answers;
    info.answer = anytime->answers > 0 ? anytime_buffer(anytime, anytime->front) : NULL;
    info.quality = anytime->quality;
    info.finished = anytime->state == ANYTIME_DONE;
    info.result = anytime->result;
    return info;
}

bool ploy_anytime_fetch(const ploy_anytime *anytime, uint64_t *seen, void *answer) {
    if (anytime->answers == 0 || *seen == anytime->version) return false;
    memcpy(answer, anytime_buffer(anytime, anytime->front), anytime->size);
    *seen = anytime->version;
    return true;
}

void ploy_anytime_describe(const ploy_anytime *anytime, ploy_describe *out) {
    ploy_describe_text(out, "state", PLOY_STATE, anytime_texts[anytime->state]);
    ploy_describe_u64(out, "question", PLOY_STATE, anytime->question);
    ploy_describe_u64(out, "version", PLOY_STATE, anytime->version);
    ploy_describe_i64(out, "answers", PLOY_STATE, anytime->answers);
    if (anytime->answers > 0) {
        uint64_t hash = ploy_hash_bytes(anytime_buffer(anytime, anytime->front), anytime->size, 0);
        ploy_describe_f32(out, "quality", PLOY_STATE, anytime->quality);
        ploy_describe_u64(out, "answer", PLOY_STATE, hash);
    }
    if (anytime->state == ANYTIME_DONE) {
        ploy_describe_text(out, "result", PLOY_STATE, ploy_result_name(anytime->result));
    }
}

void ploy_anytime_memory(const ploy_anytime *anytime, ploy_memory_fn fn, void *user) {
    if (anytime == NULL || fn == NULL) return;
    ploy_memory_item item = {"anytime", anytime->block, 1};
    fn(user, &item);
}
