// Levels and tables of weapons of Raven: the first byte says which.
#include <stdlib.h>

#include "games/raven/raven.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return 0;
    if (data[0] == 'w') {
        raven_weapon_table table;
        (void)raven_weapons_load(data + 1, size - 1, "weapons", &env, diags, &table);
    } else {
        raven_def def;
        raven_map *map = NULL;
        ploy_fields_default(raven_fields(), &def);
        def.node_spacing = 2.0f; // fewer nodes, the same code
        ploy_result result =
            raven_map_load((const char *)data + 1, size - 1, "map", &def, &env, diags, &map);
        if (result == PLOY_OK && map == NULL) abort();
        if (result == PLOY_ERR_FORMAT && ploy_diags_count(diags) == 0) abort();
        raven_map_destroy(map, &env);
    }
    ploy_diags_destroy(diags);
    return 0;
}
