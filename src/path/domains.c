// Dirichlet domains; see the header.
#include "ploy/path/domains.h"

#include <math.h>

#include "ploy/path/heuristic.h"

int32_t ploy_domains_find(const ploy_domains *domains, ploy_vec3 place) {
    if (!ploy_vec3_is_finite(place)) return -1;
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    double best = INFINITY;
    int32_t found = -1;
    for (int32_t i = 0; i < domains->count; i++) {
        double distance = ploy_heuristic_between(&straight, place, domains->points[i]);
        double weight = domains->weights != NULL ? (double)domains->weights[i] : 1.0;
        if (domains->kind == PLOY_DOMAIN_DIVIDED) distance /= weight;
        if (domains->kind == PLOY_DOMAIN_SHIFTED) distance -= weight;
        if (domains->kind == PLOY_DOMAIN_FALLOFF && domains->falloff != NULL) {
            distance = domains->falloff(domains->falloff_user, i, distance);
        }
        if (!(distance < best)) continue;
        best = distance;
        found = i;
    }
    return found;
}

// The domain at the middle of a cell of the raster.
static int32_t domains_cell(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                            int32_t rows, int32_t cell) {
    float x = ((float)(cell % columns) + 0.5f) / (float)columns;
    float y = ((float)(cell / columns) + 0.5f) / (float)rows;
    ploy_vec3 place = {box.min.x + (box.max.x - box.min.x) * x,
                       box.min.y + (box.max.y - box.min.y) * y, 0.0f};
    return ploy_domains_find(domains, place);
}

ploy_result ploy_domains_split(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                               int32_t rows, const ploy_env *env, int32_t *out) {
    int64_t cells = (int64_t)columns * rows;
    if (columns < 1 || rows < 1 || cells > 1 << 26 || env == NULL || out == NULL ||
        ploy_box2_is_empty(box)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < domains->count; i++) {
        if (domains->weights != NULL && !(domains->weights[i] > 0.0f)) return PLOY_ERR_ARGUMENT;
    }
    size_t size = 2 * (size_t)cells * sizeof(int32_t);
    int32_t *owner = ploy_env_alloc(env, size); // -1 where a piece has been counted
    if (owner == NULL) return PLOY_ERR_MEMORY;
    int32_t *stack = owner + cells;
    for (int32_t i = 0; i < domains->count; i++) out[i] = 0;
    for (int32_t i = 0; i < cells; i++) owner[i] = domains_cell(domains, box, columns, rows, i);
    for (int32_t i = 0; i < cells; i++) {
        int32_t domain = owner[i], top = 0;
        if (domain < 0) continue;
        out[domain]++;
        owner[i] = -1;
        stack[top++] = i;
        while (top > 0) {
            int32_t cell = stack[--top], x = cell % columns, y = cell / columns;
            int32_t sides[4] = {x > 0 ? cell - 1 : -1, x + 1 < columns ? cell + 1 : -1,
                                y > 0 ? cell - columns : -1, y + 1 < rows ? cell + columns : -1};
            for (int32_t s = 0; s < 4; s++) {
                if (sides[s] < 0 || owner[sides[s]] != domain) continue;
                owner[sides[s]] = -1;
                stack[top++] = sides[s]; // each cell once
            }
        }
    }
    ploy_env_free(env, owner, size);
    return PLOY_OK;
}

void ploy_domains_draw(const ploy_domains *domains, ploy_box2 box, int32_t columns, int32_t rows,
                       ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    if (columns < 1 || rows < 1 || !ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    float width = (box.max.x - box.min.x) / (float)columns;
    float height = (box.max.y - box.min.y) / (float)rows;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            int32_t cell = y * columns + x;
            int32_t here = domains_cell(domains, box, columns, rows, cell);
            ploy_vec2 corner = {box.min.x + (float)(x + 1) * width,
                                box.min.y + (float)(y + 1) * height};
            ploy_vec2 below = {corner.x, corner.y - height}, left = {corner.x - width, corner.y};
            if (x + 1 < columns && domains_cell(domains, box, columns, rows, cell + 1) != here) {
                ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, none, below, corner);
            }
            if (y + 1 < rows && domains_cell(domains, box, columns, rows, cell + columns) != here) {
                ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, none, left, corner);
            }
        }
    }
    for (int32_t i = 0; i < domains->count; i++) {
        ploy_draw_point(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none,
                        ploy_vec2_from_vec3(domains->points[i]));
    }
}
