// Any bytes as a level of Raven: it is read, flooded and checked, or refused with a reason.
#include <stdlib.h>

#include "games/raven/raven.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    raven_map *map = NULL;
    raven_def def;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) abort();
    ploy_fields_default(raven_fields(), &def);
    def.node_spacing = 2.0f; // fewer nodes, the same code
    ploy_result result = raven_map_load((const char *)data, size, "map", &def, &env, diags, &map);
    if ((result == PLOY_OK) != (map != NULL)) abort();
    if (result == PLOY_ERR_FORMAT && ploy_diags_count(diags) == 0) abort();
    raven_map_destroy(map, &env);
    ploy_diags_destroy(diags);
    return 0;
}
