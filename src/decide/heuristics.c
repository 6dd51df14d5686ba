// Rules of thumb; each is described in the header.
#include "ploy/decide/heuristics.h"

#include "decide/decide_internal.h"

double ployi_worth_of_side(const double *values, const int32_t *counts, int32_t kinds) {
    double sum = 0.0;
    for (int32_t i = 0; i < kinds; i++) sum += values[i] * (double)counts[i];
    return sum;
}

double ploy_worth_advantage(const double *values, const int32_t *own, const int32_t *enemy,
                            int32_t kinds) {
    return ployi_worth_of_side(values, own, kinds) - ployi_worth_of_side(values, enemy, kinds);
}

int32_t ployi_worth_best_buy(const double *values, const double *costs, int32_t kinds,
                             double money) {
    int32_t best = -1;
    for (int32_t i = 0; i < kinds; i++) {
        if (!(costs[i] > 0.0 && costs[i] <= money)) continue; // false for NaN too
        if (best < 0 || values[i] / costs[i] > values[best] / costs[best]) best = i;
    }
    return best;
}

// Free agents that can do the item; *chosen is the one with the fewest other items still open.
static int32_t heuristics_takers(const bool *can, int32_t agents, int32_t items, int32_t item,
                                 const int32_t *taker, const bool *idle, int32_t *chosen) {
    int32_t takers = 0, fewest = INT32_MAX;
    for (int32_t i = 0; i < agents; i++) {
        if (!idle[i] || !can[(size_t)i * (size_t)items + (size_t)item]) continue;
        takers++;
        int32_t choices = 0;
        for (int32_t j = 0; j < items; j++) {
            if (taker[j] < 0 && can[(size_t)i * (size_t)items + (size_t)j]) choices++;
        }
        if (choices >= fewest) continue;
        fewest = choices;
        *chosen = i;
    }
    return takers;
}

int32_t ploy_most_constrained_first(const bool *can, int32_t agents, int32_t items, int32_t *taker,
                                    bool *idle) {
    for (int32_t i = 0; i < agents; i++) idle[i] = true;
    for (int32_t j = 0; j < items; j++) taker[j] = -1;
    for (int32_t given = 0;; given++) {
        int32_t rarest = -1, least = INT32_MAX, who = -1;
        for (int32_t j = 0; j < items; j++) {
            int32_t chosen = -1;
            if (taker[j] >= 0) continue;
            int32_t takers = heuristics_takers(can, agents, items, j, taker, idle, &chosen);
            if (takers == 0 || takers >= least) continue;
            least = takers;
            rarest = j;
            who = chosen;
        }
        if (rarest < 0) return given;
        taker[rarest] = who;
        idle[who] = false;
    }
}

int32_t ploy_most_difficult_first(const float *sizes, int32_t things, float *room, int32_t groups,
                                  bool sorted, int32_t *group, int32_t *order) {
    ployi_most_promising_first(sizes, things, order);
    int32_t placed = 0;
    for (int32_t i = 0; i < things; i++) {
        int32_t thing = sorted ? order[i] : i, best = -1;
        for (int32_t j = 0; j < groups; j++) {
            if (best < 0 || room[j] > room[best]) best = j;
        }
        // Written so that NaN fits nowhere.
        bool fits = best >= 0 && sizes[thing] >= 0.0f && sizes[thing] <= room[best];
        group[thing] = fits ? best : -1;
        if (!fits) continue;
        room[best] -= sizes[thing];
        placed++;
    }
    return placed;
}

void ployi_most_promising_first(const float *scores, int32_t count, int32_t *order) {
    for (int32_t i = 0; i < count; i++) {
        int32_t at = i;
        // A score that is not a number is above none, and every number is above it.
        while (at > 0 &&
               (scores[i] > scores[order[at - 1]] ||
                (scores[i] == scores[i] && scores[order[at - 1]] != scores[order[at - 1]]))) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

ploy_vec2 ployi_reach_creep(ploy_vec2 from, ploy_vec2 enemy, float reach, float creep, bool hold) {
    ploy_vec2 none = {0, 0}, way = ploy_vec2_sub(enemy, from);
    float lacks = ploy_vec2_length(way) - reach;
    if (hold || !(lacks > 0.0f && lacks <= creep)) return none;
    return ploy_vec2_with_length(way, lacks);
}

int32_t ployi_greedy_junction(const ploy_vec2 *exits, int32_t count, ploy_vec2 to_target,
                              int32_t back) {
    int32_t best = -1;
    float nearest = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float length = ploy_vec2_length(exits[i]);
        if (i == back || !(length > 0.0f)) continue;
        float along = ploy_vec2_dot(exits[i], to_target) / length;
        if (best >= 0 && along <= nearest) continue;
        best = i;
        nearest = along;
    }
    if (best < 0 && back >= 0 && back < count && ploy_vec2_length(exits[back]) > 0.0f) best = back;
    return best;
}
