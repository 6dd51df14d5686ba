// Backward chaining: see the header.
//
// Terms are not copied when a rule is used: a variable is its number in the clause and the frame of
// that use (structure sharing, Boyer and Moore 1972). Bindings are undone from a trail.
#include "ploy/decide/prove.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/name.h"

enum { PROVE_FRAMES = PLOY_PROVE_DEPTH_MAX * 4, PROVE_TRAIL = 4096, PROVE_TEXT = 64 };

// An argument: a variable's number from 0, or minus one minus the text's offset.
typedef struct prove_term {
    int32_t args[PLOY_PROVE_ARGUMENTS_MAX + 1]; // the relation's name is the first
    int32_t count;
} prove_term;

typedef struct prove_clause {
    prove_term terms[PLOY_PROVE_TERMS_MAX]; // the head first
    int32_t count, variables;
} prove_clause;

struct ploy_clauses {
    ploy_env env;
    ploy_array clauses, texts;
};

typedef struct prove_reader {
    ploy_clauses *clauses;
    const char *text, *name;
    size_t size, at;
    size_t line_at; // where the line begins
    int32_t line;
    ploy_diags *diags;
    ploy_result result;
    char variables[PLOY_PROVE_VARIABLES_MAX][PROVE_TEXT];
    int32_t variable_count;
} prove_reader;

// A value: an argument as a frame sees it.
typedef struct prove_value {
    int32_t arg, frame;
} prove_value;

// What is still to be proved: a term of a clause in a frame, then the rest.
typedef struct prove_goal {
    const prove_clause *clause;
    int32_t term, frame, depth;
    const struct prove_goal *rest;
} prove_goal;

typedef struct prove_step {
    const prove_clause *clause;
    int32_t frame, depth;
} prove_step;

typedef struct prove_run {
    const ploy_clauses *clauses;
    ploy_budget *budget;
    prove_value bound[PROVE_FRAMES][PLOY_PROVE_VARIABLES_MAX]; // frame 0 is that of the goal
    prove_value trail[PROVE_TRAIL];
    int32_t trail_count, frame_count;
    prove_step steps[PROVE_FRAMES];
    int32_t step_count;
    bool ended;
} prove_run;

static void prove_fault(prove_reader *reader, ploy_result code, const char *message) {
    if (reader->result != PLOY_OK) return;
    reader->result = code;
    size_t at = reader->at < reader->size ? reader->at : reader->size;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name, reader->line,
                   (int32_t)(at - reader->line_at) + 1, message, NULL, NULL);
}

static char prove_peek(prove_reader *reader) {
    while (reader->at < reader->size) {
        char c = reader->text[reader->at];
        if (c == ';') {
            while (reader->at < reader->size && reader->text[reader->at] != '\n') reader->at++;
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
        reader->at++;
        if (c == '\n') {
            reader->line++;
            reader->line_at = reader->at;
        }
    }
    return '\0';
}

// Equal texts have one offset, so that comparing is comparing numbers.
static int32_t prove_text(prove_reader *reader, const char *text, size_t size) {
    ploy_array *texts = &reader->clauses->texts;
    for (int32_t i = 0; i < texts->count;) {
        const char *known = PLOY_ARRAY_ITEMS(texts, char) + i;
        size_t length = strlen(known);
        if (length == size && memcmp(known, text, size) == 0) return -1 - i;
        i += (int32_t)length + 1;
    }
    int32_t offset = texts->count;
    ploy_result result = ploy_array_push_many(texts, text, (int32_t)size);
    if (result == PLOY_OK) result = ploy_array_push(texts, "");
    if (result != PLOY_OK) prove_fault(reader, result, "out of memory");
    return -1 - offset;
}

static int32_t prove_argument(prove_reader *reader) {
    bool string = prove_peek(reader) == '"';
    size_t from = reader->at;
    if (string) { // up to the next quote; \\" and \\\\ stay as they are written
        bool closed = false;
        for (reader->at++; reader->at < reader->size && !closed; reader->at++) {
            char c = reader->text[reader->at];
            if (c == '\n') break;
            if (c == '\\') reader->at++;
            closed = c == '"';
        }
        if (!closed) {
            reader->at = from;
            prove_fault(reader, PLOY_ERR_FORMAT, "missing '\"'");
            return 0;
        }
    }
    while (!string && reader->at < reader->size &&
           strchr(" \t\r\n();", reader->text[reader->at]) == NULL) {
        reader->at++;
    }
    const char *text = reader->text + from;
    size_t size = reader->at - from;
    if (size == 0 || size >= PROVE_TEXT) {
        prove_fault(reader, PLOY_ERR_FORMAT, "missing or too long argument");
        return 0;
    }
    if (text[0] != '?') return prove_text(reader, text, size);
    for (int32_t i = 0; i < reader->variable_count; i++) {
        if (strlen(reader->variables[i]) == size && memcmp(reader->variables[i], text, size) == 0) {
            return i;
        }
    }
    if (reader->variable_count == PLOY_PROVE_VARIABLES_MAX) {
        prove_fault(reader, PLOY_ERR_LIMIT, "too many variables in a clause");
        return 0;
    }
    memcpy(reader->variables[reader->variable_count], text, size);
    reader->variables[reader->variable_count][size] = '\0';
    return reader->variable_count++;
}

static void prove_read_term(prove_reader *reader, prove_clause *clause) {
    if (clause->count == PLOY_PROVE_TERMS_MAX || prove_peek(reader) != '(') {
        prove_fault(reader,
                    clause->count == PLOY_PROVE_TERMS_MAX ? PLOY_ERR_LIMIT : PLOY_ERR_FORMAT,
                    "expected a term");
        return;
    }
    reader->at++;
    prove_term *term = &clause->terms[clause->count++];
    while (reader->result == PLOY_OK && prove_peek(reader) != ')') {
        if (term->count > PLOY_PROVE_ARGUMENTS_MAX) {
            prove_fault(reader, PLOY_ERR_LIMIT, "too many arguments in a term");
            return;
        }
        term->args[term->count++] = prove_argument(reader);
    }
    reader->at++;
    if (term->count == 0) prove_fault(reader, PLOY_ERR_FORMAT, "empty term");
}

static void prove_read_clause(prove_reader *reader, prove_clause *clause) {
    memset(clause, 0, sizeof *clause);
    memset(reader->variables, 0, sizeof reader->variables);
    reader->variable_count = 0;
    prove_read_term(reader, clause);
    if (reader->result == PLOY_OK && prove_peek(reader) == '<') {
        if (reader->at + 1 >= reader->size || reader->text[reader->at + 1] != '-') {
            prove_fault(reader, PLOY_ERR_FORMAT, "expected '<-'");
            return;
        }
        reader->at += 2;
        for (;;) {
            prove_read_term(reader, clause);
            if (reader->result != PLOY_OK || prove_peek(reader) != ',') break;
            reader->at++;
        }
    }
    clause->variables = reader->variable_count;
}

ploy_result ploy_clauses_load(const char *text, size_t size, const char *name, ploy_diags *diags,
                              const ploy_env *env, ploy_clauses **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (size > 0 && text == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_clauses *clauses = ploy_env_alloc_zero(env, sizeof *clauses);
    if (clauses == NULL) return PLOY_ERR_MEMORY;
    clauses->env = *env;
    ploy_array_init(&clauses->clauses, sizeof(prove_clause), env);
    ploy_array_init(&clauses->texts, 1, env);
    prove_reader reader = {
        .clauses = clauses, .text = text, .name = name, .size = size, .line = 1, .diags = diags};
    while (reader.result == PLOY_OK && prove_peek(&reader) != '\0') {
        prove_clause clause;
        prove_read_clause(&reader, &clause);
        if (reader.result != PLOY_OK) break;
        ploy_result pushed = ploy_array_push(&clauses->clauses, &clause);
        if (pushed != PLOY_OK) prove_fault(&reader, pushed, "out of memory");
    }
    if (reader.result != PLOY_OK) {
        ploy_clauses_destroy(clauses);
        return reader.result;
    }
    *out = clauses;
    return PLOY_OK;
}

void ploy_clauses_destroy(ploy_clauses *clauses) {
    if (clauses == NULL) return;
    ploy_env env = clauses->env;
    ploy_array_fini(&clauses->clauses);
    ploy_array_fini(&clauses->texts);
    ploy_env_free(&env, clauses, sizeof *clauses);
}

// ---- Proving ------------------------------------------------------------------------------------

static prove_value prove_deref(const prove_run *run, prove_value value) {
    while (value.arg >= 0 && run->bound[value.frame][value.arg].frame >= 0) {
        value = run->bound[value.frame][value.arg];
    }
    return value;
}

static bool prove_unify(prove_run *run, prove_value a, prove_value b) {
    a = prove_deref(run, a);
    b = prove_deref(run, b);
    if (a.arg < 0 && b.arg < 0) return a.arg == b.arg;
    if (a.arg >= 0 && b.arg >= 0 && a.arg == b.arg && a.frame == b.frame) return true;
    prove_value variable = a.arg >= 0 ? a : b, other = a.arg >= 0 ? b : a;
    if (run->trail_count == PROVE_TRAIL) {
        run->ended = true;
        return false;
    }
    run->trail[run->trail_count++] = variable;
    run->bound[variable.frame][variable.arg] = other;
    return true;
}

static void prove_undo(prove_run *run, int32_t mark) {
    while (run->trail_count > mark) {
        prove_value variable = run->trail[--run->trail_count];
        run->bound[variable.frame][variable.arg].frame = -1;
    }
}

static bool prove_solve(prove_run *run, const prove_goal *goal);

// The terms of a clause from `term` on, as goals.
static bool prove_body(prove_run *run, const prove_clause *clause, int32_t term, int32_t frame,
                       int32_t depth, const prove_goal *rest) {
    if (term == clause->count) return prove_solve(run, rest);
    prove_goal goal = {clause, term, frame, depth, rest};
    return prove_solve(run, &goal);
}

static bool prove_try(prove_run *run, const prove_goal *goal, const prove_clause *clause) {
    const prove_term *want = &goal->clause->terms[goal->term], *head = &clause->terms[0];
    if (want->count != head->count || want->args[0] != head->args[0]) return false;
    if (run->budget != NULL && !ploy_budget_spend(run->budget, 1)) run->ended = true;
    if (run->ended || run->frame_count == PROVE_FRAMES) return false;
    int32_t mark = run->trail_count, frame = run->frame_count++, steps = run->step_count;
    for (int32_t i = 0; i < PLOY_PROVE_VARIABLES_MAX; i++) run->bound[frame][i].frame = -1;
    bool fits = true;
    for (int32_t i = 1; i < want->count && fits; i++) {
        prove_value a = {want->args[i], goal->frame}, b = {head->args[i], frame};
        fits = prove_unify(run, a, b);
    }
    if (fits) {
        prove_step step = {clause, frame, goal->depth};
        run->steps[run->step_count++] = step;
        // The goal's own later terms come after the body of the rule.
        prove_goal later = {goal->clause, goal->term + 1, goal->frame, goal->depth, goal->rest};
        const prove_goal *rest = goal->term + 1 < goal->clause->count ? &later : goal->rest;
        if (prove_body(run, clause, 1, frame, goal->depth + 1, rest)) return true;
    }
    run->step_count = steps;
    prove_undo(run, mark);
    run->frame_count = frame;
    return false;
}

static bool prove_solve(prove_run *run, const prove_goal *goal) {
    if (goal == NULL) return true;
    if (goal->depth >= PLOY_PROVE_DEPTH_MAX) return false;
    const prove_clause *clauses = PLOY_ARRAY_ITEMS(&run->clauses->clauses, prove_clause);
    for (int32_t i = 0; i < run->clauses->clauses.count && !run->ended; i++) {
        if (prove_try(run, goal, &clauses[i])) return true;
    }
    return false;
}

static void prove_write(const prove_run *run, const prove_term *term, int32_t frame,
                        ploy_writer *out) {
    ploy_write_char(out, '(');
    for (int32_t i = 0; i < term->count; i++) {
        prove_value value = {term->args[i], frame};
        value = prove_deref(run, value);
        if (i > 0) ploy_write_char(out, ' ');
        if (value.arg >= 0) {
            ploy_write_char(out, '?');
        } else {
            ploy_write_text(out, PLOY_ARRAY_ITEMS(&run->clauses->texts, char) + (-1 - value.arg));
        }
    }
    ploy_write_text(out, ")");
}

ploy_result ploy_clauses_prove(const ploy_clauses *clauses, const char *goal, ploy_budget *budget,
                               ploy_writer *out) {
    if (goal == NULL) return PLOY_ERR_ARGUMENT;
    // The goal is read like a clause, into a copy of the clauses' texts, which it may add to.
    ploy_clauses scratch = *clauses;
    ploy_array_init(&scratch.texts, 1, &clauses->env);
    ploy_result result =
        clauses->texts.count == 0
            ? PLOY_OK
            : ploy_array_push_many(&scratch.texts, clauses->texts.items, clauses->texts.count);
    prove_run *run = ploy_env_alloc_zero(&clauses->env, sizeof *run);
    if (run == NULL) result = PLOY_ERR_MEMORY;
    prove_reader reader = {
        .clauses = &scratch, .text = goal, .name = "goal", .size = strlen(goal), .line = 1};
    prove_clause asked;
    if (result == PLOY_OK) {
        prove_read_clause(&reader, &asked);
        result = reader.result;
        if (result == PLOY_OK && prove_peek(&reader) != '\0') result = PLOY_ERR_FORMAT;
    }
    if (result == PLOY_OK) {
        run->clauses = &scratch;
        run->budget = budget;
        run->frame_count = 1;
        for (int32_t i = 0; i < PLOY_PROVE_VARIABLES_MAX; i++) run->bound[0][i].frame = -1;
        bool proved = prove_body(run, &asked, 0, 0, 0, NULL);
        result = proved ? PLOY_OK : run->ended ? PLOY_ERR_LIMIT : PLOY_ERR_NOT_FOUND;
        for (int32_t i = 0; proved && i < run->step_count; i++) {
            const prove_step *step = &run->steps[i];
            for (int32_t k = 0; k < step->depth; k++) ploy_write_text(out, "  ");
            prove_write(run, &step->clause->terms[0], step->frame, out);
            ploy_write_text(out, step->clause->count > 1 ? " by rule\n" : "\n");
        }
    }
    ploy_env_free(&clauses->env, run, sizeof *run);
    ploy_array_fini(&scratch.texts);
    return result == PLOY_OK ? ploy_writer_result(out) : result;
}
