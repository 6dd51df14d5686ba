// Tiles with headings; see the header.
#include "ploy/path/headings.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"

static const ploy_field headings_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_headings_def, headings, 8, 4, 16, "", "4, 8 or 16"),
    PLOY_FIELD_I32(ploy_headings_def, max_turn, 1, 0, 7, "", "headings that a move turns by"),
    PLOY_FIELD_F64(ploy_headings_def, turn_cost, 0, 0, 1e6, "", "for each heading turned by"),
    PLOY_FIELD_BOOL(ploy_headings_def, spin, false, "turning on the spot"),
    PLOY_FIELD_F64(ploy_headings_def, spin_cost, 1, 0, 1e6, "", "for turning by a heading"),
    PLOY_FIELD_BOOL(ploy_headings_def, reverse, false, "moving backward"),
    PLOY_FIELD_F64(ploy_headings_def, reverse_cost, 2, 1, 1e6, "", "times the forward cost"),
};

ploy_fields ploy_headings_fields(void) {
    return PLOY_FIELDS(ploy_headings_def, headings_fields);
}

ploy_headings_def ploy_headings_def_default(void) {
    ploy_headings_def def;
    ploy_fields_default(ploy_headings_fields(), &def);
    return def;
}

ploy_result ploy_headings_make(const ploy_headings_def *def, const ploy_tiles_walker *walker,
                               const ploy_env *env, ploy_headings *out) {
    if (walker == NULL || env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_headings_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_tile_neighbours neighbours = ploy_tiles_def_of(walker->tiles).neighbours;
    bool fits = def->headings == 4 ||
                ((def->headings == 8 || def->headings == 16) && neighbours == PLOY_TILE_EIGHT);
    int64_t cells =
        (int64_t)ploy_tiles_width(walker->tiles) * (int64_t)ploy_tiles_height(walker->tiles);
    if (!fits || neighbours == PLOY_TILE_HEX || cells * def->headings > INT32_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    memset(out, 0, sizeof *out);
    out->def = *def;
    out->walker = walker;
    out->goal_cell = PLOY_STATE_NONE;
    return PLOY_OK;
}

int32_t ploy_headings_state(const ploy_headings *headings, int32_t cell, int32_t heading) {
    int32_t cells =
        ploy_tiles_width(headings->walker->tiles) * ploy_tiles_height(headings->walker->tiles);
    if (cell < 0 || cell >= cells || heading < 0 || heading >= headings->def.headings) {
        return PLOY_STATE_NONE;
    }
    return cell * headings->def.headings + heading;
}

int32_t ploy_headings_cell(const ploy_headings *headings, int32_t state) {
    return state < 0 ? PLOY_STATE_NONE : state / headings->def.headings;
}

int32_t ploy_headings_heading(const ploy_headings *headings, int32_t state) {
    return state < 0 ? PLOY_STATE_NONE : state % headings->def.headings;
}

int32_t ployi_headings_quantise(const ploy_headings *headings, float orientation) {
    if (!ploy_is_finite(orientation)) return 0;
    int32_t count = headings->def.headings;
    double turns = (double)orientation / (double)PLOY_TWO_PI_F;
    turns -= floor(turns);
    return (int32_t)floor(turns * count + 0.5) % count;
}

float ploy_headings_orientation(const ploy_headings *headings, int32_t heading) {
    float angle = PLOY_TWO_PI_F * (float)heading / (float)headings->def.headings;
    return angle >= 0.5f * PLOY_TWO_PI_F ? angle - PLOY_TWO_PI_F : angle;
}

// A knight's move is shorter than the straight and the diagonal step that it is made of.
static const double headings_knight = 0.92621;

// Moves a cell on along a heading; a knight's move on those between the directions of tiles, which
// needs both cells on its way. @return the cost; INFINITY: it cannot.
static double headings_move(const ploy_headings *headings, int32_t cell, int32_t heading,
                            int32_t *to) {
    const ploy_tiles_walker *walker = headings->walker;
    const ploy_tiles *tiles = walker->tiles;
    int32_t count = headings->def.headings;
    if (count == 16 && heading % 2 == 1) {
        int32_t sides[2] = {heading / 2, (heading / 2 + 1) % 8};
        double sum = 0.0;
        for (int32_t i = 0; i < 2; i++) {
            double first = ploy_tiles_walker_step(walker, cell, sides[i]);
            if (!(first < (double)INFINITY)) return first;
            int32_t between = ploy_tiles_neighbour(tiles, cell, sides[i]);
            sum += first + ploy_tiles_walker_step(walker, between, sides[1 - i]);
            *to = ploy_tiles_neighbour(tiles, between, sides[1 - i]);
        }
        return 0.5 * sum * headings_knight;
    }
    // Maps of four neighbours number directions as those of eight.
    bool four = ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_FOUR;
    int32_t direction = four || count == 8 ? heading : count == 16 ? heading / 2 : 2 * heading;
    *to = ploy_tiles_neighbour(tiles, cell, direction);
    return ploy_tiles_walker_step(walker, cell, direction);
}

static ploy_result headings_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_headings *self = user;
    const ploy_headings_def *def = &self->def;
    int32_t count = def->headings, cell = state / count, heading = state % count;
    ploy_result result = PLOY_OK;
    for (int32_t direction = 1; direction <= (def->reverse ? 2 : 1); direction++) {
        int32_t toward = direction == 1 ? heading : (heading + count / 2) % count;
        int32_t to = PLOY_STATE_NONE;
        double cost = headings_move(self, cell, toward, &to);
        if (!(cost < (double)INFINITY)) continue;
        int32_t most = direction == 1 ? ploy_mini(def->max_turn, count / 2) : 0;
        if (direction == 2) cost *= def->reverse_cost;
        for (int32_t turn = -most; turn <= most && result == PLOY_OK; turn++) {
            if (turn == -count / 2) continue; // the same as the turn to the left
            int32_t next = to * count + (heading + turn + count) % count;
            double price = cost + def->turn_cost * (double)(turn < 0 ? -turn : turn);
            result = ploy_edges_add(out, next, price, direction * 16 + turn + 8);
        }
    }
    for (int32_t turn = -1; turn <= 1 && def->spin && result == PLOY_OK; turn += 2) {
        int32_t next = cell * count + (heading + turn + count) % count;
        result = ploy_edges_add(out, next, def->spin_cost, turn + 8);
    }
    return result;
}

static double headings_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_headings *self = user;
    int32_t cell = goal >= 0 ? goal / self->def.headings : self->goal_cell;
    if (cell < 0) return 0.0;
    // Turning only adds, so what the tiles say is never too much.
    ploy_space space = ploy_tiles_space(self->walker);
    double least = space.estimate(space.user, state / self->def.headings, cell);
    return self->def.headings == 16 ? least * headings_knight : least;
}

ploy_space ploy_headings_space(const ploy_headings *headings) {
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = ploy_tiles_width(headings->walker->tiles) *
                  ploy_tiles_height(headings->walker->tiles) * headings->def.headings;
    space.expand = headings_expand;
    space.estimate = headings_estimate;
    memcpy(&space.user, &headings, sizeof space.user); // the callbacks read only
    return space;
}

bool ployi_headings_at_goal(void *headings, int32_t state) {
    const ploy_headings *self = headings;
    return state / self->def.headings == self->goal_cell;
}
