// OBF files.
#include "ploy/data/obf.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/number.h"

struct ploy_obf {
    ploy_env env;
    ploy_array problems; // ploy_obf_problem
    ploy_array moves;    // ploy_obf_move
};

typedef struct obf_reader {
    ploy_obf *obf;
    const char *line; // begins here,
    size_t size, at;  // ends there
    int32_t number;
    const char *name;
    ploy_diags *diags;
} obf_reader;

static ploy_result obf_fault(const obf_reader *r, const char *message, const char *expected) {
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, r->number,
                   (int32_t)r->at + 1, message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

static char obf_peek(const obf_reader *r) {
    return r->at < r->size ? r->line[r->at] : (char)0;
}

static void obf_skip(obf_reader *r) {
    while (obf_peek(r) == ' ' || obf_peek(r) == '\t' || obf_peek(r) == ';') r->at++;
}

static char obf_disc(char c) {
    if (c == 'X' || c == 'x' || c == '*') return 'X';
    if (c == 'O' || c == 'o') return 'O';
    return c == '-' || c == '.' ? '-' : (char)0;
}

static ploy_result obf_read_move(obf_reader *r, ploy_obf_problem *problem) {
    ploy_obf_move move;
    memset(&move, 0, sizeof move);
    size_t length = 0;
    for (; obf_peek(r) != 0 && obf_peek(r) != ':' && obf_peek(r) != ';'; r->at++) {
        char c = obf_peek(r);
        if (length + 1 >= sizeof move.text)
            return obf_fault(r, "the move is too long", "MOVE:SCORE");
        move.text[length++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    if (obf_peek(r) != ':' || length == 0)
        return obf_fault(r, "the score is missing", "MOVE:SCORE");
    r->at++;
    int64_t score = 0;
    size_t used = 0;
    if (ploy_parse_i64(r->line + r->at, r->size - r->at, &used, &score) != PLOY_OK || score < -64 ||
        score > 64) {
        return obf_fault(r, "invalid score", "-64 to 64");
    }
    r->at += used;
    move.score = (int32_t)score;
    problem->count++;
    return ploy_array_push(&r->obf->moves, &move);
}

static ploy_result obf_read_line(obf_reader *r) {
    ploy_obf_problem problem;
    memset(&problem, 0, sizeof problem);
    problem.line = r->number;
    problem.first = r->obf->moves.count;
    int32_t squares = 0;
    for (; squares < 64 && obf_disc(obf_peek(r)) != 0; r->at++) {
        problem.position[squares++] = obf_disc(obf_peek(r));
    }
    problem.size = squares == 64 ? 8 : squares == 36 ? 6 : squares == 16 ? 4 : 0;
    if (problem.size == 0) return obf_fault(r, "invalid board", "16, 36 or 64 of X, O and -");
    obf_skip(r);
    char side = obf_disc(obf_peek(r));
    if (side != 'X' && side != 'O') return obf_fault(r, "the side to move is missing", "X or O");
    r->at++;
    problem.position[squares] = ' ';
    problem.position[squares + 1] = side;
    for (obf_skip(r); r->at < r->size; obf_skip(r)) {
        ploy_result result = obf_read_move(r, &problem);
        if (result != PLOY_OK) return result;
    }
    return ploy_array_push(&r->obf->problems, &problem);
}

ploy_result ploy_obf_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_obf **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_obf *obf = ploy_env_alloc_zero(env, sizeof *obf);
    if (obf == NULL) return PLOY_ERR_MEMORY;
    obf->env = *env;
    ploy_array_init(&obf->problems, sizeof(ploy_obf_problem), env);
    ploy_array_init(&obf->moves, sizeof(ploy_obf_move), env);
    obf_reader r = {obf, bytes, 0, 0, 0, name, diags};
    const char *end = (const char *)bytes + size;
    ploy_result result = PLOY_OK;
    for (const char *at = bytes; at != end && result != PLOY_ERR_MEMORY;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) stop = end;
        r.line = at;
        r.size = (size_t)(stop - at);
        while (r.size > 0 && (r.line[r.size - 1] == '\r' || r.line[r.size - 1] == ' ')) r.size--;
        r.at = 0;
        r.number++;
        obf_skip(&r);
        if (r.at < r.size && obf_peek(&r) != '%' && obf_peek(&r) != '#') {
            ploy_result line = obf_read_line(&r);
            if (line != PLOY_OK) result = line;
        }
        at = stop == end ? end : stop + 1;
    }
    if (result != PLOY_OK) {
        ploy_obf_destroy(obf);
        return result;
    }
    *out = obf;
    return PLOY_OK;
}

void ploy_obf_destroy(ploy_obf *obf) {
    if (obf == NULL) return;
    ploy_env env = obf->env;
    ploy_array_fini(&obf->problems);
    ploy_array_fini(&obf->moves);
    ploy_env_free(&env, obf, sizeof *obf);
}

int32_t ploy_obf_count(const ploy_obf *obf) {
    return obf->problems.count;
}

const ploy_obf_problem *ploy_obf_at(const ploy_obf *obf, int32_t index) {
    return ploy_array_at(&obf->problems, index);
}

const ploy_obf_move *ploy_obf_move_at(const ploy_obf *obf, const ploy_obf_problem *problem,
                                      int32_t index) {
    if (index < 0 || index >= problem->count || problem->first < 0) return NULL;
    if (index >= obf->moves.count - problem->first) return NULL;
    return ploy_array_at(&obf->moves, problem->first + index);
}
