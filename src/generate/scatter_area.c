// Where discs may be: polygons, terrain, tiles; and how many fit on a ring.
#include "ploy/generate/scatter.h"

#include "ploy/base/math.h"
#include "ploy/generate/floor_plan.h"

#include <math.h>

static bool scatter_in_polygon(const void *user, ploy_vec2 centre, float radius) {
    (void)radius;
    return ploy_polygon_contains(*(const ploy_polygon *)user, centre);
}

ploy_scatter_area ploy_scatter_area_polygon(const ploy_polygon *polygon) {
    ploy_scatter_area area = {scatter_in_polygon, polygon};
    return area;
}

static bool scatter_on_terrain(const void *user, ploy_vec2 centre, float radius) {
    const ploy_scatter_terrain *terrain = user;
    float height, slope;
    (void)radius;
    return ploy_heightfield_height(&terrain->field, centre, &height) &&
           ploy_heightfield_slope(&terrain->field, centre, &slope) &&
           height >= terrain->height_min && height <= terrain->height_max &&
           slope <= terrain->slope_max;
}

ploy_scatter_area ploy_scatter_area_terrain(const ploy_scatter_terrain *terrain) {
    ploy_scatter_area area = {scatter_on_terrain, terrain};
    return area;
}

static bool scatter_on_tiles(const void *user, ploy_vec2 centre, float radius) {
    const ploy_scatter_tiles *tiles = user;
    const ploy_content *content = &tiles->content;
    (void)radius;
    float column = floorf((centre.x - content->area.min.x) / content->tile_size);
    float row = floorf((centre.y - content->area.min.y) / content->tile_size);
    if (!(column >= 0.0f && column < (float)content->tile_columns && row >= 0.0f &&
          row < (float)content->tile_rows)) {
        return false;
    }
    int32_t tile = content->tiles[(int32_t)row * content->tile_columns + (int32_t)column];
    return tile >= tiles->tile_min && tile <= tiles->tile_max;
}

ploy_scatter_area ploy_scatter_area_tiles(const ploy_scatter_tiles *tiles) {
    ploy_scatter_area area = {scatter_on_tiles, tiles};
    return area;
}

// True if the point is on the floor of a plan.
static bool scatter_on_floor(const ploy_floor_plan_view *view, float x, float y) {
    if (!(x >= 0.0f && y >= 0.0f && x < (float)view->width && y < (float)view->height))
        return false;
    return view->kinds[(int32_t)y * view->width + (int32_t)x] != PLOY_PLAN_SOLID;
}

static bool scatter_in_plan(const void *user, ploy_vec2 centre, float radius) {
    ploy_floor_plan_view view = ploy_floor_plan_get(user);
    return scatter_on_floor(&view, centre.x, centre.y) &&
           scatter_on_floor(&view, centre.x - radius, centre.y) &&
           scatter_on_floor(&view, centre.x + radius, centre.y) &&
           scatter_on_floor(&view, centre.x, centre.y - radius) &&
           scatter_on_floor(&view, centre.x, centre.y + radius);
}

ploy_scatter_area ploy_scatter_area_plan(const ploy_floor_plan *plan) {
    ploy_scatter_area area = {scatter_in_plan, plan};
    return area;
}

int32_t ploy_scatter_ring_count(float radius, float distance) {
    if (!(radius > 0.0f && distance >= 2.0f * radius)) return 0;
    // A little more than the quotient: six discs at twice the radius touch exactly.
    double discs = floor(PLOY_PI / ploy_asin((double)radius / (double)distance) + 1e-6);
    return discs < (double)INT32_MAX ? (int32_t)discs : INT32_MAX; // also without a finite number
}
