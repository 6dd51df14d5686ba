// The lower tier of the strategy game: orders for a strategy, influence, scores without lookahead, and
// the size of a tree.
#include <string.h>

#include "ploy/base/math.h"
#include "strategy_internal.h"

const char *ploy_board_order_text(ploy_board_order_kind kind) {
    static const char *const names[] = {"build", "train", "research", "march"};
    return (uint32_t)kind < 4 ? names[kind] : "?";
}

int32_t ployi_strategy_near(const ploy_board_strategy_def *def, int32_t city, int32_t near[4]) {
    int32_t x = city % def->columns, count = 0;
    if (city >= def->columns) near[count++] = city - def->columns;
    if (x > 0) near[count++] = city - 1;
    if (x < def->columns - 1) near[count++] = city + 1;
    if (city < def->columns * (def->rows - 1)) near[count++] = city + def->columns;
    return count;
}

int32_t ployi_strategy_income(const ploy_board_strategy_def *def, const ployi_strategy *p,
                              int32_t nation) {
    int32_t sum = 0;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (p->owner[i] == nation) sum += p->economy[i];
    }
    return sum * (5 + p->content[nation]) / 10;
}

int32_t ployi_strategy_force(const ploy_board_strategy_def *def, const ployi_strategy *p,
                             int32_t nation, int32_t city) {
    int32_t near[4], count = ployi_strategy_near(def, city, near), force = 0;
    for (int32_t i = 0; i < count; i++) {
        if (p->owner[near[i]] == nation) force += p->army[near[i]] - 1;
    }
    return force;
}

int32_t ployi_strategy_price(const ployi_strategy *p, int32_t city) {
    return 3 * p->economy[city];
}

void ployi_strategy_order(ployi_strategy *p, const ploy_board_order *order) {
    uint16_t *gold = &p->gold[p->side];
    int32_t city = order->city, count = order->count;
    if (order->kind == PLOY_BOARD_ORDER_RESEARCH) {
        if (count < 0 || count > *gold) return;
        int32_t study = p->study[p->side] + count;
        *gold = (uint16_t)(*gold - count);
        while (study >= PLOYI_STRATEGY_STUDY) {
            study -= PLOYI_STRATEGY_STUDY;
            if (p->technology[p->side] < PLOYI_STRATEGY_TECHNOLOGY_MAX) p->technology[p->side]++;
        }
        p->study[p->side] = (uint8_t)study;
        return;
    }
    if (p->owner[city] != p->side) return;
    if (order->kind == PLOY_BOARD_ORDER_BUILD) {
        int32_t price = ployi_strategy_price(p, city);
        if (p->economy[city] == PLOYI_STRATEGY_ECONOMY_MAX || price > *gold) return;
        p->economy[city]++;
        *gold = (uint16_t)(*gold - price);
    } else if (order->kind == PLOY_BOARD_ORDER_TRAIN) {
        int32_t price = PLOYI_STRATEGY_UNIT * count;
        if (count < 0 || price > *gold || p->army[city] + count > PLOYI_STRATEGY_ARMY_MAX) return;
        p->army[city] = (uint8_t)(p->army[city] + count);
        *gold = (uint16_t)(*gold - price);
    } else if (order->kind == PLOY_BOARD_ORDER_MARCH) {
        if (count < 1 || count >= p->army[city]) return;
        if (p->owner[order->target] == p->side) {
            if (p->army[order->target] + count > PLOYI_STRATEGY_ARMY_MAX) return;
            p->army[order->target] = (uint8_t)(p->army[order->target] + count);
        } else { // several marches to one city are one battle
            if (p->force + count > PLOYI_STRATEGY_ARMY_MAX) return;
            p->force = (uint8_t)(p->force + count);
            p->target = (uint8_t)order->target;
        }
        p->army[city] = (uint8_t)(p->army[city] - count);
    }
}

// ---- orders of a strategy

// A list of orders, each carried out on a copy as it is added, so that the next one sees what is left.
typedef struct strategy_list {
    const ploy_board_strategy_def *def;
    ployi_strategy now;
    ploy_board_order *out;
    int32_t count, capacity;
} strategy_list;

static void strategy_give(strategy_list *list, ploy_board_order_kind kind, int32_t city,
                          int32_t target, int32_t count) {
    ploy_board_order order = {kind, city, target, count};
    ployi_strategy_order(&list->now, &order);
    if (list->count < list->capacity) list->out[list->count] = order;
    list->count++;
}

static void strategy_train(strategy_list *list, int32_t city) {
    int32_t units = list->now.gold[list->now.side] / PLOYI_STRATEGY_UNIT;
    int32_t room = PLOYI_STRATEGY_ARMY_MAX - list->now.army[city];
    if (units > room) units = room;
    if (units > 0) strategy_give(list, PLOY_BOARD_ORDER_TRAIN, city, city, units);
}

// Units march one city closer to the goal, where the marches of a turn do not follow each other: each city
// sends what it had at first.
static void strategy_gather(strategy_list *list, int32_t goal, bool beside_stay) {
    const ploy_board_strategy_def *def = list->def;
    int32_t cities = def->columns * def->rows, distance[PLOY_BOARD_STRATEGY_CITIES], near[4];
    uint8_t before[PLOY_BOARD_STRATEGY_CITIES];
    memcpy(before, list->now.army, sizeof before);
    for (int32_t i = 0; i < cities; i++) distance[i] = i == goal ? 0 : 1000;
    for (int32_t round = 1; round < cities; round++) { // through own cities only
        for (int32_t i = 0; i < cities; i++) {
            if (distance[i] != round - 1 || (i != goal && list->now.owner[i] != list->now.side)) {
                continue;
            }
            int32_t count = ployi_strategy_near(def, i, near);
            for (int32_t k = 0; k < count; k++) {
                if (distance[near[k]] > round) distance[near[k]] = round;
            }
        }
    }
    for (int32_t i = 0; i < cities; i++) {
        if (list->now.owner[i] != list->now.side || before[i] < 2 || distance[i] >= 1000) continue;
        if (distance[i] == 0 || (beside_stay && distance[i] == 1)) continue;
        int32_t count = ployi_strategy_near(def, i, near);
        for (int32_t k = 0; k < count; k++) {
            bool own = list->now.owner[near[k]] == list->now.side;
            if (distance[near[k]] != distance[i] - 1 || (!own && near[k] != goal)) continue;
            int32_t units = before[i] - 1, room = PLOYI_STRATEGY_ARMY_MAX - list->now.army[near[k]];
            if (units > room) units = room;
            if (units > 0) strategy_give(list, PLOY_BOARD_ORDER_MARCH, i, near[k], units);
            break;
        }
    }
}

static void strategy_attack(strategy_list *list, int32_t target) {
    const ploy_board_strategy_def *def = list->def;
    int32_t near[4], count = ployi_strategy_near(def, target, near), best = -1;
    for (int32_t i = 0; i < count; i++) {
        if (list->now.owner[near[i]] != list->now.side) continue;
        if (best < 0 || list->now.army[near[i]] > list->now.army[best]) best = near[i];
    }
    if (best < 0) return;
    strategy_train(list, best);
    for (int32_t i = 0; i < count; i++) {
        if (list->now.owner[near[i]] != list->now.side) continue;
        int32_t units = list->now.army[near[i]] - 1;
        if (units > PLOYI_STRATEGY_ARMY_MAX - list->now.force) {
            units = PLOYI_STRATEGY_ARMY_MAX - list->now.force;
        }
        if (units > 0) strategy_give(list, PLOY_BOARD_ORDER_MARCH, near[i], target, units);
    }
    strategy_gather(list, target, true);
}

static void strategy_economy(strategy_list *list) {
    const ploy_board_strategy_def *def = list->def;
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < def->columns * def->rows; i++) {
            if (list->now.owner[i] != list->now.side) continue;
            if (list->now.economy[i] == PLOYI_STRATEGY_ECONOMY_MAX) continue;
            if (best < 0 || list->now.economy[i] < list->now.economy[best]) best = i;
        }
        if (best < 0 || ployi_strategy_price(&list->now, best) > list->now.gold[list->now.side]) {
            return;
        }
        strategy_give(list, PLOY_BOARD_ORDER_BUILD, best, best, 1);
    }
}

// The own city where the enemy's influence exceeds the own one most; -1: no enemy is near.
static int32_t strategy_danger_city(const ploy_board_strategy_def *def, const ployi_strategy *p,
                                    float *danger) {
    float own[PLOY_BOARD_STRATEGY_CITIES], enemy[PLOY_BOARD_STRATEGY_CITIES];
    ploy_board_strategy_influence(def, p, p->side, own);
    ploy_board_strategy_influence(def, p, 1 - p->side, enemy);
    int32_t worst = -1;
    float most = 0.0f;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (p->owner[i] != p->side) continue;
        float lack = enemy[i] - own[i];
        if (worst >= 0 && lack <= most) continue;
        worst = i;
        most = lack;
    }
    if (danger != NULL) *danger = most;
    return worst;
}

int32_t ploy_board_strategy_orders(const ploy_board_strategy_def *rules, const void *position,
                                   ploy_board_move strategy, ploy_board_order *out,
                                   int32_t capacity) {
    strategy_list list = {.def = rules, .out = out, .capacity = capacity};
    memcpy(&list.now, position, sizeof list.now);
    if (strategy >= PLOYI_STRATEGY_ATTACK) {
        strategy_attack(&list, (int32_t)(strategy - PLOYI_STRATEGY_ATTACK));
    } else if (strategy == PLOYI_STRATEGY_ECONOMY) {
        strategy_economy(&list);
    } else if (strategy == PLOYI_STRATEGY_RESEARCH) {
        int32_t gold = list.now.gold[list.now.side];
        if (gold > 0) strategy_give(&list, PLOY_BOARD_ORDER_RESEARCH, 0, 0, gold);
    } else {
        int32_t city = strategy_danger_city(rules, &list.now, NULL);
        if (city >= 0) {
            strategy_train(&list, city);
            strategy_gather(&list, city, false);
        }
    }
    return list.count < capacity ? list.count : capacity;
}

void ploy_board_strategy_influence(const ploy_board_strategy_def *rules, const void *position,
                                   int32_t nation, float *out) {
    const ployi_strategy *p = position;
    int32_t cities = rules->columns * rules->rows;
    float strength = 1.0f + (float)p->technology[nation] / 6.0f;
    for (int32_t i = 0; i < cities; i++) {
        out[i] = 0.0f;
        for (int32_t k = 0; k < cities; k++) {
            if (p->owner[k] != nation) continue;
            int32_t dx = i % rules->columns - k % rules->columns;
            int32_t dy = i / rules->columns - k / rules->columns;
            int32_t marches = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
            out[i] += strength * (float)p->army[k] / (float)(1 << marches);
        }
    }
}

// ---- scores without lookahead

static void strategy_score(const ploy_board_strategy_def *def, const ployi_strategy *p,
                           ploy_board_option *option) {
    int32_t side = p->side, cities = def->columns * def->rows, own = 0;
    float danger = 0.0f;
    strategy_danger_city(def, p, &danger);
    for (int32_t i = 0; i < cities; i++) own += p->owner[i] == side;
    float lead = (float)(p->technology[side] - p->technology[1 - side]);
    float gold = (float)p->gold[side], content = (float)p->content[side];
    if (option->strategy >= PLOYI_STRATEGY_ATTACK) {
        int32_t city = (int32_t)(option->strategy - PLOYI_STRATEGY_ATTACK);
        int32_t owner = p->owner[city];
        int32_t level = owner == PLOYI_STRATEGY_NOBODY ? 0 : p->technology[owner];
        float force = (float)(ployi_strategy_force(def, p, side, city)) + gold / 2.0f;
        float attack = force * (1.0f + (float)p->technology[side] / 6.0f);
        float defend = (float)p->army[city] * (1.0f + (float)level / 6.0f) * 1.25f;
        float share = attack * attack / (attack * attack + defend * defend + 0.01f);
        float prize =
            6.0f + 2.0f * (float)p->economy[city] + (owner == PLOYI_STRATEGY_NOBODY ? 0.0f : 4.0f);
        option->territory = (share * 2.0f - 1.0f) * prize;
        option->danger = danger > 0.0f ? -danger : 0.0f;
        option->content = content < 3.0f ? -2.0f : 0.0f;
    } else if (option->strategy == PLOYI_STRATEGY_ECONOMY) {
        option->territory = gold >= 3.0f ? 4.0f + 0.3f * (float)own : 0.0f;
        option->danger = danger > 0.0f ? -danger : 0.0f;
        option->content = content < 5.0f ? 5.0f - content : 0.0f;
    } else if (option->strategy == PLOYI_STRATEGY_RESEARCH) {
        option->technology = gold >= 4.0f ? 3.5f - lead : 0.0f;
        option->danger = danger > 0.0f ? -danger : 0.0f;
    } else {
        option->danger = danger > 0.0f ? danger : 0.0f;
        option->territory = 1.0f;
    }
    option->score = option->territory + option->danger + option->technology + option->content;
}

int32_t ploy_board_strategy_options(const ploy_board_strategy_def *rules, const void *position,
                                    ploy_board_option *out, int32_t capacity) {
    const ploy_board_type *type = ploy_board_strategy();
    int32_t side = type->side(rules, position);
    ploy_board_move moves[PLOY_BOARD_STRATEGY_CITIES + 3];
    if (side < 0 || side == PLOY_BOARD_CHANCE) return 0;
    int32_t count = type->moves(rules, position, moves, PLOY_BOARD_STRATEGY_CITIES + 3);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_board_option option = {.strategy = moves[i]};
        strategy_score(rules, position, &option);
        int32_t at =
            kept < capacity ? kept : capacity; // insertion, the first of equals stays first
        while (at > 0 && out[at - 1].score < option.score) {
            if (at < capacity) out[at] = out[at - 1];
            at--;
        }
        if (at < capacity) out[at] = option;
        if (kept < capacity) kept++;
    }
    return kept;
}

// ---- tree size

ploy_board_tree_size ploy_board_tree_size_of(const ploy_board_choice_group *groups, int32_t count,
                                             int32_t turns) {
    ploy_board_tree_size out = {0, 0.0, 0.0, ""};
    for (int32_t i = 0; i < count; i++) {
        if (groups[i].things < 1 || groups[i].options < 1) continue;
        // Too many to count are INT64_MAX.
        int64_t most = (INT64_MAX - out.single) / groups[i].options;
        out.single =
            groups[i].things > most ? INT64_MAX : out.single + groups[i].things * groups[i].options;
        out.combinations += (double)groups[i].things * ploy_log((double)groups[i].options);
    }
    out.combinations /= ploy_log(10.0);
    out.tree = out.combinations * (double)(turns > 1 ? turns : 1);
    // Ten million nodes are seconds of a search; Monte Carlo needs some visits of each first move.
    out.advice = out.tree <= 7.0           ? "search the whole tree"
                 : out.combinations <= 2.5 ? "alpha-beta or Monte Carlo search to a limited depth"
                 : out.combinations <= 4.5
                     ? "Monte Carlo search with priors; search parts of the game separately"
                     : "group moves into strategies, or score options without lookahead";
    return out;
}
