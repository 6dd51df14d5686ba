// The strategy game: strategies as moves, see the header. Orders are in strategy_orders.c.
#include "ploy/board/strategy.h"

#include <string.h>

#include "board_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/number.h"
#include "strategy_internal.h"

static const ploy_field strategy_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_strategy_def, columns, 4, 2, 6, "", "columns of cities"),
    PLOY_FIELD_I32_FIXED(ploy_board_strategy_def, rows, 3, 2, 4, "", "rows of cities"),
    PLOY_FIELD_I32_FIXED(ploy_board_strategy_def, limit, 40, 2, 250, "turns",
                         "turns after which the larger nation wins"),
};

ploy_fields ploy_board_strategy_fields(void) {
    return PLOY_FIELDS(ploy_board_strategy_def, strategy_fields);
}

ploy_board_strategy_def ploy_board_strategy_def_default(void) {
    ploy_board_strategy_def def;
    ploy_fields_default(ploy_board_strategy_fields(), &def);
    return def;
}

static size_t strategy_bytes(const void *rules) {
    (void)rules;
    return sizeof(ployi_strategy);
}

static void strategy_start(const void *rules, void *position) {
    const ploy_board_strategy_def *def = rules;
    ployi_strategy *p = position;
    int32_t cities = def->columns * def->rows;
    memset(p, 0, sizeof *p);
    for (int32_t i = 0; i < cities; i++) {
        p->owner[i] = PLOYI_STRATEGY_NOBODY;
        p->economy[i] = 1;
        p->army[i] = 1;
    }
    for (int32_t nation = 0; nation < 2; nation++) {
        int32_t home = nation == 0 ? 0 : cities - 1;
        p->owner[home] = (uint8_t)nation;
        p->economy[home] = 2;
        p->army[home] = 4;
        p->gold[nation] = 4;
        p->content[nation] = 5;
    }
}

static bool strategy_has_city(const ploy_board_strategy_def *def, const ployi_strategy *p,
                              int32_t nation) {
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (p->owner[i] == nation) return true;
    }
    return false;
}

static int32_t strategy_side(const void *rules, const void *position) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    if (p->force > 0) return PLOY_BOARD_CHANCE;
    if (p->turn >= def->limit || !strategy_has_city(def, p, 0) || !strategy_has_city(def, p, 1)) {
        return PLOY_BOARD_OVER;
    }
    return p->side;
}

// Moves: strategies 1 to 3, 4 + city for attacks; battles 101 won, 102 lost.
enum { STRATEGY_WON = 101, STRATEGY_LOST = 102 };

static int32_t strategy_moves(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    int32_t count = 0, side = strategy_side(rules, p);
    if (side == PLOY_BOARD_OVER) return 0;
    if (side == PLOY_BOARD_CHANCE) {
        if (count < capacity) out[count++] = STRATEGY_WON;
        if (count < capacity) out[count++] = STRATEGY_LOST;
        return count;
    }
    for (ploy_board_move move = PLOYI_STRATEGY_ECONOMY;
         move <= PLOYI_STRATEGY_DEFEND && count < capacity; move++) {
        out[count++] = move;
    }
    for (int32_t i = 0; i < def->columns * def->rows && count < capacity; i++) {
        if (p->owner[i] != side && ployi_strategy_force(def, p, side, i) > 0) {
            out[count++] = PLOYI_STRATEGY_ATTACK + (ploy_board_move)i;
        }
    }
    return count;
}

// Strength of the two forces of the battle under way, in twelfths of a unit: technology adds a sixth
// a level, walls a quarter.
static void strategy_forces(const ployi_strategy *p, int32_t *attack, int32_t *defend) {
    int32_t other = p->owner[p->target];
    int32_t level = other == PLOYI_STRATEGY_NOBODY ? 0 : p->technology[other];
    *attack = p->force * (12 + 2 * p->technology[p->side]);
    *defend = p->army[p->target] * (12 + 2 * level) * 5 / 4;
}

static int32_t strategy_odds(const void *rules, const void *position, ploy_board_move move) {
    (void)rules;
    const ployi_strategy *p = position;
    int32_t attack = 0, defend = 0;
    strategy_forces(p, &attack, &defend);
    // Squares: twice the strength wins four of five battles.
    int32_t win = attack * attack / 8 + 1, lose = defend * defend / 8 + 1;
    return move == STRATEGY_WON ? win : lose;
}

// The next nation's turn begins with its income.
static void strategy_next(const ploy_board_strategy_def *def, ployi_strategy *p) {
    p->side ^= 1;
    p->turn++;
    int32_t gold = p->gold[p->side] + ployi_strategy_income(def, p, p->side);
    p->gold[p->side] = (uint16_t)(gold > 999 ? 999 : gold);
}

static void strategy_battle(const ploy_board_strategy_def *def, ployi_strategy *p, bool won) {
    int32_t attack = 0, defend = 0, city = p->target;
    strategy_forces(p, &attack, &defend);
    int32_t winner = won ? attack : defend, loser = won ? defend : attack;
    int32_t units = won ? p->force : p->army[city];
    // The winner loses up to half of its units, the more the closer it was.
    int32_t dead = winner > 0 ? units * (loser < winner ? loser : winner) / winner / 2 : 0;
    int32_t left = units - dead;
    p->army[city] = (uint8_t)(left > 1 ? left : 1);
    if (won) {
        p->owner[city] = p->side;
        if (p->economy[city] > 1) p->economy[city]--; // plundered
    }
    p->force = p->target = 0;
    strategy_next(def, p);
}

static void strategy_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    const ploy_board_strategy_def *def = rules;
    ployi_strategy *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    if (move == STRATEGY_WON || move == STRATEGY_LOST) {
        strategy_battle(def, p, move == STRATEGY_WON);
        return;
    }
    ploy_board_order orders[PLOYI_STRATEGY_ORDERS];
    int32_t count = ploy_board_strategy_orders(def, p, move, orders, PLOYI_STRATEGY_ORDERS);
    for (int32_t i = 0; i < count; i++) ployi_strategy_order(p, &orders[i]);
    uint8_t *content = &p->content[p->side];
    if (move >= PLOYI_STRATEGY_ATTACK && *content > 0) (*content)--;
    if (move == PLOYI_STRATEGY_ECONOMY && *content < 10) (*content)++;
    if (p->force == 0) strategy_next(def, p);
}

static void strategy_unmake(const void *rules, void *position, ploy_board_move move,
                            const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(ployi_strategy));
}

// ---- value

enum { STRATEGY_PARTS = 5 };
static const char *const strategy_part_names[STRATEGY_PARTS] = {"cities", "income", "army",
                                                                "technology", "content"};

static void strategy_parts(const ploy_board_strategy_def *def, const ployi_strategy *p,
                           int32_t nation, int32_t out[STRATEGY_PARTS]) {
    memset(out, 0, sizeof(int32_t) * STRATEGY_PARTS);
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (p->owner[i] != nation) continue;
        out[0] += 30;
        out[2] += 6 * p->army[i];
    }
    out[1] = 10 * ployi_strategy_income(def, p, nation) + 2 * p->gold[nation];
    out[3] = 15 * p->technology[nation] + p->study[nation];
    out[4] = 2 * p->content[nation];
}

static int32_t strategy_total(const ploy_board_strategy_def *def, const ployi_strategy *p,
                              int32_t nation) {
    int32_t parts[STRATEGY_PARTS], sum = 0;
    strategy_parts(def, p, nation, parts);
    for (int32_t i = 0; i < STRATEGY_PARTS; i++) sum += parts[i];
    return sum;
}

static int32_t strategy_evaluate(const void *rules, const void *position, int32_t player) {
    return strategy_total(rules, position, player) - strategy_total(rules, position, 1 - player);
}

static void strategy_score_parts(const void *rules, const void *position, int32_t player,
                                 ploy_board_part_fn fn, void *user) {
    int32_t own[STRATEGY_PARTS], other[STRATEGY_PARTS];
    strategy_parts(rules, position, player, own);
    strategy_parts(rules, position, 1 - player, other);
    for (int32_t i = 0; i < STRATEGY_PARTS; i++) {
        fn(user, strategy_part_names[i], own[i] - other[i]);
    }
}

static int32_t strategy_result(const void *rules, const void *position, int32_t player) {
    const ploy_board_strategy_def *def = rules;
    for (int32_t nation = 0; nation < 2; nation++) {
        if (strategy_has_city(def, position, nation)) continue;
        return nation == player ? -PLOY_BOARD_WIN : PLOY_BOARD_WIN;
    }
    int32_t lead = strategy_evaluate(rules, position, player);
    return lead > 0 ? PLOY_BOARD_WIN : lead < 0 ? -PLOY_BOARD_WIN : 0;
}

static uint64_t strategy_hash(const void *rules, const void *position) {
    (void)rules;
    return ploy_hash_bytes(position, sizeof(ployi_strategy), 0);
}

// How likely: the heuristic score, made positive.
static float strategy_prior(const void *rules, const void *position, ploy_board_move move) {
    ploy_board_option options[PLOY_BOARD_STRATEGY_CITIES + 3];
    int32_t count =
        ploy_board_strategy_options(rules, position, options, PLOY_BOARD_STRATEGY_CITIES + 3);
    for (int32_t i = 0; i < count; i++) {
        if (options[i].strategy == move) return 1.0f / (1.0f + (float)i);
    }
    return 0.01f;
}

// A playout follows the heuristics; the search adds the random moves.
static ploy_board_move strategy_playout(const void *rules, const void *position, ploy_rng *rng) {
    ploy_board_option options[PLOY_BOARD_STRATEGY_CITIES + 3];
    int32_t count =
        ploy_board_strategy_options(rules, position, options, PLOY_BOARD_STRATEGY_CITIES + 3);
    if (count == 0) return PLOY_BOARD_NO_MOVE;
    int32_t near = count < 2 ? count : 2;
    return options[ploy_rng_below(rng, (uint64_t)near)].strategy;
}

// ---- text

static char *strategy_print(char *out, int64_t number) {
    return out + ploy_print_i64(number, out);
}

static void strategy_city_text(const ploy_board_strategy_def *def, int32_t city, char *out) {
    out[0] = (char)('a' + city % def->columns);
    out[1] = (char)('1' + city / def->columns);
    out[2] = 0;
}

static void strategy_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)position;
    static const char *const names[] = {"", "economy", "research", "defend"};
    if (move == STRATEGY_WON || move == STRATEGY_LOST) {
        strcpy(out, move == STRATEGY_WON ? "won" : "lost");
    } else if (move <= PLOYI_STRATEGY_DEFEND) {
        strcpy(out, names[move]);
    } else {
        strcpy(out, "attack:");
        strategy_city_text(rules, (int32_t)(move - PLOYI_STRATEGY_ATTACK), out + 7);
    }
}

static ploy_result strategy_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_strategy(), rules), position, text,
                                   name, out, diags);
}

static void strategy_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (i > 0) *out++ = i % def->columns == 0 ? '/' : ' ';
        *out++ = "AB-"[p->owner[i]];
        *out++ = (char)('0' + p->economy[i]);
        *out++ = '*';
        out = strategy_print(out, p->army[i]);
    }
    for (int32_t nation = 0; nation < 2; nation++) {
        const int32_t values[4] = {p->gold[nation], p->technology[nation], p->study[nation],
                                   p->content[nation]};
        *out++ = ';';
        for (int32_t k = 0; k < 4; k++) {
            *out++ = ' ';
            out = strategy_print(out, values[k]);
        }
    }
    *out++ = ';';
    *out++ = ' ';
    out = strategy_print(out, p->turn);
    *out++ = ' ';
    *out++ = "AB"[p->side];
    if (p->force > 0) { // a battle: force and city
        *out++ = ' ';
        out = strategy_print(out, p->force);
        *out++ = ' ';
        strategy_city_text(def, p->target, out);
        out += 2;
    }
    *out = 0;
}

typedef struct strategy_reader {
    const char *text, *name;
    int32_t at;
    ploy_diags *diags;
} strategy_reader;

static ploy_result strategy_fault(const strategy_reader *r, const char *message,
                                  const char *expected) {
    return ployi_board_fault(r->diags, r->name, r->at + 1, message, expected);
}

static bool strategy_number(strategy_reader *r, int32_t most, int32_t *out) {
    int64_t number = 0;
    size_t used = 0;
    const char *text = r->text + r->at;
    if (ploy_parse_i64(text, strlen(text), &used, &number) != PLOY_OK || number < 0 ||
        number > most) {
        return false;
    }
    r->at += (int32_t)used;
    *out = (int32_t)number;
    return true;
}

static bool strategy_char(strategy_reader *r, char c) {
    if (r->text[r->at] != c) return false;
    r->at++;
    return true;
}

static ploy_result strategy_read_cities(strategy_reader *r, const ploy_board_strategy_def *def,
                                        ployi_strategy *p) {
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (i > 0 && !strategy_char(r, i % def->columns == 0 ? '/' : ' ')) {
            return strategy_fault(r, "too few cities", "a blank, or / between rows");
        }
        char owner = r->text[r->at];
        if (owner != 'A' && owner != 'B' && owner != '-') {
            return strategy_fault(r, "unknown owner", "A, B or -");
        }
        r->at++;
        char economy = r->text[r->at];
        if (economy < '1' || economy > '0' + PLOYI_STRATEGY_ECONOMY_MAX) {
            return strategy_fault(r, "invalid economy", "1 to 5");
        }
        r->at++;
        int32_t army = 0;
        if (!strategy_char(r, '*') || !strategy_number(r, PLOYI_STRATEGY_ARMY_MAX, &army) ||
            army < 1) {
            return strategy_fault(r, "invalid army", "* and 1 to 99 units");
        }
        p->owner[i] = (uint8_t)(owner == 'A' ? 0 : owner == 'B' ? 1 : PLOYI_STRATEGY_NOBODY);
        p->economy[i] = (uint8_t)(economy - '0');
        p->army[i] = (uint8_t)army;
    }
    return PLOY_OK;
}

static ploy_result strategy_read_nation(strategy_reader *r, ployi_strategy *p, int32_t nation) {
    static const int32_t most[4] = {999, PLOYI_STRATEGY_TECHNOLOGY_MAX, PLOYI_STRATEGY_STUDY - 1,
                                    10};
    int32_t values[4];
    if (!strategy_char(r, ';')) return strategy_fault(r, "a nation is missing", "';'");
    for (int32_t k = 0; k < 4; k++) {
        if (!strategy_char(r, ' ') || !strategy_number(r, most[k], &values[k])) {
            return strategy_fault(r, "invalid number of a nation",
                                  "gold, technology, study and content");
        }
    }
    p->gold[nation] = (uint16_t)values[0];
    p->technology[nation] = (uint8_t)values[1];
    p->study[nation] = (uint8_t)values[2];
    p->content[nation] = (uint8_t)values[3];
    return PLOY_OK;
}

static ploy_result strategy_read_battle(strategy_reader *r, const ploy_board_strategy_def *def,
                                        ployi_strategy *p) {
    int32_t force = 0;
    if (!strategy_number(r, PLOYI_STRATEGY_ARMY_MAX, &force) || force < 1 ||
        !strategy_char(r, ' ')) {
        return strategy_fault(r, "invalid battle", "units and a city");
    }
    int32_t x = r->text[r->at] - 'a', y = r->text[r->at] == 0 ? -1 : r->text[r->at + 1] - '1';
    if (x < 0 || x >= def->columns || y < 0 || y >= def->rows ||
        p->owner[y * def->columns + x] == p->side) {
        return strategy_fault(r, "invalid city of a battle", "a city of another nation");
    }
    r->at += 2;
    p->force = (uint8_t)force;
    p->target = (uint8_t)(y * def->columns + x);
    return PLOY_OK;
}

static ploy_result strategy_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    const ploy_board_strategy_def *def = rules;
    ployi_strategy p;
    memset(&p, 0, sizeof p);
    strategy_reader r = {text, name, 0, diags};
    ploy_result result = strategy_read_cities(&r, def, &p);
    for (int32_t n = 0; n < 2 && result == PLOY_OK; n++) result = strategy_read_nation(&r, &p, n);
    if (result != PLOY_OK) return result;
    int32_t turn = 0;
    if (!strategy_char(&r, ';') || !strategy_char(&r, ' ') ||
        !strategy_number(&r, def->limit, &turn) || !strategy_char(&r, ' ')) {
        return strategy_fault(&r, "invalid turn", "'; TURN SIDE'");
    }
    p.turn = (uint8_t)turn;
    if (text[r.at] != 'A' && text[r.at] != 'B') {
        return strategy_fault(&r, "the side to move is missing", "A or B");
    }
    p.side = (uint8_t)(text[r.at++] == 'B');
    if (text[r.at] == ' ') {
        r.at++;
        result = strategy_read_battle(&r, def, &p);
        if (result != PLOY_OK) return result;
    }
    if (text[r.at] != 0)
        return strategy_fault(&r, "unexpected text behind the position", "the end");
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

// ---- encoding, picture

static void strategy_encode_shape(const void *rules, int32_t shape[3]) {
    const ploy_board_strategy_def *def = rules;
    shape[0] = 5;
    shape[1] = def->rows;
    shape[2] = def->columns;
}

// Planes: own cities, the enemy's, economy, armies, technology of the two in all cells.
static void strategy_encode(const void *rules, const void *position, float *out) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    int32_t cities = def->columns * def->rows;
    for (int32_t i = 0; i < cities; i++) {
        out[i] = p->owner[i] == p->side ? 1.0f : 0.0f;
        out[cities + i] = p->owner[i] == 1 - p->side ? 1.0f : 0.0f;
        out[2 * cities + i] = (float)p->economy[i] / 5.0f;
        out[3 * cities + i] = (float)p->army[i] / 20.0f;
        out[4 * cities + i] = (float)(p->technology[p->side] - p->technology[1 - p->side]) / 5.0f;
    }
}

static ploy_box2 strategy_area(const void *rules) {
    const ploy_board_strategy_def *def = rules;
    return ployi_board_grid_area(def->columns, def->rows);
}

static void strategy_draw(const void *rules, const void *position, ploy_draw *out) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    ploy_agent_id none = {{0, 0}};
    ployi_board_grid_draw(out, def->columns, def->rows);
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        ploy_vec2 at = ployi_board_grid_centre(def->rows, i % def->columns, i / def->columns);
        if (p->owner[i] != PLOYI_STRATEGY_NOBODY) {
            ployi_board_draw_disc(out, at, 0.16f + 0.05f * (float)p->economy[i], p->owner[i]);
        } else {
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GHOST, none, at, 0.2f);
        }
        char text[16];
        *strategy_print(text, p->army[i]) = 0;
        ploy_draw_text(out, none, (ploy_vec2){at.x + 0.25f, at.y + 0.28f}, text);
    }
}

static bool strategy_place(const void *rules, const void *position, ploy_board_move move,
                           ploy_vec2 *from, ploy_vec2 *to) {
    const ploy_board_strategy_def *def = rules;
    const ployi_strategy *p = position;
    if (move < PLOYI_STRATEGY_ATTACK || move >= STRATEGY_WON) return false;
    int32_t city = (int32_t)(move - PLOYI_STRATEGY_ATTACK), near[4], best = -1;
    int32_t count = ployi_strategy_near(def, city, near);
    for (int32_t i = 0; i < count; i++) {
        if (p->owner[near[i]] != p->side) continue;
        if (best < 0 || p->army[near[i]] > p->army[best]) best = near[i];
    }
    *to = ployi_board_grid_centre(def->rows, city % def->columns, city / def->columns);
    *from = best < 0 ? *to
                     : ployi_board_grid_centre(def->rows, best % def->columns, best / def->columns);
    return true;
}

const ploy_board_type *ploy_board_strategy(void) {
    static const ploy_board_type type = {
        .name = "strategy",
        .title = "Two nations",
        .help = "strategies as moves over a lower tier of orders",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_RANDOM,
        .unit = 30,
        .max_moves = PLOY_BOARD_STRATEGY_CITIES + 3,
        .fields = ploy_board_strategy_fields,
        .position_bytes = strategy_bytes,
        .undo_bytes = strategy_bytes,
        .start = strategy_start,
        .side = strategy_side,
        .moves = strategy_moves,
        .make = strategy_make,
        .unmake = strategy_unmake,
        .result = strategy_result,
        .hash = strategy_hash,
        .evaluate = strategy_evaluate,
        .odds = strategy_odds,
        .playout = strategy_playout,
        .prior = strategy_prior,
        .move_text = strategy_move_text,
        .move_parse = strategy_move_parse,
        .text = strategy_text,
        .parse = strategy_parse,
        .encode_shape = strategy_encode_shape,
        .encode = strategy_encode,
        .score_parts = strategy_score_parts,
        .area = strategy_area,
        .draw = strategy_draw,
        .place = strategy_place,
    };
    return &type;
}
