// The driver of the tree search: depths, windows and the passes of MTD, from one root search to the
// next.
#include "board/search_internal.h"

#include <string.h>

static bool drive_is_mtd(const ploy_board_search *s) {
    ploy_board_method m = s->def.method;
    return m == PLOY_BOARD_MTDF || m == PLOY_BOARD_SSS || m == PLOY_BOARD_DUAL;
}

static bool drive_proves(int32_t score) {
    return score > PLOY_BOARD_EVALUATION || score < -PLOY_BOARD_EVALUATION;
}

// ---- MTD-best: an interval for each root move; the answer is known when one is above all others

static bool drive_best_ask(ploy_board_search *s) {
    int32_t m = 0;
    for (int32_t i = 1; i < s->root_count; i++) {
        const search_root *a = &s->roots[i], *b = &s->roots[m];
        if (a->lower > b->lower || (a->lower == b->lower && a->upper > b->upper)) m = i;
    }
    search_root *best = &s->roots[m];
    s->pass_move = best->move;
    if (best->lower == -PLOY_BOARD_INFINITY) {
        // Nothing is proven yet: the most promising move is requested the guess or its upper bound.
        s->only = m;
        s->mtd_bound = best->upper < s->mtd_guess ? best->upper : s->mtd_guess;
        return true;
    }
    int32_t rival = -1;
    for (int32_t i = 0; i < s->root_count; i++) {
        if (i == m || s->roots[i].upper <= best->lower) continue;
        if (rival < 0 || s->roots[i].upper > s->roots[rival].upper) rival = i;
    }
    if (rival < 0) return false;
    s->only = rival;
    s->mtd_bound = best->lower + 1;
    return true;
}

static void drive_window(ploy_board_search *s, int32_t lo, int32_t hi) {
    s->window_lo = lo < -PLOY_BOARD_INFINITY ? -PLOY_BOARD_INFINITY : lo;
    s->window_hi = hi > PLOY_BOARD_INFINITY ? PLOY_BOARD_INFINITY : hi;
    s->pass++;
    ployi_search_pass_begin(s);
}

static void drive_mtd_pass(ploy_board_search *s) {
    s->mtd_bound = s->mtd_guess == s->mtd_lo ? s->mtd_guess + 1 : s->mtd_guess;
    drive_window(s, s->mtd_bound - 1, s->mtd_bound);
}

// Best first, by the scores of the last pass; moves that were only refuted keep their order.
static void drive_sort(ploy_board_search *s) {
    for (int32_t i = 1; i < s->root_count; i++) {
        search_root root = s->roots[i];
        int32_t key = root.exact ? root.score : -PLOY_BOARD_INFINITY;
        int32_t k = i;
        for (; k > 0; k--) {
            const search_root *before = &s->roots[k - 1];
            int32_t other = before->exact ? before->score : -PLOY_BOARD_INFINITY;
            bool first = root.move == s->best_move && before->move != s->best_move;
            if (!first && (before->move == s->best_move || other >= key)) break;
            s->roots[k] = s->roots[k - 1];
        }
        s->roots[k] = root;
    }
}

void ployi_search_depth_begin(ploy_board_search *s, int32_t depth) {
    s->depth = depth;
    s->pass = 0;
    s->only = -1;
    s->mtd_fallback = false;
    s->pass_move = PLOY_BOARD_NO_MOVE;
    bool later = s->best_depth > 0;
    for (int32_t i = 0; i < s->root_count; i++) {
        s->roots[i].lower = -PLOY_BOARD_INFINITY;
        s->roots[i].upper = PLOY_BOARD_INFINITY;
    }
    s->mtd_lo = -PLOY_BOARD_INFINITY;
    s->mtd_hi = PLOY_BOARD_INFINITY;
    s->mtd_guess = later ? s->best_score : s->def.guess;
    switch (s->def.method) {
    case PLOY_BOARD_MT: drive_window(s, s->def.guess - 1, s->def.guess); return;
    case PLOY_BOARD_SSS:
        s->mtd_guess = PLOY_BOARD_INFINITY;
        drive_mtd_pass(s);
        return;
    case PLOY_BOARD_DUAL:
        s->mtd_guess = -PLOY_BOARD_INFINITY;
        drive_mtd_pass(s);
        return;
    case PLOY_BOARD_MTDF: drive_mtd_pass(s); return;
    case PLOY_BOARD_MTD_BEST:
        // A single move needs no question, but a pass must end.
        if (!drive_best_ask(s)) s->mtd_bound = s->mtd_guess;
        drive_window(s, s->mtd_bound - 1, s->mtd_bound);
        return;
    default: break;
    }
    if (s->windowed && s->def.aspiration > 0 && later && !drive_proves(s->best_score)) {
        drive_window(s, s->best_score - s->def.aspiration, s->best_score + s->def.aspiration);
    } else {
        drive_window(s, s->def.alpha, s->def.beta);
    }
}

static void drive_complete(ploy_board_search *s, int32_t score, int32_t lower, int32_t upper,
                           ploy_board_move move, const ploy_board_move *line, int32_t count) {
    s->best_move = move;
    s->best_score = score;
    s->best_lower = lower;
    s->best_upper = upper;
    s->best_depth = s->depth;
    s->best_passes = s->pass;
    if (count > s->def.max_ply) count = s->def.max_ply;
    if (line != NULL && count > 0) {
        memmove(s->best_line, line, (size_t)count * sizeof line[0]);
        s->best_line_count = count;
    } else {
        s->best_line[0] = move;
        s->best_line_count = 1;
    }
    if (s->def.order_previous) drive_sort(s);
}

// The line of the root move that a pass of MTD proved best.
static void drive_complete_root(ploy_board_search *s, int32_t score, int32_t lower, int32_t upper,
                                ploy_board_move move) {
    for (int32_t i = 0; i < s->root_count; i++) {
        search_root *root = &s->roots[i];
        if (root->move != move) continue;
        root->score = score;
        root->exact = lower == upper;
        drive_complete(s, score, lower, upper, move,
                       s->root_lines + (size_t)root->order * SEARCH_LINE, root->line_count);
        return;
    }
    drive_complete(s, score, lower, upper, move, NULL, 0);
}

static bool drive_end_mtd(ploy_board_search *s, const search_frame *f, int32_t value) {
    if (value < s->mtd_bound) {
        s->mtd_hi = value;
        if (s->pass_move == PLOY_BOARD_NO_MOVE) s->pass_move = f->best_move;
    } else {
        s->mtd_lo = value;
        s->pass_move = f->best_move;
    }
    s->mtd_guess = value;
    if (s->mtd_lo >= s->mtd_hi) {
        drive_complete_root(s, value, value, value, s->pass_move);
        return false;
    }
    if (s->pass >= s->def.tries) {
        // Entries that keep being overwritten can make the bounds chase each other.
        s->mtd_fallback = true;
        drive_window(s, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY);
        return true;
    }
    drive_mtd_pass(s);
    return true;
}

static bool drive_end_best(ploy_board_search *s, int32_t value) {
    if (s->only >= 0) {
        search_root *root = &s->roots[s->only];
        if (value < s->mtd_bound)
            root->upper = value;
        else
            root->lower = value;
        // A table that forgets can turn bounds around; the newer one counts.
        if (root->lower > root->upper) root->upper = root->lower;
    }
    s->only = -1;
    if (s->pass < s->def.tries * s->root_count && drive_best_ask(s)) {
        drive_window(s, s->mtd_bound - 1, s->mtd_bound);
        return true;
    }
    for (int32_t i = 0; i < s->root_count; i++) {
        const search_root *root = &s->roots[i];
        if (root->move != s->pass_move) continue;
        int32_t score = root->lower > -PLOY_BOARD_INFINITY ? root->lower : root->upper;
        drive_complete_root(s, score, root->lower, root->upper, root->move);
        break;
    }
    return false;
}

bool ployi_search_pass_end(ploy_board_search *s) {
    const search_frame *f = &s->frames[0];
    int32_t value = s->value;
    if (s->mtd_fallback) {
        drive_complete_root(s, value, value, value, f->best_move);
        return false;
    }
    if (drive_is_mtd(s)) return drive_end_mtd(s, f, value);
    if (s->def.method == PLOY_BOARD_MTD_BEST) return drive_end_best(s, value);
    bool low = s->windowed && value <= s->window_lo, high = s->windowed && value >= s->window_hi;
    bool whole = s->window_lo <= s->def.alpha && s->window_hi >= s->def.beta;
    if ((low || high) && !whole && s->def.method != PLOY_BOARD_MT) {
        // Outside a guessed window: that side opens, and the last try is the whole window.
        bool last = s->pass >= s->def.tries;
        drive_window(s, low || last ? s->def.alpha : s->window_lo,
                     high || last ? s->def.beta : s->window_hi);
        return true;
    }
    int32_t lower = low ? -PLOY_BOARD_INFINITY : value, upper = high ? PLOY_BOARD_INFINITY : value;
    drive_complete(s, value, lower, upper,
                   f->best_move != PLOY_BOARD_NO_MOVE ? f->best_move : s->roots[0].move, s->lines,
                   f->line_count);
    return false;
}
