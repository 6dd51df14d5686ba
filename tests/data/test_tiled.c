// Tiled files: the published ones load or have a diagnostic, XML and JSON twins are equal, what is written reads
// back equal, and maps become tiles, rings and level objects.
#include "ploy/data/tiled_use.h"
#include "ploy/generate/dungeon.h"
#include "tests/test.h"

#ifdef PLOY_HAS_DATA_COMPRESSION
#include "ploy/data/compression.h"
#endif

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ploy_compression_service *service(void) {
#ifdef PLOY_HAS_DATA_COMPRESSION
    return ploy_compression();
#else
    return NULL;
#endif
}

static ploy_result read_disk(void *user, const char *name, ploy_buffer *out) {
    (void)user;
    size_t size = 0;
    char *bytes = test_read_file(name, &size);
    if (bytes == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_buffer_append(out, bytes, size);
    free(bytes);
    return result;
}
static const ploy_tiled_source disk = {read_disk, NULL};

static ploy_result load_text(const char *text, const char *name, const ploy_env *env,
                             ploy_diags *diags, ploy_tiled **out) {
    ploy_tiled_options options = {&disk, service(), true};
    return ploy_tiled_load(text, strlen(text), name, &options, env, diags, out);
}

// A staggered, infinite map with everything that a file may have.
static const char rich[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<map version=\"1.10\" tiledversion=\"1.10.2\" class=\"level\" orientation=\"staggered\" "
    "renderorder=\"left-up\" width=\"4\" height=\"4\" tilewidth=\"32\" tileheight=\"16\" "
    "infinite=\"1\" "
    "staggeraxis=\"y\" staggerindex=\"even\" backgroundcolor=\"#102030\" nextlayerid=\"9\" "
    "nextobjectid=\"20\">\n"
    " <properties>\n"
    "  <property name=\"text\" value=\"a &lt; b\"/>\n"
    "  <property name=\"lines\">one\ntwo</property>\n"
    "  <property name=\"i\" type=\"int\" value=\"-3\"/>\n"
    "  <property name=\"f\" type=\"float\" value=\"2\"/>\n"
    "  <property name=\"b\" type=\"bool\" value=\"true\"/>\n"
    "  <property name=\"c\" type=\"color\" value=\"#ff00ff00\"/>\n"
    "  <property name=\"file\" type=\"file\" value=\"a.png\"/>\n"
    "  <property name=\"o\" type=\"object\" value=\"5\"/>\n"
    "  <property name=\"k\" type=\"class\" propertytype=\"Box\"><properties>\n"
    "    <property name=\"w\" type=\"float\" value=\"1\"/>\n"
    "    <property name=\"in\" type=\"class\"><properties><property name=\"n\" type=\"int\" "
    "value=\"7\"/>"
    "</properties></property>\n"
    "  </properties></property>\n"
    " </properties>\n"
    " <tileset firstgid=\"1\" name=\"t\" class=\"set\" tilewidth=\"32\" tileheight=\"16\" "
    "spacing=\"1\" margin=\"2\" "
    "tilecount=\"8\" columns=\"4\" objectalignment=\"top\">\n"
    "  <tileoffset x=\"1\" y=\"-2\"/>\n"
    "  <grid orientation=\"isometric\" width=\"32\" height=\"16\"/>\n"
    "  <transformations hflip=\"1\" vflip=\"0\" rotate=\"1\" preferuntransformed=\"0\"/>\n"
    "  <image source=\"t.png\" trans=\"ff00ff\" width=\"128\" height=\"32\"/>\n"
    "  <terraintypes><terrain name=\"grass\" tile=\"2\"/></terraintypes>\n"
    "  <tile id=\"3\" type=\"water\" terrain=\"0,,0,\" probability=\"0.5\">\n"
    "   <properties><property name=\"cost\" type=\"float\" value=\"4.5\"/></properties>\n"
    "   <objectgroup draworder=\"index\"><object id=\"1\" x=\"0\" y=\"0\" width=\"8\" "
    "height=\"4\"/></objectgroup>\n"
    "   <animation><frame tileid=\"3\" duration=\"100\"/><frame tileid=\"4\" "
    "duration=\"50\"/></animation>\n"
    "  </tile>\n"
    "  <wangsets><wangset name=\"w\" type=\"mixed\" tile=\"-1\">\n"
    "   <wangcolor name=\"a\" color=\"#ff0000\" tile=\"1\" probability=\"0.25\"/>\n"
    "   <wangtile tileid=\"2\" wangid=\"0,1,0,1,0,0,1,0\"/></wangset></wangsets>\n"
    " </tileset>\n"
    " <group id=\"1\" name=\"g\" opacity=\"0.5\" offsetx=\"3\">\n"
    "  <layer id=\"2\" name=\"cells\" class=\"floor\" width=\"4\" height=\"4\" "
    "tintcolor=\"#aabbcc\" locked=\"1\">\n"
    "   <data encoding=\"csv\"><chunk x=\"-2\" y=\"0\" width=\"2\" "
    "height=\"2\">1,2,2147483652,0</chunk>"
    "<chunk x=\"0\" y=\"0\" width=\"2\" height=\"2\">4,4,1,1,\n</chunk></data>\n"
    "  </layer>\n"
    "  <imagelayer id=\"3\" name=\"sky\" repeatx=\"1\" parallaxx=\"0.5\"><image "
    "source=\"sky.png\"/></imagelayer>\n"
    " </group>\n"
    " <objectgroup id=\"4\" name=\"things\" color=\"#00ff00\" draworder=\"index\" visible=\"0\">\n"
    "  <object id=\"5\" name=\"r\" type=\"box\" x=\"1.5\" y=\"2\" width=\"3\" height=\"4\" "
    "rotation=\"30\"/>\n"
    "  <object id=\"6\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"><ellipse/></object>\n"
    "  <object id=\"7\" x=\"1\" y=\"2\"><point/></object>\n"
    "  <object id=\"8\" x=\"1\" y=\"2\"><polygon points=\"0,0 4.5,-1 2,6\"/></object>\n"
    "  <object id=\"9\" x=\"1\" y=\"2\"><polyline points=\"0,0 4.5,-1\"/></object>\n"
    "  <object id=\"10\" x=\"1\" y=\"2\" width=\"30\" height=\"9\"><text wrap=\"1\" "
    "fontfamily=\"Sans\" "
    "pixelsize=\"12\" bold=\"1\" halign=\"center\">Hi &amp; you</text></object>\n"
    "  <object id=\"11\" gid=\"1073741826\" x=\"1\" y=\"2\" width=\"32\" height=\"16\" "
    "visible=\"0\"/>\n"
    " </objectgroup>\n"
    "</map>\n";

static ploy_buffer save(test_context *t, const ploy_tiled *map, const ploy_tiled_form *form,
                        const ploy_env *env) {
    ploy_buffer out;
    ploy_buffer_init(&out, 0, env);
    ploy_writer writer = ploy_buffer_writer(&out);
    CHECK_OK(ploy_tiled_save(map, form, &writer));
    return out;
}

#ifdef PLOY_HAS_DATA_COMPRESSION
// Texts that are equal but for the digits of numbers: the XML form has six digits, the JSON form fifteen.
static bool equal_but_digits(const char *a, const char *b) {
    while (*a != '\0' || *b != '\0') {
        bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        if (number) {
            char *end_a, *end_b;
            double x = strtod(a, &end_a), y = strtod(b, &end_b);
            if (fabs(x - y) > 1e-5 * fmax(fabs(x), fabs(y)) + 1e-9) return false;
            a = end_a;
            b = end_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}
#endif

TEST(a_layer_without_cells_reads_back) {
    static const char text[] =
        "<map orientation='orthogonal' width='2' height='2' tilewidth='8' tileheight='8'>"
        "<layer name='empty' height='2'><data encoding='csv'></data></layer></map>";
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL, *again = NULL;
    CHECK_OK(load_text(text, "empty.tmx", &env, NULL, &map));
    for (int32_t json = 0; json < 2; json++) {
        ploy_tiled_form form;
        memset(&form, 0, sizeof form);
        form.json = json == 1;
        form.recode = true;
        form.encoding = PLOY_TILED_CSV;
        ploy_buffer bytes = save(t, map, &form, &env);
        CHECK_OK(load_text(ploy_buffer_text(&bytes), "again", &env, NULL, &again));
        CHECK_INT(ploy_tiled_get(again).cell_count, 0);
        CHECK_INT(ploy_tiled_get(again).layer_count, 1);
        ploy_tiled_destroy(again);
        ploy_buffer_fini(&bytes);
    }
    ploy_tiled_destroy(map);
}

TEST(chunks_of_a_finite_map_are_refused) {
    static const char text[] =
        "<map orientation='orthogonal' width='2' height='2' tilewidth='8' tileheight='8'>"
        "<layer name='l' width='2' height='2'><data encoding='csv'>\n"
        "<chunk x='-2' y='0' width='2' height='1'>1,2</chunk></data></layer></map>";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_tiled *map = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    CHECK_INT(load_text(text, "chunk.tmx", &env, diags, &map), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
    CHECK(map == NULL);
    ploy_diags_destroy(diags);
}

TEST(what_is_written_reads_back_equal) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    CHECK_OK(load_text(rich, "rich.tmx", &env, NULL, &map));
    ploy_tiled_form plain;
    memset(&plain, 0, sizeof plain);
    ploy_buffer want = save(t, map, &plain, &env);
    // JSON does not store the class of an inner class; the rest of the types survives.
    static const ploy_tiled_compression last =
#ifdef PLOY_HAS_DATA_COMPRESSION
        PLOY_TILED_ZSTD;
#else
        PLOY_TILED_PLAIN;
#endif
    for (int32_t json = 0; json < 2; json++) {
        for (int32_t encoding = 0; encoding < PLOY_TILED_ENCODINGS; encoding++) {
            for (int32_t compression = 0; compression <= (int32_t)last; compression++) {
                ploy_tiled_form form = plain;
                form.json = json == 1;
                form.recode = true;
                form.encoding = (ploy_tiled_encoding)encoding;
                form.compression = (ploy_tiled_compression)compression;
                form.service = service();
                ploy_buffer text = save(t, map, &form, &env);
                ploy_tiled *again = NULL;
                CHECK_OK(load_text(ploy_buffer_text(&text), "again", &env, NULL, &again));
                if (encoding == PLOY_TILED_BASE64 && compression > 0) {
                    CHECK_INT(ploy_tiled_get(again).layers[1].compression, compression);
                }
                form = plain;
                form.recode = true;
                ploy_buffer back = save(t, again, &form, &env);
                CHECK_TEXT(ploy_buffer_text(&back), ploy_buffer_text(&want));
                ploy_buffer_fini(&back);
                ploy_buffer_fini(&text);
                ploy_tiled_destroy(again);
            }
        }
    }
    ploy_buffer_fini(&want);
    ploy_tiled_destroy(map);
}

TEST(a_map_has_everything_its_file_has) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    CHECK_OK(load_text(rich, "rich.tmx", &env, NULL, &map));
    ploy_tiled_view view = ploy_tiled_get(map);
    CHECK_INT(view.orientation, PLOY_TILED_STAGGERED);
    CHECK(view.infinite && view.stagger_even && !view.stagger_x);
    CHECK_INT(view.layer_count, 4);
    CHECK_INT(view.layers[1].parent, 0);
    CHECK_INT(view.layers[3].parent, -1);
    CHECK(!ploy_tiled_layer_shown(map, 3));
    CHECK_INT(ploy_tiled_cell(map, 1, -2, 1), 2147483652u);
    CHECK_INT(ploy_tiled_cell(map, 1, 0, 0), 4);
    CHECK_INT(ploy_tiled_cell(map, 1, 9, 0), 0);
    const ploy_tiled_tile *tile = ploy_tiled_find_tile(map, 2147483652u);
    CHECK(tile != NULL);
    CHECK_TEXT(tile->class_name, "water");
    CHECK_NEAR(ploy_tiled_find_property(map, tile->properties, "cost")->number, 4.5, 0);
    CHECK(ploy_tiled_find_tile(map, 1) == NULL);
    const ploy_tiled_property *box = ploy_tiled_find_property(map, view.properties, "k");
    CHECK_INT(box->type, PLOY_TILED_CLASS);
    CHECK_INT(box->members.count, 2);
    CHECK_TEXT(ploy_tiled_find_property(map, view.properties, "lines")->text, "one\ntwo");
    static const ploy_tiled_shape shapes[] = {
        PLOY_TILED_RECTANGLE, PLOY_TILED_ELLIPSE, PLOY_TILED_POINT, PLOY_TILED_POLYGON,
        PLOY_TILED_POLYLINE,  PLOY_TILED_TEXT,    PLOY_TILED_TILE};
    for (int32_t i = 0; i < 7; i++) {
        CHECK_INT(view.objects[view.layers[3].objects.first + i].shape, shapes[i]);
    }
    CHECK_INT(view.wang_tiles[0].colors[6], 1);
    ploy_tiled_destroy(map);
}

TEST(faults_have_their_place) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
        const char *message;
        ploy_result want;
    } rows[] = {
        {"another root", "<set/>", 1, 1, "the file is not a Tiled file", PLOY_ERR_FORMAT},
        {"no size", "<map version=\"1\"/>", 1, 1, "the map has no width", PLOY_ERR_FORMAT},
        {"unknown orientation",
         "<map width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"\n "
         "orientation=\"hexagonl\"/>",
         2, 2, "unknown orientation 'hexagonl'", PLOY_ERR_FORMAT},
        {"too few cells",
         "<map width=\"2\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\n<layer width=\"2\" "
         "height=\"1\"><data encoding=\"csv\">1</data></layer></map>",
         2, 29, "the layer has 1 cells", PLOY_ERR_FORMAT},
        {"not base64",
         "<map width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\n<layer width=\"1\" "
         "height=\"1\"><data encoding=\"base64\">A!==</data></layer></map>",
         2, 29, "the cells are not base64", PLOY_ERR_FORMAT},
        {"JSON member",
         "{\"type\": \"map\", \"width\": 1, \"height\": 1, \"tilewidth\": 8,\n \"tileheight\": -8, "
         "\"layers\": []}",
         2, 16, "a number is out of range", PLOY_ERR_FORMAT},
        {"no first id",
         "<map width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\n <tileset "
         "name=\"a\"/></map>",
         2, 2, "the tileset has no firstgid", PLOY_ERR_FORMAT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        ploy_tiled *map = NULL;
        CHECK_INT(load_text(rows[i].text, "m.tmx", &env, diags, &map), rows[i].want);
        CHECK(map == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        const ploy_diag *first = ploy_diags_get(diags, 0);
        CHECK_TEXT(first->message, rows[i].message);
        CHECK_INT(first->line, rows[i].line);
        CHECK_INT(first->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
}

TEST(compression_without_the_component_is_refused_by_name) {
    static const char text[] =
        "<map width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\n <layer width=\"1\" "
        "height=\"1\">"
        "<data encoding=\"base64\" compression=\"zstd\">AAAA</data></layer></map>";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_tiled *map = NULL;
    CHECK_INT(ploy_tiled_load(text, strlen(text), "m.tmx", NULL, &env, diags, &map),
              PLOY_ERR_UNSUPPORTED);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message,
               "compression 'zstd' needs the component data_compression");
    CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
    ploy_diags_destroy(diags);
}

static ploy_result load_nth(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_tiled *map = NULL;
    ploy_result result = load_text(rich, "rich.tmx", env, NULL, &map);
    TEST_REPORT(result, env, map, ploy_tiled_memory);
    if (result == PLOY_OK) {
        ploy_rings *rings = NULL;
        ploy_level_builder *builder = NULL;
        ploy_tiles *tiles = NULL;
        result = ploy_rings_create(env, &rings);
        if (result == PLOY_OK) result = ploy_rings_from_tiled(map, NULL, env, rings);
        if (result == PLOY_OK) result = ploy_level_builder_create(env, &builder);
        if (result == PLOY_OK) result = ploy_level_builder_add_tiled(builder, map, NULL);
        if (result == PLOY_OK) result = ploy_tiles_from_tiled(map, NULL, env, NULL, &tiles);
        ploy_tiles_destroy(tiles);
        ploy_level_builder_destroy(builder);
        ploy_rings_destroy(rings);
    }
    ploy_tiled_destroy(map);
    return result;
}

TEST(memory_that_fails_leaves_nothing) {
    CHECK_FAIL_NTH(load_nth, NULL);
}

// Loads a map, writes it in one form and reads that again.
static ploy_result save_nth(const ploy_env *env, void *arg) {
    const ploy_tiled_form *form = arg;
    ploy_tiled *map = NULL, *again = NULL;
    ploy_buffer out;
    ploy_buffer_init(&out, 0, env);
    ploy_writer writer = ploy_buffer_writer(&out);
    ploy_result result = load_text(rich, "rich.tmx", env, NULL, &map);
    if (result == PLOY_OK) result = ploy_tiled_save(map, form, &writer);
    if (result == PLOY_OK) result = ploy_writer_result(&writer);
    if (result == PLOY_OK) {
        const char *name = form->json ? "again.tmj" : "again.tmx";
        result = load_text(ploy_buffer_text(&out), name, env, NULL, &again);
    }
    ploy_tiled_destroy(again);
    ploy_buffer_fini(&out);
    ploy_tiled_destroy(map);
    return result;
}

TEST(saving_survives_failed_allocations) {
    ploy_tiled_form forms[] = {
        {.recode = true, .encoding = PLOY_TILED_CSV},
        {.json = true, .recode = true, .encoding = PLOY_TILED_BASE64},
#ifdef PLOY_HAS_DATA_COMPRESSION
        {.recode = true, .encoding = PLOY_TILED_BASE64, .compression = PLOY_TILED_ZLIB},
        {.recode = true, .encoding = PLOY_TILED_BASE64, .compression = PLOY_TILED_GZIP},
        {.recode = true, .encoding = PLOY_TILED_BASE64, .compression = PLOY_TILED_ZSTD},
#endif
    };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        TEST_SEED(i);
        forms[i].service = service();
        CHECK_FAIL_NTH(save_nth, &forms[i]);
    }
}

static ploy_result from_content_nth(const ploy_env *env, void *arg) {
    ploy_tiled *map = NULL;
    ploy_result result = ploy_tiled_from_content(arg, env, &map);
    ploy_tiled_destroy(map);
    return result;
}

TEST(a_map_of_content_survives_failed_allocations) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = 24;
    ploy_generator dungeon, things;
    CHECK_OK(ploy_generator_run(ploy_dungeon_generator(), &def, ploy_rng_key_make(4), NULL, NULL,
                                &env, &dungeon));
    ploy_content level = ploy_generator_content(dungeon);
    CHECK_OK(ploy_generator_run(ploy_generators_find("scatter"), NULL, ploy_rng_key_make(4), &level,
                                NULL, &env, &things));
    ploy_content placed = ploy_generator_content(things);
    ploy_content both = ploy_content_merge(&level, &placed);
    CHECK_FAIL_NTH(from_content_nth, &both);
    ploy_generator_cancel(things);
    ploy_generator_cancel(dungeon);
}

// A map of 3 x 2 cells: an open one, one that costs 3, a solid one, one with a shape, and a hole.
static const char small[] = "<map width=\"3\" height=\"2\" tilewidth=\"10\" tileheight=\"10\">\n"
                            "<tileset firstgid=\"1\" name=\"t\" tilewidth=\"10\" tileheight=\"10\" "
                            "tilecount=\"4\" columns=\"4\">\n"
                            "<tile id=\"1\"><properties><property name=\"cost\" type=\"int\" "
                            "value=\"3\"/></properties></tile>\n"
                            "<tile id=\"2\"><properties><property name=\"solid\" type=\"bool\" "
                            "value=\"true\"/></properties></tile>\n"
                            "<tile id=\"3\"><objectgroup><object id=\"1\" x=\"0\" y=\"0\" "
                            "width=\"4\" height=\"2\"/></objectgroup></tile>\n"
                            "</tileset>\n"
                            "<layer width=\"3\" height=\"2\"><data "
                            "encoding=\"csv\">1,2,3,2147483652,0,536870916</data></layer>\n"
                            "<objectgroup name=\"places\"><object id=\"1\" name=\"camp\" "
                            "type=\"spawn\" x=\"10\" y=\"0\" width=\"10\" "
                            "height=\"10\"><properties><property name=\"team\" type=\"int\" "
                            "value=\"2\"/></properties></object>"
                            "</objectgroup>\n"
                            "</map>";

TEST(a_map_becomes_tiles_with_costs) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    ploy_tiles *tiles = NULL;
    CHECK_OK(load_text(small, "s.tmx", &env, NULL, &map));
    CHECK_OK(ploy_tiles_from_tiled(map, NULL, &env, NULL, &tiles));
    CHECK_INT(ploy_tiles_width(tiles), 3);
    CHECK_INT(ploy_tiles_height(tiles), 2);
    // The upper row of the map is the row with the higher y.
    CHECK_NEAR(ploy_tiles_cost(tiles, ploy_tiles_get(tiles, 3)), 1, 0);
    CHECK_NEAR(ploy_tiles_cost(tiles, ploy_tiles_get(tiles, 4)), 3, 0);
    CHECK(!ploy_tiles_passable(tiles, 5));
    CHECK(ploy_tiles_passable(tiles, 0));
    CHECK(!ploy_tiles_passable(tiles, 1)); // no tile
    ploy_tiles_destroy(tiles);
    ploy_tiled_destroy(map);
}

TEST(collision_shapes_become_rings_with_their_flips) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    ploy_rings *rings = NULL;
    CHECK_OK(load_text(small, "s.tmx", &env, NULL, &map));
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_from_tiled(map, NULL, &env, rings));
    CHECK_INT(ploy_rings_count(rings), 2);
    // Flipped in x: from 6 to 10 pixels of the lower left cell; its top is at y = 1.
    ploy_vec2 inside = {0.8f, 0.9f}, outside = {0.2f, 0.9f};
    CHECK(ploy_rings_contains(rings, inside, PLOY_FILL_NON_ZERO));
    CHECK(!ploy_rings_contains(rings, outside, PLOY_FILL_NON_ZERO));
    // Swapped in x and y: 2 wide and 4 high in the lower right cell.
    ploy_vec2 swapped = {2.1f, 0.65f};
    CHECK(ploy_rings_contains(rings, swapped, PLOY_FILL_NON_ZERO));
    CHECK_NEAR(ploy_rings_area(rings), 2 * 0.08, 1e-5);
    CHECK(!ploy_rings_is_hole(rings, 0) && !ploy_rings_is_hole(rings, 1));
    ploy_rings_destroy(rings);
    ploy_tiled_destroy(map);
}

TEST(objects_become_level_objects) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    ploy_level_builder *builder = NULL;
    CHECK_OK(load_text(small, "s.tmx", &env, NULL, &map));
    CHECK_OK(ploy_level_builder_create(&env, &builder));
    CHECK_OK(ploy_level_builder_add_tiled(builder, map, NULL));
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    CHECK_OK(ploy_level_builder_save(builder, &writer));
    ploy_level level;
    CHECK_OK(ploy_level_open(bytes.bytes, bytes.size, &level));
    ploy_level_object object;
    ploy_value value;
    CHECK(ploy_level_at(&level, ploy_level_find(&level, "camp"), &object));
    CHECK_TEXT(object.type, "spawn");
    CHECK_NEAR(object.position.x, 1.5, 1e-6);
    CHECK_NEAR(object.position.y, 1.5, 1e-6);
    CHECK(ploy_level_get(&level, 0, "team", &value));
    CHECK_INT(value.as.i64, 2);
    ploy_buffer_fini(&bytes);
    ploy_level_builder_destroy(builder);
    ploy_tiled_destroy(map);
}

// Steps between neighbours on the picture are steps between neighbours of the tiles.
TEST(staggered_and_hexagonal_maps_keep_their_neighbours) {
    static const char form[] =
        "<map orientation=\"%s\" staggeraxis=\"y\" staggerindex=\"%s\" hexsidelength=\"%d\" "
        "width=\"4\" "
        "height=\"%d\" tilewidth=\"8\" tileheight=\"8\"><tileset firstgid=\"1\" name=\"t\" "
        "tilewidth=\"8\" "
        "tileheight=\"8\" tilecount=\"1\" columns=\"1\"/><layer width=\"4\" height=\"%d\"><data "
        "encoding=\"csv\">%s</data></layer></map>";
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < 8; i++) {
        bool hex = (i & 1) != 0, even = (i & 2) != 0;
        int32_t rows = i & 4 ? 5 : 4;
        char cells[64] = "", text[700];
        // Two cells alone: (1, 1) and the one below it to the right.
        int32_t shifted = even ? 0 : 1, right = 1 + shifted;
        for (int32_t c = 0; c < 4 * rows; c++) {
            bool on = (c % 4 == 1 && c / 4 == 1) || (c % 4 == right && c / 4 == 2);
            snprintf(cells + strlen(cells), sizeof cells - strlen(cells), "%s%d", c > 0 ? "," : "",
                     on);
        }
        snprintf(text, sizeof text, form, hex ? "hexagonal" : "staggered", even ? "even" : "odd",
                 hex ? 4 : 0, (int)rows, (int)rows, cells);
        t->row = text;
        ploy_tiled *map = NULL;
        ploy_tiles *tiles = NULL;
        CHECK_OK(load_text(text, "s.tmx", &env, NULL, &map));
        CHECK_OK(ploy_tiles_from_tiled(map, NULL, &env, NULL, &tiles));
        int32_t open = 0, pairs = 0, count = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
        for (int32_t cell = 0; cell < count; cell++) {
            if (!ploy_tiles_passable(tiles, cell)) continue;
            open++;
            for (int32_t d = 0; d < (hex ? 6 : 8); d += hex ? 1 : 2) {
                int32_t next = ploy_tiles_neighbour(tiles, cell, d);
                pairs += next >= 0 && ploy_tiles_passable(tiles, next);
            }
        }
        CHECK_INT(open, 2);
        CHECK_INT(pairs, 2);
        ploy_tiles_destroy(tiles);
        ploy_tiled_destroy(map);
    }
}

TEST(a_dungeon_becomes_a_map_and_its_tiles_again) {
    ploy_env env = ploy_env_default();
    ploy_generator dungeon;
    CHECK_OK(ploy_generator_run(ploy_dungeon_generator(), NULL, ploy_rng_key_make(4), NULL, NULL,
                                &env, &dungeon));
    ploy_content content = ploy_generator_content(dungeon);
    ploy_tiled *map = NULL, *again = NULL;
    CHECK_OK(ploy_tiled_from_content(&content, &env, &map));
    ploy_buffer text = save(t, map, NULL, &env);
    CHECK_OK(load_text(ploy_buffer_text(&text), "d.tmx", &env, NULL, &again));
    ploy_buffer back = save(t, again, NULL, &env);
    CHECK_TEXT(ploy_buffer_text(&back), ploy_buffer_text(&text));
    ploy_floor_plan_view plan = ploy_floor_plan_get(content.plan);
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_from_tiled(again, NULL, &env, NULL, &tiles));
    for (int32_t y = 0; y < plan.height; y++) {
        for (int32_t x = 0; x < plan.width; x++) {
            bool open = plan.kinds[y * plan.width + x] != PLOY_PLAN_SOLID;
            CHECK_INT(ploy_tiles_passable(tiles, ploy_tiles_cell(tiles, x + 1, y + 1)), open);
        }
    }
    ploy_tiles_destroy(tiles);
    ploy_buffer_fini(&text);
    ploy_buffer_fini(&back);
    ploy_tiled_destroy(map);
    ploy_tiled_destroy(again);
    ploy_generator_cancel(dungeon);
}

#ifdef PLOY_HAS_DATA_COMPRESSION
static ploy_result load_path(const char *path, const ploy_env *env, ploy_diags *diags,
                             bool allow_missing, ploy_tiled **out) {
    size_t size = 0;
    char *bytes = test_read_file(path, &size);
    if (bytes == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_tiled_options options = {&disk, service(), allow_missing};
    ploy_result result = ploy_tiled_load(bytes, size, path, &options, env, diags, out);
    free(bytes);
    return result;
}

// Each file of the published data, with the result and the first message; "" if it loads.
TEST(published_files_load_or_have_their_diagnostic) {
    static const struct {
        const char *row, *message;
    } rows[] = {
        {"excalibur/example/formats/assets/kenny-rpg-urban-pack/Kenny RPG Urban Pack.tsx", ""},
        {"excalibur/example/formats/collider.tmx", ""},
        {"excalibur/example/formats/cubes.tsx", ""},
        {"excalibur/example/formats/example-city-external-tsx.tmx", ""},
        {"excalibur/example/formats/example-city-gzip.tmx", ""},
        {"excalibur/example/formats/example-city.json", ""},
        {"excalibur/example/formats/external-collection.tsx", ""},
        {"excalibur/example/formats/external-collsion-json.tsj", ""},
        {"excalibur/example/formats/external-kenny.tsx", ""},
        {"excalibur/example/formats/external-tsj.tsj", ""},
        {"excalibur/example/formats/external.tsj", ""},
        {"excalibur/example/formats/greencube.tx", ""},
        {"excalibur/example/formats/margin.tmx", ""},
        {"excalibur/example/formats/test-gzip.json", ""},
        {"excalibur/example/formats/test-spacing.json", ""},
        {"excalibur/example/formats/test-v1-external.json", ""},
        {"excalibur/example/formats/test-v1.json", ""},
        {"excalibur/example/formats/test.json", ""},
        {"excalibur/example/formats/test.tmx", ""},
        {"excalibur/example/formats/tilemap-v1.tmx", "cannot read"},
        {"excalibur/example/formats/tilemap.json", ""},
        {"excalibur/example/orthogonal/animation-tiles.tmx", ""},
        {"excalibur/example/orthogonal/coin.tx", ""},
        {"excalibur/example/orthogonal/external-fantasy.tsx", ""},
        {"excalibur/example/orthogonal/orthogonal.tmx", ""},
        {"excalibur/test/unit-old/animation.tmx", ""},
        {"excalibur/test/unit-old/assets/kenny-rpg-urban-pack/Kenny RPG Urban Pack.tsx", ""},
        {"excalibur/test/unit-old/basic.json", ""},
        {"excalibur/test/unit-old/basic.tmx", ""},
        {"excalibur/test/unit-old/camera.tmx", ""},
        {"excalibur/test/unit-old/collection-external.tsj", ""},
        {"excalibur/test/unit-old/collection-external.tsx", ""},
        {"excalibur/test/unit-old/gzip.tmx", ""},
        {"excalibur/test/unit-old/layer-zindex.tmx", ""},
        {"excalibur/test/unit-old/objects.json", "cannot read"},
        {"excalibur/test/unit-old/objects.tmx", "cannot read"},
        {"excalibur/test/unit-old/parallax.tmx", ""},
        {"excalibur/test/unit-old/solid.tmx", ""},
        {"excalibur/test/unit-old/test.tmx", ""},
        {"excalibur/test/unit-old/tileset-with-collection.tmj", ""},
        {"excalibur/test/unit-old/tileset-with-collection.tmx", ""},
        {"excalibur/test/unit-old/tileset.tsx", ""},
        {"excalibur/test/unit-old/tilesetWithAnimation.tsj", ""},
        {"excalibur/test/unit-old/tilesetWithAnimation.tsx", ""},
        {"excalibur/test/unit/tiled/parser-spec/collection.tsj", ""},
        {"excalibur/test/unit/tiled/parser-spec/collection.tsx", ""},
        {"excalibur/test/unit/tiled/parser-spec/external.tsj", ""},
        {"excalibur/test/unit/tiled/parser-spec/external.tsx", ""},
        {"excalibur/test/unit/tiled/parser-spec/iso-collection.tsj", ""},
        {"excalibur/test/unit/tiled/parser-spec/iso-collection.tsx", ""},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-infinite.tmj", ""},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-infinite.tmx", ""},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-simple.tmj", ""},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-simple.tmx", ""},
        {"excalibur/test/unit/tiled/parser-spec/simple-tileset.tsx", ""},
        {"excalibur/test/unit/tiled/template-resource-spec/coin.tx", ""},
        {"excalibur/test/unit/tiled/template-resource-spec/external-fantasy.tsx", ""},
        {"excalibur/test/unit/tiled/template-resource-spec/template.tx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/badversion.tmx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/bigger_tile_object.tmx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/coin.tx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/external-fantasy.tsj", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/external-fantasy.tsx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/external-iso-fantasy.tsx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/invalid.tmx", "the map has no width"},
        {"excalibur/test/unit/tiled/tiled-resource-spec/newversion.tmx", ""},
        {"excalibur/test/unit/tiled/tiled-resource-spec/orthogonal.tmx", ""},
        {"excalibur/test/unit/tiled/tileset-resource-spec/animated-tileset.tsx", ""},
        {"excalibur/test/unit/tiled/tileset-resource-spec/external-fantasy.tsj", ""},
        {"excalibur/test/unit/tiled/tileset-resource-spec/external-fantasy.tsx", ""},
        {"phaser/tuxemon-town.json", ""},
        {"tiled/desert.tmx", ""},
        {"tiled/desert.tsx", ""},
        {"tiled/forest/forest.tsx", ""},
        {"tiled/hexagonal-mini.tmx", ""},
        {"tiled/isometric_grass_and_water.tmx", ""},
        {"tiled/orthogonal-outside.tmx", ""},
        {"tiled/perspective_walls.tsx", ""},
        {"tiled/rpg/beach_tileset.tsx", ""},
        {"tiled/sewer_automap/rule_001.tmx", ""},
        {"tiled/sewer_automap/rule_002.tmx", ""},
        {"tiled/sewer_automap/rule_003.tmx", ""},
        {"tiled/sewer_automap/rule_004.tmx", ""},
        {"tiled/sewer_automap/rule_005.tmx", ""},
        {"tiled/sewer_automap/rule_006.tmx", ""},
        {"tiled/sewer_automap/rule_007.tmx", ""},
        {"tiled/sewer_automap/rule_008.tmx", ""},
        {"tiled/sewer_automap/rule_009.tmx", ""},
        {"tiled/sewer_automap/sewers.tmx", ""},
        {"tiled/sewers.tmx", ""},
        {"tiled/sticker-knight/map/objs.tsx", ""},
    };
    if (test_data_dir() == NULL) return;
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char path[512];
        snprintf(path, sizeof path, "%s/tiled/%s", test_data_dir(), rows[i].row);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        ploy_tiled *map = NULL;
        ploy_result result = load_path(path, &env, diags, false, &map);
        if (rows[i].message[0] != '\0') {
            CHECK_INT(result, PLOY_ERR_FORMAT);
            CHECK(strstr(ploy_diags_get(diags, 0)->message, rows[i].message) != NULL);
            ploy_diags_clear(diags);
            result = load_path(path, &env, diags, true, &map);
            CHECK((result == PLOY_OK) == (strcmp(rows[i].message, "cannot read") == 0));
        } else {
            CHECK_OK(result);
            CHECK_INT(ploy_diags_count(diags), 0);
        }
        ploy_tiled_form form;
        memset(&form, 0, sizeof form);
        form.service = service();
        for (int32_t json = 0; json < 2 && map != NULL; json++) {
            form.json = json == 1;
            ploy_buffer text = save(t, map, &form, &env);
            ploy_tiled *again = NULL;
            ploy_tiled_options options = {&disk, service(), true};
            CHECK_OK(ploy_tiled_load(text.bytes, text.size, path, &options, &env, NULL, &again));
            ploy_buffer back = save(t, again, &form, &env);
            CHECK_TEXT(ploy_buffer_text(&back), ploy_buffer_text(&text));
            ploy_buffer_fini(&text);
            ploy_buffer_fini(&back);
            ploy_tiled_destroy(again);
        }
        ploy_tiled_destroy(map);
        ploy_diags_destroy(diags);
    }
}

// The pairs of the data that are the same map or tileset; other files of one name differ in content.
TEST(published_twins_are_equal) {
    static const char *const rows[][2] = {
        {"excalibur/test/unit-old/basic.tmx", "excalibur/test/unit-old/basic.json"},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-simple.tmx",
         "excalibur/test/unit/tiled/parser-spec/orthogonal-simple.tmj"},
        {"excalibur/test/unit/tiled/parser-spec/orthogonal-infinite.tmx",
         "excalibur/test/unit/tiled/parser-spec/orthogonal-infinite.tmj"},
        {"excalibur/test/unit/tiled/parser-spec/external.tsx",
         "excalibur/test/unit/tiled/parser-spec/external.tsj"},
        {"excalibur/test/unit/tiled/parser-spec/collection.tsx",
         "excalibur/test/unit/tiled/parser-spec/collection.tsj"},
        {"excalibur/test/unit/tiled/parser-spec/iso-collection.tsx",
         "excalibur/test/unit/tiled/parser-spec/iso-collection.tsj"},
    };
    if (test_data_dir() == NULL) return;
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i][0];
        ploy_buffer texts[2];
        for (int32_t k = 0; k < 2; k++) {
            char path[512];
            snprintf(path, sizeof path, "%s/tiled/%s", test_data_dir(), rows[i][k]);
            ploy_tiled *map = NULL;
            CHECK_OK(load_path(path, &env, NULL, true, &map));
            ploy_tiled_form form;
            memset(&form, 0, sizeof form);
            form.embed = form.recode = true;
            texts[k] = save(t, map, &form, &env);
            ploy_tiled_destroy(map);
        }
        if (!equal_but_digits(ploy_buffer_text(&texts[0]), ploy_buffer_text(&texts[1]))) {
            CHECK_TEXT(ploy_buffer_text(&texts[0]), ploy_buffer_text(&texts[1]));
        }
        ploy_buffer_fini(&texts[0]);
        ploy_buffer_fini(&texts[1]);
    }
}

#endif
