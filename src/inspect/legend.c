// The legend: entries one behind the other, in as many rows as they need.
//
//   +--------------------------------------+
//   |               picture                |
//   +--------------------------------------+  <- view[1] before extend
//   |  o red team  o blue team  o pitch    |
//   |  o helper lines                      |
//   +--------------------------------------+  <- view[1] after it
#include "ploy/inspect/legend.h"

#include <string.h>

// In letters: the mark before a text with its margins, and the gap behind the longest text.
#define LEGEND_MARK 3
#define LEGEND_GAP 2

typedef struct legend_layout {
    int32_t rows;
    float metre;  // m a pixel
    float row;    // m from one row to the next
    float height; // m of the strip
} legend_layout;

// Where the next entry goes.
typedef struct legend_cursor {
    int32_t x, row; // pixels, rows
} legend_cursor;

static void legend_item(void *user, const ploy_draw_item *item) {
    ploy_legend *legend = user;
    if (item == NULL || (uint32_t)item->style >= PLOY_STYLE_COUNT) return;
    uint32_t bit = 1u << (uint32_t)item->style;
    if (item->shape != PLOY_SHAPE_KEY) {
        legend->drawn |= bit;
        return;
    }
    if (item->text == NULL) return;
    size_t size = strlen(item->text);
    if (size >= PLOY_LEGEND_TEXT) size = PLOY_LEGEND_TEXT - 1;
    // Not in the middle of a character of several bytes.
    while (item->text[size] != 0 && ((unsigned char)item->text[size] & 0xC0u) == 0x80u) size--;
    memcpy(legend->meanings[item->style], item->text, size);
    legend->meanings[item->style][size] = 0;
    legend->given |= bit;
}

// Texts are written in one style, which needs no entry unless the picture gives it a meaning.
static uint32_t legend_shown(const ploy_legend *legend) {
    const uint32_t text = 1u << (uint32_t)PLOY_STYLE_TEXT;
    if ((legend->drawn & legend->given) == 0) return 0;
    return legend->drawn & ((legend->given & text) != 0 ? UINT32_MAX : ~text);
}

static const char *legend_meaning(const ploy_legend *legend, int32_t style) {
    bool given = (legend->given >> style & 1u) != 0;
    return given ? legend->meanings[style] : ploy_style_meaning((ploy_style)style);
}

// Moves on to a place where the text fits. @return pixels from the left
static int32_t legend_place(legend_cursor *cursor, const char *text, int32_t letter,
                            int32_t width) {
    int32_t wide = (LEGEND_MARK + (int32_t)strlen(text)) * letter;
    if (cursor->x > 0 && wide > width - cursor->x) {
        cursor->x = 0;
        cursor->row++;
    }
    int32_t x = cursor->x;
    cursor->x += wide + LEGEND_GAP * letter;
    return x;
}

static legend_layout legend_measure(const ploy_legend *legend, int32_t width, const float view[4]) {
    legend_layout layout = {0, 0.0f, 0.0f, 0.0f};
    legend_cursor cursor = {0, 0};
    uint32_t shown = legend_shown(legend);
    if (shown == 0 || width < 1) return layout;
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        if ((shown >> i & 1u) == 0) continue;
        (void)legend_place(&cursor, legend_meaning(legend, i), legend->letter, width);
    }
    layout.rows = cursor.row + 1;
    layout.metre = (view[2] - view[0]) / (float)width;
    layout.row = (1.75f * (float)legend->letter + 4.0f) * layout.metre;
    layout.height = layout.row * ((float)layout.rows + 0.5f);
    return layout;
}

void ploy_legend_init(ploy_legend *legend, int32_t letter) {
    memset(legend, 0, sizeof *legend);
    legend->letter = letter < 1 ? 1 : letter;
}

ploy_draw ploy_legend_sink(ploy_legend *legend) {
    ploy_draw draw = {legend_item, legend, (1u << PLOY_LAYER_COUNT) - 1u};
    return draw;
}

int32_t ploy_legend_count(const ploy_legend *legend) {
    int32_t count = 0;
    for (uint32_t left = legend_shown(legend); left != 0; left &= left - 1) count++;
    return count;
}

void ploy_legend_extend(const ploy_legend *legend, int32_t width, float view[4]) {
    view[1] -= legend_measure(legend, width, view).height;
}

void ploy_legend_draw(const ploy_legend *legend, int32_t width, const float view[4],
                      ploy_draw *out) {
    legend_layout layout = legend_measure(legend, width, view);
    if (layout.rows == 0) return;
    ploy_agent_id none = ploy_agent_id_none();
    float top = view[1] + layout.height, letter = (float)legend->letter * layout.metre;
    float low = view[1] - layout.metre; // sinks round their height up
    ploy_vec2 strip[4] = {{view[0], low}, {view[2], low}, {view[2], top}, {view[0], top}};
    ploy_draw_polygon(out, PLOY_LAYER_LABELS, PLOY_STYLE_FLOOR, none, strip, 4, 1.0f);
    uint32_t shown = legend_shown(legend);
    legend_cursor cursor = {0, 0};
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        if ((shown >> i & 1u) == 0) continue;
        const char *text = legend_meaning(legend, i);
        int32_t from = legend_place(&cursor, text, legend->letter, width);
        float x = view[0] + (float)from * layout.metre;
        float y = top - layout.row * ((float)cursor.row + 0.75f);
        ploy_vec2 mark = {x + 1.5f * letter, y};
        ploy_draw_disc(out, PLOY_LAYER_LABELS, (ploy_style)i, none, mark, 0.6f * letter, 1.0f);
        // The floor's colour is that of the strip.
        ploy_draw_circle(out, PLOY_LAYER_LABELS, PLOY_STYLE_PLAIN, none, mark, 0.6f * letter);
        ploy_draw_text(out, none,
                       ploy_vec2_make(x + (float)LEGEND_MARK * letter, y - 0.6f * letter), text);
    }
}

#undef LEGEND_MARK
#undef LEGEND_GAP
