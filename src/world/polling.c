// Polling stations.
//
// What a topic keeps lies in one block of entries: a single one, or sets of four that a key hashes
// to. Within a set the oldest gives way, so neither memory nor the time of a search grows.
//
// Invariants:
//   (1) an entry's keys and stamp are 0 while it holds nothing;
//   (2) an entry's stamp is above 0 if it holds an answer; stamps rise with every answer kept;
//   (3) while an answer is computed (answering above 0) nothing is kept and no topic is added.
#include "ploy/world/polling.h"

#include "world/world_internal.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "world/ring_internal.h"

enum { POLLING_WAYS = 4, POLLING_ENTRIES_MAX = 1 << 22 };

static const ploy_field polling_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_polls_def, topics, 16, 0, 1 << 16, "",
                         "topics that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_polls_def, log, 64, 0, 1 << 20, "", "questions that are remembered"),
};

typedef struct polling_entry {
    uint64_t keys[2];
    uint64_t stamp;
    uint64_t tick;
    double now;
    ploy_value value;
} polling_entry;

typedef struct polling_topic {
    ploy_topic topic; // its name is the copy
    size_t name_size; // bytes of that, with the zero
    polling_entry *entries;
    int32_t sets; // of POLLING_WAYS; 0: a single entry; -1: none
    int32_t reserved;
    ploy_polls_counts counts;
} polling_topic;

struct ploy_polls {
    ploy_env env;
    ploy_polls_def def;
    ploy_array topics; // polling_topic
    ploy_map names;    // name to index
    ployi_ring log;    // ploy_poll_record
    uint64_t tick;
    double now;
    uint64_t stamp;
    int32_t answering;
    int32_t reserved;
};

ploy_fields ploy_polls_fields(void) {
    return PLOY_FIELDS(ploy_polls_def, polling_fields);
}

ploy_polls_def ploy_polls_def_default(void) {
    ploy_polls_def def;
    ploy_fields_default(ploy_polls_fields(), &def);
    return def;
}

static polling_topic *polling_topic_at(const ploy_polls *polls, ploy_topic_id id) {
    return polls != NULL ? ploy_array_at(&polls->topics, id.index) : NULL;
}

static int32_t polling_entry_count(const polling_topic *topic) {
    return topic->sets > 0 ? topic->sets * POLLING_WAYS : topic->sets == 0;
}

static void polling_free(ploy_polls *polls, polling_topic *topic) {
    ploy_env_free(&polls->env, (void *)(uintptr_t)topic->topic.name, topic->name_size);
    ploy_env_free(&polls->env, topic->entries,
                  (size_t)polling_entry_count(topic) * sizeof(polling_entry));
}

ploy_result ploy_polls_create(const ploy_polls_def *def, const ploy_env *env, ploy_polls **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_polls_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_polls *polls = ploy_env_alloc_zero(env, sizeof *polls);
    if (polls == NULL) return PLOY_ERR_MEMORY;
    polls->env = *env;
    polls->def = *def;
    ploy_array_init(&polls->topics, sizeof(polling_topic), env);
    ploy_map_init(&polls->names, sizeof(int32_t), env);
    result = ployi_ring_init(&polls->log, sizeof(ploy_poll_record), def->log, env);
    int32_t capacity = PLOY_CAPACITY(def->topics);
    if (result == PLOY_OK) result = ploy_array_reserve(&polls->topics, capacity);
    if (result == PLOY_OK) result = ploy_map_reserve(&polls->names, capacity);
    if (result != PLOY_OK) {
        ploy_polls_destroy(polls);
        return result;
    }
    *out = polls;
    return PLOY_OK;
}

void ploy_polls_destroy(ploy_polls *polls) {
    if (polls == NULL) return;
    ploy_env env = polls->env;
    for (int32_t i = 0; i < polls->topics.count; i++) {
        ploy_topic_id id = {i};
        polling_free(polls, polling_topic_at(polls, id));
    }
    ployi_ring_fini(&polls->log);
    ploy_map_fini(&polls->names);
    ploy_array_fini(&polls->topics);
    ploy_env_free(&env, polls, sizeof *polls);
}

ploy_poll ploy_poll_make(ploy_agent_id asker) {
    ploy_poll poll;
    memset(&poll, 0, sizeof poll);
    poll.asker = asker;
    poll.capabilities = UINT64_MAX;
    return poll;
}

ploy_poll ploy_poll_pair(ploy_agent_id asker, ploy_agent_id from, ploy_agent_id to) {
    ploy_poll poll = ploy_poll_make(asker);
    poll.keys[0] = ploy_id_to_u64(from.id);
    poll.keys[1] = ploy_id_to_u64(to.id);
    return poll;
}

static bool polling_topic_is_good(const ploy_topic *topic) {
    if (topic == NULL || topic->name == NULL || topic->name[0] == 0 || topic->answer == NULL) {
        return false;
    }
    bool known = topic->cache == PLOY_POLL_UNCACHED || topic->cache == PLOY_POLL_TICKS ||
                 topic->cache == PLOY_POLL_SECONDS;
    return known && topic->ticks >= 0 && ploy_in_range(topic->seconds, 0.0f, 1e9f) &&
           topic->entries >= 0 && topic->entries <= POLLING_ENTRIES_MAX;
}

ploy_result ploy_polls_add(ploy_polls *polls, const ploy_topic *topic, ploy_topic_id *out) {
    if (polls == NULL || !polling_topic_is_good(topic)) return PLOY_ERR_ARGUMENT;
    if (polls->answering > 0) return PLOY_ERR_STATE;
    ploy_name name = ploy_name_of(topic->name);
    if (ploy_map_has(&polls->names, name.hash)) return PLOY_ERR_EXISTS;
    polling_topic added;
    memset(&added, 0, sizeof added);
    added.topic = *topic;
    added.name_size = strlen(topic->name) + 1;
    added.sets = -1;
    if (topic->cache != PLOY_POLL_UNCACHED) {
        added.sets = 0;
        // A power of two, so that a key finds its set without a division.
        for (int32_t sets = 1; topic->entries > 0 && added.sets == 0; sets *= 2) {
            if (sets * POLLING_WAYS >= topic->entries) added.sets = sets;
        }
    }
    size_t entries = (size_t)polling_entry_count(&added) * sizeof(polling_entry);
    char *text = ploy_env_alloc(&polls->env, added.name_size);
    added.topic.name = text;
    added.entries = text != NULL && entries > 0 ? ploy_env_alloc_zero(&polls->env, entries) : NULL;
    if (text == NULL || (entries > 0 && added.entries == NULL)) goto fail;
    memcpy(text, topic->name, added.name_size);
    ploy_topic_id id = {polls->topics.count};
    if (ploy_array_push(&polls->topics, &added) != PLOY_OK) goto fail;
    if (ploy_map_put(&polls->names, name.hash, &id.index) != PLOY_OK) {
        ploy_array_pop(&polls->topics, NULL);
        goto fail;
    }
    if (out != NULL) *out = id;
    return PLOY_OK;
fail:
    ploy_env_free(&polls->env, added.entries, added.entries != NULL ? entries : 0);
    ploy_env_free(&polls->env, text, added.name_size);
    return PLOY_ERR_MEMORY;
}

static void polling_forget(polling_topic *topic) {
    if (topic->entries == NULL) return;
    memset(topic->entries, 0, (size_t)polling_entry_count(topic) * sizeof(polling_entry));
}

ploy_result ployi_polls_replace(ploy_polls *polls, ploy_topic_id id, ploy_poll_fn answer,
                                void *user) {
    polling_topic *topic = polling_topic_at(polls, id);
    if (topic == NULL) return PLOY_ERR_NOT_FOUND;
    if (answer == NULL) return PLOY_ERR_ARGUMENT;
    topic->topic.answer = answer;
    topic->topic.user = user;
    polling_forget(topic);
    return PLOY_OK;
}

ploy_topic_id ploy_polls_find(const ploy_polls *polls, const char *name) {
    const int32_t *index = polls != NULL ? ploy_map_find_text(&polls->names, name) : NULL;
    ploy_topic_id id = {index != NULL ? *index : -1};
    return id;
}

int32_t ploy_polls_count(const ploy_polls *polls) {
    return polls != NULL ? polls->topics.count : 0;
}

ploy_result ploy_poll_line_of_sight(void *user, const ploy_polls *polls, const ploy_poll *poll,
                                    ploy_value *out) {
    const ploy_poll_sight *sight = user;
    (void)polls;
    ploy_pose poses[2];
    for (int32_t i = 0; i < 2; i++) {
        ploy_agent_id agent = {ploy_id_from_u64(poll->keys[i])};
        if (!ploy_pose_source_get(&sight->poses, agent, &poses[i])) return PLOY_ERR_NOT_FOUND;
        poses[i].frame.position.z += sight->eye_height;
    }
    *out = ploy_value_bool(!ploy_scene_ray(sight->scene, poses[0].frame.position,
                                           poses[1].frame.position, sight->mask, NULL));
    return PLOY_OK;
}

ploy_result ploy_polls_step(ploy_polls *polls, uint64_t tick, double now) {
    if (polls == NULL || tick < polls->tick || !ploy_is_finite_d(now) || now < polls->now) {
        return PLOY_ERR_ARGUMENT;
    }
    polls->tick = tick;
    polls->now = now;
    return PLOY_OK;
}

void ployi_polls_forget(ploy_polls *polls) {
    for (int32_t i = 0; polls != NULL && i < polls->topics.count; i++) {
        ploy_topic_id id = {i};
        polling_forget(polling_topic_at(polls, id));
    }
}

// ---- asking

// The entries that may hold a key: a set, or the single one.
static polling_entry *polling_set(const polling_topic *topic, const ploy_poll *poll,
                                  int32_t *ways) {
    *ways = topic->sets < 0 ? 0 : topic->sets == 0 ? 1 : POLLING_WAYS;
    if (topic->sets <= 0) return topic->entries;
    uint64_t hash = ploy_hash_combine(ploy_hash_combine(0, poll->keys[0]), poll->keys[1]);
    size_t set = (size_t)(hash & (uint64_t)(topic->sets - 1));
    return &topic->entries[set * POLLING_WAYS];
}

static bool polling_is_fresh(const ploy_polls *polls, const polling_topic *topic,
                             const polling_entry *entry) {
    if (entry->stamp == 0) return false;
    if (topic->topic.cache == PLOY_POLL_TICKS) {
        return polls->tick - entry->tick <= (uint64_t)topic->topic.ticks;
    }
    return polls->now - entry->now <= (double)topic->topic.seconds;
}

static const polling_entry *polling_find(const ploy_polls *polls, const polling_topic *topic,
                                         const ploy_poll *poll) {
    int32_t ways;
    const polling_entry *set = polling_set(topic, poll, &ways);
    for (int32_t i = 0; i < ways; i++) {
        bool same = topic->sets == 0 ||
                    (set[i].keys[0] == poll->keys[0] && set[i].keys[1] == poll->keys[1]);
        if (same && polling_is_fresh(polls, topic, &set[i])) return &set[i];
    }
    return NULL;
}

static void polling_keep(ploy_polls *polls, const polling_topic *topic, const ploy_poll *poll,
                         const ploy_value *value) {
    int32_t ways;
    polling_entry *set = polling_set(topic, poll, &ways);
    if (ways == 0) return;
    int32_t oldest = 0;
    for (int32_t i = 0; i < ways; i++) {
        if (set[i].keys[0] == poll->keys[0] && set[i].keys[1] == poll->keys[1]) {
            oldest = i; // its own, stale
            break;
        }
        if (set[i].stamp < set[oldest].stamp) oldest = i;
    }
    polling_entry *entry = &set[oldest];
    memcpy(entry->keys, poll->keys, sizeof entry->keys);
    entry->stamp = ++polls->stamp; // keeps (2)
    entry->tick = polls->tick;
    entry->now = polls->now;
    entry->value = *value;
}

// Answers without keeping anything: what ask and read share.
static ploy_result polling_answer(const ploy_polls *polls, const polling_topic *topic,
                                  const ploy_poll *poll, ploy_value *out,
                                  ploy_poll_source *source) {
    const ploy_topic *asked = &topic->topic;
    *source = PLOY_POLL_DENIED;
    if ((asked->needs & ~poll->capabilities) != 0) return PLOY_ERR_DENIED;
    if (asked->allows != NULL && !asked->allows(asked->user, poll)) return PLOY_ERR_DENIED;
    const polling_entry *kept = polling_find(polls, topic, poll);
    if (kept != NULL) {
        *source = PLOY_POLL_FROM_CACHE;
        *out = kept->value;
        return PLOY_OK;
    }
    *source = PLOY_POLL_FAILED;
    if (poll->depth < 0 || poll->depth >= PLOY_POLLS_DEPTH) return PLOY_ERR_LIMIT;
    ploy_poll inner = *poll;
    inner.depth++;
    ploy_value answer = ploy_value_none();
    ploy_result result = asked->answer(asked->user, polls, &inner, &answer);
    if (result > PLOY_OK || answer.type == PLOY_VALUE_TEXT) result = PLOY_ERR_CALLBACK;
    if (result != PLOY_OK) return result;
    *source = PLOY_POLL_COMPUTED;
    *out = answer;
    return PLOY_OK;
}

static void polling_count(ploy_polls_counts *counts, ploy_poll_source source) {
    counts->asked++;
    switch (source) {
    case PLOY_POLL_FROM_CACHE: counts->cached++; break;
    case PLOY_POLL_COMPUTED: counts->computed++; break;
    case PLOY_POLL_DENIED: counts->denied++; break;
    case PLOY_POLL_FAILED: counts->failed++; break;
    }
}

static void polling_note(ploy_polls *polls, ploy_topic_id id, const ploy_poll *poll,
                         const ploy_value *value, ploy_poll_source source, ploy_result result) {
    uint64_t number;
    ploy_poll_record *record = ployi_ring_push(&polls->log, &number);
    if (record == NULL) return;
    record->tick = polls->tick;
    record->asker = poll->asker;
    memcpy(record->keys, poll->keys, sizeof record->keys);
    record->value = *value;
    record->topic = id;
    record->source = source;
    record->result = result;
}

ploy_result ploy_polls_ask(ploy_polls *polls, ploy_topic_id id, const ploy_poll *poll,
                           ploy_value *out) {
    if (poll == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    polling_topic *topic = polling_topic_at(polls, id);
    if (topic == NULL) return PLOY_ERR_NOT_FOUND;
    if (polls->answering > 0) return PLOY_ERR_STATE; // keeps (3)
    ploy_poll_source source;
    ploy_value value = ploy_value_none();
    polls->answering++;
    ploy_result result = polling_answer(polls, topic, poll, &value, &source);
    polls->answering--;
    polling_count(&topic->counts, source);
    polling_note(polls, id, poll, &value, source, result);
    if (result != PLOY_OK) return result;
    if (source == PLOY_POLL_COMPUTED) polling_keep(polls, topic, poll, &value);
    *out = value;
    return PLOY_OK;
}

ploy_result ploy_polls_read(const ploy_polls *polls, ploy_topic_id id, const ploy_poll *poll,
                            ploy_value *out, ploy_polls_counts *counts) {
    if (poll == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const polling_topic *topic = polling_topic_at(polls, id);
    if (topic == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_poll_source source;
    ploy_value value = ploy_value_none();
    ploy_result result = polling_answer(polls, topic, poll, &value, &source);
    if (counts != NULL) polling_count(counts, source);
    if (result == PLOY_OK) *out = value;
    return result;
}

// ---- sight

static void polling_add_counts(ploy_polls_counts *to, const ploy_polls_counts *from) {
    to->asked += from->asked;
    to->cached += from->cached;
    to->computed += from->computed;
    to->denied += from->denied;
    to->failed += from->failed;
}

void ployi_polls_add_counts(ploy_polls *polls, ploy_topic_id id, const ploy_polls_counts *counts) {
    polling_topic *topic = polling_topic_at(polls, id);
    if (topic != NULL && counts != NULL) polling_add_counts(&topic->counts, counts);
}

ploy_polls_counts ploy_polls_counts_of(const ploy_polls *polls, ploy_topic_id id) {
    ploy_polls_counts counts = {0, 0, 0, 0, 0};
    for (int32_t i = 0; polls != NULL && i < polls->topics.count; i++) {
        ploy_topic_id each = {i};
        if (id.index >= 0 && id.index != i) continue;
        polling_add_counts(&counts, &polling_topic_at(polls, each)->counts);
    }
    return counts;
}

const char *ploy_poll_source_text(ploy_poll_source source) {
    switch (source) {
    case PLOY_POLL_FROM_CACHE: return "cache";
    case PLOY_POLL_COMPUTED: return "computed";
    case PLOY_POLL_DENIED: return "denied";
    case PLOY_POLL_FAILED: return "failed";
    }
    return "?";
}

bool ploy_polls_record(const ploy_polls *polls, int32_t age, ploy_poll_record *out) {
    const ploy_poll_record *record = polls != NULL ? ployi_ring_newest(&polls->log, age) : NULL;
    if (record == NULL || out == NULL) return false;
    *out = *record;
    return true;
}

// Folds what an entry holds, through the value's own sink: of its union only a part is set.
static uint64_t polling_hash_entry(const polling_entry *entry, int32_t index, uint64_t hash) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_describe_u64(&out, "from", PLOY_STATE, entry->keys[0]);
    ploy_describe_u64(&out, "to", PLOY_STATE, entry->keys[1]);
    ploy_describe_u64(&out, "stamp", PLOY_STATE, entry->stamp);
    ploy_describe_u64(&out, "tick", PLOY_STATE, entry->tick);
    ploy_describe_f64(&out, "now", PLOY_STATE, entry->now);
    ploy_describe_value(&out, "value", PLOY_STATE, &entry->value);
    return ploy_hash_combine(ploy_hash_combine(hash, (uint64_t)index),
                             ploy_hash_sink_result(&sink));
}

// What is kept decides answers to come, so it is state; shown as one number beside the newest.
static void polling_describe_answers(const polling_topic *topic, ploy_describe *out) {
    uint64_t hash = 0;
    int32_t count = 0, newest = -1;
    for (int32_t i = 0; i < polling_entry_count(topic); i++) {
        const polling_entry *entry = &topic->entries[i];
        if (entry->stamp == 0) continue;
        hash = polling_hash_entry(entry, i, hash);
        if (newest < 0 || entry->stamp > topic->entries[newest].stamp) newest = i;
        count++;
    }
    ploy_describe_i64(out, "kept", PLOY_DERIVED, count);
    ploy_describe_u64(out, "answers", PLOY_STATE, hash);
    if (newest >= 0) {
        ploy_describe_value(out, "newest", PLOY_DERIVED, &topic->entries[newest].value);
    }
}

static void polling_visit_entry(ploy_visit *v, polling_entry *entry) {
    polling_entry none;
    memset(&none, 0, sizeof none);
    ploy_visit_begin(v, "entry", PLOY_SAVED);
    bool kept = ploy_visit_optional(v, "stamp", entry->stamp != 0);
    if (kept) {
        ploy_visit_u64(v, "stamp", PLOY_SAVED, &entry->stamp);
        ploy_visit_u64(v, "from", PLOY_SAVED, &entry->keys[0]);
        ploy_visit_u64(v, "to", PLOY_SAVED, &entry->keys[1]);
        ploy_visit_u64(v, "tick", PLOY_SAVED, &entry->tick);
        ploy_visit_f64(v, "now", PLOY_SAVED, &entry->now);
        ploy_visit_value(v, "value", PLOY_SAVED, &entry->value);
    } else {
        if (ploy_visit_loads(v)) ploy_visit_write(v, entry, &none, sizeof none);
        ploy_visit_scratch(v, entry, sizeof *entry);
    }
    ploy_visit_end(v);
}

static void polling_visit_topic(ploy_visit *v, polling_topic *topic) {
    ploy_visit_struct(v, "topic", topic, sizeof *topic);
    PLOY_VISIT_SCRATCH(v, topic->topic);
    PLOY_VISIT_SCRATCH(v, topic->name_size);
    PLOY_VISIT_SCRATCH(v, topic->entries);
    PLOY_VISIT_SCRATCH(v, topic->sets);
    PLOY_VISIT_SCRATCH(v, topic->reserved);
    ploy_value name = ploy_value_text(topic->topic.name);
    ploy_visit_begin(v, topic->topic.name, PLOY_STATE);
    ploy_visit_same(v, "topic", PLOY_SAVED, &name);
    ploy_visit_i64(v, "asked", PLOY_NOTE, &topic->counts.asked);
    ploy_visit_i64(v, "cached", PLOY_NOTE, &topic->counts.cached);
    ploy_visit_i64(v, "computed", PLOY_NOTE, &topic->counts.computed);
    ploy_visit_i64(v, "denied", PLOY_NOTE, &topic->counts.denied);
    ploy_visit_i64(v, "failed", PLOY_NOTE, &topic->counts.failed);
    if (v->describe != NULL) {
        polling_describe_answers(topic, v->describe);
    } else {
        int32_t entries = polling_entry_count(topic);
        ploy_visit_block(v, "polls.topic", topic->topic.name, topic->name_size);
        ploy_visit_object(v, "polls.answers", topic->entries,
                          (size_t)entries * sizeof(polling_entry));
        int32_t count = ploy_visit_fixed(v, "answers", PLOY_SAVED, entries);
        for (int32_t i = 0; i < count; i++) polling_visit_entry(v, &topic->entries[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static const char *polling_source_text(int32_t source) {
    return ploy_poll_source_text((ploy_poll_source)source);
}

static void polling_visit_log(ploy_visit *v, ploy_polls *polls) {
    int32_t records = ployi_ring_visit(v, "log", &polls->log);
    for (int32_t age = 0; age < records; age++) {
        ploy_poll_record *record = ployi_ring_record(&polls->log, age);
        const polling_topic *topic = polling_topic_at(polls, record->topic);
        ploy_visit_begin_agent(v, topic != NULL ? topic->topic.name : "", PLOY_STATE,
                               record->asker);
        ploy_visit_u64(v, "tick", PLOY_NOTE, &record->tick);
        PLOY_VISIT_ENUM(v, "source", PLOY_NOTE, record->source, polling_source_text, 4);
        ploy_visit_value(v, "answer", PLOY_NOTE, &record->value);
        ploy_visit_code(v, "result", PLOY_NOTE, &record->result);
        // In the description, the group's owner and name.
        ploy_visit_id(v, "asker", PLOY_SAVED, &record->asker.id);
        ploy_visit_i32_in(v, "topic", PLOY_SAVED, &record->topic.index, 0, polls->topics.count - 1);
        ploy_visit_u64(v, "from", PLOY_SAVED, &record->keys[0]);
        ploy_visit_u64(v, "to", PLOY_SAVED, &record->keys[1]);
        PLOY_VISIT_SCRATCH(v, record->reserved);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_polls_visit(ploy_visit *v, void *object) {
    ploy_polls *polls = object;
    ploy_visit_object(v, "polls", polls, sizeof *polls);
    PLOY_VISIT_SCRATCH(v, polls->env);
    PLOY_VISIT_SCRATCH(v, polls->def);
    PLOY_VISIT_SCRATCH(v, polls->names);
    PLOY_VISIT_SCRATCH(v, polls->answering);
    PLOY_VISIT_SCRATCH(v, polls->reserved);
    ploy_visit_buffer(v, "polls.topics", &polls->topics);
    if (v->memory != NULL) ploy_map_memory(&polls->names, v->memory, v->memory_user);
    if (!ploy_visit_check(v, polls->answering == 0, "cannot load while a poll runs", NULL)) return;
    ploy_visit_u64(v, "tick", PLOY_STATE, &polls->tick);
    ploy_visit_f64(v, "now", PLOY_STATE, &polls->now);
    ploy_visit_u64(v, "stamp", PLOY_SAVED, &polls->stamp);
    int32_t count = ploy_visit_fixed(v, "topics", PLOY_SAVED, polls->topics.count);
    for (int32_t i = 0; i < count; i++) {
        ploy_topic_id id = {i};
        polling_visit_topic(v, polling_topic_at(polls, id));
    }
    ploy_visit_end(v);
    polling_visit_log(v, polls);
}

void ploy_polls_describe(const ploy_polls *polls, ploy_describe *out) {
    ploy_visit_describe(ploy_polls_visit, polls, NULL, out);
}

void ploy_polls_memory(const ploy_polls *polls, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_polls_visit, polls, fn, user);
}
