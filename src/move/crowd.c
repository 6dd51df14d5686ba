// A crowd: agents in slots, sorted into cells for each step. What is done for one agent is in
// orca_internal.h, how its neighbours are found in crowd_internal.h.
//
// Invariants, from create to destroy:
//   (1) slots [0, used) have been held; of them `count` are alive, the others are in `free`,
//       the last one on top; alive slots have an odd generation;
//   (2) numbers of an alive slot are finite and within their ranges, as ployi_orca_agent_ok says;
// (3) to (5) are in crowd_internal.h.
#include "ploy/move/crowd.h"

#include "move/move_internal.h"

#include <string.h>

#include "move/crowd_internal.h"
#include "ploy/base/hash.h"

static const ploy_field crowd_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_crowd_def, capacity, 256, 1, CROWD_CAPACITY_MAX, "", "most agents"),
    PLOY_FIELD_BOOL(ploy_crowd_def, moves, true, "a step also moves the agents"),
    PLOY_FIELD_DEF(ploy_crowd_def, avoid, ploy_orca_fields, "how they avoid each other"),
};

ploy_fields ploy_crowd_fields(void) {
    return PLOY_FIELDS(ploy_crowd_def, crowd_fields);
}

ploy_crowd_def ploy_crowd_def_default(void) {
    ploy_crowd_def def;
    memset(&def, 0, sizeof def); // the gap behind `moves`, which copies carry on
    ploy_fields_default(ploy_crowd_fields(), &def);
    return def;
}

// Eight times as many cells as agents, so that few share one with an agent far away; a power of
// two.
static int32_t crowd_cells(int32_t count) {
    int32_t cells = 64;
    while (cells < 8 * count) cells *= 2;
    return cells;
}

ploy_result ploy_crowd_create(const ploy_crowd_def *def, const ploy_env *env, ploy_crowd **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_crowd_fields(), def, env);
    if (result != PLOY_OK) return result;
    int32_t cells = crowd_cells(def->capacity);
    const int32_t columns = 22; // of four bytes each, by slot and by place
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_crowd), def->capacity + CROWD_LANES,
                             (size_t)columns * sizeof(float), &size) ||
        !ploy_size_add_array(size, cells + 2, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_crowd *crowd = ploy_env_alloc_zero(env, size);
    if (crowd == NULL) return PLOY_ERR_MEMORY;
    crowd->env = *env;
    memcpy(&crowd->def, def, sizeof crowd->def);
    crowd->size = size;
    crowd->cells_max = cells;
    crowd->columns = crowd->rows = 8;
    size_t lane = (size_t)(def->capacity + CROWD_LANES);
    float *at = (float *)(void *)(crowd + 1);
    float **const floats[] = {&crowd->x,      &crowd->y,         &crowd->vx,
                              &crowd->vy,     &crowd->wx,        &crowd->wy,
                              &crowd->radius, &crowd->max_speed, &crowd->responsibility,
                              &crowd->new_vx, &crowd->new_vy,    &crowd->violation,
                              &crowd->px,     &crowd->py,        &crowd->pvx,
                              &crowd->pvy,    &crowd->pradius,   &crowd->presponsibility};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++, at += lane) *floats[i] = at;
    int32_t *whole = (int32_t *)(void *)at;
    crowd->generation = (uint32_t *)(void *)whole;
    crowd->free = whole + lane;
    crowd->cell = whole + 2 * lane;
    crowd->slot = whole + 3 * lane;
    crowd->starts = whole + 4 * lane;
    *out = crowd;
    return PLOY_OK;
}

void ploy_crowd_clear_walls(ploy_crowd *crowd) {
    ploy_bvh2_destroy(crowd->tree);
    ploy_env_free(&crowd->env, crowd->walls, (size_t)crowd->wall_count * sizeof *crowd->walls);
    crowd->tree = NULL;
    crowd->walls = NULL;
    crowd->wall_count = 0;
}

void ploy_crowd_destroy(ploy_crowd *crowd) {
    if (crowd == NULL) return;
    ploy_crowd_clear_walls(crowd);
    ploy_env env = crowd->env;
    ploy_env_free(&env, crowd, crowd->size);
}

ploy_result ploy_crowd_set_def(ploy_crowd *crowd, const ploy_crowd_def *def) {
    ploy_result result = ploy_fields_check(ploy_crowd_fields(), def, &crowd->env);
    if (result != PLOY_OK) return result;
    int32_t capacity = crowd->def.capacity;
    memcpy(&crowd->def, def, sizeof crowd->def);
    crowd->def.capacity = capacity;
    return PLOY_OK;
}

// ---- agents ----

// The slot of an id, or -1.
static int32_t crowd_slot(const ploy_crowd *crowd, ploy_agent_id id) {
    bool alive = id.id.index < (uint32_t)crowd->used && (id.id.generation & 1u) != 0 &&
                 crowd->generation[id.id.index] == id.id.generation;
    return alive ? (int32_t)id.id.index : -1;
}

static bool crowd_alive(const ploy_crowd *crowd, int32_t slot) {
    return (crowd->generation[slot] & 1u) != 0;
}

static void crowd_write(ploy_crowd *crowd, int32_t slot, const ploy_orca_agent *agent) {
    crowd->x[slot] = agent->position.x;
    crowd->y[slot] = agent->position.y;
    crowd->vx[slot] = agent->velocity.x;
    crowd->vy[slot] = agent->velocity.y;
    crowd->wx[slot] = agent->wanted.x;
    crowd->wy[slot] = agent->wanted.y;
    crowd->radius[slot] = agent->radius;
    crowd->max_speed[slot] = agent->max_speed;
    crowd->responsibility[slot] = agent->responsibility;
}

static ploy_orca_agent crowd_read(const ploy_crowd *crowd, int32_t slot) {
    ploy_orca_agent agent = {{crowd->x[slot], crowd->y[slot]},
                             {crowd->vx[slot], crowd->vy[slot]},
                             {crowd->wx[slot], crowd->wy[slot]},
                             crowd->radius[slot],
                             crowd->max_speed[slot],
                             crowd->responsibility[slot],
                             (uint32_t)slot};
    return agent;
}

ploy_result ploy_crowd_add(ploy_crowd *crowd, const ploy_orca_agent *agent, ploy_agent_id *out) {
    if (out == NULL || !ployi_orca_agent_ok(agent)) return PLOY_ERR_ARGUMENT;
    if (crowd->count == crowd->def.capacity) return PLOY_ERR_CAPACITY;
    int32_t slot = crowd->free_count > 0 ? crowd->free[--crowd->free_count] : crowd->used++;
    crowd->generation[slot]++; // keeps (1)
    crowd->count++;
    crowd_write(crowd, slot, agent);
    crowd->violation[slot] = 0.0f;
    *out = ploy_agent_id_make((uint32_t)slot, crowd->generation[slot]);
    return PLOY_OK;
}

ploy_result ploy_crowd_remove(ploy_crowd *crowd, ploy_agent_id id) {
    int32_t slot = crowd_slot(crowd, id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    crowd->generation[slot]++;
    crowd->free[crowd->free_count++] = slot; // keeps (1)
    crowd->count--;
    return PLOY_OK;
}

int32_t ploy_crowd_count(const ploy_crowd *crowd) {
    return crowd->count;
}

int32_t ploy_crowd_places(const ploy_crowd *crowd) {
    return crowd->used;
}

ploy_agent_id ploy_crowd_id_at(const ploy_crowd *crowd, int32_t place) {
    if (!ploy_range_within(place, 1, crowd->used) || !crowd_alive(crowd, place)) {
        return ploy_agent_id_none();
    }
    return ploy_agent_id_make((uint32_t)place, crowd->generation[place]);
}

ploy_result ploy_crowd_get(const ploy_crowd *crowd, ploy_agent_id id, ploy_orca_agent *out) {
    int32_t slot = crowd_slot(crowd, id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    *out = crowd_read(crowd, slot);
    return PLOY_OK;
}

ploy_result ploy_crowd_set(ploy_crowd *crowd, ploy_agent_id id, const ploy_orca_agent *agent) {
    int32_t slot = crowd_slot(crowd, id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    if (!ployi_orca_agent_ok(agent)) return PLOY_ERR_ARGUMENT; // keeps (2)
    crowd_write(crowd, slot, agent);
    return PLOY_OK;
}

ploy_result ploy_crowd_set_wanted(ploy_crowd *crowd, ploy_agent_id id, ploy_vec2 wanted) {
    int32_t slot = crowd_slot(crowd, id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    if (!(fabsf(wanted.x) <= PLOY_SPEED_MAX_MPS && fabsf(wanted.y) <= PLOY_SPEED_MAX_MPS)) {
        return PLOY_ERR_ARGUMENT;
    }
    crowd->wx[slot] = wanted.x;
    crowd->wy[slot] = wanted.y;
    return PLOY_OK;
}

ploy_kinematics ploy_crowd_agents(const ploy_crowd *crowd) {
    return ploy_kinematics_make(crowd->used, crowd->x, crowd->y, NULL, crowd->vx, crowd->vy, NULL,
                                sizeof(float));
}

// Checks that a view holds a point within the limit for each place.
static ploy_result crowd_points_check(const ploy_crowd *crowd, const ploy_points *points,
                                      float limit) {
    ploy_result result = ployi_points_check(points, 0, crowd->used);
    if (result != PLOY_OK) return result;
    int32_t bad = 0; // counted to the end: nearly always there are none
    for (int32_t i = 0; i < crowd->used; i++) {
        ploy_vec2 v = ploy_points_get(points, i);
        bad += !((fabsf(v.x) <= limit) & (fabsf(v.y) <= limit));
    }
    return bad > 0 ? PLOY_ERR_ARGUMENT : PLOY_OK;
}

static void crowd_points_copy(const ploy_crowd *crowd, const ploy_points *points, float *x,
                              float *y) {
    for (int32_t i = 0; i < crowd->used; i++) {
        ploy_vec2 v = ploy_points_get(points, i);
        x[i] = v.x;
        y[i] = v.y;
    }
}

ploy_result ploy_crowd_set_wanted_all(ploy_crowd *crowd, const ploy_points *wanted) {
    ploy_result result = crowd_points_check(crowd, wanted, PLOY_SPEED_MAX_MPS);
    if (result == PLOY_OK) crowd_points_copy(crowd, wanted, crowd->wx, crowd->wy);
    return result;
}

ploy_result ploy_crowd_set_bodies(ploy_crowd *crowd, const ploy_points *positions,
                                  const ploy_points *velocities) {
    ploy_result result = crowd_points_check(crowd, positions, PLOY_POSITION_MAX_M);
    if (result == PLOY_OK && velocities != NULL) {
        result = crowd_points_check(crowd, velocities, PLOY_SPEED_MAX_MPS);
    }
    if (result != PLOY_OK) return result; // keeps (2)
    crowd_points_copy(crowd, positions, crowd->x, crowd->y);
    if (velocities != NULL) crowd_points_copy(crowd, velocities, crowd->vx, crowd->vy);
    return PLOY_OK;
}

// ---- walls ----

// The hierarchy over all edges.
static ploy_result crowd_tree(const ploy_orca_wall *walls, int32_t count, const ploy_env *env,
                              ploy_bvh2 **out) {
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = count;
    def.margin = 0.0f;
    ploy_result result = ploy_bvh2_create(&def, env, out);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_box2 box = {ploy_vec2_min(walls[i].from, walls[i].to),
                         ploy_vec2_max(walls[i].from, walls[i].to)};
        result = ploy_bvh2_insert(*out, i, box);
    }
    if (result != PLOY_OK) {
        ploy_bvh2_destroy(*out);
        *out = NULL;
    }
    return result;
}

static bool crowd_wall_is_right(ploy_polygon ring) {
    if (ring.points == NULL || ring.count < 2) return false;
    for (int32_t i = 0; i < ring.count; i++) {
        ploy_vec2 corner = ring.points[i], next = ring.points[(i + 1) % ring.count];
        if (!(fabsf(corner.x) <= PLOY_POSITION_MAX_M && fabsf(corner.y) <= PLOY_POSITION_MAX_M)) {
            return false;
        }
        if (ploy_vec2_equal(corner, next)) return false;
    }
    return true;
}

// Adds one ring, or all of a set, all or none.
static ploy_result crowd_add_all(ploy_crowd *crowd, const ploy_polygon *one,
                                 const ploy_rings *rings) {
    int32_t count = rings != NULL ? ploy_rings_count(rings) : 1;
    int64_t all = crowd->wall_count;
    for (int32_t i = 0; i < count; i++) {
        ploy_polygon ring = rings != NULL ? ploy_rings_get(rings, i) : *one;
        if (!crowd_wall_is_right(ring)) return PLOY_ERR_ARGUMENT;
        all += ring.count;
        if (all > CROWD_CAPACITY_MAX) return PLOY_ERR_ARGUMENT;
    }
    if (all == crowd->wall_count) return PLOY_OK;
    size_t bytes = (size_t)all * sizeof *crowd->walls;
    ploy_orca_wall *walls = ploy_env_alloc_zero(&crowd->env, bytes);
    if (walls == NULL) return PLOY_ERR_MEMORY;
    if (crowd->wall_count > 0) {
        memcpy(walls, crowd->walls, (size_t)crowd->wall_count * sizeof *walls);
    }
    int32_t at = crowd->wall_count;
    for (int32_t i = 0; i < count; i++) {
        ploy_polygon ring = rings != NULL ? ploy_rings_get(rings, i) : *one;
        ploy_orca_walls_make(ring.points, ring.count, walls + at);
        at += ring.count;
    }
    ploy_bvh2 *tree = NULL;
    ploy_result result = crowd_tree(walls, at, &crowd->env, &tree);
    if (result != PLOY_OK) {
        ploy_env_free(&crowd->env, walls, bytes);
        return result;
    }
    ploy_crowd_clear_walls(crowd);
    crowd->walls = walls;
    crowd->wall_count = at;
    crowd->tree = tree;
    return PLOY_OK;
}

ploy_result ploy_crowd_add_walls(ploy_crowd *crowd, const ploy_vec2 *corners, int32_t count) {
    ploy_polygon ring = {corners, count};
    return crowd_add_all(crowd, &ring, NULL);
}

ploy_result ploy_crowd_add_rings(ploy_crowd *crowd, const ploy_rings *rings) {
    if (crowd == NULL || rings == NULL) return PLOY_ERR_ARGUMENT;
    return crowd_add_all(crowd, NULL, rings);
}

const ploy_orca_wall *ploy_crowd_walls(const ploy_crowd *crowd, int32_t *count) {
    *count = crowd->wall_count;
    return crowd->walls;
}

static void crowd_wall_lines(const ploy_crowd *crowd, const ployi_orca_law *law,
                             const ployi_orca_self *self, ploy_vec2 position,
                             ployi_orca_lines *lines) {
    ploy_found found[CROWD_WALLS_ASKED];
    ployi_orca_edge edges[PLOY_ORCA_WALLS_MAX];
    int32_t count = 0;
    float reach = ployi_orca_wall_reach(law, self);
    ploy_query2 query = ploy_query2_nearest(position, reach * 1.001f); // a hair more, for rounding
    int32_t asked = ploy_bvh2_find(crowd->tree, &query, found, CROWD_WALLS_ASKED, NULL);
    for (int32_t i = 0; i < asked; i++) {
        float distance = ployi_orca_wall_distance(&crowd->walls[found[i].id], position);
        if (!ployi_within(distance, 0, reach)) continue;
        ployi_orca_edges_add(edges, &count, distance, found[i].id);
    }
    ployi_orca_wall_lines(law, self, position, crowd->walls, edges, count, lines);
}

// ---- a step ----

static void crowd_sort(ploy_crowd *crowd) {
    int32_t cells = crowd_cells(crowd->used);
    crowd->columns = 8;
    while (crowd->columns * crowd->columns < cells) crowd->columns *= 2;
    crowd->rows = cells / crowd->columns; // keeps (5)
    crowd->column_shift = 0;
    while (crowd->columns >> crowd->column_shift > 1) crowd->column_shift++;
    crowd->over_cell = 2.0 / (double)crowd->def.avoid.range;
    int32_t *starts = crowd->starts;
    for (int32_t c = 0; c <= cells + 1; c++) starts[c] = 0;
    for (int32_t i = 0; i < crowd->used; i++) {
        crowd->cell[i] = -1;
        if (!crowd_alive(crowd, i)) continue;
        int64_t column = crowd_line(crowd->x[i], crowd->over_cell) & (crowd->columns - 1);
        int64_t row = crowd_line(crowd->y[i], crowd->over_cell) & (crowd->rows - 1);
        int32_t cell = (int32_t)(row * crowd->columns + column);
        crowd->cell[i] = cell;
        starts[cell + 2]++;
    }
    // Four at a time: there are many more cells than agents, and of cells a multiple of four.
    int32_t sum = 0;
    for (int32_t c = 2; c <= cells + 1; c += 4) {
        int32_t a = sum + starts[c], b = a + starts[c + 1], d = b + starts[c + 2];
        sum = d + starts[c + 3];
        starts[c] = a;
        starts[c + 1] = b;
        starts[c + 2] = d;
        starts[c + 3] = sum;
    }
    for (int32_t i = 0; i < crowd->used; i++) {
        if (crowd->cell[i] < 0) continue;
        int32_t place = starts[crowd->cell[i] + 1]++; // comes to the next cell's start: keeps (3)
        crowd->px[place] = crowd->x[i];
        crowd->py[place] = crowd->y[i];
        crowd->pvx[place] = crowd->vx[i];
        crowd->pvy[place] = crowd->vy[i];
        crowd->pradius[place] = crowd->radius[i];
        crowd->presponsibility[place] =
            ployi_orca_responsibility(crowd->responsibility[i], crowd->max_speed[i]);
        crowd->slot[place] = i;
    }
    for (int32_t k = crowd->count; k < crowd->count + CROWD_LANES; k++) { // keeps (4)
        crowd->px[k] = crowd->py[k] = 4e9f;
    }
}

PLOYI_INLINE ploy_orca_result crowd_one(const ploy_crowd *crowd, const ployi_orca_law *law,
                                        int32_t place, ployi_orca_lines *lines) {
    int32_t slot = crowd->slot[place];
    ploy_orca_agent agent = crowd_read(crowd, slot);
    ployi_orca_self self = ployi_orca_self_of(&agent);
    lines->count = lines->walls = 0;
    if (crowd->tree != NULL) crowd_wall_lines(crowd, law, &self, agent.position, lines);
    if (self.responsibility > 0.0f) {
        ployi_orca_near near;
        crowd_near(crowd, law, place, &near);
        if (near.count > 0) ployi_orca_agent_lines(law, &self, &near, lines);
        if (near.count <= CROWD_FEW) crowd_lines_sort(lines);
    }
    ployi_orca_pad(lines->x, lines->y, lines->limit, lines->count);
    return ployi_orca_solve(lines, ploy_vec2_make(self.wx, self.wy), self.max_speed);
}

PLOYI_INLINE void crowd_range_body(ploy_crowd *crowd, const ployi_orca_law *law, int32_t first,
                                   int32_t count) {
    ployi_orca_lines lines;
    for (int32_t place = first; place < first + count; place++) {
        ploy_orca_result result = crowd_one(crowd, law, place, &lines);
        int32_t slot = crowd->slot[place];
        crowd->new_vx[slot] = result.velocity.x;
        crowd->new_vy[slot] = result.velocity.y;
        crowd->violation[slot] = result.violation;
    }
}
PLOYI_KERNEL(crowd_range,
             (ploy_crowd * crowd, const ployi_orca_law *law, int32_t first, int32_t count),
             (crowd, law, first, count))

typedef struct crowd_job {
    ploy_crowd *crowd;
    ployi_orca_law law;
} crowd_job;

static void crowd_work(void *arg, int32_t first, int32_t count, int32_t worker) {
    crowd_job *job = arg;
    (void)worker;
    crowd_range(job->crowd, &job->law, first, count);
}

ploy_result ploy_crowd_step(ploy_crowd *crowd, float dt, const ploy_jobs *jobs) {
    crowd_job job;
    job.crowd = crowd;
    if (!ployi_orca_law_make(&crowd->def.avoid, dt, &job.law)) return PLOY_ERR_ARGUMENT;
    crowd_sort(crowd);
    ploy_jobs_run(jobs, crowd_work, &job, crowd->count, CROWD_GRAIN);
    float motion = crowd->def.moves ? dt : 0.0f;
    for (int32_t i = 0; i < crowd->used; i++) {
        if (!crowd_alive(crowd, i)) continue;
        crowd->vx[i] = crowd->new_vx[i];
        crowd->vy[i] = crowd->new_vy[i];
        crowd->x[i] += crowd->vx[i] * motion;
        crowd->y[i] += crowd->vy[i] * motion;
    }
    crowd->steps++;
    return PLOY_OK;
}

ploy_crowd_report ploy_crowd_last(const ploy_crowd *crowd) {
    ploy_crowd_report report = {crowd->steps, 0, 0.0f};
    for (int32_t i = 0; i < crowd->used; i++) {
        if (!crowd_alive(crowd, i) || !(crowd->violation[i] > 0.0f)) continue;
        report.infeasible++;
        report.violation = ploy_maxf(report.violation, crowd->violation[i]);
    }
    return report;
}

// Tests all agents: for one agent that is as fast as sorting all of them, and changes nothing.
ploy_result ploy_crowd_find(const ploy_crowd *crowd, ploy_agent_id id, float dt,
                            ploy_orca_line *lines, ploy_orca_result *out) {
    int32_t self = crowd_slot(crowd, id);
    if (self < 0) return PLOY_ERR_NOT_FOUND;
    ployi_orca_law law;
    if (out == NULL || !ployi_orca_law_make(&crowd->def.avoid, dt, &law)) return PLOY_ERR_ARGUMENT;
    // The nearest so far, and room for as many again.
    ploy_orca_agent agent = crowd_read(crowd, self), others[2 * PLOY_ORCA_NEIGHBOURS_MAX];
    float squares[2 * PLOY_ORCA_NEIGHBOURS_MAX];
    int32_t count = 0;
    for (int32_t i = 0; i < crowd->used; i++) {
        if (i == self || !crowd_alive(crowd, i)) continue;
        ploy_vec2 at = {crowd->x[i], crowd->y[i]};
        float square = ploy_vec2_distance_sq(at, agent.position);
        if (!(square < law.range_squared)) continue;
        int32_t to = count < law.max_neighbours ? count++ : -1;
        for (int32_t k = 0; k < count && to < 0; k++) {
            // Slots come in order, so that of equals the later ones lose.
            if (square >= squares[k]) continue;
            to = k;
            for (int32_t n = 0; n < count; n++) to = squares[n] >= squares[to] ? n : to;
        }
        if (to < 0) continue;
        squares[to] = square;
        others[to] = crowd_read(crowd, i);
    }
    *out = ploy_orca_find(&crowd->def.avoid, &agent, others, count, crowd->walls, crowd->wall_count,
                          dt, lines);
    for (int32_t k = out->walls; k < out->lines && lines != NULL; k++) {
        lines[k].index = (int32_t)others[lines[k].index].number;
    }
    return PLOY_OK;
}

// ---- sight ----

static void crowd_visit_agent(ploy_visit *v, ploy_crowd *crowd, int32_t i) {
    ploy_visit_vec2(v, "position", PLOY_STATE, &crowd->x[i], &crowd->y[i]);
    ploy_visit_vec2(v, "velocity", PLOY_STATE, &crowd->vx[i], &crowd->vy[i]);
    ploy_visit_vec2(v, "wanted", PLOY_STATE, &crowd->wx[i], &crowd->wy[i]);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &crowd->radius[i], 0.0f, 1e5f);
    ploy_visit_f32_in(v, "max_speed", PLOY_STATE, &crowd->max_speed[i], 0.0f, PLOY_SPEED_MAX_MPS);
    ploy_visit_f32_in(v, "responsibility", PLOY_STATE, &crowd->responsibility[i], 0.0f, 1e3f);
    ploy_visit_f32(v, "violation", PLOY_DERIVED, &crowd->violation[i]);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_orca_agent agent = crowd_read(crowd, i);
        ploy_visit_check(v, ployi_orca_agent_ok(&agent), "invalid agent", NULL); // keeps (2)
    }
}

// Whether the free slots are the dead ones below `used`: invariant (1).
static bool crowd_free_is_sound(ploy_crowd *crowd) {
    if (crowd->free_count + crowd->count != crowd->used) return false;
    // Cells are found again in each step; until then they count how often a slot is free.
    for (int32_t i = 0; i < crowd->used; i++) crowd->cell[i] = 0;
    for (int32_t i = 0; i < crowd->free_count; i++) {
        int32_t slot = crowd->free[i];
        if (slot >= crowd->used || crowd_alive(crowd, slot) || crowd->cell[slot]++ > 0) {
            return false;
        }
    }
    return true;
}

// Slots and free list, as they are stored.
static void crowd_visit_slots(ploy_visit *v, ploy_crowd *crowd) {
    int32_t used = ploy_visit_list(v, "slots", PLOY_SAVED, &crowd->used, crowd->def.capacity);
    int32_t alive = 0;
    for (int32_t i = 0; i < used; i++) {
        ploy_visit_begin(v, "slot", PLOY_SAVED);
        ploy_visit_u32(v, "generation", PLOY_SAVED, &crowd->generation[i]);
        if (crowd_alive(crowd, i)) {
            crowd_visit_agent(v, crowd, i);
            alive++;
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v)) ploy_visit_write(v, &crowd->count, &alive, sizeof alive);
    int32_t count = ploy_visit_list(v, "free", PLOY_SAVED, &crowd->free_count, crowd->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "free", PLOY_SAVED, &crowd->free[i], 0, crowd->def.capacity - 1);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, crowd_free_is_sound(crowd), "inconsistent free slots", NULL);
    }
}

// The agents that are shown, and a hash of all others, of the free slots and of the walls.
static void crowd_describe_agents(ploy_visit *v, ploy_crowd *crowd) {
    uint64_t others =
        ploy_hash_bytes(crowd->walls, (size_t)crowd->wall_count * sizeof *crowd->walls, 0);
    for (int32_t i = 0; i < crowd->used; i++) {
        ploy_orca_agent agent = crowd_read(crowd, i);
        others = ploy_hash_bytes(&crowd->generation[i], sizeof crowd->generation[i], others);
        if (!crowd_alive(crowd, i)) continue;
        if (i >= CROWD_TOLD) {
            others = ploy_hash_bytes(&agent, sizeof agent, others);
            continue;
        }
        char name[24] = "agent ";
        ploy_value number = ploy_value_i64(i);
        ploy_value_print(&number, name + 6, sizeof name - 6);
        ploy_visit_begin_agent(v, name, PLOY_STATE, ploy_crowd_id_at(crowd, i));
        crowd_visit_agent(v, crowd, i);
        ploy_visit_end(v);
    }
    for (int32_t i = 0; i < crowd->free_count; i++) {
        others = ploy_hash_bytes(&crowd->free[i], sizeof crowd->free[i], others);
    }
    ploy_describe_u64(v->describe, "hash of the rest", PLOY_STATE, others);
}

static void crowd_visit_scratch(ploy_visit *v, ploy_crowd *crowd) {
    PLOY_VISIT_SCRATCH(v, crowd->env);
    PLOY_VISIT_SCRATCH(v, crowd->size);
    PLOY_VISIT_SCRATCH(v, crowd->count);
    // Of the last sorting into cells, and where the columns of the block are.
    PLOY_VISIT_SCRATCH(v, crowd->columns);
    PLOY_VISIT_SCRATCH(v, crowd->rows);
    PLOY_VISIT_SCRATCH(v, crowd->cells_max);
    PLOY_VISIT_SCRATCH(v, crowd->column_shift);
    PLOY_VISIT_SCRATCH(v, crowd->over_cell);
    PLOY_VISIT_SCRATCH(v, crowd->x);
    PLOY_VISIT_SCRATCH(v, crowd->y);
    PLOY_VISIT_SCRATCH(v, crowd->vx);
    PLOY_VISIT_SCRATCH(v, crowd->vy);
    PLOY_VISIT_SCRATCH(v, crowd->wx);
    PLOY_VISIT_SCRATCH(v, crowd->wy);
    PLOY_VISIT_SCRATCH(v, crowd->radius);
    PLOY_VISIT_SCRATCH(v, crowd->max_speed);
    PLOY_VISIT_SCRATCH(v, crowd->responsibility);
    PLOY_VISIT_SCRATCH(v, crowd->new_vx);
    PLOY_VISIT_SCRATCH(v, crowd->new_vy);
    PLOY_VISIT_SCRATCH(v, crowd->violation);
    PLOY_VISIT_SCRATCH(v, crowd->generation);
    PLOY_VISIT_SCRATCH(v, crowd->free);
    PLOY_VISIT_SCRATCH(v, crowd->cell);
    PLOY_VISIT_SCRATCH(v, crowd->px);
    PLOY_VISIT_SCRATCH(v, crowd->py);
    PLOY_VISIT_SCRATCH(v, crowd->pvx);
    PLOY_VISIT_SCRATCH(v, crowd->pvy);
    PLOY_VISIT_SCRATCH(v, crowd->pradius);
    PLOY_VISIT_SCRATCH(v, crowd->presponsibility);
    PLOY_VISIT_SCRATCH(v, crowd->slot);
    PLOY_VISIT_SCRATCH(v, crowd->starts);
    PLOY_VISIT_SCRATCH(v, crowd->walls);
    PLOY_VISIT_SCRATCH(v, crowd->wall_count);
    PLOY_VISIT_SCRATCH(v, crowd->tree);
}

void ploy_crowd_visit(ploy_visit *v, void *object) {
    ploy_crowd *crowd = object;
    size_t walls_size = (size_t)crowd->wall_count * sizeof *crowd->walls;
    ploy_visit_struct(v, "crowd", crowd, sizeof *crowd);
    ploy_visit_block(v, "crowd", crowd, crowd->size);
    ploy_visit_block(v, "crowd.walls", crowd->walls, walls_size);
    if (v->memory != NULL && crowd->tree != NULL) {
        ploy_bvh2_memory(crowd->tree, v->memory, v->memory_user);
    }
    crowd_visit_scratch(v, crowd);
    ploy_visit_u64(v, "steps", PLOY_STATE, &crowd->steps);
    ploy_describe_i64(v->describe, "agents", PLOY_STATE, crowd->count);
    // The walls are the level's: set them before a load.
    ploy_value count = ploy_value_i64(crowd->wall_count);
    ploy_value walls = ploy_value_u64(ploy_hash_bytes(crowd->walls, walls_size, 0));
    ploy_visit_same(v, "walls", PLOY_STATE, &count);
    ploy_visit_same(v, "walls hash", PLOY_SAVED, &walls);
    if (v->describe != NULL) {
        ploy_crowd_report report = ploy_crowd_last(crowd);
        ploy_describe_i64(v->describe, "infeasible", PLOY_DERIVED, report.infeasible);
        ploy_describe_f32(v->describe, "violation", PLOY_DERIVED, report.violation);
    }
    ploy_value capacity = ploy_value_i64(crowd->def.capacity);
    ploy_visit_same(v, "capacity of the block", PLOY_SAVED, &capacity);
    ploy_visit_fields(v, "def", PLOY_STATE, ploy_crowd_fields(), &crowd->def);
    if (v->describe != NULL) {
        crowd_describe_agents(v, crowd);
    } else {
        crowd_visit_slots(v, crowd);
    }
}

void ploy_crowd_describe(const ploy_crowd *crowd, ploy_describe *out) {
    ploy_visit_describe(ploy_crowd_visit, crowd, NULL, out);
}

void ploy_crowd_draw(const ploy_crowd *crowd, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < crowd->wall_count; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, crowd->walls[i].from,
                       crowd->walls[i].to);
    }
    for (int32_t i = 0; i < crowd->used; i++) {
        if (!crowd_alive(crowd, i)) continue;
        ploy_orca_agent agent = crowd_read(crowd, i);
        ploy_agent_id id = ploy_crowd_id_at(crowd, i);
        ploy_style style = crowd->violation[i] > 0.0f ? PLOY_STYLE_WARNING : PLOY_STYLE_AGENT_A;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, id, agent.position, agent.radius, 1.0f);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, id, agent.position,
                        ploy_vec2_add(agent.position, agent.velocity));
    }
}

void ploy_crowd_memory(const ploy_crowd *crowd, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_crowd_visit, crowd, fn, user);
}

// ---- as a source ----

static ploy_steering crowd_source_steer(const ploy_steering_source *source,
                                        const ploy_steering_context *context) {
    const ploy_agent_id *id = source->other;
    ploy_orca_result found;
    if (!(context->dt > 0.0f) ||
        ploy_crowd_find(source->target, *id, context->dt, NULL, &found) != PLOY_OK) {
        return ploy_steering_invalid();
    }
    ploy_vec2 error = ploy_vec2_sub(found.velocity, context->agent.velocity);
    return ploy_steering_make(ploy_vec2_scale(error, 1.0f / context->dt), 0.0f);
}

static const ploy_steering_type crowd_type = {"crowd", crowd_source_steer, NULL, NULL, 0, false,
                                              true};

ploy_result ploy_crowd_source(const ploy_crowd *crowd, const ploy_agent_id *id,
                              ploy_steering_source *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_steering_source source = {&crowd_type, NULL, crowd, id, NULL, 0, false};
    *out = ploy_steering_source_make(NULL, NULL);
    if (crowd == NULL || id == NULL) return PLOY_ERR_ARGUMENT;
    *out = source;
    return PLOY_OK;
}
