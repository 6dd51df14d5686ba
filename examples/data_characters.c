// Characters from a file: a sergeant is like a soldier, but tougher. You see the settings of
// each, and what is reported for a file with typing errors. Shows ploy_characters_load.
#include <stdio.h>
#include <string.h>

#include "ploy/data/characters.h"
#include "ploy/decide/hacks.h"

static ploy_result load(const char *text, const ploy_character_source *source, const ploy_env *env,
                        ploy_diags *diags, ploy_characters **out) {
    return ploy_characters_load(text, strlen(text), "crew.json", source, env, diags, out);
}

int main(void) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 100}}, "points left"}};
    static const char *const files[] = {
        "{ \"characters\": {\n"
        "  \"soldier\": { \"layout\": \"crew\", \"settings\": { \"dodge\": { \"speed\": 4 } } },\n"
        "  \"sergeant\": { \"like\": \"soldier\", \"values\": { \"health\": 150 } } } }",
        "{ \"characters\": {\n"
        "  \"soldier\": { \"layout\": \"crw\", \"settings\": { \"dodge\": { \"sped\": 4 } } } } }"};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_diags *diags = NULL;
    if (ploy_blackboard_layout_create(keys, 1, "crew", &env, NULL, &layout) != PLOY_OK ||
        ploy_diags_create(8, &env, &diags) != PLOY_OK) {
        return 1;
    }
    const ploy_setup_layout layouts[] = {{"crew", layout}};
    const ploy_character_section sections[] = {{"dodge", ploy_sidestep_fields}};
    ploy_character_source source = {layouts, 1, NULL, 0, sections, 1};
    for (int i = 0; i < 2; i++) {
        ploy_characters *them = NULL;
        ploy_result result = load(files[i], &source, &env, diags, &them);
        printf("file %d: %s\n", i, ploy_result_text(result));
        for (int32_t k = 0; k < ploy_characters_count(them); k++) {
            const ploy_sidestep_def *dodge = ploy_characters_settings(them, k, "dodge");
            ploy_blackboard *board = NULL;
            ploy_behavior mind;
            if (ploy_characters_make(them, k, &env, &board, &mind) != PLOY_OK) return 1;
            ploy_slot health = ploy_blackboard_layout_find(layout, "health");
            printf("%s: health %g, speed %g\n", ploy_characters_name(them, k),
                   ploy_blackboard_get_f32(board, health), dodge->speed);
            ploy_blackboard_destroy(board);
        }
        ploy_characters_destroy(them);
    }
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[400];
        ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        printf("%s\n", line);
    }
    ploy_diags_destroy(diags);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
