// CMA-ES: evolution of a normal distribution whose shape follows the landscape.
//
// Technique: Hansen, "The CMA Evolution Strategy: A Tutorial", 2016, with weights above 0 only and
// his default rates. Differences: the covariance is factorised by Cholesky instead of into
// eigenvectors (Suttorp, Hansen, Igel 2009), so the path of the step size is kept in the
// coordinates of the factor; points outside a range are moved to its edge before they are scored,
// and the distribution learns from where they were scored.
//
// All coordinates are counted in steps of their ranges. Layout of tune->cma, n parameters:
//   covariance n*n | step path n | shape path n | factor n*n, scratch | two vectors, scratch
#include "ploy/base/math.h"

#include "learn/tune_internal.h"

#include <string.h>

static double *cma_covariance(const ploy_tune *tune) {
    return tune->cma;
}
static double *cma_step_path(const ploy_tune *tune) {
    return tune->cma + (size_t)tune->n * (size_t)tune->n;
}
static double *cma_shape_path(const ploy_tune *tune) {
    return cma_step_path(tune) + tune->n;
}
static double *cma_factor(const ploy_tune *tune) {
    return cma_shape_path(tune) + tune->n;
}
static double *cma_scratch(const ploy_tune *tune) {
    return cma_factor(tune) + (size_t)tune->n * (size_t)tune->n;
}

int32_t ployi_tune_cma_population(const ploy_tune_def *def, int32_t parameters) {
    if (def->population > 0) return def->population < 4 ? 4 : def->population;
    return 4 + (int32_t)(3.0 * ploy_log((double)parameters));
}

size_t ployi_tune_cma_doubles(int32_t parameters) {
    size_t n = (size_t)parameters;
    return 2 * n * n + 4 * n;
}

void ployi_tune_cma_reset(ploy_tune *tune) {
    memset(tune->cma, 0, ployi_tune_cma_doubles(tune->n) * sizeof *tune->cma);
    for (int32_t i = 0; i < tune->n; i++) cma_covariance(tune)[i * tune->n + i] = 1.0;
    tune->scale = tune->def.sigma;
}

// The lower factor of the covariance. A pivot that rounding made too small is raised.
static void cma_factorise(ploy_tune *tune) {
    int32_t n = tune->n;
    const double *c = cma_covariance(tune);
    double *f = cma_factor(tune);
    for (int32_t row = 0; row < n; row++) {
        for (int32_t column = 0; column <= row; column++) {
            double sum = c[row * n + column];
            for (int32_t k = 0; k < column; k++) sum -= f[row * n + k] * f[column * n + k];
            if (column < row) {
                f[row * n + column] = sum / f[column * n + column];
            } else {
                f[row * n + row] = sqrt(sum > 1e-20 ? sum : 1e-20);
            }
        }
    }
}

void ployi_tune_cma_points(ploy_tune *tune) {
    int32_t n = tune->n;
    double *factor = cma_factor(tune), *z = cma_scratch(tune);
    cma_factorise(tune);
    tune->count = ployi_tune_cma_population(&tune->def, n);
    for (int32_t p = 0; p < tune->count; p++) {
        for (int32_t i = 0; i < n; i++) z[i] = (double)ploy_rng_normal(&tune->rng);
        double *point = ployi_tune_candidate(tune, p);
        for (int32_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (int32_t k = 0; k <= i; k++) sum += factor[i * n + k] * z[k];
            double change = tune->scale * sum * tune->ranges[i].step;
            point[i] = ployi_tune_clamp(tune->x[i] + change, &tune->ranges[i]);
        }
        tune->moves[p] = -1;
        tune->known[p] = false;
        tune->order[p] = p;
    }
}

// Orders the candidates, the best one first and equal ones by their index.
static void cma_rank(ploy_tune *tune) {
    for (int32_t i = 0; i < tune->count; i++) {
        int32_t k = i;
        for (; k > 0 && tune->scores[i] > tune->scores[tune->order[k - 1]]; k--) {
            tune->order[k] = tune->order[k - 1];
        }
        tune->order[k] = i;
    }
}

// Rates of learning, from the number of parameters and the weights.
typedef struct cma_rates {
    int32_t parents;
    const double *weights; // of the parents, by rank; their sum is 1
    double effective;      // parents, counted by their weights
    double shape_path, step_path, rank_one, rank_mu, damping, length;
} cma_rates;

static cma_rates cma_rates_of(ploy_tune *tune) {
    cma_rates r;
    memset(&r, 0, sizeof r);
    r.parents = tune->count / 2;
    double *weights = tune->asked; // free until the next points are requested
    double sum = 0.0, squares = 0.0, n = tune->n;
    for (int32_t i = 0; i < r.parents; i++) {
        weights[i] = ploy_log((double)r.parents + 0.5) - ploy_log((double)i + 1.0);
        sum += weights[i];
        squares += weights[i] * weights[i];
    }
    for (int32_t i = 0; i < r.parents; i++) weights[i] /= sum;
    r.weights = weights;
    double mu = r.effective = sum * sum / squares;
    r.shape_path = (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n);
    r.step_path = (mu + 2.0) / (n + mu + 5.0);
    r.rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + mu);
    r.rank_mu = 2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0) * (n + 2.0) + mu);
    if (r.rank_mu > 1.0 - r.rank_one) r.rank_mu = 1.0 - r.rank_one;
    double excess = sqrt((mu - 1.0) / (n + 1.0)) - 1.0;
    r.damping = 1.0 + 2.0 * (excess > 0.0 ? excess : 0.0) + r.step_path;
    r.length = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)); // of a normal vector
    return r;
}

// Moves the mean to the weighted parents; `moved` gets the move, in steps and step sizes.
static void cma_recombine(ploy_tune *tune, const cma_rates *r, double *moved) {
    double score = 0.0;
    for (int32_t p = 0; p < r->parents; p++) {
        score += r->weights[p] * tune->scores[tune->order[p]];
    }
    for (int32_t i = 0; i < tune->n; i++) {
        double change = 0.0;
        for (int32_t p = 0; p < r->parents; p++) {
            double at = ployi_tune_candidate(tune, tune->order[p])[i];
            change += r->weights[p] * (at - tune->x[i]);
        }
        moved[i] = change / (tune->scale * tune->ranges[i].step);
    }
    tune->score = score; // an estimate
}

static void cma_adapt(ploy_tune *tune, const cma_rates *r, const double *moved, bool steady) {
    int32_t n = tune->n;
    double *c = cma_covariance(tune), *path = cma_shape_path(tune);
    double gain = sqrt(r->shape_path * (2.0 - r->shape_path) * r->effective);
    for (int32_t i = 0; i < n; i++) {
        path[i] = (1.0 - r->shape_path) * path[i] + (steady ? gain * moved[i] : 0.0);
    }
    double lost = steady ? 0.0 : r->rank_one * r->shape_path * (2.0 - r->shape_path);
    double keep = 1.0 - r->rank_one - r->rank_mu + lost;
    for (int32_t row = 0; row < n; row++) {
        for (int32_t column = 0; column <= row; column++) {
            double sum = 0.0;
            for (int32_t p = 0; p < r->parents; p++) {
                const double *at = ployi_tune_candidate(tune, tune->order[p]);
                double a = (at[row] - tune->x[row]) / tune->ranges[row].step;
                double b = (at[column] - tune->x[column]) / tune->ranges[column].step;
                sum += r->weights[p] * a * b;
            }
            double value = keep * c[row * n + column] + r->rank_one * path[row] * path[column] +
                           r->rank_mu * sum / (tune->scale * tune->scale);
            c[row * n + column] = c[column * n + row] = value;
        }
    }
}

void ployi_tune_cma(ploy_tune *tune) {
    int32_t n = tune->n;
    cma_rates r = cma_rates_of(tune);
    double *moved = cma_scratch(tune), *white = moved + n;
    const double *factor = cma_factor(tune);
    double *path = cma_step_path(tune);
    cma_rank(tune);
    cma_factorise(tune); // a search that was loaded has none yet
    cma_recombine(tune, &r, moved);
    double squares = 0.0, gain = sqrt(r.step_path * (2.0 - r.step_path) * r.effective);
    for (int32_t i = 0; i < n; i++) {
        double sum = moved[i];
        for (int32_t k = 0; k < i; k++) sum -= factor[i * n + k] * white[k];
        white[i] = sum / factor[i * n + i];
        path[i] = (1.0 - r.step_path) * path[i] + gain * white[i];
        squares += path[i] * path[i];
    }
    tune->iteration++;
    double fresh = 1.0 - ploy_pow(1.0 - r.step_path, 2.0 * (double)tune->iteration);
    double length = sqrt(squares) / r.length;
    cma_adapt(tune, &r, moved, length < (1.4 + 2.0 / (n + 1.0)) * sqrt(fresh));
    double widest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double change = moved[i] * tune->scale * tune->ranges[i].step;
        tune->x[i] = ployi_tune_clamp(tune->x[i] + change, &tune->ranges[i]);
        double variance = cma_covariance(tune)[i * n + i];
        if (variance > widest) widest = variance;
    }
    tune->scale *= ploy_exp(r.step_path / r.damping * (length - 1.0));
    if (tune->scale > tune->def.max_step) tune->scale = tune->def.max_step;
    if (tune->scale < 1e-12) tune->scale = 1e-12;
    ployi_tune_end_step(tune, tune->scale * sqrt(widest) >= tune->def.min_step);
}

void ployi_tune_cma_visit(ploy_visit *v, ploy_tune *tune) {
    int32_t n = tune->n;
    ploy_visit_scratch(v, cma_factor(tune),
                       ((size_t)n * (size_t)n + 2 * (size_t)n) * sizeof *tune->cma);
    ploy_visit_fixed(v, "covariance", PLOY_STATE, n * n);
    for (int32_t i = 0; i < n * n; i++) {
        ploy_visit_f64_in(v, "value", PLOY_STATE, &cma_covariance(tune)[i], -1e18, 1e18);
    }
    ploy_visit_end(v);
    ploy_visit_fixed(v, "paths", PLOY_STATE, 2 * n);
    for (int32_t i = 0; i < 2 * n; i++) {
        ploy_visit_f64_in(v, "value", PLOY_STATE, &cma_step_path(tune)[i], -1e18, 1e18);
    }
    ploy_visit_end(v);
}
