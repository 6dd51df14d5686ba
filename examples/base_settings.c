// Settings: a table declared once gives defaults, checks and messages. You will see a setting
// changed from text, a wrong name answered with the right one, a file whose faults are all found,
// and the result as text and as a hash. Shows field tables, ploy_diags, ploy_json and
// describe.
#include <stdio.h>
#include <string.h>

#include "ploy/base/fields_json.h"
#include "ploy/inspect/sinks.h"

typedef struct guard_def {
    uint32_t cookie; // every def begins with it
    float max_speed;
    int32_t mood;
    float post[2];
} guard_def;

static const char *const moods[] = {"calm", "wary", "angry"};
static const ploy_field table[] = {
    PLOY_FIELD_F32(guard_def, max_speed, 2, 0, 8, "m/s", "largest speed"),
    PLOY_FIELD_ENUM(guard_def, mood, 0, moods, "how it starts the day"),
    PLOY_FIELD_VEC2(guard_def, post, 0, 0, -100, 100, "m", "where it keeps watch"),
};

static void load(ploy_fields fields, guard_def *def, const char *text, ploy_diags *diags) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    if (ploy_json_load(text, strlen(text), "guard.json", NULL, &env, diags, &doc) != PLOY_OK)
        return;
    ploy_fields_load_json(fields, def, doc, ploy_json_root(doc), diags);
    ploy_json_destroy(doc);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_fields fields = PLOY_FIELDS(guard_def, table);
    guard_def def;
    ploy_fields_default(fields, &def);
    ploy_diags *diags = NULL;
    if (ploy_diags_create(10, &env, &diags) != PLOY_OK) return 1;
    ploy_fields_set_text(fields, &def, "max_speed", "3.5", diags);
    ploy_fields_set_text(fields, &def, "post", "(4, -2)", diags);
    ploy_fields_set_text(fields, &def, "max_sped", "5", diags);
    ploy_fields_set_text(fields, &def, "max_speed", "-1", diags);
    load(fields, &def, "{ \"mood\": \"hungry\",\n  \"post\": [1, 200] }", diags);
    load(fields, &def, "{ \"mood\": \"angry\" }", diags);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[256];
        ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        puts(line);
    }
    ploy_diags_destroy(diags);

    ploy_buffer shown;
    ploy_buffer_init(&shown, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&shown);
    ploy_text_sink text;
    ploy_text_sink_init(&text, &writer, true);
    ploy_describe as_text = ploy_text_sink_describe(&text);
    ploy_fields_describe(fields, &def, PLOY_STATE, &as_text);
    ploy_hash_sink hash;
    ploy_hash_sink_init(&hash);
    ploy_describe as_hash = ploy_hash_sink_describe(&hash);
    ploy_fields_describe(fields, &def, PLOY_STATE, &as_hash);
    ploy_write_text(&writer, "hash ");
    ploy_write_hex64(&writer, ploy_hash_sink_result(&hash));
    puts(ploy_buffer_text(&shown));
    ploy_buffer_fini(&shown);
    return 0;
}
