// Dubins' and Reeds and Shepp's curves; see the header.
//
// Everything is computed for a start at the origin looking along x and a radius of 1, in double.
// A word is a list of pieces; its lengths are angles for arcs.
#include "ploy/path/turning.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

enum { TURNING_LEFT = 1, TURNING_STRAIGHT = 0, TURNING_RIGHT = -1 };

static const double turning_pi = 3.14159265358979323846;
static const double turning_hair = 1e-4; // rad

typedef struct turning_best {
    double length;
    double pieces[PLOY_TURNING_PIECES];
    int32_t turns[PLOY_TURNING_PIECES];
    int32_t count;
} turning_best;

// An angle in [0, 2 pi), and in [-pi, pi). A little below a full circle counts as nothing: poses are
// floats, and their rounding must not add another turn. The end is missed by that much.
static double turning_full(double angle) {
    double wrapped = angle - 2.0 * turning_pi * floor(angle / (2.0 * turning_pi));
    return wrapped > 2.0 * turning_pi - turning_hair || wrapped < 0.0 ? 0.0 : wrapped;
}

static double turning_half(double angle) {
    return angle - 2.0 * turning_pi * floor((angle + turning_pi) / (2.0 * turning_pi));
}

// Offers a word; the first of equals stays, as nothing but a clearly shorter one replaces it.
static void turning_offer(turning_best *best, const int32_t *turns, const double *lengths,
                          int32_t count) {
    double length = 0.0;
    for (int32_t i = 0; i < count; i++) length += fabs(lengths[i]);
    if (!(length < best->length - 1e-12)) return;
    best->length = length;
    best->count = count;
    memcpy(best->turns, turns, (size_t)count * sizeof *turns);
    memcpy(best->pieces, lengths, (size_t)count * sizeof *lengths);
}

// ---- Dubins ----

// Circles of the same side: the straight piece joins their centres.
static void turning_csc_same(turning_best *best, double x, double y, double phi, int32_t side) {
    double s = side;
    double cx = x - s * ploy_sin(phi), cy = y + s * ploy_cos(phi) - s;
    double u = sqrt(cx * cx + cy * cy), heading = u > turning_hair ? ploy_atan2(cy, cx) : 0.0;
    int32_t turns[3] = {side, TURNING_STRAIGHT, side};
    double t = turning_full(s * heading), v = turning_full(s * (phi - heading));
    double lengths[3] = {t, u, v};
    turning_offer(best, turns, lengths, 3);
}

// Circles of different sides: the straight piece crosses between them.
static void turning_csc_cross(turning_best *best, double x, double y, double phi, int32_t side) {
    double s = side;
    double cx = x + s * ploy_sin(phi), cy = y - s * ploy_cos(phi) - s;
    double d2 = cx * cx + cy * cy;
    if (d2 < 4.0 - turning_hair) return;
    double u = d2 > 4.0 ? sqrt(d2 - 4.0) : 0.0;
    double heading = ploy_atan2(cy, cx) + s * ploy_atan2(2.0, u);
    int32_t turns[3] = {side, TURNING_STRAIGHT, -side};
    double lengths[3] = {turning_full(s * heading), u, turning_full(s * (heading - phi))};
    turning_offer(best, turns, lengths, 3);
}

// Three circles that touch; the middle arc is the longer one.
static void turning_ccc(turning_best *best, double x, double y, double phi, int32_t side) {
    double s = side;
    double cx = x - s * ploy_sin(phi), cy = y + s * ploy_cos(phi) - s;
    double d = sqrt(cx * cx + cy * cy);
    if (d > 4.0) return;
    double u = 2.0 * turning_pi - 2.0 * ploy_asin(d / 4.0);
    double t = turning_full(s * ploy_atan2(cy, cx) + 0.5 * u);
    int32_t turns[3] = {side, -side, side};
    double lengths[3] = {t, u, turning_full(s * phi - t + u)};
    turning_offer(best, turns, lengths, 3);
}

static void turning_dubins(turning_best *best, double x, double y, double phi) {
    for (int32_t side = TURNING_LEFT; side >= TURNING_RIGHT; side -= 2) {
        turning_csc_same(best, x, y, phi, side);
        turning_csc_cross(best, x, y, phi, side);
        turning_ccc(best, x, y, phi, side);
    }
}

// ---- Reeds and Shepp ----
//
// Nine base formulas; the other words follow by driving backwards (x and phi change sign), in the
// mirror (y and phi change sign), and from the end to the start. Each formula gives lengths t, u, v
// of its word; they are signed, below 0 in reverse.

typedef struct turning_polar {
    double r, theta;
} turning_polar;

static turning_polar turning_to_polar(double x, double y) {
    turning_polar polar = {sqrt(x * x + y * y), ploy_atan2(y, x)};
    return polar;
}

// The last two angles of words with a middle arc of u and v.
static void turning_tau_omega(double u, double v, double xi, double eta, double phi, double *tau,
                              double *omega) {
    double delta = turning_half(u - v), a = ploy_sin(u) - ploy_sin(delta);
    double b = ploy_cos(u) - ploy_cos(delta) - 1.0;
    double t1 = ploy_atan2(eta * a - xi * b, xi * a + eta * b);
    double t2 = 2.0 * (ploy_cos(delta) - ploy_cos(v) - ploy_cos(u)) + 3.0;
    *tau = turning_half(t2 < 0.0 ? t1 + turning_pi : t1);
    *omega = turning_half(*tau - u + v - phi);
}

typedef struct turning_lengths {
    double t, u, v;
    bool is;
} turning_lengths;

typedef turning_lengths (*turning_formula)(double x, double y, double phi);

static turning_lengths turning_none(void) {
    turning_lengths none = {0.0, 0.0, 0.0, false};
    return none;
}

static turning_lengths turning_of(double t, double u, double v) {
    turning_lengths lengths = {t, u, v, true};
    return lengths;
}

static turning_lengths turning_lsl(double x, double y, double phi) {
    turning_polar p = turning_to_polar(x - ploy_sin(phi), y - 1.0 + ploy_cos(phi));
    double v = turning_half(phi - p.theta);
    return p.theta >= -1e-10 && v >= -1e-10 ? turning_of(p.theta, p.r, v) : turning_none();
}

static turning_lengths turning_lsr(double x, double y, double phi) {
    turning_polar p = turning_to_polar(x + ploy_sin(phi), y - 1.0 - ploy_cos(phi));
    if (p.r * p.r < 4.0) return turning_none();
    double u = sqrt(p.r * p.r - 4.0);
    double t = turning_half(p.theta + ploy_atan2(2.0, u)), v = turning_half(t - phi);
    return t >= -1e-10 && v >= -1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrl(double x, double y, double phi) {
    turning_polar p = turning_to_polar(x - ploy_sin(phi), y - 1.0 + ploy_cos(phi));
    if (p.r > 4.0) return turning_none();
    double u = -2.0 * ploy_asin(0.25 * p.r);
    double t = turning_half(p.theta + 0.5 * u + turning_pi), v = turning_half(phi - t + u);
    return t >= -1e-10 && u <= 1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrlr_same(double x, double y, double phi) {
    double xi = x + ploy_sin(phi), eta = y - 1.0 - ploy_cos(phi);
    double rho = 0.25 * (2.0 + sqrt(xi * xi + eta * eta));
    if (rho > 1.0) return turning_none();
    double u = ploy_acos(rho), t = 0.0, v = 0.0;
    turning_tau_omega(u, -u, xi, eta, phi, &t, &v);
    return t >= -1e-10 && v <= 1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrlr_flip(double x, double y, double phi) {
    double xi = x + ploy_sin(phi), eta = y - 1.0 - ploy_cos(phi);
    double rho = (20.0 - xi * xi - eta * eta) / 16.0;
    if (rho < 0.0 || rho > 1.0) return turning_none();
    double u = -ploy_acos(rho), t = 0.0, v = 0.0;
    if (u < -0.5 * turning_pi) return turning_none();
    turning_tau_omega(u, u, xi, eta, phi, &t, &v);
    return t >= -1e-10 && v >= -1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrsl(double x, double y, double phi) {
    turning_polar p = turning_to_polar(x - ploy_sin(phi), y - 1.0 + ploy_cos(phi));
    if (p.r < 2.0) return turning_none();
    double r = sqrt(p.r * p.r - 4.0), u = 2.0 - r;
    double t = turning_half(p.theta + ploy_atan2(r, -2.0));
    double v = turning_half(phi - 0.5 * turning_pi - t);
    return t >= -1e-10 && u <= 1e-10 && v <= 1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrsr(double x, double y, double phi) {
    double xi = x + ploy_sin(phi), eta = y - 1.0 - ploy_cos(phi);
    turning_polar p = turning_to_polar(-eta, xi);
    if (p.r < 2.0) return turning_none();
    double t = p.theta, u = 2.0 - p.r, v = turning_half(t + 0.5 * turning_pi - phi);
    return t >= -1e-10 && u <= 1e-10 && v <= 1e-10 ? turning_of(t, u, v) : turning_none();
}

static turning_lengths turning_lrslr(double x, double y, double phi) {
    double xi = x + ploy_sin(phi), eta = y - 1.0 - ploy_cos(phi);
    turning_polar p = turning_to_polar(xi, eta);
    if (p.r < 2.0) return turning_none();
    double u = 4.0 - sqrt(p.r * p.r - 4.0);
    if (u > 1e-10) return turning_none();
    double t = turning_half(ploy_atan2((4.0 - u) * xi - 2.0 * eta, -2.0 * xi + (u - 4.0) * eta));
    double v = turning_half(t - phi);
    return t >= -1e-10 && v >= -1e-10 ? turning_of(t, u, v) : turning_none();
}

// How a formula's lengths fill its word.
typedef struct turning_family {
    turning_formula formula;
    int32_t turns[5];
    int32_t count;
    int32_t fill[5]; // 1: t, 2: u, 3: v, 4: -u, 5: a quarter circle in reverse
    bool reversible; // also from the end to the start
} turning_family;

static const turning_family turning_families[] = {
    {turning_lsl, {1, 0, 1}, 3, {1, 2, 3}, false},
    {turning_lsr, {1, 0, -1}, 3, {1, 2, 3}, false},
    {turning_lrl, {1, -1, 1}, 3, {1, 2, 3}, true},
    {turning_lrlr_same, {1, -1, 1, -1}, 4, {1, 2, 4, 3}, false},
    {turning_lrlr_flip, {1, -1, 1, -1}, 4, {1, 2, 2, 3}, false},
    {turning_lrsl, {1, -1, 0, 1}, 4, {1, 5, 2, 3}, true},
    {turning_lrsr, {1, -1, 0, -1}, 4, {1, 5, 2, 3}, true},
    {turning_lrslr, {1, -1, 0, 1, -1}, 5, {1, 5, 2, 5, 3}, false},
};

static void turning_family_offer(turning_best *best, const turning_family *family, double x,
                                 double y, double phi, bool flip, bool mirror, bool back) {
    double bx = x, by = y;
    if (back) { // the same way seen from its end
        bx = x * ploy_cos(phi) + y * ploy_sin(phi);
        by = x * ploy_sin(phi) - y * ploy_cos(phi);
    }
    double sx = flip ? -bx : bx, sy = mirror ? -by : by, sphi = flip != mirror ? -phi : phi;
    turning_lengths found = family->formula(sx, sy, sphi);
    if (!found.is) return;
    double values[6] = {0.0, found.t, found.u, found.v, -found.u, -0.5 * turning_pi};
    int32_t turns[PLOY_TURNING_PIECES];
    double lengths[PLOY_TURNING_PIECES];
    for (int32_t i = 0; i < family->count; i++) {
        int32_t at = back ? family->count - 1 - i : i;
        lengths[i] = values[family->fill[at]] * (flip ? -1.0 : 1.0);
        turns[i] = family->turns[at] * (mirror ? -1 : 1);
    }
    turning_offer(best, turns, lengths, family->count);
}

static void turning_reeds_shepp(turning_best *best, double x, double y, double phi) {
    int32_t families = (int32_t)(sizeof turning_families / sizeof turning_families[0]);
    for (int32_t i = 0; i < families; i++) {
        const turning_family *family = &turning_families[i];
        for (int32_t k = 0; k < (family->reversible ? 8 : 4); k++) {
            turning_family_offer(best, family, x, y, phi, (k & 1) != 0, (k & 2) != 0, (k & 4) != 0);
        }
    }
}

// ---- public ----

ploy_result ploy_turning_find(ploy_turning_kind kind, ploy_turning_pose from, ploy_turning_pose to,
                              float radius, ploy_turning *out) {
    if (out == NULL || !ploy_in_range(radius, 1e-6f, 1e6f) || !ploy_vec2_is_finite(from.position) ||
        !ploy_vec2_is_finite(to.position) || !ploy_is_finite(from.orientation) ||
        !ploy_is_finite(to.orientation) ||
        (kind != PLOY_TURNING_DUBINS && kind != PLOY_TURNING_REEDS_SHEPP)) {
        return PLOY_ERR_ARGUMENT;
    }
    double dx = ((double)to.position.x - (double)from.position.x) / (double)radius;
    double dy = ((double)to.position.y - (double)from.position.y) / (double)radius;
    double sine = 0.0, cosine = 0.0;
    ploy_sincos((double)from.orientation, &sine, &cosine);
    double x = dx * cosine + dy * sine, y = dy * cosine - dx * sine;
    double phi = turning_half((double)to.orientation - (double)from.orientation);
    turning_best best;
    memset(&best, 0, sizeof best);
    best.length = (double)INFINITY;
    if (kind == PLOY_TURNING_DUBINS) {
        turning_dubins(&best, x, y, phi);
    } else {
        turning_reeds_shepp(&best, x, y, phi);
    }
    memset(out, 0, sizeof *out);
    out->from = from;
    out->radius = radius;
    double length = 0.0;
    for (int32_t i = 0; i < best.count; i++) {
        float piece = (float)(best.pieces[i] * (double)radius);
        if (fabs(best.pieces[i]) < 1e-7) continue; // an arc of nothing
        out->pieces[out->count].turn = best.turns[i];
        out->pieces[out->count++].length = piece;
        length += fabs((double)piece);
    }
    out->length = (float)length;
    return PLOY_OK;
}

// Where a piece leads from a pose, after that many metres of it (signed as the piece).
static ploy_turning_pose turning_go(ploy_turning_pose pose, int32_t turn, double length,
                                    double radius) {
    double sine = 0.0, cosine = 0.0, after_sine = 0.0, after_cosine = 0.0;
    ploy_sincos((double)pose.orientation, &sine, &cosine);
    double x = (double)pose.position.x, y = (double)pose.position.y;
    if (turn == TURNING_STRAIGHT) {
        pose.position = ploy_vec2_make((float)(x + cosine * length), (float)(y + sine * length));
        return pose;
    }
    double s = turn, angle = (double)pose.orientation + s * length / radius;
    ploy_sincos(angle, &after_sine, &after_cosine);
    x += s * radius * (after_sine - sine);
    y -= s * radius * (after_cosine - cosine);
    pose.position = ploy_vec2_make((float)x, (float)y);
    pose.orientation = (float)turning_half(angle);
    return pose;
}

// The piece at a place, and how far into it that is.
static int32_t turning_piece_at(const ploy_turning *turning, float along, double *into,
                                ploy_turning_pose *start) {
    double left = ploy_clampf(along, 0.0f, turning->length);
    *start = turning->from;
    for (int32_t i = 0; i < turning->count; i++) {
        double length = fabs((double)turning->pieces[i].length);
        if (left <= length || i + 1 == turning->count) {
            *into = left < length ? left : length;
            return i;
        }
        *start = turning_go(*start, turning->pieces[i].turn, (double)turning->pieces[i].length,
                            (double)turning->radius);
        left -= length;
    }
    *into = 0.0;
    return -1;
}

ploy_turning_pose ploy_turning_at(const ploy_turning *turning, float along) {
    double into = 0.0;
    ploy_turning_pose start;
    int32_t index = turning_piece_at(turning, along, &into, &start);
    if (index < 0) return turning->from;
    const ploy_turning_piece *piece = &turning->pieces[index];
    return turning_go(start, piece->turn, piece->length < 0.0f ? -into : into,
                      (double)turning->radius);
}

void ploy_turning_word(const ploy_turning *turning, char *out) {
    for (int32_t i = 0; i < turning->count; i++) {
        const ploy_turning_piece *piece = &turning->pieces[i];
        if (i > 0 && (piece->length < 0.0f) != (turning->pieces[i - 1].length < 0.0f)) *out++ = '|';
        *out++ = "RSL"[piece->turn + 1];
    }
    *out = '\0';
}

ploy_result ploy_turning_path(const ploy_turning *turning, float step, ploy_path *path) {
    if (turning == NULL || path == NULL || !ploy_in_range(step, 1e-6f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t count = ploy_path_count(path);
    float height = count > 0 ? ploy_path_height(path, count - 1) : 0.0f;
    ploy_turning_pose pose = turning->from;
    ploy_result result = PLOY_OK;
    if (count == 0 || !ploy_vec2_equal(ploy_path_point(path, count - 1), pose.position)) {
        result = ploy_path_append(path, pose.position, height, NULL);
    }
    for (int32_t i = 0; i < turning->count && result == PLOY_OK; i++) {
        const ploy_turning_piece *piece = &turning->pieces[i];
        double whole = (double)piece->length;
        double steps = ceil(fabs(whole) / (double)step);
        if (steps > 1e6) return PLOY_ERR_ARGUMENT;
        for (int32_t k = 1; k <= (int32_t)steps && result == PLOY_OK; k++) {
            ploy_turning_pose at =
                turning_go(pose, piece->turn, whole * k / steps, (double)turning->radius);
            ploy_path_edge edge;
            memset(&edge, 0, sizeof edge);
            edge.cost = (float)(fabs(whole) / steps);
            if (whole < 0.0) edge.kind = ploy_name_of("reverse");
            result = ploy_path_append(path, at.position, height, &edge);
        }
        pose = turning_go(pose, piece->turn, whole, (double)turning->radius);
    }
    return result;
}
