// What won and lost games say about two sides.
#include <math.h>
#include <string.h>

#include "apps/ploy/arena.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

static double numbers_elo(double score) {
    double most = 0.9999, s = score < 1.0 - most ? 1.0 - most : score > most ? most : score;
    return 0.0 - 400.0 * ploy_log(1.0 / s - 1.0) / ploy_log(10.0);
}

arena_numbers arena_numbers_of(int64_t wins, int64_t draws, int64_t losses) {
    arena_numbers n = {0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0};
    double games = (double)(wins + draws + losses);
    if (games < 1.0) return n;
    n.score = ((double)wins + 0.5 * (double)draws) / games;
    double square = ((double)wins + 0.25 * (double)draws) / games - n.score * n.score;
    n.deviation = sqrt(square > 0.0 ? square : 0.0);
    n.error95 = 1.96 * n.deviation / sqrt(games);
    n.elo = numbers_elo(n.score);
    n.elo_low = numbers_elo(n.score - n.error95);
    n.elo_high = numbers_elo(n.score + n.error95);
    // Two-sided: how often equal sides would differ so much. Abramowitz and Stegun 26.2.17.
    double error = n.error95 > 0.0 ? n.error95 / 1.96 : 0.5 / sqrt(games);
    double z = (n.score > 0.5 ? n.score - 0.5 : 0.5 - n.score) / error,
           k = 1.0 / (1.0 + 0.2316419 * z);
    double tail = 0.3989422804 * ploy_exp(-z * z / 2.0) * k *
                  (0.319381530 +
                   k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    n.p = 2.0 * tail < 1.0 ? 2.0 * tail : 1.0;
    return n;
}

double arena_llr(int64_t wins, int64_t draws, int64_t losses, double low, double high) {
    arena_numbers n = arena_numbers_of(wins, draws, losses);
    double games = (double)(wins + draws + losses);
    if (games < 2.0 || n.deviation <= 0.0) return 0.0;
    double s0 = 1.0 / (1.0 + ploy_exp(-low * ploy_log(10.0) / 400.0));
    double s1 = 1.0 / (1.0 + ploy_exp(-high * ploy_log(10.0) / 400.0));
    return games * (s1 - s0) * (2.0 * n.score - s0 - s1) / (2.0 * n.deviation * n.deviation);
}

int arena_read_sprt(const char *text, double *low, double *high) {
    const char *comma = strchr(text, ',');
    if (comma == NULL || ploy_parse_f64(text, (size_t)(comma - text), NULL, low) != PLOY_OK ||
        ploy_parse_f64(comma + 1, strlen(comma + 1), NULL, high) != PLOY_OK || *low >= *high) {
        return cli_error("--sprt expects LO,HI in Elo, not", text);
    }
    return -1;
}

int arena_read_clock(const char *text, arena_clock *out) {
    size_t base = strcspn(text, "+");
    double seconds = 0.0, increment = 0.0;
    bool fine = ploy_parse_f64(text, base, NULL, &seconds) == PLOY_OK;
    if (fine && text[base] == '+')
        fine =
            ploy_parse_f64(text + base + 1, strlen(text + base + 1), NULL, &increment) == PLOY_OK;
    if (!fine || !(seconds >= 0.01 && seconds <= 1e6) || !(increment >= 0.0 && increment <= 1e5))
        return cli_error("--clock expects seconds, or seconds+increment, not", text);
    out->base_ms = (int64_t)(seconds * 1000.0);
    out->increment_ms = (int64_t)(increment * 1000.0);
    out->left_us[0] = out->left_us[1] = out->base_ms * 1000;
    return -1;
}
