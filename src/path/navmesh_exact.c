// Polyanya: the shortest path over a mesh of convex polygons.
//
// A node looks from its root through a piece of a portal, from right to left, into the polygon
// behind. What it sees of that polygon's other edges goes on with the same root; what lies to the
// left of all it sees can only be reached round the left end, if that is a corner of a wall, which
// becomes the root; likewise to the right:
//
//         left part       what is seen       right part
//      +--------------+------------------+-----------------+
//       \              \                /                 /
//        \              L==============R                 /        L, R: the piece
//         +------------  \            /  ---------------+
//                            root
//
// Differences from the paper: pieces that are not seen are not merged, which changes the work, not
// the path; dead ends are not looked into unless the goal is there.
#include "ploy/path/navmesh_exact.h"

#include "path/navmesh_internal.h"
#include "ploy/base/math.h"

#include <string.h>

static const ploy_field navexact_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_navmesh_exact_def, nodes, 1 << 16, 16, 1 << 24, "",
                         "most nodes that one search may make"),
    PLOY_FIELD_F32(ploy_navmesh_exact_def, radius, 0, 0, 1e4f, "m",
                   "of the agent, in a mesh for several sizes"),
};

typedef struct navexact_node {
    ploy_vec2 left, right, root;
    float cost; // from the start to the root
    int32_t parent;
    int32_t edge;   // of the mesh, that the piece is part of; -1: the goal
    int32_t vertex; // of the root; -1: the start
} navexact_node;

typedef struct navexact_open {
    float rank, cost;
    int32_t node;
} navexact_open;

// The least cost of a vertex as a root.
typedef struct navexact_root {
    float cost;
    uint32_t round;
} navexact_root;

struct ploy_navmesh_exact {
    ploy_env env;
    const ploy_navmesh *mesh;
    ploy_navmesh_exact_def def;
    ploy_navmesh_place from, to;
    ploy_vec2 goal;
    ploy_path_outcome outcome;
    bool running;
    float length;
    uint32_t round;
    navexact_open held; // the best of the last expansion, not in the heap; node -1: none
    int32_t count, open_count, last; // last: the node that reached the goal
    size_t size;
    unsigned char *block;
    navexact_node *nodes;
    navexact_open *open;
    navexact_root *roots;
    uint32_t *marks;  // of polygons: the round of the search that may go into that dead end
    uint8_t *on_wall; // of vertices: for this agent
};

// True if the agent may be on that polygon; -1 is none.
static bool navexact_fits(const ploy_navmesh_exact *exact, int32_t polygon) {
    return polygon >= 0 && ployi_nav_fits(exact->mesh, polygon) >= exact->def.radius;
}

// Walls are what the agent does not fit behind.
static void navexact_mark_walls(ploy_navmesh_exact *exact) {
    const ploy_navmesh *mesh = exact->mesh;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        if (!navexact_fits(exact, i)) continue;
        for (int32_t e = p->first; e < p[1].first; e++) {
            if (navexact_fits(exact, mesh->edges[e].neighbour)) continue;
            exact->on_wall[mesh->edges[e].vertex] = 1;
            exact->on_wall[ployi_nav_end_vertex(mesh, e)] = 1;
        }
    }
}

ploy_fields ploy_navmesh_exact_fields(void) {
    return PLOY_FIELDS(ploy_navmesh_exact_def, navexact_fields);
}

ploy_navmesh_exact_def ploy_navmesh_exact_def_default(void) {
    ploy_navmesh_exact_def def;
    ploy_fields_default(ploy_navmesh_exact_fields(), &def);
    return def;
}

static size_t navexact_layout(ploy_navmesh_exact *exact) {
    size_t used = 0;
    int64_t nodes = exact->def.nodes;
    exact->nodes = ployi_nav_part(exact->block, &used, nodes, sizeof *exact->nodes);
    exact->open = ployi_nav_part(exact->block, &used, nodes, sizeof *exact->open);
    exact->roots =
        ployi_nav_part(exact->block, &used, exact->mesh->stats.vertices, sizeof *exact->roots);
    exact->marks =
        ployi_nav_part(exact->block, &used, exact->mesh->stats.polygons, sizeof *exact->marks);
    exact->on_wall = ployi_nav_part(exact->block, &used, exact->mesh->stats.vertices, 1);
    return used;
}

ploy_result ploy_navmesh_exact_create(const ploy_navmesh_exact_def *def, const ploy_navmesh *mesh,
                                      const ploy_env *env, ploy_navmesh_exact **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_exact_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_navmesh_exact *exact = ploy_env_alloc_zero(env, sizeof *exact);
    if (exact == NULL) return PLOY_ERR_MEMORY;
    exact->env = *env;
    exact->mesh = mesh;
    exact->def = *def;
    exact->outcome = PLOY_PATH_NONE;
    exact->size = navexact_layout(exact);
    if (exact->size != SIZE_MAX) exact->block = ploy_env_alloc_zero(env, exact->size);
    if (exact->block == NULL) {
        ploy_env_free(env, exact, sizeof *exact);
        return PLOY_ERR_MEMORY;
    }
    navexact_layout(exact);
    navexact_mark_walls(exact);
    *out = exact;
    return PLOY_OK;
}

void ploy_navmesh_exact_destroy(ploy_navmesh_exact *exact) {
    if (exact == NULL) return;
    ploy_env env = exact->env;
    ploy_env_free(&env, exact->block, exact->size);
    ploy_env_free(&env, exact, sizeof *exact);
}

// ---- the open list: a binary heap; nodes never change once they are on it ----

static bool navexact_before(const navexact_open *a, const navexact_open *b) {
    if (a->rank != b->rank) return a->rank < b->rank;
    if (a->cost != b->cost) return a->cost > b->cost;
    return a->node < b->node;
}

static void navexact_push(ploy_navmesh_exact *exact, navexact_open entry) {
    int32_t at = exact->open_count++;
    for (; at > 0 && navexact_before(&entry, &exact->open[(at - 1) / 2]); at = (at - 1) / 2) {
        exact->open[at] = exact->open[(at - 1) / 2];
    }
    exact->open[at] = entry;
}

// Puts an entry in the place of the first, which is gone.
static void navexact_down(ploy_navmesh_exact *exact, navexact_open last) {
    int32_t count = exact->open_count, at = 0;
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && navexact_before(&exact->open[child + 1], &exact->open[child])) {
            child++;
        }
        if (!navexact_before(&exact->open[child], &last)) break;
        exact->open[at] = exact->open[child];
        at = child;
    }
    exact->open[at] = last;
}

// The best entry: as a rule the one held, and the heap is not touched.
static navexact_open navexact_pop(ploy_navmesh_exact *exact) {
    navexact_open first = exact->held;
    exact->held.node = -1;
    if (first.node < 0) {
        first = exact->open[0];
        navexact_open last = exact->open[--exact->open_count];
        if (exact->open_count > 0) navexact_down(exact, last);
    } else if (exact->open_count > 0 && navexact_before(&exact->open[0], &first)) {
        navexact_open held = first;
        first = exact->open[0];
        navexact_down(exact, held);
    }
    return first;
}

// ---- geometry ----

static double navexact_cross(ploy_vec2 a, ploy_vec2 b, double x, double y) {
    return ((double)b.x - (double)a.x) * (y - (double)a.y) -
           ((double)b.y - (double)a.y) * (x - (double)a.x);
}

static double navexact_gap(ploy_vec2 a, double x, double y) {
    double dx = x - (double)a.x, dy = y - (double)a.y;
    return sqrt(dx * dx + dy * dy);
}

// No path from the root through the piece to the goal is shorter.
static float navexact_estimate(const navexact_node *node, ploy_vec2 goal) {
    double x = (double)goal.x, y = (double)goal.y;
    double side = navexact_cross(node->right, node->left, x, y);
    if (side > 0.0) { // on the root's side: as far as its mirror image behind the piece
        double ex = (double)node->left.x - (double)node->right.x;
        double ey = (double)node->left.y - (double)node->right.y;
        double scale = 2.0 * side / (ex * ex + ey * ey);
        x += scale * ey;
        y -= scale * ex;
    }
    ploy_vec2 via = node->root;
    if (navexact_cross(node->root, node->right, x, y) < 0.0) via = node->right;
    if (navexact_cross(node->root, node->left, x, y) > 0.0) {
        // Along the piece both may hold: the nearer end is on the way.
        bool both = via.x != node->root.x || via.y != node->root.y;
        if (!both || ploy_vec2_distance(node->root, node->left) <
                         ploy_vec2_distance(node->root, node->right)) {
            via = node->left;
        }
    }
    double first = navexact_gap(node->root, (double)via.x, (double)via.y);
    return (float)(first + navexact_gap(via, x, y));
}

// Where the line from a through b meets the edge c..d, whose ends lie on different sides of it.
static ploy_vec2 navexact_meet(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    double at_c = navexact_cross(a, b, (double)c.x, (double)c.y);
    double at_d = navexact_cross(a, b, (double)d.x, (double)d.y);
    double t = at_c == at_d ? 0.0 : at_c / (at_c - at_d);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return ploy_vec2_make((float)((double)c.x + t * ((double)d.x - (double)c.x)),
                          (float)((double)c.y + t * ((double)d.y - (double)c.y)));
}

// ---- nodes ----

// Adds a node with that piece, from right to left, and otherwise as another; unless its root was
// reached at less cost. An edge of -1: the goal. @return PLOY_ERR_LIMIT.
static ploy_result navexact_add(ploy_navmesh_exact *exact, const navexact_node *like, int32_t edge,
                                ploy_vec2 right, ploy_vec2 left) {
    if (like->vertex >= 0) {
        navexact_root *root = &exact->roots[like->vertex];
        bool known = root->round == exact->round;
        // Costs along different rows differ by roundings: equal ones all stay.
        if (known && like->cost > root->cost * 1.000001f + 1e-6f) return PLOY_OK;
        if (!known || like->cost < root->cost) root->cost = like->cost;
        root->round = exact->round;
    }
    if (exact->count == exact->def.nodes) return PLOY_ERR_LIMIT;
    navexact_node *node = &exact->nodes[exact->count];
    *node = *like;
    node->edge = edge;
    node->right = right;
    node->left = left;
    navexact_open entry = {node->cost, node->cost, exact->count++};
    entry.rank += edge >= 0 ? navexact_estimate(node, exact->goal)
                            : ploy_vec2_distance(node->root, exact->goal);
    if (exact->held.node < 0) {
        exact->held = entry;
    } else if (navexact_before(&entry, &exact->held)) {
        navexact_push(exact, exact->held);
        exact->held = entry;
    } else {
        navexact_push(exact, entry);
    }
    return PLOY_OK;
}

// A node's successor with a new root at an end of the piece; false if none can bend there.
static bool navexact_turn(const ploy_navmesh_exact *exact, const navexact_node *node, bool left,
                          navexact_node *out) {
    const ploy_navmesh *mesh = exact->mesh;
    const ployi_nav_edge *edge = &mesh->edges[node->edge];
    ploy_vec2 end = left ? node->left : node->right;
    if (!ploy_vec2_equal(end, left ? ployi_nav_to(edge) : edge->at)) return false;
    int32_t vertex = left ? mesh->edges[edge->twin].vertex : edge->vertex;
    if (!exact->on_wall[vertex]) return false;
    out->root = end;
    out->vertex = vertex;
    out->cost = node->cost + ploy_vec2_distance(node->root, end);
    return true;
}

// What the successors of a node have in common. Those round an end of the piece are computed when
// the first of them is met: most nodes have none on one side.
typedef struct navexact_view {
    navexact_node seen, round[2]; // round: the right end, the left end
    int8_t can[2];                // whether it can be gone round; -1: not known yet
    bool all;                     // the root lies on the piece and sees everything
} navexact_view;

static bool navexact_can(const ploy_navmesh_exact *exact, const navexact_node *node,
                         navexact_view *view, bool left) {
    if (view->can[left] < 0) {
        view->round[left] = view->seen;
        view->can[left] = navexact_turn(exact, node, left, &view->round[left]);
    }
    return view->can[left] != 0;
}

// On which side of the line from a root through an end of the piece a point lies. Edges that begin
// in that end are many: nothing has to be computed exactly for them.
static inline int32_t navexact_side(ploy_vec2 root, ploy_vec2 end, ploy_vec2 point) {
    int32_t sign =
        ployi_nav_sign((double)end.x - (double)root.x, (double)end.y - (double)root.y,
                       (double)point.x - (double)root.x, (double)point.y - (double)root.y);
    return sign != 0 ? sign : ployi_nav_turn_exact(root, end, point);
}

// The three parts of one edge a -> b of the polygon behind a node.
static ploy_result navexact_edge(ploy_navmesh_exact *exact, const navexact_node *node,
                                 navexact_view *view, int32_t edge) {
    ploy_vec2 a = exact->mesh->edges[edge].at, b = ployi_nav_end(exact->mesh, edge);
    if (view->all) return navexact_add(exact, &view->seen, edge, a, b);
    int32_t right_a = navexact_side(node->root, node->right, a);
    int32_t right_b = navexact_side(node->root, node->right, b);
    int32_t left_a = navexact_side(node->root, node->left, a);
    int32_t left_b = navexact_side(node->root, node->left, b);
    // Counter-clockwise from the piece's right end the edges are first all to the right, then seen,
    // then to the left; an edge that begins in the right end itself has its beginning on the line,
    // and one along the line is reached by going straight on past the end.
    bool to_right = right_a < 0 || right_b < 0 || (right_a == 0 && right_b == 0);
    bool to_left = left_a > 0 || left_b > 0 || (left_a == 0 && left_b == 0);
    ploy_vec2 from = a, to = b; // what is seen
    if (to_right) {
        from = right_b > 0 ? navexact_meet(node->root, node->right, a, b) : b;
    }
    if (to_left) {
        to = left_a < 0 ? navexact_meet(node->root, node->left, a, b) : a;
    }
    ploy_result result = PLOY_OK;
    if (to_right && !ploy_vec2_equal(a, from) && navexact_can(exact, node, view, false)) {
        result = navexact_add(exact, &view->round[0], edge, a, from);
    }
    if (result == PLOY_OK && right_b > 0 && left_a < 0 && !ploy_vec2_equal(from, to)) {
        result = navexact_add(exact, &view->seen, edge, from, to);
    }
    if (result == PLOY_OK && to_left && !ploy_vec2_equal(to, b) &&
        navexact_can(exact, node, view, true)) {
        result = navexact_add(exact, &view->round[1], edge, to, b);
    }
    return result;
}

// @return false if nothing is to be seen: the end on the way is no corner, and others come straight
//         past it.
static bool navexact_look(const ploy_navmesh_exact *exact, const navexact_node *node, int32_t index,
                          navexact_view *view) {
    view->seen = *node;
    view->seen.parent = index;
    view->can[0] = view->can[1] = -1;
    view->all = false;
    if (ployi_nav_turn(node->root, node->right, node->left) != 0) return true;
    // The root is on the line of the piece: on it, it sees all; beside it, one walks to its nearer
    // end first.
    double to_left = (double)ploy_vec2_distance(node->root, node->left);
    double to_right = (double)ploy_vec2_distance(node->root, node->right);
    double width = (double)ploy_vec2_distance(node->left, node->right);
    view->all = true;
    if (to_left <= width && to_right <= width) return true;
    bool left = to_left < to_right;
    view->all = navexact_can(exact, node, view, left);
    if (view->all) view->seen = view->round[left];
    return view->all;
}

// The goal, seen from the root or round an end of the piece.
static ploy_result navexact_arrive(ploy_navmesh_exact *exact, const navexact_node *node,
                                   navexact_view *view) {
    bool right = ployi_nav_turn(node->root, node->right, exact->goal) < 0;
    bool left = ployi_nav_turn(node->root, node->left, exact->goal) > 0;
    const navexact_node *last = &view->seen;
    if (!view->all && right) {
        if (!navexact_can(exact, node, view, false)) return PLOY_OK;
        last = &view->round[0];
    } else if (!view->all && left) {
        if (!navexact_can(exact, node, view, true)) return PLOY_OK;
        last = &view->round[1];
    }
    return navexact_add(exact, last, -1, node->right, node->left);
}

static ploy_result navexact_expand(ploy_navmesh_exact *exact, int32_t index) {
    const ploy_navmesh *mesh = exact->mesh;
    navexact_node node = exact->nodes[index];
    int32_t polygon = mesh->edges[node.edge].neighbour, twin = mesh->edges[node.edge].twin;
    navexact_view view;
    if (!navexact_look(exact, &node, index, &view)) return PLOY_OK;
    if (polygon == exact->to.polygon) return navexact_arrive(exact, &node, &view);
    // On the way to the goal's dead end, if it is in one, every edge is looked at; elsewhere only
    // portals out of dead ends are, one after the other. A portal into a dead end comes back to no
    // twin among those, but to the first of them.
    bool every = exact->marks[polygon] == exact->round;
    int32_t first = every ? ployi_nav_after(mesh, twin) : ployi_nav_next(mesh, twin);
    ploy_result result = PLOY_OK;
    for (int32_t e = first; e >= 0 && e != twin && result == PLOY_OK;) {
        // No path comes back to where it began, nor goes round it forever if that is a vertex.
        int32_t next = mesh->edges[e].neighbour;
        bool open = navexact_fits(exact, next) && next != exact->from.polygon;
        if (open && every) {
            open = !ployi_nav_dead(mesh, exact->marks, exact->round, polygon, next);
        }
        if (open) result = navexact_edge(exact, &node, &view, e);
        e = every ? ployi_nav_after(mesh, e) : ployi_nav_next(mesh, e);
        if (e == first) break;
    }
    return result;
}

// ---- the whole ----

static bool navexact_on(const ploy_navmesh_exact *exact, const ploy_navmesh_place *place) {
    return place->polygon >= 0 && place->polygon < exact->mesh->stats.polygons &&
           ploy_vec3_is_finite(place->point) && navexact_fits(exact, place->polygon);
}

ploy_result ploy_navmesh_exact_begin(ploy_navmesh_exact *exact, ploy_navmesh_place from,
                                     ploy_navmesh_place to) {
    const ploy_navmesh *mesh = exact->mesh;
    if (!navexact_on(exact, &from) || !navexact_on(exact, &to)) return PLOY_ERR_ARGUMENT;
    exact->from = from;
    exact->to = to;
    exact->goal = ploy_vec2_from_vec3(to.point);
    exact->count = exact->open_count = 0;
    exact->held.node = -1;
    exact->running = true;
    exact->outcome = PLOY_PATH_OPEN;
    if (++exact->round == 0) {
        memset(exact->roots, 0, (size_t)mesh->stats.vertices * sizeof *exact->roots);
        memset(exact->marks, 0, (size_t)mesh->stats.polygons * sizeof *exact->marks);
        exact->round = 1;
    }
    ploy_vec2 start = ploy_vec2_from_vec3(from.point);
    navexact_node node = {start, start, start, 0.0f, -1, -1, -1};
    if (from.polygon == to.polygon) return navexact_add(exact, &node, -1, start, start);
    const ployi_nav_polygon *p = &mesh->polygons[from.polygon];
    // Without a path, everything would be searched: islands say so at once.
    if (p->island != mesh->polygons[to.polygon].island) return PLOY_OK;
    ployi_nav_mark_exit(mesh, exact->marks, exact->round, to.polygon);
    for (int32_t e = p->first; e < p[1].first; e++) {
        int32_t next = mesh->edges[e].neighbour;
        if (!navexact_fits(exact, next) ||
            ployi_nav_dead(mesh, exact->marks, exact->round, from.polygon, next)) {
            continue;
        }
        ploy_result result =
            navexact_add(exact, &node, e, mesh->edges[e].at, ployi_nav_end(mesh, e));
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_navmesh_exact_step(ploy_navmesh_exact *exact, ploy_budget *budget) {
    if (!exact->running) return exact->outcome == PLOY_PATH_OPEN ? PLOY_ERR_STATE : PLOY_OK;
    while (exact->open_count > 0 || exact->held.node >= 0) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        navexact_open open = navexact_pop(exact);
        float rank = open.rank;
        int32_t index = open.node;
        const navexact_node *node = &exact->nodes[index];
        if (node->edge < 0) {
            exact->last = index;
            exact->length = rank;
            exact->outcome = PLOY_PATH_FOUND;
            exact->running = false;
            return PLOY_OK;
        }
        // Its root may have been reached at less cost since it was added.
        const navexact_root *root = node->vertex >= 0 ? &exact->roots[node->vertex] : NULL;
        if (root != NULL && node->cost > root->cost * 1.000001f + 1e-6f) continue;
        ploy_result result = navexact_expand(exact, index);
        if (result == PLOY_OK) continue;
        exact->running = false;
        exact->outcome = PLOY_PATH_NONE;
        return result;
    }
    exact->running = false;
    exact->outcome = PLOY_PATH_NONE;
    return PLOY_OK;
}

ploy_path_outcome ploy_navmesh_exact_outcome(const ploy_navmesh_exact *exact, float *length) {
    if (length != NULL) *length = exact->outcome == PLOY_PATH_FOUND ? exact->length : 0.0f;
    return exact->outcome;
}

static ploy_result navexact_write(ploy_navmesh_exact *exact, ploy_path *path) {
    const ploy_navmesh *mesh = exact->mesh;
    // The bends from the last to the first, in the open list's room, which is not needed any more.
    int32_t count = 0;
    for (int32_t n = exact->last; n >= 0; n = exact->nodes[n].parent) {
        bool again = count > 0 && ploy_vec2_equal(exact->nodes[exact->open[count - 1].node].root,
                                                  exact->nodes[n].root);
        if (!again) exact->open[count++].node = n;
    }
    exact->open_count = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = count - 1; i >= 0 && result == PLOY_OK; i--) {
        const navexact_node *node = &exact->nodes[exact->open[i].node];
        float height =
            node->vertex >= 0 ? ployi_nav_vertex_height(mesh, node->vertex) : exact->from.point.z;
        result = ploy_path_append(path, node->root, height, NULL);
    }
    bool there = count > 0 && ploy_vec2_equal(exact->nodes[exact->open[0].node].root, exact->goal);
    if (result == PLOY_OK && !there) {
        result = ploy_path_append(path, exact->goal, exact->to.point.z, NULL);
    }
    return result;
}

ploy_result ploy_navmesh_exact_path(ploy_navmesh_exact *exact, ploy_path *path) {
    if (path == NULL) return PLOY_ERR_ARGUMENT;
    if (exact->outcome != PLOY_PATH_FOUND) return PLOY_ERR_STATE;
    ploy_path_clear(path);
    ploy_result result = navexact_write(exact, path);
    if (result != PLOY_OK) ploy_path_clear(path);
    return result;
}

void ploy_navmesh_exact_memory(const ploy_navmesh_exact *exact, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"navmesh exact", sizeof *exact + exact->size, 2};
    fn(user, &item);
}
