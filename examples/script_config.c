// Settings in a Lua file: values may be computed from each other, every name and range is checked
// by the def's field table, and a mistake is reported with its line. Shows ploy_lua_load_fields.
#include <stdio.h>
#include <string.h>

#include "ploy/move/wander.h"
#include "ploy/script/lua.h"

static const char good[] = "local size = 2\n"
                           "circle_offset = size * 1.5\n"
                           "circle_radius = size\n";
static const char bad[] = "circle_offset = -3\n"
                          "circle_radios = 2\n";

static void load(const char *name, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_wander_def def = ploy_wander_def_default();
    ploy_diags *diags = NULL;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return;
    ploy_result result =
        ploy_lua_load_fields(ploy_wander_fields(), &def, text, strlen(text), name, &env, diags);
    printf("%s: %s, circle_offset %g, circle_radius %g\n", name, ploy_result_name(result),
           (double)def.circle_offset, (double)def.circle_radius);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[512];
        (void)ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        printf("  %s\n", line);
    }
    ploy_diags_destroy(diags);
}

int main(void) {
    load("good.lua", good);
    load("bad.lua", bad);
    return 0;
}
