// Build a level and check it. You will see a level written as text, the faults that the checks find
// in it, an override that no longer fits, and the block that a game loads. Shows
// ploy/data/level_build.h, level_overrides.h and level_use.h.
#include <stdio.h>
#include <string.h>

#include "ploy/data/level_build.h"

static const char text[] = "wall 0 0 12 0\nwall 12 0 12 6\nwall 12 6 0 6\nwall 0 6 0 0\n"
                           "wall 6 0 6 2.5\nwall 6 3.5 6 6\nwall 9 0 9 6\n"
                           "door gate 6 2.5 6 3.5 button 5 3 button 7 3\n"
                           "spawn 1 1\nitem health 7 5 25\nitem railgun 11 3\n";
static const char changes[] = "remove node 2 2\nremove node 11 3\ntag gate locked=1\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_level_def def = ploy_level_def_default();
    ploy_level_overrides *overrides = NULL;
    ploy_level_build *build = NULL;
    ploy_buffer bytes, block;
    ploy_level level;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_buffer_init(&block, 0, &env);
    if (ploy_level_from_text(text, strlen(text), "yard", &env, NULL, &bytes, &level) != PLOY_OK ||
        ploy_level_overrides_load(changes, strlen(changes), "yard.changes", &env, NULL,
                                  &overrides) != PLOY_OK ||
        ploy_level_build_create(&def, &level, overrides, &env, &build) != PLOY_OK) {
        return 1;
    }
    for (int32_t i = 0; i < ploy_level_build_issues(build); i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(build, i);
        printf("%s: %s at %.1f %.1f\n", ploy_level_issue_kind_text(issue->kind), issue->text,
               (double)issue->position.x, (double)issue->position.y);
    }
    ploy_writer writer = ploy_buffer_writer(&block);
    if (ploy_level_build_save(build, &writer) != PLOY_OK) return 1;
    ploy_level_build_destroy(build);
    ploy_level_overrides_destroy(overrides);

    // The game: nodes come from the block, doors close edges.
    ploy_graph *graph = NULL;
    ploy_level_door door;
    int32_t cursor = 0;
    if (ploy_level_open(block.bytes, block.size, &level) != PLOY_OK ||
        ploy_level_nodes_create(&def, &level, &env, NULL, &graph) != PLOY_OK) {
        return 1;
    }
    printf("%d nodes\n", (int)ploy_graph_node_count(graph));
    while (ploy_level_next_door(&level, &cursor, &door)) {
        printf("door %s: %d edges, %d buttons, locked %g\n", door.name,
               (int)ploy_level_door_edges(&door, graph, NULL, 0), (int)door.button_count,
               (double)ploy_level_number(&level, door.object, "locked", 0.0f));
    }
    ploy_graph_destroy(graph);
    ploy_buffer_fini(&block);
    ploy_buffer_fini(&bytes);
    return 0;
}
