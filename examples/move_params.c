// A parameter file, as designers edit it: lines of name and value. You will see it loaded, a
// faulty one refused with every fault at its place and nothing changed, and what a def looks
// like when it is saved. Shows ploy_fields_load_text and ploy_fields_save_text.
#include <stdio.h>
#include <string.h>

#include "ploy/base/fields_text.h"
#include "ploy/move/seek.h"

static const char good[] = "// the hound\n"
                           "max_speed 12.5;   // m/s\n"
                           "mode      full\n";
static const char bad[] = "max_sped 3\n"
                          "max_acceleration -1\n"
                          "mode fast\n";

static void load(const char *name, const char *text, ploy_seek_def *def, ploy_diags *diags) {
    ploy_diags_clear(diags);
    ploy_result result =
        ploy_fields_load_text(ploy_seek_fields(), def, text, strlen(text), name, diags);
    printf("%s: %s\n", name, ploy_result_text(result));
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[512];
        ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        printf("  %s\n", line);
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    if (ploy_diags_create(10, &env, &diags) != PLOY_OK) return 1;
    ploy_seek_def def = ploy_seek_def_default();
    load("hound.txt", good, &def, diags);
    load("typo.txt", bad, &def, diags); // a reload that goes wrong leaves the def in use as it is
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_fields_save_text(ploy_seek_fields(), &def, &writer);
    printf("%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);
    ploy_diags_destroy(diags);
    return 0;
}
