// One question, any index. A kd-tree of places that stay, a hierarchy of crates that move; both are
// asked through ploy/geom/index.h. You will see the nearest places, the first crate on a ray before
// and after it is pushed aside, and a visitor that asks about round barrels inside their boxes.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/kdtree.h"

enum { PLACES = 1000, CRATES = 200 };

static ploy_box2 crates[CRATES];

static void tell(const char *what, const ploy_found *found, int32_t count) {
    printf("%s:", what);
    for (int32_t i = 0; i < count; i++) printf(" %d", (int)found[i].id);
    printf("\n");
}

typedef struct barrels {
    ploy_ray2 ray;
    int32_t first; // on the ray, -1 for none
    double distance;
} barrels;

// Boxes are only where to look: the barrel in it decides, and nothing behind it matters any more.
static bool ask_barrel(void *user, int32_t id, double *limit) {
    barrels *all = user;
    ploy_circle barrel = ploy_circle_make(ploy_box2_centre(crates[id]), 0.4f);
    ploy_hit2 hit;
    if (!ploy_ray2_hit_circle(all->ray, barrel, &hit)) return true;
    bool nearer = all->first < 0 || (double)hit.distance < all->distance;
    bool tie = (double)hit.distance == all->distance && id < all->first;
    if (nearer || tie) {
        all->first = id;
        all->distance = (double)hit.distance;
        *limit = all->distance;
    }
    return true;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(3);
    ploy_found found[8];

    // Places to hide stay where they are: build once, ask often.
    static ploy_vec2 places[PLACES];
    for (int i = 0; i < PLACES; i++) {
        float x = ploy_rng_range(&rng, 0.0f, 100.0f);
        places[i] = ploy_vec2_make(x, ploy_rng_range(&rng, 0.0f, 100.0f));
    }
    ploy_kdtree_def tree_def = ploy_kdtree_def_default();
    tree_def.capacity = PLACES;
    ploy_kdtree *tree = NULL;
    if (ploy_kdtree_create(&tree_def, &env, &tree) != PLOY_OK) return 1;
    ploy_points view = ploy_points_make(places, PLACES);
    if (ploy_kdtree_rebuild(tree, &view) != PLOY_OK) return 1;
    ploy_query_stats stats = {0, 0, 0};
    ploy_query2 query = ploy_query2_nearest(ploy_vec2_make(50.0f, 50.0f), 20.0f);
    int32_t count = ploy_kdtree_find(tree, &query, found, 3, &stats);
    tell("places nearest to the middle", found, count);
    printf("asked %d of %d places\n", (int)stats.objects, PLACES);

    // Crates of a metre; the first on a ray is found without looking at those behind it.
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = CRATES;
    ploy_bvh2 *bvh = NULL;
    if (ploy_bvh2_create(&def, &env, &bvh) != PLOY_OK) return 1;
    for (int i = 0; i < CRATES; i++) {
        ploy_vec2 far = ploy_vec2_add(places[i], ploy_vec2_make(1.0f, 1.0f));
        crates[i] = ploy_box2_make(places[i], far);
    }
    if (ploy_bvh2_rebuild(bvh, crates, CRATES) != PLOY_OK) return 1;
    ploy_ray2 ray = ploy_ray2_make(ploy_vec2_make(0.0f, 50.0f), ploy_vec2_make(1.0f, 0.0f));
    query = ploy_query2_ray(ray);
    count = ploy_bvh2_find(bvh, &query, found, 1, NULL);
    tell("first crate on the ray", found, count);

    int32_t pushed = found[0].id;
    crates[pushed].min.y += 5.0f;
    crates[pushed].max.y += 5.0f;
    if (ploy_bvh2_move(bvh, pushed, crates[pushed]) != PLOY_OK) return 1;
    count = ploy_bvh2_find(bvh, &query, found, 3, NULL);
    tell("on the ray, that one pushed away", found, count);

    barrels all = {ray, -1, 0.0};
    ploy_bvh2_visit(bvh, &query, ask_barrel, &all, NULL);
    printf("first barrel: %d\n", (int)all.first);
    ploy_bvh2_destroy(bvh);
    ploy_kdtree_destroy(tree);
    return 0;
}
