// One subsystem of the strategy game as a separate game: what to buy next, against chance.
#include <string.h>

#include "board_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/number.h"
#include "strategy_internal.h"

static const ploy_field plan_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, turns, 8, 1, 60, "turns", "length of the plan"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, gold, 4, 0, 999, "", "gold at the start"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, economy, 2, 1, 99, "", "income at the start"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, army, 2, 0, 99, "", "units at the start"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, technology, 0, 0, 9, "", "level at the start"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, threat, 3, 0, 99, "", "strength of raids"),
    PLOY_FIELD_I32_FIXED(ploy_board_plan_def, goal, 22, 0, 9999, "", "value that is a success"),
};

ploy_fields ploy_board_plan_fields(void) {
    return PLOY_FIELDS(ploy_board_plan_def, plan_fields);
}

ploy_board_plan_def ploy_board_plan_def_default(void) {
    ploy_board_plan_def def;
    ploy_fields_default(ploy_board_plan_fields(), &def);
    return def;
}

typedef struct plan_position {
    int16_t gold, economy, army, technology;
    uint8_t turn;
    uint8_t raid; // chance is to move
    uint8_t unused[6];
} plan_position;

enum { PLAN_BUILD = 1, PLAN_TRAIN, PLAN_RESEARCH, PLAN_SAVE, PLAN_QUIET, PLAN_RAID, PLAN_WAR };
static const char *const plan_names[] = {"",     "build", "train", "research",
                                         "save", "quiet", "raid",  "war"};

static size_t plan_bytes(const void *rules) {
    (void)rules;
    return sizeof(plan_position);
}

static void plan_start(const void *rules, void *position) {
    const ploy_board_plan_def *def = rules;
    plan_position *p = position;
    memset(p, 0, sizeof *p);
    p->gold = (int16_t)def->gold;
    p->economy = (int16_t)def->economy;
    p->army = (int16_t)def->army;
    p->technology = (int16_t)def->technology;
}

static int32_t plan_side(const void *rules, const void *position) {
    const ploy_board_plan_def *def = rules;
    const plan_position *p = position;
    if (p->raid != 0) return PLOY_BOARD_CHANCE;
    return p->turn >= def->turns ? PLOY_BOARD_OVER : 0;
}

static int32_t plan_price(const plan_position *p, ploy_board_move move) {
    return move == PLAN_BUILD ? 3 + p->economy / 2 : move == PLAN_TRAIN ? 4 : 8 + 2 * p->technology;
}

static int32_t plan_moves(const void *rules, const void *position, ploy_board_move *out,
                          int32_t capacity) {
    const plan_position *p = position;
    int32_t side = plan_side(rules, p), count = 0;
    if (side == PLOY_BOARD_OVER) return 0;
    if (side == PLOY_BOARD_CHANCE) {
        for (ploy_board_move m = PLAN_QUIET; m <= PLAN_WAR && count < capacity; m++) {
            out[count++] = m;
        }
        return count;
    }
    for (ploy_board_move m = PLAN_BUILD; m <= PLAN_RESEARCH && count < capacity; m++) {
        if (plan_price(p, m) <= p->gold) out[count++] = m;
    }
    if (count < capacity) out[count++] = PLAN_SAVE;
    return count;
}

static int32_t plan_odds(const void *rules, const void *position, ploy_board_move move) {
    (void)rules;
    const plan_position *p = position;
    return move == PLAN_QUIET ? 6 : move == PLAN_RAID ? 3 : 1 + p->turn / 4;
}

static int32_t plan_value(const plan_position *p) {
    return 4 * p->economy + p->army + 3 * p->technology;
}

static void plan_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    const ploy_board_plan_def *def = rules;
    plan_position *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    if (move <= PLAN_SAVE) {
        if (move != PLAN_SAVE) p->gold = (int16_t)(p->gold - plan_price(p, move));
        if (move == PLAN_BUILD && p->economy < 999) p->economy++;
        if (move == PLAN_TRAIN && p->army < 999) p->army = (int16_t)(p->army + 2);
        if (move == PLAN_RESEARCH && p->technology < 99) p->technology++;
        p->raid = 1;
        return;
    }
    if (move != PLAN_QUIET) {
        int32_t raid = move == PLAN_RAID ? def->threat : 2 * def->threat;
        int32_t guard = p->army * (6 + p->technology) / 6;
        if (guard >= raid) {
            p->army = (int16_t)(p->army - (raid > 0 && p->army > 0 ? 1 : 0));
        } else { // the raiders burn what the army cannot hold
            int32_t loss = 1 + (raid - guard) / 4;
            p->economy = (int16_t)(p->economy > loss ? p->economy - loss : 1);
            p->army = (int16_t)(p->army / 2);
        }
    }
    p->raid = 0;
    p->turn++;
    int32_t gold = p->gold + p->economy;
    p->gold = (int16_t)(gold > 9999 ? 9999 : gold);
}

static void plan_unmake(const void *rules, void *position, ploy_board_move move, const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(plan_position));
}

static int32_t plan_result(const void *rules, const void *position, int32_t player) {
    const ploy_board_plan_def *def = rules;
    bool success = plan_value(position) >= def->goal;
    return success == (player == 0) ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}

static uint64_t plan_hash(const void *rules, const void *position) {
    (void)rules;
    const plan_position *p = position;
    uint64_t low = (uint64_t)(uint16_t)p->gold | (uint64_t)(uint16_t)p->economy << 16 |
                   (uint64_t)(uint16_t)p->army << 32 | (uint64_t)(uint16_t)p->technology << 48;
    return ploy_hash_combine(low, (uint64_t)p->turn << 8 | p->raid);
}

// The value now, with a bit for the gold, against the goal.
static int32_t plan_evaluate(const void *rules, const void *position, int32_t player) {
    const ploy_board_plan_def *def = rules;
    const plan_position *p = position;
    int32_t lead = 10 * (plan_value(p) - def->goal) + 5 * p->gold;
    return player == 0 ? lead : -lead;
}

static void plan_move_text(const void *rules, const void *position, ploy_board_move move,
                           char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    strcpy(out, plan_names[move]);
}

static ploy_result plan_move_parse(const void *rules, const void *position, const char *text,
                                   const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_plan(), rules), position, text, name,
                                   out, diags);
}

// "gold economy army technology turn", and " raid" where chance is to move.
static void plan_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const plan_position *p = position;
    const int32_t values[5] = {p->gold, p->economy, p->army, p->technology, p->turn};
    for (int32_t i = 0; i < 5; i++) {
        if (i > 0) *out++ = ' ';
        out += ploy_print_i64(values[i], out);
    }
    strcpy(out, p->raid != 0 ? " raid" : "");
}

static ploy_result plan_parse(const void *rules, const char *text, const char *name, void *position,
                              ploy_diags *diags) {
    const ploy_board_plan_def *def = rules;
    static const int32_t least[5] = {0, 1, 0, 0, 0};
    const int32_t most[5] = {9999, 999, 999, 99, def->turns};
    int32_t values[5];
    size_t at = 0;
    for (int32_t i = 0; i < 5; i++) {
        if (i > 0 && text[at++] != ' ') {
            return ployi_board_fault(diags, name, (int32_t)at, "too few numbers",
                                     "gold economy army technology turn");
        }
        size_t used = 0;
        int64_t number = 0;
        if (ploy_parse_i64(text + at, strlen(text + at), &used, &number) != PLOY_OK ||
            number < least[i] || number > most[i]) {
            return ployi_board_fault(diags, name, (int32_t)at + 1, "invalid number",
                                     "gold economy army technology turn");
        }
        at += used;
        values[i] = (int32_t)number;
    }
    plan_position p;
    memset(&p, 0, sizeof p);
    if (strcmp(text + at, " raid") == 0 && values[4] < def->turns) {
        p.raid = 1;
    } else if (text[at] != 0) {
        return ployi_board_fault(diags, name, (int32_t)at + 1, "unexpected text",
                                 "raid or the end");
    }
    p.gold = (int16_t)values[0];
    p.economy = (int16_t)values[1];
    p.army = (int16_t)values[2];
    p.technology = (int16_t)values[3];
    p.turn = (uint8_t)values[4];
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

const ploy_board_type *ploy_board_plan(void) {
    static const ploy_board_type type = {
        .name = "plan",
        .title = "A plan of purchases",
        .help = "one part of the strategy game: what to buy next, against chance",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_RANDOM,
        .unit = 10,
        .max_moves = 4,
        .fields = ploy_board_plan_fields,
        .position_bytes = plan_bytes,
        .undo_bytes = plan_bytes,
        .start = plan_start,
        .side = plan_side,
        .moves = plan_moves,
        .make = plan_make,
        .unmake = plan_unmake,
        .result = plan_result,
        .hash = plan_hash,
        .evaluate = plan_evaluate,
        .odds = plan_odds,
        .move_text = plan_move_text,
        .move_parse = plan_move_parse,
        .text = plan_text,
        .parse = plan_parse,
    };
    return &type;
}

ploy_board_plan_def ploy_board_plan_of(const ploy_board_strategy_def *rules, const void *position,
                                       int32_t nation, int32_t turns) {
    const ployi_strategy *p = position;
    ploy_board_plan_def plan = ploy_board_plan_def_default();
    float own[PLOY_BOARD_STRATEGY_CITIES], enemy[PLOY_BOARD_STRATEGY_CITIES], threat = 0.0f;
    ploy_board_strategy_influence(rules, p, nation, own);
    ploy_board_strategy_influence(rules, p, 1 - nation, enemy);
    int32_t income = ployi_strategy_income(rules, p, nation), units = 0;
    for (int32_t i = 0; i < rules->columns * rules->rows; i++) {
        if (p->owner[i] != nation) continue;
        units += p->army[i];
        if (enemy[i] > threat) threat = enemy[i];
    }
    plan.turns = turns < 1 ? 1 : turns > 60 ? 60 : turns;
    plan.gold = p->gold[nation];
    plan.economy = income < 1 ? 1 : income > 99 ? 99 : income;
    plan.army = units > 99 ? 99 : units;
    plan.technology = p->technology[nation];
    plan.threat = threat > 99.0f ? 99 : (int32_t)threat;
    // Success: an economy that has grown by half, with the army kept.
    int32_t value = 4 * plan.economy + plan.army + 3 * plan.technology;
    plan.goal = value + 2 * plan.economy;
    return plan;
}
