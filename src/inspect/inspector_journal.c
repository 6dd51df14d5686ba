// The journal of a session: what happened when, as marks on a timeline.
//
// Three things are listened to in every tick that is executed for the first time. The trace gives
// decisions: what won is folded into one number for each agent and topic, and where that differs
// from the time before there is a mark. The description gives states, which are texts named "state"
// or "doing" in a group that belongs to an agent (in a row of a table of all agents, such as the
// engine's, they are the table's), and events, which are the items of a group named
// "events" (tick, what, and if they like who and agent, the newest first). The load and the log
// give overruns and inputs. So a simulation need not know that there is a timeline.
//
// The journal is for people: where memory is short it has gaps, and nothing fails because of it.
//
// Invariants while it is on:
//   (1) marks are in the order of harvesting, and those of ticks up to `scanned` are there as far
//       as memory went, except the oldest of a journal that was full;
//   (2) `known` holds the value of the last mark with each key, so that cutting marks off and
//       rebuilding it from what is left gives the journal as it was at that tick;
//   (3) `choices` has the decisions of the tick that was executed last, if it came by session_advance.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "ploy/base/hash.h"

// Marks in one message; the rest follows in the next ones.
#define JOURNAL_MESSAGE_MAX 1000
// Events that one tick may add.
#define JOURNAL_EVENTS_MAX 64
#define JOURNAL_DEPTH_MAX 64

const char *ployi_inspect_mark_text(ployi_inspect_mark_kind kind) {
    static const char *const texts[PLOYI_MARK_KINDS] = {"event",  "state",   "decision",
                                                        "failed", "overrun", "input"};
    return texts[kind];
}

// Appends as much of a text as fits, without cutting a character in two.
static void journal_append(char out[PLOYI_MARK_TEXT], const char *text) {
    size_t used = strlen(out), room = PLOYI_MARK_TEXT - 1 - used, size = strlen(text);
    if (size > room) {
        size = room;
        while (size > 0 && ((unsigned char)text[size] & 0xc0u) == 0x80u) size--;
    }
    memcpy(out + used, text, size);
    out[used + size] = 0;
}

static uint64_t journal_agent(ploy_id agent) {
    return ((uint64_t)agent.generation << 32) | agent.index;
}

static uint64_t journal_key(ploy_id agent, const char *topic, const char *technique) {
    uint64_t key = ploy_hash_combine(journal_agent(agent), ploy_hash_text(topic));
    return ploy_hash_combine(key, ploy_hash_text(technique));
}

// ---- marks

// Clients have at most that many marks that are still true.
static void journal_lower(ploy_inspector *inspector, uint32_t session, int64_t count) {
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        ployi_inspect_client *client = &inspector->clients[i];
        if (!client->used) continue;
        ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, session);
        if (watch == NULL || watch->marks_seen <= count) continue;
        watch->marks_seen = count;
        watch->marks_cut = true;
    }
}

// Everything is kept as long as there is room; then the older half of what agents do goes, and if
// that is not enough, the older half of everything.
static void journal_thin(ployi_inspect_journal *journal) {
    for (int32_t pass = 0; pass < 2 && journal->count >= journal->max_marks; pass++) {
        int64_t half = journal->count / 2, kept = 0;
        for (int64_t i = 0; i < journal->count; i++) {
            ployi_inspect_mark_kind kind = journal->marks[i].kind;
            bool minor = kind == PLOYI_MARK_STATE || kind == PLOYI_MARK_DECISION;
            if (i < half && (minor || pass > 0)) continue;
            journal->marks[kept++] = journal->marks[i];
        }
        journal->count = kept;
    }
    journal_lower(journal->inspector, journal->session, 0); // everything is sent to them again
}

static void journal_add(ployi_inspect_journal *journal, const ployi_inspect_mark *mark) {
    if (journal->count >= journal->max_marks) journal_thin(journal);
    if (journal->count == journal->capacity) {
        int64_t wanted = journal->capacity > 0 ? 2 * journal->capacity : PLOY_CAPACITY(256);
        ployi_inspect_mark *grown = ploy_env_resize(&journal->env, journal->marks,
                                                    (size_t)journal->capacity * sizeof *grown,
                                                    (size_t)wanted * sizeof *grown);
        if (grown == NULL) return;
        journal->marks = grown;
        journal->capacity = wanted;
    }
    journal->marks[journal->count++] = *mark;
}

// A mark if what is followed under that key has another value than before.
static void journal_follow(ployi_inspect_journal *journal, const ployi_inspect_mark *mark) {
    const uint64_t *before = ploy_map_get(&journal->known, mark->key);
    if (before != NULL && *before == mark->value) return;
    if (ploy_map_put(&journal->known, mark->key, &mark->value) != PLOY_OK) return; // keeps (2)
    journal_add(journal, mark);
}

// ---- the trace

static void journal_trace_begin(void *user, ploy_id agent, const char *topic,
                                const char *technique) {
    ployi_inspect_journal *journal = user;
    if (journal->depth++ > 0) { // part of the decision that is open
        journal->open.value = ploy_hash_combine(journal->open.value, ploy_hash_text(topic));
        return;
    }
    memset(&journal->open, 0, sizeof journal->open);
    journal->open.agent = agent;
    journal->open_key = journal_key(agent, topic, technique);
    journal_append(journal->open.text, topic);
    journal_append(journal->open.text, ":");
}

static void journal_trace_option(void *user, const char *name, ploy_outcome outcome, double score,
                                 const char *reason) {
    (void)score;
    (void)reason;
    ployi_inspect_journal *journal = user;
    if (journal->depth == 0) return;
    ployi_inspect_choice *open = &journal->open;
    open->options++;
    if (outcome != PLOY_OUTCOME_WON) return;
    open->value = ploy_hash_combine(open->value, ploy_hash_text(name));
    journal_append(open->text, open->won++ == 0 ? " " : ", ");
    journal_append(open->text, name);
}

static void journal_trace_value(void *user, const char *name, const ploy_value *value) {
    (void)user;
    (void)name;
    (void)value;
}

static void journal_trace_note(void *user, const char *text) {
    (void)user;
    (void)text;
}

static void journal_trace_end(void *user) {
    ployi_inspect_journal *journal = user;
    if (journal->depth == 0 || --journal->depth > 0) return;
    ployi_inspect_choice *open = &journal->open;
    if (open->options == 0) return;
    if (open->won > 0) {
        uint8_t yes = 1;
        (void)ploy_map_put(&journal->decided, journal_agent(open->agent), &yes);
    }
    if (open->won == 0) journal_append(open->text, " nothing");
    // Two decisions about the same in one tick count as one, represented by how it ended.
    ployi_inspect_choice *before = ploy_map_get(&journal->choices, journal->open_key);
    if (before != NULL) {
        before->value = ploy_hash_combine(before->value, open->value);
        before->options += open->options;
        before->won += open->won;
        memcpy(before->text, open->text, sizeof before->text);
        return;
    }
    (void)ploy_map_put(&journal->choices, journal->open_key, open);
}

// ---- the description

typedef struct journal_item {
    uint64_t stamp;
    ploy_id agent;
    char text[PLOYI_MARK_TEXT];
} journal_item;

typedef struct journal_sink {
    ployi_inspect_journal *journal;
    uint64_t tick;
    int32_t depth;
    ploy_id owners[JOURNAL_DEPTH_MAX];      // of each open group, inherited
    uint64_t paths[JOURNAL_DEPTH_MAX];      // its names from the owner on, hashed
    bool rows[JOURNAL_DEPTH_MAX];           // it is a row of another table, inherited
    int32_t events_depth;                   // of the open group "events", or 0
    journal_item item;                      // the event that is being sent
    journal_item items[JOURNAL_EVENTS_MAX]; // those that are new, newest first
    int32_t item_count;
} journal_sink;

// Whether a group that an agent owns is its row in a table of all agents: the engine's turns, path
// requests, actions. Such rows are named by an identifier, or by a plain number after a group that is the
// agent's own; a game whose agents are numbered has that group only.
static bool journal_is_row(journal_sink *sink, const char *name, ploy_id owner) {
    static const char digits[] = "0123456789";
    bool added = false;
    void *value = NULL;
    (void)ploy_map_ensure(&sink->journal->grouped, journal_agent(owner), &value, &added);
    size_t index = strspn(name, digits);
    if (index == 0) return false;
    if (name[index] == 0) return !added;
    return name[index] == ':' && name[index + 1] != 0 &&
           name[index + 1 + strspn(name + index + 1, digits)] == 0;
}

static void journal_begin_group(void *user, const char *name, ploy_id owner) {
    journal_sink *sink = user;
    int32_t depth = ++sink->depth;
    if (depth >= JOURNAL_DEPTH_MAX) return;
    bool owned = !ploy_id_is_none(owner);
    bool entered = owned && !ploy_id_equal(owner, sink->owners[depth - 1]);
    sink->rows[depth] = entered ? journal_is_row(sink, name, owner) : sink->rows[depth - 1];
    sink->owners[depth] = owned ? owner : sink->owners[depth - 1];
    sink->paths[depth] =
        owned ? 0 : ploy_hash_combine(sink->paths[depth - 1], ploy_hash_text(name));
    if (sink->events_depth == 0 && strcmp(name, "events") == 0) {
        sink->events_depth = depth;
    } else if (sink->events_depth > 0 && depth == sink->events_depth + 1) {
        memset(&sink->item, 0, sizeof sink->item);
        sink->item.agent = owner;
    }
}

static void journal_end_group(void *user) {
    journal_sink *sink = user;
    if (sink->events_depth > 0 && sink->depth == sink->events_depth + 1) {
        const journal_item *item = &sink->item;
        bool fresh = item->stamp > sink->journal->event_at && item->stamp <= sink->tick;
        if (fresh && item->text[0] != 0 && sink->item_count < JOURNAL_EVENTS_MAX) {
            sink->items[sink->item_count++] = *item;
        }
    }
    if (sink->depth == sink->events_depth) sink->events_depth = 0;
    if (sink->depth > 0) sink->depth--;
}

static void journal_event_value(journal_item *item, const char *name, const ploy_value *value) {
    if (strcmp(name, "tick") == 0 && value->type == PLOY_VALUE_U64) {
        item->stamp = value->as.u64;
    } else if (strcmp(name, "agent") == 0 && value->type == PLOY_VALUE_ID) {
        item->agent = value->as.id;
    } else if (value->type == PLOY_VALUE_TEXT &&
               (strcmp(name, "what") == 0 || strcmp(name, "who") == 0)) {
        if (item->text[0] != 0 && value->as.text[0] != 0) journal_append(item->text, " ");
        journal_append(item->text, value->as.text);
    }
}

// Whether a decision of this very tick says the same already.
static bool journal_told(const journal_sink *sink, const ployi_inspect_mark *mark) {
    const ployi_inspect_journal *journal = sink->journal;
    for (int64_t i = journal->count - 1; i >= 0 && journal->marks[i].tick == sink->tick; i--) {
        const ployi_inspect_mark *other = &journal->marks[i];
        size_t size = strlen(other->text), tail = strlen(mark->text);
        if (other->kind == PLOYI_MARK_DECISION && ploy_id_equal(other->agent, mark->agent) &&
            size > tail && strcmp(other->text + size - tail, mark->text) == 0) {
            return true;
        }
    }
    return false;
}

static void journal_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)mark;
    journal_sink *sink = user;
    if (sink->depth >= JOURNAL_DEPTH_MAX) return;
    if (sink->events_depth > 0) {
        if (sink->depth == sink->events_depth + 1) journal_event_value(&sink->item, name, value);
        return;
    }
    ploy_id owner = sink->owners[sink->depth];
    if (value->type != PLOY_VALUE_TEXT || ploy_id_is_none(owner)) return;
    if (sink->rows[sink->depth]) return;
    if (strcmp(name, "state") != 0 && strcmp(name, "doing") != 0) return;
    ployi_inspect_mark found;
    memset(&found, 0, sizeof found);
    found.tick = sink->tick;
    found.kind = PLOYI_MARK_STATE;
    found.agent = owner;
    found.key = ploy_hash_combine(journal_key(owner, name, "describe"), sink->paths[sink->depth]);
    found.value = ploy_hash_text(value->as.text);
    journal_append(found.text, value->as.text);
    if (journal_told(sink, &found)) {
        (void)ploy_map_put(&sink->journal->known, found.key, &found.value);
        return;
    }
    journal_follow(sink->journal, &found);
}

// ---- one tick

static void journal_harvest_inputs(ployi_inspect_session *session, uint64_t tick) {
    int32_t count = ploy_recorder_input_count(session->recorder);
    // The newest are at the end, and a tick that is harvested is mostly a new one.
    for (int32_t i = count - 1; i >= 0; i--) {
        uint64_t at = 0;
        const ploy_input *input = ploy_recorder_input_at(session->recorder, i, &at);
        if (at + 1 < tick) break;
        if (at + 1 != tick) continue;
        ployi_inspect_mark mark;
        memset(&mark, 0, sizeof mark);
        mark.tick = tick;
        mark.kind = PLOYI_MARK_INPUT;
        mark.agent = input->agent.id;
        journal_append(mark.text, input->name);
        journal_add(&session->journal, &mark);
    }
}

// An agent failed if nothing that it considered in this tick was possible. One that finds no pass
// and dribbles instead has decided: "pass: nothing" is then a decision like any other.
static void journal_harvest_choices(ployi_inspect_journal *journal, uint64_t tick) {
    int32_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (ploy_map_next(&journal->choices, &cursor, &key, &value)) {
        const ployi_inspect_choice *choice = value;
        ployi_inspect_mark mark;
        memset(&mark, 0, sizeof mark);
        mark.tick = tick;
        mark.key = key;
        mark.value = choice->value;
        mark.agent = choice->agent;
        bool decided = ploy_map_get(&journal->decided, journal_agent(choice->agent)) != NULL;
        mark.kind = decided ? PLOYI_MARK_DECISION : PLOYI_MARK_FAILED;
        memcpy(mark.text, choice->text, sizeof mark.text);
        journal_follow(journal, &mark);
    }
}

// What was described when the journal began happened when its stamp says; later ones just now. (A
// simulation may stamp the tick that it executes or the one that it has reached then.)
static void journal_harvest_description(ployi_inspect_session *session, uint64_t tick, bool first) {
    ployi_inspect_journal *journal = &session->journal;
    journal_sink sink;
    memset(&sink, 0, sizeof sink);
    sink.journal = journal;
    sink.tick = tick;
    ploy_map_clear(&journal->grouped);
    ploy_describe out = {journal_begin_group, journal_end_group, journal_value, &sink};
    ploy_sim_describe(ploy_recorder_sim(session->recorder), &out);
    for (int32_t i = sink.item_count - 1; i >= 0; i--) { // oldest first
        const journal_item *item = &sink.items[i];
        ployi_inspect_mark mark;
        memset(&mark, 0, sizeof mark);
        mark.tick = first ? item->stamp : tick;
        mark.kind = PLOYI_MARK_EVENT;
        mark.value = item->stamp;
        mark.agent = item->agent;
        memcpy(mark.text, item->text, sizeof mark.text);
        journal_add(journal, &mark);
        if (item->stamp > journal->event_at) journal->event_at = item->stamp;
    }
}

static void journal_harvest_load(ployi_inspect_session *session, uint64_t tick) {
    ploy_workload load;
    if (ploy_sim_workload(ploy_recorder_sim(session->recorder), &load) != PLOY_OK) return;
    ployi_inspect_loads_add(&session->journal, tick, &load);
    ployi_inspect_mark mark;
    memset(&mark, 0, sizeof mark);
    mark.tick = tick;
    mark.kind = PLOYI_MARK_OVERRUN;
    mark.key = ploy_hash_text("overrun");
    mark.value = load.put_off > 0 ? 1 : 0;
    const uint64_t *before = ploy_map_get(&session->journal.known, mark.key);
    if ((before != NULL ? *before : 0) == mark.value) return;
    journal_append(mark.text, mark.value > 0 ? "turns are put off" : "all turns had again");
    journal_follow(&session->journal, &mark);
}

void ployi_inspect_journal_before(ployi_inspect_session *session) {
    if (!session->journal.on) return;
    ploy_map_clear(&session->journal.choices); // keeps (3)
    ploy_map_clear(&session->journal.decided);
    session->journal.depth = 0;
}

void ployi_inspect_journal_after(ployi_inspect_session *session) {
    ployi_inspect_journal *journal = &session->journal;
    uint64_t tick = ploy_recorder_tick(session->recorder);
    if (!journal->on || tick <= journal->scanned) return;
    journal->scanned = tick;
    journal_harvest_inputs(session, tick);
    journal_harvest_choices(journal, tick);
    journal_harvest_description(session, tick, false);
    journal_harvest_load(session, tick);
}

// ---- life

void ployi_inspect_journal_begin(ploy_inspector *inspector, ployi_inspect_session *session) {
    ployi_inspect_journal *journal = &session->journal;
    if (journal->on || session->live) return;
    memset(journal, 0, sizeof *journal);
    journal->on = true;
    journal->env = inspector->env;
    journal->inspector = inspector;
    journal->session = session->number;
    journal->max_marks = inspector->def.max_marks;
    journal->scanned = ploy_recorder_tick(session->recorder);
    ploy_map_init(&journal->known, sizeof(uint64_t), &inspector->env);
    ploy_map_init(&journal->choices, sizeof(ployi_inspect_choice), &inspector->env);
    ploy_map_init(&journal->decided, sizeof(uint8_t), &inspector->env);
    ploy_map_init(&journal->grouped, sizeof(uint8_t), &inspector->env);
    ploy_trace trace = {journal_trace_begin, journal_trace_option, journal_trace_value,
                        journal_trace_note,  journal_trace_end,    journal};
    ploy_recorder_set_trace(session->recorder, &trace);
    journal_harvest_description(session, journal->scanned, true);
}

void ployi_inspect_journal_end(ployi_inspect_session *session) {
    ployi_inspect_journal *journal = &session->journal;
    if (!journal->on) return;
    ploy_recorder_set_trace(session->recorder, NULL);
    ployi_inspect_loads_fini(journal);
    ploy_map_fini(&journal->known);
    ploy_map_fini(&journal->choices);
    ploy_map_fini(&journal->decided);
    ploy_map_fini(&journal->grouped);
    ploy_env_free(&journal->env, journal->marks,
                  (size_t)journal->capacity * sizeof *journal->marks);
    memset(journal, 0, sizeof *journal);
}

// Rebuilds what follows from the marks, after some went.
static void journal_rebuild(ployi_inspect_journal *journal) {
    ploy_map_clear(&journal->known);
    journal->event_at = 0;
    for (int64_t i = 0; i < journal->count; i++) {
        const ployi_inspect_mark *mark = &journal->marks[i];
        if (mark->kind == PLOYI_MARK_EVENT) {
            if (mark->value > journal->event_at) journal->event_at = mark->value;
        } else if (mark->key != 0) {
            (void)ploy_map_put(&journal->known, mark->key, &mark->value); // keeps (2)
        }
    }
}

void ployi_inspect_journal_cut(ployi_inspect_session *session, uint64_t tick) {
    ployi_inspect_journal *journal = &session->journal;
    if (!journal->on || journal->scanned <= tick) return;
    journal->scanned = tick;
    while (journal->count > 0 && journal->marks[journal->count - 1].tick > tick) journal->count--;
    journal_rebuild(journal);
    journal_lower(journal->inspector, journal->session, journal->count);
    ployi_inspect_loads_cut(journal, tick);
}

void ployi_inspect_journal_restart(ployi_inspect_session *session) {
    ployi_inspect_journal *journal = &session->journal;
    if (!journal->on) return;
    journal->scanned = 0;
    journal->count = 0;
    journal_rebuild(journal);
    journal_lower(journal->inspector, journal->session, 0);
    ployi_inspect_loads_cut(journal, 0);
}

void ployi_inspect_write_marks(ploy_json_writer *json, const ployi_inspect_session *session,
                               int64_t *seen) {
    const ployi_inspect_journal *journal = &session->journal;
    ploy_json_write_key(json, "session");
    ploy_json_write_u64(json, session->number);
    ploy_json_write_key(json, "from");
    ploy_json_write_i64(json, *seen);
    ploy_json_write_key(json, "count");
    ploy_json_write_i64(json, journal->count);
    ploy_json_write_key(json, "marks");
    ploy_json_write_begin_array(json);
    int64_t last = *seen + JOURNAL_MESSAGE_MAX;
    if (last > journal->count) last = journal->count;
    for (; *seen < last; ++*seen) {
        const ployi_inspect_mark *mark = &journal->marks[*seen];
        ploy_json_write_begin_array(json);
        ploy_json_write_u64(json, mark->tick);
        ploy_json_write_text(json, ployi_inspect_mark_text(mark->kind));
        ployi_inspect_write_id(json, mark->agent);
        ploy_json_write_text(json, mark->text);
        ploy_json_write_end_array(json);
    }
    ploy_json_write_end_array(json);
}

#undef JOURNAL_MESSAGE_MAX
#undef JOURNAL_EVENTS_MAX
#undef JOURNAL_DEPTH_MAX
