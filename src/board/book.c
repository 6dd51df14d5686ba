// Opening books; the technique is described in the header.
//
// Invariants: (1) the first `sealed` entries are sorted by key and code, no two equal; (2) names holds the
// texts of the lines one behind the other, each ended by a zero.
#include "ploy/board/book.h"

#include <string.h>

#include "ploy/base/array.h"

static const ploy_field book_fields[] = {
    PLOY_FIELD_I32(ploy_board_book_def, prior, 4, 0, 1000000, "",
                   "games that a strength counts for"),
    PLOY_FIELD_I32(ploy_board_book_def, plies, 24, 1, 1000, "", "deepest ply added from games"),
    PLOY_FIELD_I32(ploy_board_book_def, least, 1, 0, 65535, "",
                   "weight below which a move is not played"),
    PLOY_FIELD_BOOL(ploy_board_book_def, best, false, "always the heaviest move"),
};

struct ploy_board_book {
    ploy_env env;
    ploy_board_book_def def;
    ploy_board board;
    ploy_array entries; // ploy_board_book_entry
    int32_t sealed;
    ploy_array names; // char
    ploy_array lines; // int32_t, where each name begins
};

enum { BOOK_POSITION_MAX = 4096, BOOK_MOVES_MAX = 1024, BOOK_WEIGHT = 100 };

ploy_fields ploy_board_book_fields(void) {
    return PLOY_FIELDS(ploy_board_book_def, book_fields);
}

ploy_board_book_def ploy_board_book_def_default(void) {
    ploy_board_book_def def;
    ploy_fields_default(ploy_board_book_fields(), &def);
    return def;
}

ploy_result ploy_board_book_create(const ploy_board_book_def *def, ploy_board board,
                                   const ploy_env *env, ploy_board_book **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_book_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (board.type == NULL || board.type->position_bytes(board.rules) > BOOK_POSITION_MAX ||
        board.type->max_moves > BOOK_MOVES_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_board_book *book = ploy_env_alloc_zero(env, sizeof *book);
    if (book == NULL) return PLOY_ERR_MEMORY;
    book->env = *env;
    book->def = *def;
    book->board = board;
    ploy_array_init(&book->entries, sizeof(ploy_board_book_entry), env);
    ploy_array_init(&book->names, 1, env);
    ploy_array_init(&book->lines, sizeof(int32_t), env);
    *out = book;
    return PLOY_OK;
}

void ploy_board_book_destroy(ploy_board_book *book) {
    if (book == NULL) return;
    ploy_array_fini(&book->entries);
    ploy_array_fini(&book->names);
    ploy_array_fini(&book->lines);
    ploy_env env = book->env;
    ploy_env_free(&env, book, sizeof *book);
}

static uint64_t book_code(const ploy_board_book *book, ploy_board_move move) {
    return book->board.type == ploy_board_chess() ? ploy_board_chess_book_move(move) : move;
}

ploy_result ploy_board_book_add(ploy_board_book *book, const ploy_board_book_entry *entry) {
    bool valid = entry->strength >= 0 && entry->strength <= 65535 && entry->wins >= 0 &&
                 entry->draws >= 0 && entry->games >= entry->wins &&
                 entry->games - entry->wins >= entry->draws && entry->line < book->lines.count;
    return valid ? ploy_array_push(&book->entries, entry) : PLOY_ERR_ARGUMENT;
}

static bool book_is_legal(const ploy_board_book *book, const void *position, ploy_board_move move) {
    const ploy_board_type *type = book->board.type;
    if (type->side(book->board.rules, position) == PLOY_BOARD_OVER) return false;
    ploy_board_move moves[BOOK_MOVES_MAX];
    int32_t count = type->moves(book->board.rules, position, moves, BOOK_MOVES_MAX);
    for (int32_t i = 0; i < count; i++) {
        if (moves[i] == move) return true;
    }
    return false;
}

static void book_begin(const ploy_board_book *book, const void *position, uint64_t *to) {
    size_t size = book->board.type->position_bytes(book->board.rules);
    memset(to, 0, size);
    if (position != NULL)
        memcpy(to, position, size);
    else
        book->board.type->start(book->board.rules, to);
}

ploy_result ploy_board_book_add_line(ploy_board_book *book, const void *position,
                                     const ploy_board_move *moves, int32_t count, int32_t strength,
                                     const char *name) {
    const ploy_board_type *type = book->board.type;
    uint64_t at[BOOK_POSITION_MAX / 8];
    book_begin(book, position, at);
    ploy_board_book_entry entry = {0, 0, strength, -1, 0, 0, 0};
    if (name != NULL) {
        int32_t begin = book->names.count;
        ploy_result result = ploy_array_push_many(&book->names, name, (int32_t)strlen(name) + 1);
        if (result == PLOY_OK) result = ploy_array_push(&book->lines, &begin);
        if (result != PLOY_OK) return result;
        entry.line = book->lines.count - 1;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!book_is_legal(book, at, moves[i])) return PLOY_ERR_ARGUMENT;
        entry.key = type->hash(book->board.rules, at);
        entry.code = book_code(book, moves[i]);
        ploy_result result = ploy_board_book_add(book, &entry);
        if (result != PLOY_OK) return result;
        type->make(book->board.rules, at, moves[i], NULL);
    }
    return PLOY_OK;
}

// The first sealed entry that is not below key and code.
static int32_t book_lower(const ploy_board_book *book, uint64_t key, uint64_t code) {
    const ploy_board_book_entry *items = PLOY_ARRAY_ITEMS(&book->entries, ploy_board_book_entry);
    int32_t low = 0, high = book->sealed;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const ploy_board_book_entry *e = &items[middle];
        if (e->key < key || (e->key == key && e->code < code))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ploy_board_book_entry *book_find_code(const ploy_board_book *book, uint64_t key,
                                             uint64_t code) {
    int32_t index = book_lower(book, key, code);
    if (index == book->sealed) return NULL;
    ploy_board_book_entry *entry = PLOY_ARRAY_AT(&book->entries, ploy_board_book_entry, index);
    return entry->key == key && entry->code == code ? entry : NULL;
}

ploy_result ploy_board_book_learn(ploy_board_book *book, const void *position,
                                  const ploy_board_move *moves, int32_t count, int32_t result,
                                  bool grow) {
    const ploy_board_type *type = book->board.type;
    uint64_t at[BOOK_POSITION_MAX / 8];
    book_begin(book, position, at);
    for (int32_t i = 0; i < count && i < book->def.plies; i++) {
        if (!book_is_legal(book, at, moves[i])) return PLOY_ERR_ARGUMENT;
        uint64_t key = type->hash(book->board.rules, at), code = book_code(book, moves[i]);
        int32_t mover = type->side(book->board.rules, at) == 0 ? result : -result;
        ploy_board_book_entry one = {key, code, 0, -1, 1, mover > 0 ? 1 : 0, mover == 0 ? 1 : 0};
        ploy_board_book_entry *known = book_find_code(book, key, code);
        if (known != NULL) {
            known->games += one.games;
            known->wins += one.wins;
            known->draws += one.draws;
        } else if (grow) {
            ploy_result added = ploy_board_book_add(book, &one);
            if (added != PLOY_OK) return added;
        }
        type->make(book->board.rules, at, moves[i], NULL);
    }
    return PLOY_OK;
}

static bool book_less(const ploy_board_book_entry *a, const ploy_board_book_entry *b) {
    return a->key != b->key     ? a->key < b->key
           : a->code != b->code ? a->code < b->code
                                : a->line < b->line;
}

static void book_sift(ploy_board_book_entry *items, int32_t at, int32_t count) {
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && book_less(&items[child], &items[child + 1])) child++;
        if (!book_less(&items[at], &items[child])) return;
        ploy_board_book_entry swap = items[at];
        items[at] = items[child];
        items[child] = swap;
        at = child;
    }
}

ploy_result ploy_board_book_seal(ploy_board_book *book) {
    ploy_board_book_entry *items = PLOY_ARRAY_ITEMS(&book->entries, ploy_board_book_entry);
    int32_t count = book->entries.count, kept = 0;
    for (int32_t i = count / 2 - 1; i >= 0; i--) book_sift(items, i, count);
    for (int32_t end = count - 1; end > 0; end--) {
        ploy_board_book_entry swap = items[0];
        items[0] = items[end];
        items[end] = swap;
        book_sift(items, 0, end);
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_board_book_entry *last = kept > 0 ? &items[kept - 1] : NULL;
        if (last == NULL || last->key != items[i].key || last->code != items[i].code) {
            items[kept++] = items[i];
            continue;
        }
        if (items[i].strength > last->strength) last->strength = items[i].strength;
        if (last->line < 0) last->line = items[i].line;
        last->games += items[i].games;
        last->wins += items[i].wins;
        last->draws += items[i].draws;
    }
    book->sealed = kept; // keeps (1)
    return count > 0 ? ploy_array_resize(&book->entries, kept) : PLOY_OK;
}

int32_t ploy_board_book_count(const ploy_board_book *book) {
    return book->sealed;
}

const ploy_board_book_entry *ploy_board_book_at(const ploy_board_book *book, int32_t index) {
    return index < book->sealed ? PLOY_ARRAY_AT(&book->entries, ploy_board_book_entry, index)
                                : NULL;
}

const char *ploy_board_book_line(const ploy_board_book *book, int32_t line) {
    const int32_t *begin = PLOY_ARRAY_AT(&book->lines, int32_t, line);
    return begin != NULL ? (const char *)book->names.items + *begin : "";
}

int32_t ploy_board_book_weight(const ploy_board_book *book, const ploy_board_book_entry *entry) {
    const int64_t most = INT64_C(1) << 40; // far beyond every book; sums of more would overflow
    if (entry->games < 0 || entry->games > most || entry->wins < 0 || entry->wins > entry->games ||
        entry->draws < 0 || entry->draws > entry->games)
        return 0;
    // A result counts BOOK_WEIGHT for a win and half of it for a draw; the strength is a guess of that.
    int64_t points = (int64_t)entry->strength * book->def.prior +
                     BOOK_WEIGHT / 2 * (2 * entry->wins + entry->draws);
    int64_t games = book->def.prior + entry->games;
    if (entry->strength == 0) games = entry->games; // learned only
    return games > 0 ? (int32_t)(points / games) : 0;
}

const ploy_board_book_entry *ploy_board_book_find(const ploy_board_book *book, const void *position,
                                                  ploy_board_move move) {
    uint64_t key = book->board.type->hash(book->board.rules, position);
    return book_find_code(book, key, book_code(book, move));
}

// Whether the book has anything here: most positions of a game are not in it.
static bool book_knows(const ploy_board_book *book, const void *position) {
    uint64_t key = book->board.type->hash(book->board.rules, position);
    const ploy_board_book_entry *entry = ploy_board_book_at(book, book_lower(book, key, 0));
    return entry != NULL && entry->key == key &&
           book->board.type->side(book->board.rules, position) != PLOY_BOARD_OVER;
}

ploy_board_move ploy_board_book_choose(const ploy_board_book *book, const void *position,
                                       ploy_rng *rng) {
    if (!book_knows(book, position)) return PLOY_BOARD_NO_MOVE;
    ploy_board_move moves[BOOK_MOVES_MAX];
    int32_t weights[BOOK_MOVES_MAX], kept = 0, heaviest = 0;
    int64_t sum = 0;
    int32_t count = book->board.type->moves(book->board.rules, position, moves, BOOK_MOVES_MAX);
    for (int32_t i = 0; i < count; i++) {
        const ploy_board_book_entry *entry = ploy_board_book_find(book, position, moves[i]);
        int32_t weight = entry != NULL ? ploy_board_book_weight(book, entry) : 0;
        if (weight < book->def.least || weight == 0) continue;
        moves[kept] = moves[i];
        weights[kept] = weight;
        if (weight > weights[heaviest]) heaviest = kept;
        kept++;
        sum += weight;
    }
    if (kept == 0) return PLOY_BOARD_NO_MOVE;
    if (book->def.best || rng == NULL) return moves[heaviest];
    int64_t draw = (int64_t)ploy_rng_below(rng, (uint32_t)(sum < UINT32_MAX ? sum : UINT32_MAX));
    int32_t chosen = 0;
    while (chosen < kept - 1 && draw >= weights[chosen]) draw -= weights[chosen++];
    return moves[chosen];
}

int32_t ploy_board_book_score(const ploy_board_book *book, const void *position) {
    if (!book_knows(book, position)) return 0;
    uint64_t key = book->board.type->hash(book->board.rules, position);
    int64_t games = 0, points = 0;
    for (int32_t i = book_lower(book, key, 0); i < book->sealed; i++) {
        const ploy_board_book_entry *entry = ploy_board_book_at(book, i);
        if (entry->key != key) break;
        games += entry->games;
        points += 2 * entry->wins + entry->draws;
    }
    return games > 0 ? (int32_t)(1000 * (points - games) / games) : 0;
}
