// Pattern movement; the techniques are described in the header.
#include "ploy/move/moves.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

#define MOVES_TILE_MAX (1 << 20)

int32_t ployi_moves_next(int32_t count, ploy_moves_end end, ploy_moves_state *state) {
    if (state->finished || count <= 0 || state->next < 0 || state->next >= count) {
        state->finished = true;
        return -1;
    }
    int32_t now = state->next;
    switch (end) {
    case PLOY_MOVES_STOP:
        state->next++;
        state->finished = state->next == count;
        break;
    case PLOY_MOVES_LOOP: state->next = (now + 1) % count; break;
    case PLOY_MOVES_PING_PONG:
        if (count == 1) break;
        if (now == count - 1) state->backward = true;
        if (now == 0) state->backward = false;
        state->next = now + (state->backward ? -1 : 1);
        break;
    }
    return now;
}

bool ploy_moves_step(const ploy_moves *moves, ploy_moves_state *state, ploy_kinematic *mover,
                     ploy_name *action) {
    int32_t at = ployi_moves_next(moves->count, moves->end, state);
    if (at < 0) return false;
    const ploy_move *move = &moves->moves[at];
    mover->orientation = ploy_angle_wrap(mover->orientation + move->turn);
    mover->position = ploy_vec2_add_scaled(mover->position, ploy_angle_heading(mover->orientation),
                                           move->forward);
    if (action != NULL) *action = move->action;
    return true;
}

int32_t ploy_moves_choose(const float *weights, int32_t count, int32_t last, ploy_rng_key key,
                          uint32_t id, uint64_t tick) {
    float all = 0.0f, others = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float weight = weights[i] > 0.0f ? weights[i] : 0.0f;
        all += weight;
        if (i != last) others += weight;
    }
    bool again = !(others > 0.0f);
    float draw = ploy_rng_float_at(key, id, tick, 0) * (again ? all : others);
    int32_t chosen = -1;
    for (int32_t i = 0; i < count; i++) {
        if (!(weights[i] > 0.0f) || (i == last && !again)) continue;
        chosen = i; // the last possible one, if rounding leaves a rest
        if (draw < weights[i]) break;
        draw -= weights[i];
    }
    return chosen;
}

// ---- tiles ----

static bool moves_tile_ok(ploy_tile tile) {
    return tile.row >= -MOVES_TILE_MAX && tile.row <= MOVES_TILE_MAX &&
           tile.col >= -MOVES_TILE_MAX && tile.col <= MOVES_TILE_MAX;
}

static int32_t moves_sign(int32_t value) {
    return (value > 0) - (value < 0);
}

// Walks a line; Bresenham 1965. The classic listing starts from deltas that are doubled already,
// which shifts the inner tiles of shallow lines.
typedef struct moves_line {
    ploy_tile at, step;
    int32_t major, minor, fraction;
    bool by_row; // the longer distance is along rows
} moves_line;

static moves_line moves_line_begin(ploy_tile_line kind, ploy_tile from, ploy_tile to) {
    int32_t rows = to.row - from.row, cols = to.col - from.col;
    moves_line line = {from, {moves_sign(rows), moves_sign(cols)}, 0, 0, 0, false};
    rows = rows < 0 ? -rows : rows;
    cols = cols < 0 ? -cols : cols;
    line.by_row = rows >= cols;
    line.major = line.by_row ? rows : cols;
    line.minor = line.by_row ? cols : rows;
    line.fraction = 2 * line.minor - line.major;
    if (kind == PLOY_TILE_LINE_CLASSIC) line.fraction *= 2;
    return line;
}

static void moves_line_next(moves_line *line) {
    bool aside = line->fraction >= 0;
    if (aside) line->fraction -= 2 * line->major;
    line->fraction += 2 * line->minor;
    if (line->by_row || aside) line->at.row += line->step.row;
    if (!line->by_row || aside) line->at.col += line->step.col;
}

ploy_result ploy_tile_line_append(ploy_tile_line line, ploy_tile from, ploy_tile to,
                                  bool skip_first, ploy_tile *tiles, int32_t capacity,
                                  int32_t *count) {
    if (!moves_tile_ok(from) || !moves_tile_ok(to) || *count < 0) return PLOY_ERR_ARGUMENT;
    moves_line walk = moves_line_begin(line, from, to);
    int32_t more = walk.major + (skip_first ? 0 : 1);
    if (*count > capacity || more > capacity - *count) return PLOY_ERR_CAPACITY;
    for (int32_t i = 0; i <= walk.major; i++) {
        if (i > 0) moves_line_next(&walk);
        if (i > 0 || !skip_first) tiles[(*count)++] = walk.at;
    }
    return PLOY_OK;
}

// Along one axis of the map: the nearest tile, on the map.
static int32_t moves_tile_near(double at, int32_t size) {
    double most = size < 1 ? (double)MOVES_TILE_MAX : (double)size - 1.0;
    double least = size < 1 ? -(double)MOVES_TILE_MAX : 0.0;
    at = floor(at + 0.5);
    return (int32_t)(at < least ? least : at > most ? most : at);
}

ploy_tile ploy_tile_intercept(ploy_tile chaser, ploy_tile chaser_step, ploy_tile prey,
                              ploy_tile prey_step, int32_t rows, int32_t cols, ploy_tile *meeting) {
    ploy_tile aim = prey;
    bool ok = moves_tile_ok(chaser) && moves_tile_ok(prey) && moves_tile_ok(chaser_step) &&
              moves_tile_ok(prey_step);
    if (ok) {
        double closing_row = (double)prey_step.row - (double)chaser_step.row;
        double closing_col = (double)prey_step.col - (double)chaser_step.col;
        double range_row = (double)prey.row - (double)chaser.row;
        double range_col = (double)prey.col - (double)chaser.col;
        double closing = sqrt(closing_row * closing_row + closing_col * closing_col);
        double range = sqrt(range_row * range_row + range_col * range_col);
        double time = closing > 0.0 ? range / closing : 0.0;
        aim.row = moves_tile_near((double)prey.row + (double)prey_step.row * time, rows);
        aim.col = moves_tile_near((double)prey.col + (double)prey_step.col * time, cols);
    }
    if (meeting != NULL) *meeting = aim;
    // On the meeting already: the prey has to come, unless it is at rest.
    if (ok && chaser.row == aim.row && chaser.col == aim.col) aim = prey;
    if (!ok || (chaser.row == aim.row && chaser.col == aim.col)) return chaser;
    moves_line line = moves_line_begin(PLOY_TILE_LINE_EXACT, chaser, aim);
    moves_line_next(&line);
    return line.at;
}

void ployi_tiles_normalise(ploy_tile *tiles, int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) { // the first one last, as the others need it
        tiles[i].row = (int32_t)((uint32_t)tiles[i].row - (uint32_t)tiles[0].row);
        tiles[i].col = (int32_t)((uint32_t)tiles[i].col - (uint32_t)tiles[0].col);
    }
}

bool ploy_tile_line_step(const ploy_tile *tiles, int32_t count, ploy_moves_end end,
                         ploy_tile offset, ploy_moves_state *state, ploy_tile *out) {
    int32_t at = ployi_moves_next(count, end, state);
    if (at < 0) return false;
    out->row = (int32_t)((uint32_t)tiles[at].row + (uint32_t)offset.row); // wraps at the edge
    out->col = (int32_t)((uint32_t)tiles[at].col + (uint32_t)offset.col);
    return true;
}

// ---- tracks ----

static bool moves_on_map(const ploy_track *track, ploy_tile tile) {
    return tile.row >= 0 && tile.row < track->rows && tile.col >= 0 && tile.col < track->cols;
}

bool ployi_track_has(const ploy_track *track, ploy_tile tile) {
    return moves_on_map(track, tile) &&
           track->allowed[(size_t)tile.row * (size_t)track->cols + (size_t)tile.col] != 0;
}

ploy_result ploy_track_line(ploy_track *track, ploy_tile from, ploy_tile to) {
    // A line stays within the box of its ends.
    if (!moves_on_map(track, from) || !moves_on_map(track, to) || !moves_tile_ok(from) ||
        !moves_tile_ok(to)) {
        return PLOY_ERR_ARGUMENT;
    }
    moves_line walk = moves_line_begin(PLOY_TILE_LINE_EXACT, from, to);
    for (int32_t i = 0; i <= walk.major; i++) {
        if (i > 0) moves_line_next(&walk);
        track->allowed[(size_t)walk.at.row * (size_t)track->cols + (size_t)walk.at.col] = 1;
    }
    return PLOY_OK;
}

int32_t ploy_track_neighbours(const ploy_track *track, ploy_tile tile, ploy_tile *out) {
    int32_t count = 0;
    if (!moves_on_map(track, tile)) return 0;
    for (int32_t row = -1; row <= 1; row++) {
        for (int32_t col = -1; col <= 1; col++) {
            ploy_tile next = {tile.row + row, tile.col + col};
            if ((row == 0 && col == 0) || (!track->diagonal && row != 0 && col != 0)) continue;
            if (!ployi_track_has(track, next)) continue;
            if (out != NULL) out[count] = next;
            count++;
        }
    }
    return count;
}

ploy_tile ploy_track_step(const ploy_track *track, ploy_tile at, ploy_tile from, ploy_rng_key key,
                          uint32_t id, uint64_t tick) {
    ploy_tile next[8];
    int32_t count = ploy_track_neighbours(track, at, next), others = 0;
    if (count == 0) return at;
    for (int32_t i = 0; i < count; i++) {
        if (next[i].row != from.row || next[i].col != from.col) next[others++] = next[i];
    }
    if (others == 0) return from; // a dead end
    int32_t drawn = (int32_t)(ploy_rng_float_at(key, id, tick, 0) * (float)others);
    return next[ploy_mini(drawn, others - 1)];
}

// ---- maneuvers ----

// The direction of travel; that of the body while at rest.
static float moves_heading(ploy_kinematic agent) {
    return ploy_vec2_is_zero(agent.velocity) ? agent.orientation : ploy_angle_of(agent.velocity);
}

ploy_maneuver_state ploy_maneuver_begin(ploy_kinematic agent) {
    ploy_maneuver_state state = {0, 0, agent.position, moves_heading(agent), 0.0f, false};
    return state;
}

bool ploy_maneuver_step(const ploy_maneuvers *maneuvers, ploy_maneuver_state *state,
                        ploy_kinematic agent, ploy_maneuver_output *out) {
    out->steer = 0.0f;
    out->thrust = 0.0f;
    if (maneuvers->count <= 0 || state->index < 0 || state->index >= maneuvers->count) {
        state->finished = true;
    }
    if (state->finished) return false;
    // Turning is added up step by step: the angle between two headings never exceeds half a turn.
    float heading = moves_heading(agent);
    state->turned += ploy_angle_difference(state->heading, heading);
    state->heading = heading;
    const ploy_maneuver *now = &maneuvers->list[state->index];
    bool far_enough = now->distance_limit > 0.0f &&
                      ploy_vec2_distance(agent.position, state->start) >= now->distance_limit;
    bool round = now->heading_limit > 0.0f && fabsf(state->turned) >= now->heading_limit;
    if (far_enough || round) {
        state->start = agent.position;
        state->turned = 0.0f;
        state->index++;
        if (state->index == maneuvers->count) {
            state->index = 0;
            // Counted only where it matters, so that an endless patrol does not overflow.
            if (maneuvers->repeat > 0 && ++state->round >= maneuvers->repeat) {
                state->finished = true;
                return false;
            }
        }
        now = &maneuvers->list[state->index];
    }
    float part = 1.0f;
    if (now->heading_limit > 0.0f) {
        part = ploy_maxf(1.0f - fabsf(state->turned) / now->heading_limit, maneuvers->floor);
    }
    out->steer = now->steer * part;
    out->thrust = now->thrust;
    return true;
}

void ploy_maneuver_visit(ploy_visit *v, void *object) {
    ploy_maneuver_state *state = object;
    ploy_visit_struct(v, "maneuver", state, sizeof *state);
    ploy_visit_i32_in(v, "index", PLOY_STATE, &state->index, 0, INT32_MAX);
    ploy_visit_i32_in(v, "round", PLOY_STATE, &state->round, 0, INT32_MAX);
    ploy_visit_vec2(v, "start", PLOY_STATE, &state->start.x, &state->start.y);
    ploy_visit_f32(v, "heading", PLOY_STATE, &state->heading);
    ploy_visit_f32(v, "turned", PLOY_STATE, &state->turned);
    ploy_visit_bool(v, "finished", PLOY_STATE, &state->finished);
}

void ploy_maneuver_describe(const ploy_maneuver_state *state, ploy_describe *out) {
    ploy_visit_describe(ploy_maneuver_visit, state, NULL, out);
}

#undef MOVES_TILE_MAX
