// Cellular automata; the technique is described in the header.
//
// Cells are bytes in two buffers with a margin as wide as the neighbourhood, so that the kernel
// reads beyond the edge without asking:
//
//     margin rows
//     margin | width cells | padding      stride bytes a row
//     margin rows
//
// The grid is cut into tiles of AUTOMATON_TILE_X by AUTOMATON_TILE_Y cells. A tile is computed only if it or a tile
// beside it changed in the last generation; otherwise both buffers already hold the answer.
//
// Invariants between steps:
//   (1) cells[now] holds the last complete generation; the margins hold nothing of value;
//   (2) changed[t] is set if tile t of the two buffers may differ, or a cell was set by the caller;
//   (3) every state is below PLOY_AUTOMATON_STATES, and `wide` is set if any may be above 1.
#include "ploy/geom/automaton.h"

#include "base/compiler.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

enum { AUTOMATON_TILE_X = 64, AUTOMATON_TILE_Y = 16 };

static const char *const automaton_borders[] = {"fixed", "open", "torus"};
static const char *const automaton_shapes[] = {"square", "diamond"};

static const ploy_field automaton_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_automaton_def, width, 64, 1, 16384, "", "cells along x"),
    PLOY_FIELD_I32_FIXED(ploy_automaton_def, height, 64, 1, 16384, "", "cells along y"),
    PLOY_FIELD_ENUM_FIXED(ploy_automaton_def, border, 0, automaton_borders,
                          "what is beyond the edge"),
    PLOY_FIELD_I32_FIXED(ploy_automaton_def, outside, 0, 0, PLOY_AUTOMATON_STATES - 1, "",
                         "state beyond a fixed border"),
    PLOY_FIELD_ENUM_FIXED(ploy_automaton_def, shape, 0, automaton_shapes,
                          "which cells are neighbours"),
    PLOY_FIELD_I32_FIXED(ploy_automaton_def, radius, 1, 1, PLOY_AUTOMATON_RADIUS, "",
                         "reach of the neighbourhood"),
    PLOY_FIELD_I32_FIXED(ploy_automaton_def, history, 0, 0, 256, "",
                         "generations remembered to find a period"),
};

struct ploy_automaton {
    ploy_env env;
    ploy_automaton_def def;
    size_t size; // bytes of this block
    int32_t stride, tiles_x, tiles_y;
    uint8_t *cells[2];
    uint8_t *changed[2]; // by tile; [now] of the last generation, the other being filled
    uint64_t *hashes;    // of the last `history` generations, a ring
    int32_t hash_count;
    int32_t now;
    int32_t band;   // row of tiles that the running generation goes on with
    bool begun;     // a generation is under way
    bool wide;      // (3)
    bool repeats;   // the rule is the one that made the last generation, so tiles may be skipped
    bool has_rule;  // a generation was made since create or clear
    int32_t period; // found after the last generation
    int64_t generation;
    ploy_automaton_rule rule; // of the running or last generation
};

ploy_fields ploy_automaton_fields(void) {
    return PLOY_FIELDS(ploy_automaton_def, automaton_fields);
}

ploy_automaton_def ploy_automaton_def_default(void) {
    ploy_automaton_def def;
    ploy_fields_default(ploy_automaton_fields(), &def);
    return def;
}

// ---- rules

ploy_automaton_rule ploy_automaton_rule_table(void) {
    ploy_automaton_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.kind = PLOY_AUTOMATON_TABLE;
    rule.counted = -1;
    for (int32_t s = 0; s < PLOY_AUTOMATON_STATES; s++)
        memset(rule.next[s], s, sizeof rule.next[s]);
    return rule;
}

// The part of a text rule behind its letter: sets row[digit]; returns the place of the first
// character that is no digit of a number of neighbours.
static size_t automaton_digits(const char *text, size_t at, uint8_t *row) {
    for (; text[at] >= '0' && text[at] <= '8'; at++) row[text[at] - '0'] = 1;
    return at;
}

ploy_result ploy_automaton_rule_text(const char *text, ploy_diags *diags,
                                     ploy_automaton_rule *out) {
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_automaton_rule rule = ploy_automaton_rule_table();
    rule.counted = 1;
    memset(rule.next[0], 0, sizeof rule.next[0]);
    memset(rule.next[1], 0, sizeof rule.next[1]);
    const char *expected = "B";
    size_t at = 0;
    if (text[at] == 'B' || text[at] == 'b') {
        at = automaton_digits(text, at + 1, rule.next[0]);
        expected = "a digit of 0 to 8, or /";
        if (text[at] == '/') {
            at++;
            expected = "S";
            if (text[at] == 'S' || text[at] == 's') {
                at = automaton_digits(text, at + 1, rule.next[1]);
                expected = "a digit of 0 to 8, or the end";
                if (text[at] == '\0') {
                    *out = rule;
                    return PLOY_OK;
                }
            }
        }
    }
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "rule", 1, (int32_t)at + 1,
                   "invalid rule", expected, NULL);
    return PLOY_ERR_FORMAT;
}

ploy_automaton_rule ploy_automaton_rule_share(uint8_t state, float share, bool keeps) {
    ploy_automaton_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.kind = PLOY_AUTOMATON_SHARE;
    rule.counted = state % PLOY_AUTOMATON_STATES;
    rule.share = share;
    rule.keeps = keeps;
    return rule;
}

ploy_automaton_rule ploy_automaton_rule_elementary(int32_t number) {
    ploy_automaton_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.kind = PLOY_AUTOMATON_ELEMENTARY;
    rule.number = number & 255;
    return rule;
}

ploy_automaton_rule ploy_automaton_rule_function(ploy_automaton_fn function, void *user) {
    ploy_automaton_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.kind = PLOY_AUTOMATON_FUNCTION;
    rule.function = function;
    rule.user = user;
    return rule;
}

// Functions may depend on more than the cells, so they never count as the same rule.
static bool automaton_same_rule(const ploy_automaton_rule *a, const ploy_automaton_rule *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case PLOY_AUTOMATON_TABLE:
        return a->counted == b->counted && memcmp(a->next, b->next, sizeof a->next) == 0;
    case PLOY_AUTOMATON_SHARE:
        return a->counted == b->counted && a->keeps == b->keeps &&
               memcmp(&a->share, &b->share, sizeof a->share) == 0;
    case PLOY_AUTOMATON_ELEMENTARY: return a->number == b->number;
    case PLOY_AUTOMATON_FUNCTION: break;
    }
    return false;
}

// ---- the grid

ploy_result ploy_automaton_create(const ploy_automaton_def *def, const ploy_env *env,
                                  ploy_automaton **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_automaton_fields(), def, env);
    if (result != PLOY_OK) return result;
    int32_t tiles_x = (def->width + AUTOMATON_TILE_X - 1) / AUTOMATON_TILE_X;
    int32_t tiles_y = (def->height + AUTOMATON_TILE_Y - 1) / AUTOMATON_TILE_Y;
    int32_t stride =
        tiles_x * AUTOMATON_TILE_X + 2 * def->radius; // tiles reach beyond the last column
    int64_t cells = (int64_t)stride * (def->height + 2 * def->radius);
    int64_t tiles = (int64_t)tiles_x * tiles_y;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_automaton), def->history, sizeof(uint64_t), &size) ||
        !ploy_size_add_array(size, 2 * cells, 1, &size) ||
        !ploy_size_add_array(size, 2 * tiles, 1, &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_automaton *automaton = ploy_env_alloc_zero(env, size);
    if (automaton == NULL) return PLOY_ERR_MEMORY;
    automaton->env = *env;
    automaton->def = *def;
    automaton->size = size;
    automaton->stride = stride;
    automaton->tiles_x = tiles_x;
    automaton->tiles_y = tiles_y;
    automaton->hashes = (uint64_t *)(automaton + 1);
    automaton->cells[0] = (uint8_t *)(automaton->hashes + def->history);
    automaton->cells[1] = automaton->cells[0] + cells;
    automaton->changed[0] = automaton->cells[1] + cells;
    automaton->changed[1] = automaton->changed[0] + tiles;
    *out = automaton;
    return PLOY_OK;
}

void ploy_automaton_destroy(ploy_automaton *automaton) {
    if (automaton == NULL) return;
    ploy_env env = automaton->env;
    ploy_env_free(&env, automaton, automaton->size);
}

static size_t automaton_tile_count(const ploy_automaton *automaton) {
    return (size_t)automaton->tiles_x * (size_t)automaton->tiles_y;
}

static uint8_t *automaton_at(const ploy_automaton *automaton, int32_t which, int32_t x, int32_t y) {
    int32_t r = automaton->def.radius;
    return automaton->cells[which] + (size_t)(y + r) * (size_t)automaton->stride + (size_t)(x + r);
}

ploy_automaton_def ploy_automaton_def_of(const ploy_automaton *automaton) {
    return automaton->def;
}

void ploy_automaton_clear(ploy_automaton *automaton) {
    size_t bytes =
        (size_t)automaton->stride * (size_t)(automaton->def.height + 2 * automaton->def.radius);
    memset(automaton->cells[0], 0, bytes);
    memset(automaton->cells[1], 0, bytes);
    memset(automaton->changed[0], 0, automaton_tile_count(automaton));
    memset(automaton->changed[1], 0, automaton_tile_count(automaton));
    automaton->hash_count = automaton->now = automaton->band = automaton->period = 0;
    automaton->wide = automaton->repeats = automaton->has_rule = automaton->begun = false;
    automaton->generation = 0;
}

static bool automaton_holds(const ploy_automaton *automaton, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < automaton->def.width && y < automaton->def.height;
}

uint8_t ploy_automaton_cell(const ploy_automaton *automaton, int32_t x, int32_t y) {
    return automaton_holds(automaton, x, y) ? *automaton_at(automaton, automaton->now, x, y) : 0;
}

const uint8_t *ploy_automaton_row(const ploy_automaton *automaton, int32_t y) {
    return automaton_holds(automaton, 0, y) ? automaton_at(automaton, automaton->now, 0, y) : NULL;
}

// The cells are about to change. A generation under way would be half old: it starts again, keeping
// (2).
static void automaton_interrupt(ploy_automaton *automaton) {
    if (automaton->begun) {
        automaton->begun = false;
        memset(automaton->changed[automaton->now], 1, automaton_tile_count(automaton));
    }
    automaton->hash_count = automaton->period = 0;
}

void ploy_automaton_set(ploy_automaton *automaton, int32_t x, int32_t y, uint8_t state) {
    if (!automaton_holds(automaton, x, y)) return;
    state = (uint8_t)(state % PLOY_AUTOMATON_STATES); // keeps (3)
    automaton_interrupt(automaton);
    *automaton_at(automaton, automaton->now, x, y) = state;
    automaton->wide |= state > 1;
    automaton->changed[automaton->now]
                      [y / AUTOMATON_TILE_Y * automaton->tiles_x + x / AUTOMATON_TILE_X] = 1;
}

// Copies states. @return all their bits.
static uint8_t automaton_copy(int32_t n, const uint8_t *restrict states, uint8_t *restrict row) {
    uint8_t bits = 0;
    for (int32_t x = 0; x < n; x++) {
        row[x] = (uint8_t)(states[x] % PLOY_AUTOMATON_STATES);
        bits = (uint8_t)(bits | row[x]);
    }
    return bits;
}

void ploy_automaton_set_row(ploy_automaton *automaton, int32_t y, const uint8_t *states) {
    if (!automaton_holds(automaton, 0, y) || states == NULL) return;
    automaton_interrupt(automaton);
    uint8_t *row = automaton_at(automaton, automaton->now, 0, y);
    automaton->wide |= automaton_copy(automaton->def.width, states, row) > 1;
    memset(automaton->changed[automaton->now] +
               (size_t)(y / AUTOMATON_TILE_Y) * (size_t)automaton->tiles_x,
           1, (size_t)automaton->tiles_x);
}

// ---- one generation

static void automaton_fill_margin(ploy_automaton *automaton) {
    int32_t w = automaton->def.width, h = automaton->def.height, r = automaton->def.radius;
    int32_t now = automaton->now;
    bool torus = automaton->def.border == PLOY_AUTOMATON_TORUS;
    // Beyond an open border nothing is counted, which a state of 0 only represents where rules
    // count other states; rules that divide by the number of neighbours look at the place too.
    int32_t outside = automaton->def.border == PLOY_AUTOMATON_FIXED ? automaton->def.outside : 0;
    for (int32_t y = 0; y < h; y++) {
        uint8_t *row = automaton_at(automaton, now, 0, y);
        for (int32_t k = 1; k <= r; k++) {
            row[-k] = torus ? row[(w - k % w) % w] : (uint8_t)outside;
            row[w + k - 1] = torus ? row[(k - 1) % w] : (uint8_t)outside;
        }
    }
    for (int32_t k = 1; k <= r; k++) {
        uint8_t *below = automaton_at(automaton, now, -r, -k);
        uint8_t *above = automaton_at(automaton, now, -r, h + k - 1);
        size_t bytes = (size_t)(w + 2 * r);
        if (torus) {
            memcpy(below, automaton_at(automaton, now, -r, (h - k % h) % h), bytes);
            memcpy(above, automaton_at(automaton, now, -r, (k - 1) % h), bytes);
        } else {
            memset(below, outside, bytes);
            memset(above, outside, bytes);
        }
    }
}

// Rules by number of neighbours. Most have one run of numbers for birth and one for survival, as Life
// and caves; then two comparisons decide a cell. Otherwise: most of the nine numbers leave a cell empty
// whatever it is; only the others are compared with, and rules with few of them take a shorter loop.
enum { AUTOMATON_COUNTS = 9, AUTOMATON_FEW = 3 };
typedef struct automaton_span {
    uint8_t low, wide; // numbers low to low + wide; low is 255 if there are none
} automaton_span;
typedef struct automaton_life {
    uint8_t count[AUTOMATON_COUNTS]; // 255: unused
    uint8_t born[AUTOMATON_COUNTS];  // 1: an empty cell with this count becomes 1
    uint8_t turn[AUTOMATON_COUNTS];  // 1: a cell that is 1 becomes the opposite
    int32_t used;
    uint8_t diagonals; // 255: they count
    bool spans;        // the next two are the whole rule
    automaton_span birth, survival;
} automaton_life;

PLOYI_INLINE uint8_t automaton_count(const uint8_t *below, const uint8_t *own, const uint8_t *above,
                                     uint8_t diagonals) {
    uint8_t sides = (uint8_t)(own[-1] + own[1] + below[0] + above[0]);
    uint8_t corners = (uint8_t)(below[-1] + below[1] + above[-1] + above[1]);
    return (uint8_t)(sides + (corners & diagonals));
}

// One row of a tile: bytes alone and no branches, so that compilers make vectors of it.
PLOYI_INLINE void automaton_row_by(int ways, int32_t n, const automaton_life *life,
                                   const uint8_t *restrict below, const uint8_t *restrict own,
                                   const uint8_t *restrict above, uint8_t *restrict out) {
    uint8_t counts[AUTOMATON_COUNTS], born[AUTOMATON_COUNTS], turn[AUTOMATON_COUNTS];
    uint8_t diagonals = life->diagonals;
    for (int k = 0; k < ways; k++) {
        counts[k] = life->count[k];
        born[k] = life->born[k];
        turn[k] = life->turn[k];
    }
    for (int32_t x = 0; x < n; x++) {
        uint8_t count = automaton_count(below + x, own + x, above + x, diagonals);
        uint8_t next = 0;
        for (int k = 0; k < ways; k++) {
            uint8_t here = (uint8_t)(count == counts[k]);
            next = (uint8_t)(next | (here & (born[k] ^ (turn[k] & own[x]))));
        }
        out[x] = next;
    }
}
PLOYI_INLINE void automaton_life_row_body(int32_t n, const automaton_life *life,
                                          const uint8_t *restrict below,
                                          const uint8_t *restrict own,
                                          const uint8_t *restrict above, uint8_t *restrict out) {
    automaton_row_by(AUTOMATON_COUNTS, n, life, below, own, above, out);
}
PLOYI_INLINE void automaton_few_row_body(int32_t n, const automaton_life *life,
                                         const uint8_t *restrict below, const uint8_t *restrict own,
                                         const uint8_t *restrict above, uint8_t *restrict out) {
    automaton_row_by(AUTOMATON_FEW, n, life, below, own, above, out);
}
PLOYI_KERNEL(automaton_life_row,
             (int32_t n, const automaton_life *life, const uint8_t *restrict below,
              const uint8_t *restrict own, const uint8_t *restrict above, uint8_t *restrict out),
             (n, life, below, own, above, out))
PLOYI_KERNEL(automaton_few_row,
             (int32_t n, const automaton_life *life, const uint8_t *restrict below,
              const uint8_t *restrict own, const uint8_t *restrict above, uint8_t *restrict out),
             (n, life, below, own, above, out))

PLOYI_INLINE void automaton_span_row_body(int32_t n, const automaton_life *life,
                                          const uint8_t *restrict below,
                                          const uint8_t *restrict own,
                                          const uint8_t *restrict above, uint8_t *restrict out) {
    const uint8_t low = life->birth.low, wide = life->birth.wide, diagonals = life->diagonals;
    const uint8_t low_turn = low ^ life->survival.low, wide_turn = wide ^ life->survival.wide;
    for (int32_t x = 0; x < n; x++) {
        uint8_t alive = (uint8_t)(0 - own[x]);
        uint8_t count = automaton_count(below + x, own + x, above + x, diagonals);
        uint8_t past = (uint8_t)(count - (low ^ (low_turn & alive)));
        out[x] = past <= (uint8_t)(wide ^ (wide_turn & alive));
    }
}
PLOYI_KERNEL(automaton_span_row,
             (int32_t n, const automaton_life *life, const uint8_t *restrict below,
              const uint8_t *restrict own, const uint8_t *restrict above, uint8_t *restrict out),
             (n, life, below, own, above, out))

// The neighbours of a cell, row by row; returns their number.
static int32_t automaton_look(const ploy_automaton *automaton, int32_t x, int32_t y,
                              uint8_t out[PLOY_AUTOMATON_NEIGHBOURS]) {
    int32_t r = automaton->def.radius, count = 0;
    bool open = automaton->def.border == PLOY_AUTOMATON_OPEN;
    bool diamond = automaton->def.shape == PLOY_AUTOMATON_DIAMOND;
    for (int32_t dy = -r; dy <= r; dy++) {
        int32_t reach = diamond ? r - (dy < 0 ? -dy : dy) : r;
        if (open && (y + dy < 0 || y + dy >= automaton->def.height)) continue;
        const uint8_t *row = automaton_at(automaton, automaton->now, x, y + dy);
        for (int32_t dx = -reach; dx <= reach; dx++) {
            if (dx == 0 && dy == 0) continue;
            if (open && (x + dx < 0 || x + dx >= automaton->def.width)) continue;
            out[count++] = row[dx];
        }
    }
    return count;
}

static uint8_t automaton_next(const ploy_automaton *automaton, int32_t x, int32_t y) {
    const ploy_automaton_rule *rule = &automaton->rule;
    const uint8_t *own = automaton_at(automaton, automaton->now, x, y);
    if (rule->kind == PLOY_AUTOMATON_ELEMENTARY) {
        int32_t bits = (own[-1] != 0) * 4 + (own[0] != 0) * 2 + (own[1] != 0);
        return (uint8_t)(rule->number >> bits & 1);
    }
    uint8_t seen[PLOY_AUTOMATON_NEIGHBOURS];
    int32_t count = automaton_look(automaton, x, y, seen);
    if (rule->kind == PLOY_AUTOMATON_FUNCTION) {
        ploy_automaton_site site = {x, y, own[0], seen, count};
        return (uint8_t)(rule->function(rule->user, &site) % PLOY_AUTOMATON_STATES);
    }
    int32_t counted = 0;
    for (int32_t i = 0; i < count; i++) {
        counted += rule->counted < 0 ? seen[i] != 0 : seen[i] == rule->counted;
    }
    if (rule->kind == PLOY_AUTOMATON_TABLE) {
        return (uint8_t)(rule->next[own[0]][counted] % PLOY_AUTOMATON_STATES);
    }
    if (count > 0 && (float)counted >= rule->share * (float)count) return (uint8_t)rule->counted;
    return rule->keeps ? own[0] : 0;
}

// True if the tile or one within reach changed in the last generation. On a torus the last tile may
// be narrower than the neighbourhood, which then reaches the one behind it.
static bool automaton_awake(const ploy_automaton *automaton, int32_t tx, int32_t ty) {
    const uint8_t *changed = automaton->changed[automaton->now];
    bool torus = automaton->def.border == PLOY_AUTOMATON_TORUS;
    int32_t reach = torus ? 2 : 1;
    for (int32_t dy = -reach; dy <= reach; dy++) {
        int32_t v = ty + dy;
        if (torus) v = (v + 2 * automaton->tiles_y) % automaton->tiles_y;
        if (v < 0 || v >= automaton->tiles_y) continue;
        for (int32_t dx = -reach; dx <= reach; dx++) {
            int32_t u = tx + dx;
            if (torus) u = (u + 2 * automaton->tiles_x) % automaton->tiles_x;
            if (u < 0 || u >= automaton->tiles_x) continue;
            if (changed[v * automaton->tiles_x + u] != 0) return true;
        }
    }
    return false;
}

// The numbers of neighbours that lead to 1; false if they are more than one run.
static bool automaton_as_span(const uint8_t *next, automaton_span *out) {
    int32_t first = 0, end = 0, last = AUTOMATON_COUNTS - 1;
    while (first <= last && next[first] == 0) first++;
    while (last >= first && next[last] == 0) last--;
    for (end = first; end <= last && next[end] != 0; end++) {
    }
    out->low = (uint8_t)(first <= last ? first : 255);
    out->wide = (uint8_t)(first <= last ? last - first : 0);
    return end > last;
}

// The binary table as the kernel takes it; false if the rule or the grid is of another kind.
static bool automaton_as_life(const ploy_automaton *automaton, automaton_life *life) {
    const ploy_automaton_rule *rule = &automaton->rule;
    if (rule->kind != PLOY_AUTOMATON_TABLE || automaton->wide || automaton->def.radius != 1) {
        return false;
    }
    if (rule->counted != -1 && rule->counted != 1) return false;
    if (automaton->def.border == PLOY_AUTOMATON_FIXED && automaton->def.outside > 1) return false;
    memset(life, 0, sizeof *life);
    memset(life->count, 255, sizeof life->count);
    for (int32_t k = 0; k < AUTOMATON_COUNTS; k++) {
        uint8_t born = rule->next[0][k], stays = rule->next[1][k];
        if (born > 1 || stays > 1) return false;
        if (born == 0 && stays == 0) continue;
        life->count[life->used] = (uint8_t)k;
        life->born[life->used] = born;
        life->turn[life->used++] = (uint8_t)(born ^ stays);
    }
    bool birth = automaton_as_span(rule->next[0], &life->birth);
    life->spans = automaton_as_span(rule->next[1], &life->survival) && birth;
    life->diagonals = automaton->def.shape == PLOY_AUTOMATON_SQUARE ? 255 : 0;
    return true;
}

static void automaton_tile(ploy_automaton *automaton, const automaton_life *life, int32_t tx,
                           int32_t ty) {
    int32_t x0 = tx * AUTOMATON_TILE_X, y0 = ty * AUTOMATON_TILE_Y, now = automaton->now;
    int32_t n =
        automaton->def.width - x0 < AUTOMATON_TILE_X ? automaton->def.width - x0 : AUTOMATON_TILE_X;
    int32_t y1 = automaton->def.height < y0 + AUTOMATON_TILE_Y ? automaton->def.height
                                                               : y0 + AUTOMATON_TILE_Y;
    bool differs = false;
    for (int32_t y = y0; y < y1; y++) {
        const uint8_t *own = automaton_at(automaton, now, x0, y);
        uint8_t *out = automaton_at(automaton, 1 - now, x0, y);
        if (life != NULL && life->spans) {
            automaton_span_row(n, life, own - automaton->stride, own, own + automaton->stride, out);
        } else if (life != NULL && life->used <= AUTOMATON_FEW) {
            automaton_few_row(n, life, own - automaton->stride, own, own + automaton->stride, out);
        } else if (life != NULL) {
            automaton_life_row(n, life, own - automaton->stride, own, own + automaton->stride, out);
        } else {
            for (int32_t x = 0; x < n; x++) {
                out[x] = automaton_next(automaton, x0 + x, y);
                automaton->wide |= out[x] > 1;
            }
        }
        if (!differs) differs = memcmp(own, out, (size_t)n) != 0;
    }
    automaton->changed[1 - now][ty * automaton->tiles_x + tx] = (uint8_t)differs;
}

static uint64_t automaton_hash(const ploy_automaton *automaton) {
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    for (int32_t y = 0; y < automaton->def.height; y++) {
        ploy_hasher_add(&hasher, automaton_at(automaton, automaton->now, 0, y),
                        (size_t)automaton->def.width);
    }
    return ploy_hasher_result(&hasher);
}

// Looks for the present grid in the ring of hashes, the latest first, and adds it.
static void automaton_remember(ploy_automaton *automaton) {
    int32_t room = automaton->def.history;
    if (room == 0) return;
    uint64_t hash = automaton_hash(automaton);
    automaton->period = 0;
    int32_t kept = automaton->hash_count < room ? automaton->hash_count : room;
    for (int32_t back = 1; back <= kept && automaton->period == 0; back++) {
        if (automaton->hashes[(automaton->hash_count - back) % room] == hash) {
            automaton->period = back;
        }
    }
    automaton->hashes[automaton->hash_count % room] = hash;
    automaton->hash_count++;
    if (automaton->hash_count == 2 * room)
        automaton->hash_count = room; // the same place in the ring
}

ploy_result ploy_automaton_step(ploy_automaton *automaton, const ploy_automaton_rule *rule,
                                ploy_budget *budget) {
    if (!automaton->begun) {
        if (rule == NULL || (rule->kind == PLOY_AUTOMATON_FUNCTION && rule->function == NULL)) {
            return PLOY_ERR_ARGUMENT;
        }
        if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
        automaton->repeats = automaton->has_rule && automaton_same_rule(&automaton->rule, rule);
        automaton->rule = *rule;
        automaton->has_rule = true;
        if (automaton->hash_count == 0) automaton_remember(automaton);
        automaton_fill_margin(automaton);
        automaton->band = 0;
        automaton->begun = true;
    }
    automaton_life life;
    for (; automaton->band < automaton->tiles_y; automaton->band++) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        // Only here: a table may lead to states above 1, which the kernel does not know.
        const automaton_life *kernel = automaton_as_life(automaton, &life) ? &life : NULL;
        for (int32_t tx = 0; tx < automaton->tiles_x; tx++) {
            if (automaton->repeats && !automaton_awake(automaton, tx, automaton->band)) {
                automaton->changed[1 - automaton->now][automaton->band * automaton->tiles_x + tx] =
                    0;
            } else {
                automaton_tile(automaton, kernel, tx, automaton->band);
            }
        }
    }
    automaton->begun = false;
    automaton->now = 1 - automaton->now;
    automaton->generation++;
    automaton_remember(automaton);
    return PLOY_OK;
}

int64_t ploy_automaton_generation(const ploy_automaton *automaton) {
    return automaton->generation;
}

int32_t ploy_automaton_period(const ploy_automaton *automaton) {
    return automaton->period;
}

int64_t ploy_automaton_count(const ploy_automaton *automaton, uint8_t state) {
    int64_t count = 0;
    for (int32_t y = 0; y < automaton->def.height; y++) {
        const uint8_t *row = automaton_at(automaton, automaton->now, 0, y);
        for (int32_t x = 0; x < automaton->def.width; x++) count += row[x] == state;
    }
    return count;
}

// ---- sight

void ploy_automaton_describe(const ploy_automaton *automaton, ploy_describe *out) {
    ploy_describe_i64(out, "width", PLOY_STATE, automaton->def.width);
    ploy_describe_i64(out, "height", PLOY_STATE, automaton->def.height);
    ploy_describe_i64(out, "generation", PLOY_STATE, automaton->generation);
    ploy_describe_u64(out, "cells", PLOY_STATE, automaton_hash(automaton));
    ploy_describe_i64(out, "row_of_tiles", PLOY_STATE, automaton->begun ? automaton->band : 0);
    ploy_describe_i64(out, "period", PLOY_DERIVED, automaton->period);
    ploy_describe_i64(out, "empty", PLOY_DERIVED, ploy_automaton_count(automaton, 0));
}

void ploy_automaton_draw(const ploy_automaton *automaton, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_WORLD)) return;
    static const ploy_style styles[] = {PLOY_STYLE_WALL, PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                        PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
    for (int32_t y = 0; y < automaton->def.height; y++) {
        const uint8_t *row = automaton_at(automaton, automaton->now, 0, y);
        for (int32_t x = 0, end; x < automaton->def.width; x = end) {
            for (end = x + 1; end < automaton->def.width && row[end] == row[x];) end++;
            if (row[x] == 0) continue;
            float bottom = (float)y, top = (float)(y + 1), left = (float)x, right = (float)end;
            ploy_vec2 corners[4] = {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, styles[(row[x] - 1) % 5], (ploy_agent_id){{0}},
                              corners, 4, 1.0f);
        }
    }
}

void ploy_automaton_memory(const ploy_automaton *automaton, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"automaton", automaton->size, 1};
    fn(user, &item);
}
