// Readers of maps, games, nets and saves on inputs that grow: twice the input, about twice the work.
#include "ploy/data/cbor.h"
#include "ploy/data/characters.h"
#include "ploy/data/epd.h"
#include "ploy/data/fann.h"
#include "ploy/data/level_overrides.h"
#include "ploy/data/level_text.h"
#include "ploy/data/moves_file.h"
#include "ploy/data/obf.h"
#include "ploy/data/onnx.h"
#include "ploy/data/pgn.h"
#include "ploy/data/save.h"
#include "ploy/data/sgf.h"
#include "ploy/data/table_file.h"
#include "ploy/data/tiled.h"
#include "ploy/data/tiles_text.h"
#include "ploy/exec/maker.h"
#include "ploy/world/telegram.h"

#include "data/protobuf.h"
#include "tests/data/growth.h"
#include "tests/data/net_random.h"

GROWTH_READER(growth_tiled, ploy_tiled,
              ploy_tiled_load(in->bytes, in->size, "growth", NULL, env, diags, &made),
              ploy_tiled_destroy)
GROWTH_READER(growth_sgf, ploy_sgf, ploy_sgf_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_sgf_destroy)
GROWTH_READER(growth_pgn, ploy_pgn, ploy_pgn_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_pgn_destroy)
GROWTH_READER(growth_pdn, ploy_pgn, ploy_pdn_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_pgn_destroy)
GROWTH_READER(growth_epd, ploy_epd, ploy_epd_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_epd_destroy)
GROWTH_READER(growth_obf, ploy_obf, ploy_obf_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_obf_destroy)
GROWTH_READER(growth_moves, ploy_moves_file,
              ploy_moves_file_load(in->bytes, in->size, "growth", env, diags, &made),
              ploy_moves_file_destroy)
GROWTH_READER(growth_overrides, ploy_level_overrides,
              ploy_level_overrides_load(ploy_buffer_text(in), in->size, "growth", env, diags,
                                        &made),
              ploy_level_overrides_destroy)
GROWTH_READER(growth_rows, ploy_examples,
              ploy_table_load(in->bytes, in->size, "growth.csv", PLOY_TABLE_ANY, env, diags, &made),
              ploy_examples_destroy)
GROWTH_READER(growth_tiles, ploy_tiles,
              ploy_tiles_from_text(ploy_buffer_text(in), in->size, "#", "growth", env, diags,
                                   &made),
              ploy_tiles_destroy)
GROWTH_READER(growth_onnx, ploy_net,
              ploy_onnx_load(in->bytes, in->size, "growth", env, diags, &made), ploy_net_destroy)
GROWTH_READER(growth_fann, ploy_net,
              ploy_fann_load(in->bytes, in->size, "growth", env, diags, &made), ploy_net_destroy)

static ploy_result growth_characters(const ploy_buffer *in, int32_t count, const ploy_env *env,
                                     ploy_diags *diags) {
    (void)count;
    ploy_character_source source = {0};
    ploy_characters *made = NULL;
    ploy_result result =
        ploy_characters_load(in->bytes, in->size, "growth", &source, env, diags, &made);
    ploy_characters_destroy(made);
    return result;
}

// Links between points are left out: each takes O(points), as the header states.
// The text becomes objects, these a block, and that walls and tactical points.
static ploy_result growth_level(const ploy_buffer *in, int32_t count, const ploy_env *env,
                                ploy_diags *diags) {
    (void)count;
    ploy_level_builder *builder = NULL;
    ploy_plain_scene *scene = NULL;
    ploy_tactical_points *points = NULL;
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_tactical_points_def points_def = ploy_tactical_points_def_default();
    points_def.capacity = 4 * 500 + 1;
    ploy_level level;
    ploy_buffer block;
    ploy_buffer_init(&block, 0, env);
    ploy_writer writer = ploy_buffer_writer(&block);
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK)
        result = ploy_level_text_load(ploy_buffer_text(in), in->size, "growth", diags, builder);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    if (result == PLOY_OK) result = ploy_level_open(block.bytes, block.size, &level);
    if (result == PLOY_OK) result = ploy_plain_scene_create(&scene_def, env, &scene);
    if (result == PLOY_OK) result = ploy_level_text_walls(&level, 1, scene);
    if (result == PLOY_OK) result = ploy_tactical_points_create(&points_def, env, &points);
    if (result == PLOY_OK)
        result =
            ploy_level_text_points(&level, ploy_buffer_text(in), in->size, "growth", diags, points);
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(scene);
    ploy_level_builder_destroy(builder);
    ploy_buffer_fini(&block);
    return result;
}

// ---- CBOR, from the shapes of JSON

static void growth_make_cbor(test_context *t, const growth_shape *shape, int32_t count,
                             ploy_buffer *out) {
    ploy_env env = ploy_env_default();
    ploy_buffer text;
    ploy_json *doc = NULL;
    ploy_buffer_init(&text, 0, &env);
    growth_text(t, shape, count, &text);
    CHECK_OK(ploy_json_load(text.bytes, text.size, "growth", NULL, &env, NULL, &doc));
    ploy_writer writer = ploy_buffer_writer(out);
    CHECK_OK(ploy_cbor_save(doc, ploy_json_root(doc), &writer));
    ploy_json_destroy(doc);
    ploy_buffer_fini(&text);
}

static ploy_result growth_cbor(const ploy_buffer *in, int32_t count, const ploy_env *env,
                               ploy_diags *diags) {
    (void)count;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_result result = ploy_cbor_load(in->bytes, in->size, "growth", diags, &writer);
    ploy_buffer_fini(&text);
    return result;
}

// ---- nets

static void growth_make_net(test_context *t, const growth_shape *shape, int32_t units,
                            int32_t layers, ploy_buffer *out) {
    ploy_env env = ploy_env_default();
    ploy_net_layer all[PLOY_NET_LAYERS_MAX];
    for (int32_t i = 0; i < layers; i++) all[i] = ploy_net_dense(units, PLOY_NET_TANH);
    all[layers - 1].units = 4;
    ploy_net *net = net_random(t, ploy_net_inputs(16), all, layers, 1);
    ploy_writer writer = ploy_buffer_writer(out);
    if (shape->read == growth_fann) {
        CHECK_OK(ploy_fann_save(net, &writer, NULL));
    } else {
        CHECK_OK(ploy_onnx_save(net, &env, &writer, NULL));
    }
    ploy_net_destroy(net);
}

static void growth_make_wide(test_context *t, const growth_shape *shape, int32_t count,
                             ploy_buffer *out) {
    growth_make_net(t, shape, count, 2, out);
}

static void growth_make_deep(test_context *t, const growth_shape *shape, int32_t count,
                             ploy_buffer *out) {
    growth_make_net(t, shape, 16, count, out);
}

// As older files do: every weight is an input of the graph too.
static void growth_make_inputs(test_context *t, const growth_shape *shape, int32_t count,
                               ploy_buffer *out) {
    ploy_env env = ploy_env_default();
    ploy_buffer graph, part;
    ploy_buffer_init(&graph, 0, &env);
    for (int32_t kind = 0; kind < 2; kind++) { // initializers with a name, then inputs with it
        for (int32_t i = 0; i < count; i++) {
            ploy_buffer_init(&part, 0, &env);
            ploy_writer inner = ploy_buffer_writer(&part), outer = ploy_buffer_writer(&graph);
            char name[32];
            snprintf(name, sizeof name, "weight%d", (int)i);
            ployi_proto_write_text(&inner, kind == 0 ? 8 : 1, name);
            ployi_proto_write_bytes(&outer, kind == 0 ? 5 : 11, part.bytes, part.size);
            ploy_buffer_fini(&part);
        }
    }
    ploy_writer writer = ploy_buffer_writer(out);
    ployi_proto_write_bytes(&writer, 7, graph.bytes, graph.size);
    ploy_buffer_fini(&graph);
    (void)shape;
    (void)t;
}

// ---- saves: as many minds and as many waiting telegrams as the count

typedef struct growth_game {
    ploy_engine *engine;
    ploy_telegrams *telegrams;
} growth_game;

static ploy_result growth_think(void *user, void *state, ploy_step_context *context,
                                ploy_status *status) {
    (void)user;
    (void)state;
    (void)context;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_function growth_mind = {.name = "mind", .step = growth_think};

static ploy_result growth_game_open(growth_game *game, int32_t count, const ploy_env *env) {
    ploy_engine_def engine = ploy_engine_def_default();
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    game->engine = NULL;
    game->telegrams = NULL;
    ploy_result result = ploy_engine_create(&engine, env, &game->engine);
    if (result == PLOY_OK) result = ploy_telegrams_create(&telegrams, env, &game->telegrams);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        ploy_engine_id id;
        entry.agent = ploy_agent_id_make((uint32_t)i, 1);
        result = ploy_function_behavior(&growth_mind, env, &entry.behavior);
        if (result == PLOY_OK) result = ploy_engine_register(game->engine, &entry, &id);
    }
    return result;
}

static void growth_game_close(growth_game *game) {
    ploy_engine_destroy(game->engine);
    ploy_telegrams_destroy(game->telegrams);
}

static void growth_game_visit(ploy_visit *v, void *object) {
    growth_game *game = object;
    ploy_visit_begin(v, "telegrams", PLOY_STATE);
    ploy_telegrams_visit(v, game->telegrams);
    ploy_visit_end(v);
}

static ploy_save growth_game_save(growth_game *game) {
    ploy_save save = ploy_save_make("growth", 1);
    save.visit = growth_game_visit;
    save.object = game;
    save.engine = game->engine;
    return save;
}

static void growth_make_save(test_context *t, const growth_shape *shape, int32_t count,
                             ploy_buffer *out) {
    (void)shape;
    ploy_env env = ploy_env_default();
    growth_game game;
    CHECK_OK(growth_game_open(&game, count, &env));
    for (int32_t i = 0; i < count; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i, 1);
        CHECK_OK(
            ploy_telegrams_remind(game.telegrams, agent, ploy_name_of("wake"), 10.0 + i, NULL));
    }
    CHECK_OK(ploy_engine_step(game.engine, 0.1f, NULL, NULL));
    ploy_save save = growth_game_save(&game);
    ploy_writer writer = ploy_buffer_writer(out);
    CHECK_OK(ploy_save_write(&save, &writer));
    growth_game_close(&game);
}

static ploy_result growth_save(const ploy_buffer *in, int32_t count, const ploy_env *env,
                               ploy_diags *diags) {
    growth_game game;
    ploy_result result = growth_game_open(&game, count, env);
    ploy_save save = growth_game_save(&game);
    if (result == PLOY_OK)
        result = ploy_save_load(&save, in->bytes, in->size, "growth", env, diags);
    growth_game_close(&game);
    return result;
}

#define GROWTH_TMX_HEAD                                                                          \
    "<map version='1.10' orientation='orthogonal' width='1' height='@' tilewidth='8' tileheight" \
    "='8' infinite='0'>"
#define GROWTH_TMX_SMALL                                                                         \
    "<map version='1.10' orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight" \
    "='8' infinite='0'>"
#define GROWTH_TMJ_HEAD                                                                          \
    "{\"type\":\"map\",\"version\":\"1.10\",\"orientation\":\"orthogonal\",\"width\":1,\"height" \
    "\":@,\"tilewidth\":8,\"tileheight\":8,\"infinite\":false,"

static const growth_shape growth_shapes[] = {
    {"TMX cells as CSV", growth_tiled, 4000,
     GROWTH_TMX_HEAD "<layer id='1' name='l' width='1' height='@'><data encoding='csv'>", "1,",
     "</data></layer></map>", "", "", NULL, PLOY_OK},
    {"TMX cells as elements", growth_tiled, 2000,
     GROWTH_TMX_HEAD "<layer id='1' name='l' width='1' height='@'><data>", "<tile gid='1'/>",
     "</data></layer></map>", "", "", NULL, PLOY_OK},
    {"TMX layers", growth_tiled, 500, GROWTH_TMX_SMALL,
     "<layer id='%' name='l%' width='1' height='1'><data encoding='csv'>0</data></layer>", "</map>",
     "", "", NULL, PLOY_OK},
    {"TMX groups in groups", growth_tiled, 7, GROWTH_TMX_SMALL, "<group id='%' name='g'>", "",
     "</group>", "</map>", NULL, PLOY_OK},
    {"TMX objects", growth_tiled, 1000, GROWTH_TMX_SMALL "<objectgroup id='1' name='o'>",
     "<object id='%' name='o%' x='1' y='2'/>", "</objectgroup></map>", "", "", NULL, PLOY_OK},
    {"TMX properties", growth_tiled, 1000, GROWTH_TMX_SMALL "<properties>",
     "<property name='p%' value='v'/>", "</properties></map>", "", "", NULL, PLOY_OK},
    {"TMX points of a polygon", growth_tiled, 2000,
     GROWTH_TMX_SMALL "<objectgroup id='1' name='o'><object id='1' x='1' y='2'><polygon points='",
     "%,1 ", "'/></object></objectgroup></map>", "", "", NULL, PLOY_OK},
    {"TMX tiles of a set", growth_tiled, 1000,
     GROWTH_TMX_SMALL
     "<tileset firstgid='1' name='t' tilewidth='8' tileheight='8' tilecount='@' columns='1'>",
     "<tile id='%' type='k'/>", "</tileset></map>", "", "", NULL, PLOY_OK},
    {"TMJ cells", growth_tiled, 4000,
     GROWTH_TMJ_HEAD "\"layers\":[{\"type\":\"tilelayer\",\"id\":1,\"name\":\"l\",\"width\":1,"
                     "\"height\":@,\"data\":[",
     "1,", "]}]}", "", "", NULL, PLOY_OK},
    {"TMJ layers", growth_tiled, 500, GROWTH_TMJ_HEAD "\"layers\":[",
     "{\"type\":\"objectgroup\",\"id\":%,\"name\":\"l%\",\"objects\":[]},", "]}", "", "", NULL,
     PLOY_OK},
    {"TMJ objects", growth_tiled, 1000,
     GROWTH_TMJ_HEAD "\"layers\":[{\"type\":\"objectgroup\",\"id\":1,\"name\":\"o\",\"objects\":[",
     "{\"id\":%,\"name\":\"o%\",\"x\":1,\"y\":2},", "]}]}", "", "", NULL, PLOY_OK},
    {"TMJ properties", growth_tiled, 1000, GROWTH_TMJ_HEAD "\"layers\":[],\"properties\":[",
     "{\"name\":\"p%\",\"type\":\"int\",\"value\":%},", "]}", "", "", NULL, PLOY_OK},
    {"SGF games", growth_sgf, 50, "", "(;GM[1]SZ[9];B[ee];W[cc])\n", "", "", "", NULL, PLOY_OK},
    {"SGF nodes", growth_sgf, 2000, "(;GM[1]SZ[9]", ";C[a %]", ")", "", "", NULL, PLOY_OK},
    {"SGF properties of the root", growth_sgf, 2000, "(;GM[1]SZ[9]", "KW[%]", ")", "", "", NULL,
     PLOY_OK},
    {"SGF stones", growth_sgf, 2000, "(;GM[1]SZ[9]AB", "[aa]", ")", "", "", NULL, PLOY_OK},
    {"SGF text", growth_sgf, 8000, "(;GM[1]SZ[9]C[", "a\\] b\n", "])", "", "", NULL, PLOY_OK},
    {"SGF branches beside each other", growth_sgf, 1000, "(;GM[1]SZ[9]", "(;B[ee])", ")", "", "",
     NULL, PLOY_OK},
    {"SGF branches in branches", growth_sgf, 200, "(;GM[1]SZ[9]", "(;C[a]", "", ")", ")", NULL,
     PLOY_OK},
    {"PGN games", growth_pgn, 100, "", "[Event \"%\"]\n\n1. e4 e5 *\n\n", "", "", "", NULL,
     PLOY_OK},
    {"PGN tags", growth_pgn, 1000, "", "[Tag% \"a\"]\n", "\n1. e4 *\n", "", "", NULL, PLOY_OK},
    {"PGN moves", growth_pgn, 100, "[Event \"a\"]\n\n", "Nf3 Nf6 Ng1 Ng8\n", "*\n", "", "", NULL,
     PLOY_OK},
    {"PGN comments", growth_pgn, 2000, "[Event \"a\"]\n\n1. e4 ", "{comment %} ", "*\n", "", "",
     NULL, PLOY_OK},
    {"PGN variations beside each other", growth_pgn, 1000, "[Event \"a\"]\n\n1. e4 ", "(1. d4) ",
     "*\n", "", "", NULL, PLOY_OK},
    {"PGN variations in variations", growth_pgn, 1000, "[Event \"a\"]\n\n1. e4 ", "(1. d4 ", "",
     ")", " *\n", NULL, PLOY_OK},
    {"PDN games", growth_pdn, 100, "", "[Event \"%\"]\n\n1. 11-15 23-19 *\n\n", "", "", "", NULL,
     PLOY_OK},
    {"EPD positions", growth_epd, 200, "", "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+; id \"%\";\n", "",
     "", "", NULL, PLOY_OK},
    {"Othello positions", growth_obf, 500, "",
     "---------------------------OX------XO--------------------------- X; D3:+0;\n", "", "", "",
     NULL, PLOY_OK},
    {"patterns of movement", growth_moves, 500, "{\"patterns\":[",
     "{\"name\":\"p%\",\"end\":\"loop\",\"moves\":[{\"forward\":1}]},",
     "{\"name\":\"z\",\"end\":\"loop\",\"moves\":[{}]}]}", "", "", NULL, PLOY_OK},
    {"moves of a pattern", growth_moves, 1000,
     "{\"patterns\":[{\"name\":\"p\",\"end\":\"loop\",\"moves\":[", "{\"forward\":1},", "{}]}]}",
     "", "", NULL, PLOY_OK},
    {"kinds of characters", growth_characters, 500, "{\"characters\":{", "\"k%\":{},", "}}", "", "",
     NULL, PLOY_OK},
    {"kinds like the kind before", growth_characters, 500, "{\"characters\":{\"k\":{},",
     "\"k%\":{\"like\":\"k\"},", "}}", "", "", NULL, PLOY_OK},
    {"rows of a table", growth_rows, 2000, "a,b,c\n", "%,x,1.5\n", "", "", "", NULL, PLOY_OK},
    {"classes of a table", growth_rows, 500, "a,b\n", "1,c%\n", "", "", "", NULL, PLOY_OK},
    {"rows of tiles", growth_tiles, 1000, "", "#..#\n", "", "", "", NULL, PLOY_OK},
    {"walls of a level", growth_level, 500, "", "wall % 0 % 1\n", "", "", "", NULL, PLOY_OK},
    {"points of a level", growth_level, 500, "", "object p% point % 2 cover=0.5\n", "", "", "",
     NULL, PLOY_OK},
    {"tags of an object", growth_level, 7, "object a thing 0 0", " t%=1", "\n", "", "", NULL,
     PLOY_OK},
    {"kinds of items of a level", growth_level, 7, "", "kind k%\nitem k% 1 1 2\n", "", "", "", NULL,
     PLOY_OK},
    {"comments of a level", growth_level, 2000, "", "# comment %\n", "", "", "", NULL, PLOY_OK},
    {"overrides of a level", growth_overrides, 500, "", "add node % 2.5\n", "", "", "", NULL,
     PLOY_OK},
    {"CBOR numbers", growth_cbor, 4000, "[", "%,", "0]", "", "", growth_make_cbor, PLOY_OK},
    {"CBOR texts", growth_cbor, 2000, "[", "\"text %\",", "0]", "", "", growth_make_cbor, PLOY_OK},
    {"CBOR keys", growth_cbor, 2000, "{", "\"k%\":1,", "\"z\":0}", "", "", growth_make_cbor,
     PLOY_OK},
    {"CBOR nesting", growth_cbor, 15, "", "[", "", "]", "", growth_make_cbor, PLOY_OK},
    {"ONNX wide net", growth_onnx, 400, "", "", "", "", "", growth_make_wide, PLOY_OK},
    {"ONNX deep net", growth_onnx, 15, "", "", "", "", "", growth_make_deep, PLOY_OK},
    {"ONNX inputs that are weights", growth_onnx, 500, "", "", "", "", "", growth_make_inputs,
     PLOY_ERR_FORMAT}, // the graph has no other input
    {"FANN wide net", growth_fann, 200, "", "", "", "", "", growth_make_wide, PLOY_OK},
    {"saved minds and telegrams", growth_save, 40, "", "", "", "", "", growth_make_save, PLOY_OK},
};

TEST(readers_of_files_work_in_proportion_to_their_input) {
    growth_check(t, growth_shapes, COUNT_OF(growth_shapes));
}
