// Sets of tiles and lists of runs for wave function collapse.
#include "ploy/data/wfc_file.h"

#include "ploy/base/array.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/data/xml.h"

#include <stdio.h>
#include <string.h>

// Most tiles of a set: enough for any, and a bound for the search by name.
#define WFC_FILE_TILES 1024

struct ploy_wfc_set {
    ploy_env env;
    ploy_xml *doc; // owns the names
    ploy_wfc_model *model;
    ploy_array names; // const char *, in the document
    bool unique;
};

typedef struct wfc_file {
    ploy_wfc_set *set;
    ploy_xml *doc;
    ploy_diags *diags;
    ploy_array tiles, pairs;
    bool good;
} wfc_file;

static void wfc_file_fault(wfc_file *file, ploy_xml_node node, const char *attribute,
                           const char *message, const char *expected, const char *nearest) {
    ploy_xml_fault(file->doc, node, attribute, file->diags, message, expected, nearest);
    file->good = false;
}

static const char *const wfc_file_letters = "XI\\LTF"; // in the order of ploy_wfc_symmetry

static bool wfc_file_true(const char *text) {
    return text != NULL && (strcmp(text, "True") == 0 || strcmp(text, "true") == 0);
}

// True if the subset has the tile; all have it without a subset.
static bool wfc_file_chosen(const wfc_file *file, ploy_xml_node subset, const char *name) {
    if (ploy_xml_is_none(subset)) return true;
    ploy_xml_node node = ploy_xml_find(file->doc, subset, "tile");
    for (; !ploy_xml_is_none(node); node = ploy_xml_find_next(file->doc, node, "tile")) {
        const char *one = ploy_xml_get(file->doc, node, "name");
        if (one != NULL && strcmp(one, name) == 0) return true;
    }
    return false;
}

static ploy_result wfc_file_tile(wfc_file *file, ploy_xml_node node, ploy_xml_node subset) {
    const char *name = ploy_xml_get(file->doc, node, "name");
    const char *letter = ploy_xml_get(file->doc, node, "symmetry");
    const char *weight = ploy_xml_get(file->doc, node, "weight");
    ploy_wfc_tile tile = {PLOY_WFC_X, 1.0f};
    if (name == NULL || *name == '\0') {
        wfc_file_fault(file, node, NULL, "a tile has no name", "name=\"...\"", NULL);
        return PLOY_OK;
    }
    if (letter != NULL) {
        const char *found = letter[0] != '\0' ? strchr(wfc_file_letters, letter[0]) : NULL;
        if (found == NULL || letter[1] != '\0') {
            wfc_file_fault(file, node, "symmetry", "unknown symmetry", "X, I, \\, L, T or F", NULL);
            return PLOY_OK;
        }
        tile.symmetry = (ploy_wfc_symmetry)(found - wfc_file_letters);
    }
    size_t used = 0;
    if (weight != NULL && (ploy_parse_f32(weight, strlen(weight), &used, &tile.weight) != PLOY_OK ||
                           weight[used] != '\0' || !(tile.weight > 0.0f && tile.weight <= 1e6f))) {
        wfc_file_fault(file, node, "weight", "the weight is not a number above 0, up to 1e6", NULL,
                       NULL);
        return PLOY_OK;
    }
    if (!wfc_file_chosen(file, subset, name)) return PLOY_OK;
    if (ploy_array_count(&file->tiles) == WFC_FILE_TILES) {
        wfc_file_fault(file, node, NULL, "too many tiles, at most 1024", NULL, NULL);
        return PLOY_OK;
    }
    ploy_result result = ploy_array_push(&file->tiles, &tile);
    return result == PLOY_OK ? ploy_array_push(&file->set->names, &name) : result;
}

// Reads "name turn". -1 if the subset has no such tile, which is no fault; -2 after a fault.
static int32_t wfc_file_side(wfc_file *file, ploy_xml_node node, const char *attribute,
                             ploy_xml_node tiles, int32_t *turn) {
    const char *text = ploy_xml_get(file->doc, node, attribute);
    if (text == NULL) {
        wfc_file_fault(file, node, NULL, "a pair has no such side", attribute, NULL);
        return -2;
    }
    const char *blank = strrchr(text, ' ');
    size_t length = blank == NULL ? strlen(text) : (size_t)(blank - text);
    int64_t number = 0;
    size_t used = 0;
    if (blank != NULL && (ploy_parse_i64(blank + 1, strlen(blank + 1), &used, &number) != PLOY_OK ||
                          blank[1 + used] != '\0' || number < 0 || number > 7)) {
        length = strlen(text); // a blank in the name itself
        number = 0;
    }
    *turn = (int32_t)number;
    for (int32_t i = 0; i < ploy_array_count(&file->set->names); i++) {
        const char *name = *(const char **)ploy_array_at(&file->set->names, i);
        if (strlen(name) == length && memcmp(name, text, length) == 0) return i;
    }
    char wanted[64];
    size_t kept = length < sizeof wanted - 1 ? length : sizeof wanted - 1;
    memcpy(wanted, text, kept);
    wanted[kept] = '\0';
    ploy_nearest nearest = ploy_nearest_make(wanted);
    ploy_xml_node tile = ploy_xml_find(file->doc, tiles, "tile");
    for (; !ploy_xml_is_none(tile); tile = ploy_xml_find_next(file->doc, tile, "tile")) {
        const char *name = ploy_xml_get(file->doc, tile, "name");
        if (name == NULL) continue;
        if (strcmp(name, wanted) == 0) return -1;
        ploy_nearest_offer(&nearest, name);
    }
    char message[96];
    (void)snprintf(message, sizeof message, "unknown tile '%s'", wanted);
    wfc_file_fault(file, node, attribute, message, NULL, nearest.best);
    return -2;
}

static ploy_result wfc_file_pairs(wfc_file *file, ploy_xml_node tiles, ploy_xml_node pairs) {
    ploy_xml_node node = ploy_xml_find(file->doc, pairs, "neighbor");
    for (; !ploy_xml_is_none(node); node = ploy_xml_find_next(file->doc, node, "neighbor")) {
        ploy_wfc_pair pair;
        pair.left = wfc_file_side(file, node, "left", tiles, &pair.left_turn);
        pair.right = wfc_file_side(file, node, "right", tiles, &pair.right_turn);
        if (pair.left < 0 || pair.right < 0) continue;
        ploy_result result = ploy_array_push(&file->pairs, &pair);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result wfc_file_read(wfc_file *file, const char *subset) {
    ploy_xml_node root = ploy_xml_root(file->doc), chosen = ploy_xml_none();
    if (!ploy_xml_is(file->doc, root, "set")) {
        wfc_file_fault(file, root, NULL, "the file is not a set of tiles", "<set>", NULL);
        return PLOY_ERR_FORMAT;
    }
    file->set->unique = wfc_file_true(ploy_xml_get(file->doc, root, "unique"));
    ploy_xml_node tiles = ploy_xml_find(file->doc, root, "tiles");
    ploy_xml_node subsets = ploy_xml_find(file->doc, root, "subsets");
    if (subset != NULL) {
        ploy_nearest nearest = ploy_nearest_make(subset);
        chosen = ploy_xml_find(file->doc, subsets, "subset");
        for (; !ploy_xml_is_none(chosen);
             chosen = ploy_xml_find_next(file->doc, chosen, "subset")) {
            const char *name = ploy_xml_get(file->doc, chosen, "name");
            if (name == NULL) continue;
            if (strcmp(name, subset) == 0) break;
            ploy_nearest_offer(&nearest, name);
        }
        if (ploy_xml_is_none(chosen)) {
            char message[96];
            (void)snprintf(message, sizeof message, "unknown subset '%.60s'", subset);
            wfc_file_fault(file, root, NULL, message, NULL, nearest.best);
            return PLOY_ERR_NOT_FOUND;
        }
    }
    ploy_result result = PLOY_OK;
    ploy_xml_node node = ploy_xml_find(file->doc, tiles, "tile");
    for (; result == PLOY_OK && !ploy_xml_is_none(node);
         node = ploy_xml_find_next(file->doc, node, "tile")) {
        result = wfc_file_tile(file, node, chosen);
    }
    if (result == PLOY_OK && file->good && ploy_array_count(&file->tiles) == 0) {
        wfc_file_fault(file, root, NULL, "the set has no tiles",
                       "<tiles><tile name=\"...\"/></tiles>", NULL);
    }
    if (result == PLOY_OK) {
        result = wfc_file_pairs(file, tiles, ploy_xml_find(file->doc, root, "neighbors"));
    }
    if (result == PLOY_OK && !file->good) result = PLOY_ERR_FORMAT;
    if (result != PLOY_OK) return result;
    return ploy_wfc_model_from_tiles(ploy_array_at(&file->tiles, 0), ploy_array_count(&file->tiles),
                                     ploy_array_at(&file->pairs, 0), ploy_array_count(&file->pairs),
                                     &file->set->env, &file->set->model);
}

ploy_result ploy_wfc_set_load(const void *bytes, size_t size, const char *name, const char *subset,
                              const ploy_env *env, ploy_diags *diags, ploy_wfc_set **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    wfc_file file;
    memset(&file, 0, sizeof file);
    file.diags = diags;
    file.good = true;
    ploy_result result = ploy_xml_load(bytes, size, name, NULL, env, diags, &file.doc);
    if (result != PLOY_OK) return result;
    file.set = ploy_env_alloc_zero(env, sizeof *file.set);
    if (file.set == NULL) {
        ploy_xml_destroy(file.doc);
        return PLOY_ERR_MEMORY;
    }
    file.set->env = *env;
    file.set->doc = file.doc;
    ploy_array_init(&file.set->names, sizeof(const char *), env);
    ploy_array_init(&file.tiles, sizeof(ploy_wfc_tile), env);
    ploy_array_init(&file.pairs, sizeof(ploy_wfc_pair), env);
    result = wfc_file_read(&file, subset);
    ploy_array_fini(&file.tiles);
    ploy_array_fini(&file.pairs);
    if (result != PLOY_OK) {
        ploy_wfc_set_destroy(file.set);
        return result;
    }
    *out = file.set;
    return PLOY_OK;
}

void ploy_wfc_set_destroy(ploy_wfc_set *set) {
    if (set == NULL) return;
    ploy_env env = set->env;
    ploy_wfc_model_destroy(set->model);
    ploy_array_fini(&set->names);
    ploy_xml_destroy(set->doc);
    ploy_env_free(&env, set, sizeof *set);
}

const ploy_wfc_model *ploy_wfc_set_model(const ploy_wfc_set *set) {
    return set->model;
}

int32_t ploy_wfc_set_count(const ploy_wfc_set *set) {
    return ploy_array_count(&set->names);
}

const char *ploy_wfc_set_tile(const ploy_wfc_set *set, int32_t tile) {
    const char **name = ploy_array_at(&set->names, tile);
    return name == NULL ? NULL : *name;
}

bool ploy_wfc_set_unique(const ploy_wfc_set *set) {
    return set->unique;
}

// ---- lists of runs

struct ploy_wfc_samples {
    ploy_env env;
    ploy_xml *doc;
    ploy_array items; // ploy_wfc_sample
    bool good;
};

static void samples_number(ploy_wfc_samples *samples, ploy_xml_node node, const char *attribute,
                           ploy_diags *diags, int32_t *out) {
    const char *text = ploy_xml_get(samples->doc, node, attribute);
    int64_t value = 0;
    size_t used = 0;
    if (text == NULL) return;
    if (ploy_parse_i64(text, strlen(text), &used, &value) != PLOY_OK || text[used] != '\0' ||
        value < 1 || value > 4096) {
        ploy_xml_fault(samples->doc, node, attribute, diags, "invalid number",
                       "a whole number from 1 to 4096", NULL);
        samples->good = false;
        return;
    }
    *out = (int32_t)value;
}

static ploy_result samples_read(ploy_wfc_samples *samples, ploy_xml_node node, ploy_diags *diags) {
    static const char *const orders[] = {"Entropy", "MRV", "Scanline"};
    const ploy_xml *doc = samples->doc;
    ploy_wfc_sample item;
    item.tiled = ploy_xml_is(doc, node, "simpletiled");
    item.name = ploy_xml_get(doc, node, "name");
    item.subset = ploy_xml_get(doc, node, "subset");
    item.def = ploy_wfc_def_default();
    if (item.name == NULL) {
        ploy_xml_fault(doc, node, NULL, diags, "a run has no name", "name=\"...\"", NULL);
        samples->good = false;
        return PLOY_OK;
    }
    item.def.columns = item.def.rows = item.tiled ? 24 : 48;
    samples_number(samples, node, "size", diags, &item.def.columns);
    item.def.rows = item.def.columns;
    samples_number(samples, node, "width", diags, &item.def.columns);
    samples_number(samples, node, "height", diags, &item.def.rows);
    samples_number(samples, node, "N", diags, &item.def.n);
    samples_number(samples, node, "symmetry", diags, &item.def.symmetry);
    item.def.periodic = wfc_file_true(ploy_xml_get(doc, node, "periodic"));
    const char *input = ploy_xml_get(doc, node, "periodicInput");
    item.def.sample_periodic = input == NULL || wfc_file_true(input);
    item.def.ground = wfc_file_true(ploy_xml_get(doc, node, "ground"));
    const char *order = ploy_xml_get(doc, node, "heuristic");
    for (int32_t i = 0; order != NULL && i < PLOY_WFC_ORDER_COUNT; i++) {
        if (strcmp(order, orders[i]) == 0) item.def.order = (ploy_wfc_order)i;
    }
    return ploy_array_push(&samples->items, &item);
}

ploy_result ploy_wfc_samples_load(const void *bytes, size_t size, const char *name,
                                  const ploy_env *env, ploy_diags *diags, ploy_wfc_samples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_wfc_samples *samples = ploy_env_alloc_zero(env, sizeof *samples);
    if (samples == NULL) return PLOY_ERR_MEMORY;
    samples->env = *env;
    samples->good = true;
    ploy_array_init(&samples->items, sizeof(ploy_wfc_sample), env);
    ploy_result result = ploy_xml_load(bytes, size, name, NULL, env, diags, &samples->doc);
    ploy_xml_node root = result == PLOY_OK ? ploy_xml_root(samples->doc) : ploy_xml_none();
    if (result == PLOY_OK && !ploy_xml_is(samples->doc, root, "samples")) {
        ploy_xml_fault(samples->doc, root, NULL, diags, "the file is not a list of runs",
                       "<samples>", NULL);
        samples->good = false;
    }
    ploy_xml_node node = result == PLOY_OK ? ploy_xml_first(samples->doc, root) : ploy_xml_none();
    for (; result == PLOY_OK && !ploy_xml_is_none(node); node = ploy_xml_next(samples->doc, node)) {
        bool known = ploy_xml_is(samples->doc, node, "overlapping") ||
                     ploy_xml_is(samples->doc, node, "simpletiled");
        if (known) {
            result = samples_read(samples, node, diags);
        } else {
            ploy_xml_fault(samples->doc, node, NULL, diags, "unknown element",
                           "overlapping or simpletiled", NULL);
            samples->good = false;
        }
    }
    if (result == PLOY_OK && !samples->good) result = PLOY_ERR_FORMAT;
    if (result != PLOY_OK) {
        ploy_wfc_samples_destroy(samples);
        return result;
    }
    *out = samples;
    return PLOY_OK;
}

void ploy_wfc_samples_destroy(ploy_wfc_samples *samples) {
    if (samples == NULL) return;
    ploy_env env = samples->env;
    ploy_array_fini(&samples->items);
    ploy_xml_destroy(samples->doc);
    ploy_env_free(&env, samples, sizeof *samples);
}

int32_t ploy_wfc_samples_count(const ploy_wfc_samples *samples) {
    return ploy_array_count(&samples->items);
}

const ploy_wfc_sample *ploy_wfc_samples_at(const ploy_wfc_samples *samples, int32_t index) {
    return ploy_array_at(&samples->items, index);
}

#undef WFC_FILE_TILES
