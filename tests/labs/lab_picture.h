// What the tests of games and labs ask of pictures: a legend says what each colour means in this scene.
#pragma once

#include "tests/labs/lab_test.h"

typedef struct lab_styles {
    uint32_t drawn;                  // bit 1 << style
    char keys[PLOY_STYLE_COUNT][64]; // "" if the scene gives no meaning
    int32_t bad_tables; // without a line of alignments, or with a row that has more cells
} lab_styles;

// A table begins with a letter for each column, then the headings; no row has more cells than that.
static inline bool lab_table_is_sound(const char *text) {
    size_t columns = strspn(text, "lrc");
    if (columns < 1 || columns > 16 || text[columns] != '\n') return false;
    for (const char *row = text + columns + 1; row != NULL;) {
        const char *end = strchr(row, '\n');
        size_t size = end != NULL ? (size_t)(end - row) : strlen(row), tabs = 0;
        for (size_t i = 0; i < size; i++) tabs += row[i] == '\t' ? 1 : 0;
        if (size == 0 || tabs >= columns) return false;
        row = end != NULL ? end + 1 : NULL;
    }
    return true;
}

static inline void lab_styles_item(void *user, const ploy_draw_item *item) {
    lab_styles *styles = user;
    if (item->shape == PLOY_SHAPE_TABLE && !lab_table_is_sound(item->text)) styles->bad_tables++;
    if ((uint32_t)item->style >= PLOY_STYLE_COUNT) return;
    if (item->shape == PLOY_SHAPE_KEY) {
        snprintf(styles->keys[item->style], sizeof styles->keys[0], "%s", item->text);
        return;
    }
    styles->drawn |= 1u << (uint32_t)item->style;
}

// Styles whose usual meaning ("walls", "path", "searched") is one that a reader understands. That of the
// others ("other agents", "in order") is not.
static inline bool lab_style_is_clear(ploy_style style) {
    return style == PLOY_STYLE_PLAIN || style == PLOY_STYLE_WALL || style == PLOY_STYLE_FLOOR ||
           style == PLOY_STYLE_PATH || style == PLOY_STYLE_VELOCITY || style == PLOY_STYLE_FORCE ||
           style == PLOY_STYLE_TARGET || style == PLOY_STYLE_OPEN || style == PLOY_STYLE_CLOSED ||
           style == PLOY_STYLE_GHOST || style == PLOY_STYLE_TEXT;
}

static inline void lab_check_keys_now(test_context *t, const ploy_sim *sim, uint32_t layers,
                                      const char *name, int32_t tick) {
    static char row[128];
    lab_styles styles;
    memset(&styles, 0, sizeof styles);
    ploy_draw draw = {lab_styles_item, &styles, layers};
    ploy_sim_draw(sim, &draw);
    snprintf(row, sizeof row, "%s: tables in tick %d", name, (int)tick);
    t->row = row;
    CHECK_INT(styles.bad_tables, 0);
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        ploy_style style = (ploy_style)i;
        snprintf(row, sizeof row, "%s: style %s in tick %d", name, ploy_style_text(style),
                 (int)tick);
        t->row = row;
        if ((styles.drawn >> i & 1u) == 0) continue;
        CHECK(strlen(styles.keys[i]) <= 48); // fits pictures of 640 pixels
        CHECK(styles.keys[i][0] != 0 || lab_style_is_clear(style));
        CHECK(lab_style_is_clear(style) || strcmp(styles.keys[i], ploy_style_text(style)) != 0);
    }
    t->row = NULL;
}

// Texts are shown as they are, so they have no marks of code.
static inline void lab_check_texts(test_context *t, const ploy_sim_type *type) {
    t->row = type->name;
    CHECK(strpbrk(type->title, "`") == NULL);
    CHECK(strpbrk(type->help, "`") == NULL);
    for (int32_t i = 0; i < type->command_count; i++) {
        CHECK(type->commands[i].help == NULL || strpbrk(type->commands[i].help, "`") == NULL);
    }
    t->row = NULL;
}

// Runs a simulation for a while; each style that it draws, flat or in space, has a meaning, and tables are sound.
static inline void lab_check_keys(test_context *t, const ploy_sim_type *type, int32_t ticks) {
    const uint32_t flat = (1u << PLOY_LAYER_COUNT) - 1u;
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    lab_check_texts(t, type);
    CHECK_OK(ploy_sim_create(&def, type, NULL, NULL, &env, &sim));
    for (int32_t i = 0; i < ticks; i++) {
        if (i % 7 == 0) {
            lab_check_keys_now(t, sim, flat, type->name, i);
            lab_check_keys_now(t, sim, flat | PLOY_DRAW_SPACE, type->name, i);
        }
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    }
    ploy_sim_destroy(sim);
}
