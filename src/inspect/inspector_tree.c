// Describe and trace as JSON, for the inspector: one agent's part or everything, cut off at a size
// so that it leaves whole JSON behind.
//
// The sinks of ploy/inspect/sinks.h write for people and files: groups become objects, which loses
// order and repeated names in a page's hands, and 64-bit numbers are plain digits, which a page
// rounds. Here children are arrays, every node carries its name, and those numbers are texts.
//
// Both work the same way: a node is open (written, its end is to be written), or hidden (it belongs
// to another agent, or came after the limit). Hidden nodes are only counted.
#include "inspect/inspector_internal.h"

// Groups may nest this deeply; each takes two levels of JSON.
#define TREE_MAX_DEPTH 256

typedef ployi_inspect_tree tree_sink;

static bool tree_full(tree_sink *sink) {
    if (sink->json->writer->written < sink->limit && sink->open < TREE_MAX_DEPTH) return false;
    sink->truncated = true;
    return true;
}

// Whether a node that begins now is to be written; counts it if not.
static bool tree_enter(tree_sink *sink, ploy_id owner) {
    if (sink->open == 0 && !ploy_id_is_none(sink->only.id) &&
        !ploy_id_equal(owner, sink->only.id)) {
        sink->outside++;
        return false;
    }
    if (sink->hidden > 0 || tree_full(sink)) {
        sink->hidden++;
        return false;
    }
    sink->open++;
    return true;
}

// Whether the node that ends now was written.
static bool tree_leave(tree_sink *sink) {
    if (sink->hidden > 0) {
        sink->hidden--;
        return false;
    }
    if (sink->open > 0) {
        sink->open--;
        return true;
    }
    if (sink->outside > 0) sink->outside--;
    return false;
}

// Whether a leaf that comes now is to be written.
static bool tree_wants(tree_sink *sink) {
    if (sink->hidden > 0) return false;
    if (sink->open == 0 && !ploy_id_is_none(sink->only.id)) return false;
    return !tree_full(sink);
}

static void tree_key_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, text);
}

static void tree_begin(void *user, const char *name, ploy_id owner) {
    tree_sink *sink = user;
    if (!tree_enter(sink, owner)) return;
    ploy_json_write_begin_object(sink->json);
    tree_key_text(sink->json, "name", name);
    if (!ploy_id_is_none(owner)) {
        ploy_json_write_key(sink->json, "owner");
        ployi_inspect_write_id(sink->json, owner);
    }
    ploy_json_write_key(sink->json, "children");
    ploy_json_write_begin_array(sink->json);
}

static void tree_end(void *user) {
    tree_sink *sink = user;
    if (!tree_leave(sink)) return;
    ploy_json_write_end_array(sink->json);
    ploy_json_write_end_object(sink->json);
}

static void tree_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    tree_sink *sink = user;
    if (!tree_wants(sink)) return;
    ploy_json_write_begin_object(sink->json);
    tree_key_text(sink->json, "name", name);
    ploy_json_write_key(sink->json, "value");
    ployi_inspect_write_value(sink->json, value);
    tree_key_text(sink->json, "type", ploy_value_type_text(value->type));
    tree_key_text(sink->json, "mark", ploy_mark_text(mark));
    ploy_json_write_end_object(sink->json);
}

static void tree_trace_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    tree_sink *sink = user;
    if (!tree_enter(sink, agent)) return;
    ploy_json_write_begin_object(sink->json);
    ploy_json_write_key(sink->json, "agent");
    ployi_inspect_write_id(sink->json, agent);
    tree_key_text(sink->json, "topic", topic);
    tree_key_text(sink->json, "technique", technique);
    ploy_json_write_key(sink->json, "children");
    ploy_json_write_begin_array(sink->json);
}

static void tree_trace_option(void *user, const char *name, ploy_outcome outcome, double score,
                              const char *reason) {
    tree_sink *sink = user;
    // What is outside of any decision belongs to no agent.
    if (sink->open == 0 || !tree_wants(sink)) return;
    ploy_json_write_begin_object(sink->json);
    tree_key_text(sink->json, "option", name);
    tree_key_text(sink->json, "outcome", ploy_outcome_text(outcome));
    ploy_json_write_key(sink->json, "score");
    if (score == score) {
        ploy_json_write_f64(sink->json, score);
    } else {
        ploy_json_write_null(sink->json);
    }
    tree_key_text(sink->json, "reason", reason);
    ploy_json_write_end_object(sink->json);
}

static void tree_trace_value(void *user, const char *name, const ploy_value *value) {
    tree_sink *sink = user;
    if (sink->open == 0 || !tree_wants(sink)) return;
    ploy_json_write_begin_object(sink->json);
    tree_key_text(sink->json, "value", name);
    tree_key_text(sink->json, "type", ploy_value_type_text(value->type));
    ploy_json_write_key(sink->json, "is");
    ployi_inspect_write_value(sink->json, value);
    ploy_json_write_end_object(sink->json);
}

static void tree_trace_note(void *user, const char *text) {
    tree_sink *sink = user;
    if (sink->open == 0 || !tree_wants(sink)) return;
    ploy_json_write_begin_object(sink->json);
    tree_key_text(sink->json, "note", text);
    ploy_json_write_end_object(sink->json);
}

static tree_sink tree_make(ploy_json_writer *json, const ploy_inspector *inspector,
                           ploy_agent_id only) {
    tree_sink sink = {json, 0, only, 0, 0, 0, false};
    sink.limit = json->writer->written + (uint64_t)inspector->def.max_tree_kib * 1024;
    return sink;
}

static void tree_head(ploy_json_writer *json, const ployi_inspect_session *session,
                      ploy_agent_id agent) {
    ploy_json_write_key(json, "session");
    ploy_json_write_u64(json, session->number);
    ploy_json_write_key(json, "tick");
    ploy_json_write_u64(json, ployi_inspect_session_tick(session));
    ploy_json_write_key(json, "agent");
    ployi_inspect_write_id(json, agent.id);
}

// Closes what a careless describe left open, then the array.
static void tree_finish(tree_sink *sink) {
    while (sink->open > 0) {
        sink->hidden = 0;
        tree_end(sink);
    }
    ploy_json_write_end_array(sink->json);
    ploy_json_write_key(sink->json, "truncated");
    ploy_json_write_bool(sink->json, sink->truncated);
}

void ployi_inspect_write_tree(ploy_json_writer *json, const ploy_inspector *inspector,
                              const ployi_inspect_session *session, ploy_agent_id agent) {
    tree_head(json, session, agent);
    ploy_json_write_key(json, "tree");
    ploy_json_write_begin_array(json);
    tree_sink sink = tree_make(json, inspector, agent);
    ploy_describe out = {tree_begin, tree_end, tree_value, &sink};
    if (!session->live) {
        ploy_sim_describe(ploy_recorder_sim(session->recorder), &out);
    } else if (session->source.describe != NULL) {
        session->source.describe(session->source.user, &out);
    }
    tree_finish(&sink);
}

ploy_trace ployi_inspect_decisions_begin(ployi_inspect_tree *tree, ploy_json_writer *json,
                                         const ploy_inspector *inspector,
                                         const ployi_inspect_session *session,
                                         ploy_agent_id agent) {
    tree_head(json, session, agent);
    tree->limit = UINT64_MAX;
    return ployi_inspect_decisions_more(tree, json, inspector, agent);
}

ploy_trace ployi_inspect_decisions_more(ployi_inspect_tree *tree, ploy_json_writer *json,
                                        const ploy_inspector *inspector, ploy_agent_id agent) {
    uint64_t limit = tree->limit;
    ploy_json_write_key(json, "decisions");
    ploy_json_write_begin_array(json);
    *tree = tree_make(json, inspector, agent);
    if (limit < tree->limit) tree->limit = limit;
    ploy_trace trace = {tree_trace_begin, tree_trace_option, tree_trace_value,
                        tree_trace_note,  tree_end,          tree};
    return trace;
}

void ployi_inspect_decisions_end(ployi_inspect_tree *tree) {
    tree_finish(tree);
}

#undef TREE_MAX_DEPTH
