/// @file ploy/world/polling.h
/// A polling station: the one place where characters ask about the world.
///
/// "Is our flag at home?" "Can I see him?" If callers ask the station by name, such a question can
/// be answered once per tick for all agents, watched, counted, logged, refused to agents that could
/// not know, and later answered differently without a change to the callers. A topic that is never
/// asked costs nothing.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 11 (polling stations, abstract
/// polling) and chapter 1 (world interface): a registered question is a function; its answer may be
/// a stored value, a threshold or a whole algorithm. Names are resolved to topics once.
///
/// Answers are kept for a tick, for some ticks or seconds, or not at all; one for each key if a
/// question is about an agent or a pair. Memory is bounded: a keyed topic has space for `entries`
/// answers, and a new answer replaces the oldest nearby entry.
///
/// Threads: ploy_polls_ask caches answers and allows one caller at a time. ploy_polls_read changes
/// nothing and may be called by any number of thinking workers at once: a fresh answer is read, any
/// other is computed and not cached. Since nothing is cached while workers think, no answer depends
/// on which one asked first or on the number of workers; ask shared questions before they think.
/// Topics must therefore give the same answer for the same world and, if workers read them, change
/// nothing.
///
/// Units: ticks, seconds. Cost: O(1) plus the topic's own cost. Allocates in create and add only.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/scene.h"
#include "ploy/world/pose.h"

/// Maximum nesting of topics asked within topics.
#define PLOY_POLLS_DEPTH 16

/// Opaque.
typedef struct ploy_polls ploy_polls;

typedef struct ploy_polls_def {
    uint32_t cookie;
    int32_t topics; ///< topics that fit before it grows
    int32_t log;    ///< number of questions kept in the log; 0: none
} ploy_polls_def;

PLOY_API ploy_polls_def ploy_polls_def_default(void);
PLOY_API ploy_fields ploy_polls_fields(void);

/// Creates a station without topics.
PLOY_API ploy_result ploy_polls_create(const ploy_polls_def *def, const ploy_env *env,
                                       ploy_polls **out);
PLOY_API void ploy_polls_destroy(ploy_polls *polls);

/// A question. Start from ploy_poll_make.
typedef struct ploy_poll {
    ploy_agent_id asker;   ///< none: the game
    uint64_t capabilities; ///< what the asker can do: game-defined bits; all for the game itself
    uint64_t keys[2];      ///< subjects of the question; 0 where the topic needs none
    int32_t depth;         ///< nesting of topics; within an answer, pass on the poll received
    int32_t reserved;
} ploy_poll;

/// Returns a question without restrictions.
PLOY_API ploy_poll ploy_poll_make(ploy_agent_id asker);
/// Returns a question about a pair of agents.
PLOY_API ploy_poll ploy_poll_pair(ploy_agent_id asker, ploy_agent_id from, ploy_agent_id to);

/// Computes an answer. The station is read-only here: ask other topics with ploy_polls_read and a
/// copy of the poll.
/// @param out  any value except text, which is not cached.
/// @return an error becomes the result of the question; nothing is cached.
typedef ploy_result (*ploy_poll_fn)(void *user, const ploy_polls *polls, const ploy_poll *poll,
                                    ploy_value *out);

typedef enum ploy_poll_cache {
    PLOY_POLL_UNCACHED, ///< computed each time
    PLOY_POLL_TICKS,    ///< cached until `ticks` ticks after it was computed
    PLOY_POLL_SECONDS   ///< cached until `seconds` after it was computed
} ploy_poll_cache;

/// A question that can be asked by name.
typedef struct ploy_topic {
    const char *name; ///< copied
    ploy_poll_fn answer;
    /// Returns whether an agent may know; NULL: all may. For simulated senses: "only those in the
    /// same room".
    bool (*allows)(void *user, const ploy_poll *poll);
    void *user;
    uint64_t needs; ///< capabilities that the asker must all have
    ploy_poll_cache cache;
    int32_t ticks; ///< 0: this tick only
    float seconds;
    int32_t entries; ///< answers cached, by key; 0: one for all keys
} ploy_topic;

/// Identifies a topic, resolved once; index -1 is none.
typedef struct ploy_topic_id {
    int32_t index;
} ploy_topic_id;

/// Registers a topic. Topics cannot be removed.
/// @return PLOY_ERR_EXISTS if the name, or its hash, is taken; PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_polls_add(ploy_polls *polls, const ploy_topic *topic, ploy_topic_id *out);
/// Returns the topic with that name, or none.
PLOY_API ploy_topic_id ploy_polls_find(const ploy_polls *polls, const char *name);
PLOY_API int32_t ploy_polls_count(const ploy_polls *polls);

/// The data for ploy_poll_line_of_sight.
typedef struct ploy_poll_sight {
    const ploy_scene *scene;
    ploy_pose_source poses;
    float eye_height; ///< m, added to z at both ends
    uint32_t mask;    ///< layers that block sight
} ploy_poll_sight;
/// A ready-made answer for a pair of agents: whether a ray from the first to the second is
/// unobstructed. `user` is a ploy_poll_sight.
PLOY_API ploy_result ploy_poll_line_of_sight(void *user, const ploy_polls *polls,
                                             const ploy_poll *poll, ploy_value *out);

/// Sets the time, which makes old answers stale. @return PLOY_ERR_ARGUMENT if either goes back.
PLOY_API ploy_result ploy_polls_step(ploy_polls *polls, uint64_t tick, double now);

/// Asks a question, and caches the answer if the topic's settings say so.
/// @return PLOY_ERR_NOT_FOUND for an unknown topic, PLOY_ERR_DENIED for agents that may not know,
///         PLOY_ERR_LIMIT past PLOY_POLLS_DEPTH, PLOY_ERR_STATE from within an answer, or the
///         topic's own error. Then out is unchanged.
PLOY_API ploy_result ploy_polls_ask(ploy_polls *polls, ploy_topic_id id, const ploy_poll *poll,
                                    ploy_value *out);

/// Counts of questions by outcome.
typedef struct ploy_polls_counts {
    int64_t asked;
    int64_t cached;   ///< answered from the cache
    int64_t computed; ///< computed
    int64_t denied;
    int64_t failed;
} ploy_polls_counts;

/// Asks without caching anything. See the top of this header.
/// @param counts  the caller's own counts, increased; may be NULL.
PLOY_API ploy_result ploy_polls_read(const ploy_polls *polls, ploy_topic_id id,
                                     const ploy_poll *poll, ploy_value *out,
                                     ploy_polls_counts *counts);
/// Returns the counts of one topic, or of all topics if id is none.
PLOY_API ploy_polls_counts ploy_polls_counts_of(const ploy_polls *polls, ploy_topic_id id);

/// How a question was answered.
typedef enum ploy_poll_source {
    PLOY_POLL_FROM_CACHE,
    PLOY_POLL_COMPUTED,
    PLOY_POLL_DENIED,
    PLOY_POLL_FAILED
} ploy_poll_source;

/// "cache", "computed", "denied", "failed".
PLOY_API const char *ploy_poll_source_text(ploy_poll_source source);

/// One question in the log of ploy_polls_ask.
typedef struct ploy_poll_record {
    uint64_t tick;
    ploy_agent_id asker;
    uint64_t keys[2];
    ploy_value value; ///< the answer
    ploy_topic_id topic;
    ploy_poll_source source;
    ploy_result result;
    int32_t reserved;
} ploy_poll_record;

/// Gets a question of the log by age: 0 is the newest. @return false out of range.
PLOY_API bool ploy_polls_record(const ploy_polls *polls, int32_t age, ploy_poll_record *out);

/// Visits a ploy_polls (ploy/base/visit.h): cached answers, counts and the log. Topics are
/// callbacks: add the same ones in the same order before a load. Do not call it from within an
/// answer.
PLOY_API void ploy_polls_visit(ploy_visit *v, void *polls);
PLOY_API void ploy_polls_describe(const ploy_polls *polls, ploy_describe *out);
PLOY_API void ploy_polls_memory(const ploy_polls *polls, ploy_memory_fn fn, void *user);
