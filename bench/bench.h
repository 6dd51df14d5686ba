// The harness behind `ploy bench`.
//
// Every claim about speed is one entry of the table in benches.c: what it costs, beside what a real
// peer takes for the same work and, where there is one, beside a floor that no code can pass. All of
// them run in turns in the same run, so that a busy machine slows each alike, and the best of
// several passes counts: noise only ever adds.
//
// A benchmark is a function that makes its data and hands its sides to bench_measure:
//
//     static void my_work(void *self) { ... }                      // that many operations
//
//     void bench_my_thing(bench_run *run) {
//         bench_measure(run, bench_call(my_work, &data, 1000), bench_node(run, "peer.mjs"),
//                       bench_nothing());
//     }
//
// Peers are files in bench/peers, under Node or built as programs, that speak lines: they begin with "ready NAME VERSION"
// or "missing WHY", answer "pass" with nanoseconds per operation, and any other word as they like.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_run bench_run;

typedef struct bench_entry {
    const char *name;       // "move.seek", or "move.step/100" for one of several inputs
    const char *help;       // what one operation is
    const char *peer_name;  // NULL: no peer
    const char *floor_name; // NULL: no floor
    double want;            // least ratio peer / ours for --check; 0: none
    void (*run)(bench_run *run);
    int64_t size; // for run, by bench_size
} bench_entry;

// Every benchmark, ended by one without a name. In benches.c.
const bench_entry *ploy_benches(void);

// The most that ours may cost, as a multiple of the floor, for --check.
typedef struct bench_limit {
    const char *name; // of a benchmark, or of all below it: "move.single"
    double most;
} bench_limit;

// Every limit, ended by one without a name. In benches.c.
const bench_limit *ploy_bench_limits(void);

// Who shows how far the run is. Called before each benchmark with its place among those that were chosen, and with
// done < 0 before its row is printed.
typedef struct bench_watch {
    void (*at)(void *user, int32_t done, int32_t of);
    void *user;
} bench_watch;

// `ploy bench [NAME...] [--json] [--check] [--list]`; the words after `bench`. watch may be NULL. Returns the exit
// status: 0, 1 if --check found a ratio below its required minimum or a cost above its limit, 2 for bad usage.
int ploy_bench_main(int argc, char **argv, const bench_watch *watch);

// ---- for benchmarks ----

// Something that can be measured. Made by the calls below.
typedef struct bench_side {
    void (*work)(void *self); // does `operations` operations
    void *self;
    double operations;
    int32_t child;  // number of a child process instead, -1 for none
    int32_t slices; // how often a pass does the work; the fastest counts
} bench_side;

// The size of the entry that runs.
int64_t bench_size(const bench_run *run);
// A function of this process.
bench_side bench_call(void (*work)(void *self), void *self, double operations);
// The same, the fastest of that many in each pass: beside a peer that is measured in slices too.
bench_side bench_call_sliced(void (*work)(void *self), void *self, double operations,
                             int32_t slices);
// A peer under Node, started now and ended with the run. If it cannot run, the row says why.
bench_side bench_node(bench_run *run, const char *file);
// The same with an argument.
bench_side bench_node_with(bench_run *run, const char *file, const char *argument);
// A peer that is a program built from bench/peers, where its library was found; with one argument.
bench_side bench_program(bench_run *run, const char *file, const char *argument);
// No such side.
bench_side bench_nothing(void);
// Measures ours, and peer and floor where they are, in turns. Call it once.
void bench_measure(bench_run *run, bench_side ours, bench_side peer, bench_side floor);
// Asks a child anything: sends the word, reads a number. False if it gave none.
bool bench_ask(bench_run *run, bench_side side, const char *word, double *out);
// The measured row is worth nothing, and why: --check fails.
void bench_fail(bench_run *run, const char *why);
// Something worth knowing of the row, printed below it.
void bench_note(bench_run *run, const char *text);
// Keeps a result alive, so that the work behind it is not optimised away.
void bench_keep(const void *result);

// ---- the benchmarks, one file for each family ----

void bench_exec_importance(bench_run *run); // bench_exec_lod.c
void bench_exec_lod(bench_run *run);        // bench_exec_lod.c
void bench_exec_people(bench_run *run);     // bench_exec_lod.c

void bench_board_search(bench_run *run);      // bench_board.c
void bench_board_mcts(bench_run *run);        // bench_board.c
void bench_board_chess_perft(bench_run *run); // bench_board_chess.c
void bench_board_connect4(bench_run *run);    // bench_board_games.c
void bench_board_othello(bench_run *run);
void bench_board_go(bench_run *run);

void bench_tactics_influence(bench_run *run); // bench_tactics.c
void bench_tactics_blur(bench_run *run);
void bench_tactics_convolve(bench_run *run);
void bench_tactics_automaton(bench_run *run);
void bench_tactics_visibility(bench_run *run); // bench_tactics_level.c
void bench_tactics_flood(bench_run *run);
void bench_tactics_query(bench_run *run);
void bench_tactics_assess(bench_run *run);
void bench_tactics_server(bench_run *run); // bench_tactics.c

void bench_script_call(bench_run *run); // bench_script.c
void bench_script_pairs(bench_run *run);
void bench_script_fib(bench_run *run);
void bench_script_loop(bench_run *run);
void bench_script_minds(bench_run *run);
void bench_script_load(bench_run *run);
void bench_script_bind(bench_run *run); // bench_script_bind.c

void bench_geom_grid(bench_run *run);           // bench_geom_index.c
void bench_geom_kdtree(bench_run *run);         // bench_geom_index.c
void bench_geom_kdtree_nearest(bench_run *run); // bench_geom_index.c
void bench_geom_bvh(bench_run *run);            // bench_geom_index.c
void bench_geom_bvh_ray(bench_run *run);        // bench_geom_index.c
void bench_geom_quadtree(bench_run *run);       // bench_geom_index.c

void bench_geom_scene_ray(bench_run *run);   // bench_geom_scene.c
void bench_geom_scene_sweep(bench_run *run); // bench_geom_scene.c
void bench_geom_scene_move(bench_run *run);  // bench_geom_scene.c
void bench_geom_cdt(bench_run *run);         // bench_geom_cdt.c
void bench_geom_cdt_edit(bench_run *run);    // bench_geom_cdt.c
void bench_geom_cdt_locate(bench_run *run);  // bench_geom_cdt.c

void bench_geom_heightfield_height(bench_run *run); // bench_geom_curves.c
void bench_geom_heightfield_ray(bench_run *run);    // bench_geom_curves.c
void bench_geom_spline_at(bench_run *run);          // bench_geom_curves.c
void bench_geom_spline_along(bench_run *run);       // bench_geom_curves.c
void bench_geom_spline_find(bench_run *run);        // bench_geom_curves.c
void bench_geom_spline_near(bench_run *run);        // bench_geom_curves.c

void bench_move_seek(bench_run *run);        // bench_move.c
void bench_move_seek_batch(bench_run *run);  // bench_move.c
void bench_move_step_single(bench_run *run); // bench_move.c
void bench_move_step(bench_run *run);        // bench_move.c

void bench_world_sight(bench_run *run); // bench_world_sight.c

void bench_geom_boolean(bench_run *run);    // bench_geom_areas.c
void bench_geom_visibility(bench_run *run); // bench_geom_areas.c
void bench_geom_merge(bench_run *run);      // bench_geom_areas.c
void bench_geom_voronoi(bench_run *run);    // bench_geom_areas.c

void bench_world_dispatch(bench_run *run);       // bench_world.c
void bench_world_dispatch_later(bench_run *run); // bench_world.c

void bench_exec_schedule(bench_run *run); // bench_exec.c
void bench_exec_idle(bench_run *run);     // bench_exec.c
void bench_exec_engine(bench_run *run);   // bench_exec.c
void bench_exec_group(bench_run *run);    // bench_exec.c
void bench_exec_parallel(bench_run *run); // bench_exec.c

void bench_world_sense_graph(bench_run *run); // bench_world_graph.c
void bench_world_triggers(bench_run *run);    // bench_world_triggers.c

void bench_learn_tree(bench_run *run);        // bench_learn.c
void bench_learn_bayes(bench_run *run);       // bench_learn.c
void bench_learn_ngram(bench_run *run);       // bench_learn.c
void bench_learn_q(bench_run *run);           // bench_learn.c
void bench_learn_net_forward(bench_run *run); // bench_learn_net.c
void bench_learn_net_train(bench_run *run);   // bench_learn_net.c
void bench_learn_net_batch(bench_run *run);   // bench_learn_net.c

void bench_path_navmesh(bench_run *run);          // bench_path_navmesh.c
void bench_path_navmesh_polygons(bench_run *run); // bench_path_navmesh.c
void bench_path_navmesh_exact(bench_run *run);    // bench_path_navmesh.c
void bench_path_navmesh_nearest(bench_run *run);  // bench_path_navmesh.c
void bench_path_navmesh_ray(bench_run *run);      // bench_path_navmesh.c
void bench_path_navmesh_tiles(bench_run *run);    // bench_path_navmesh.c

void bench_path_level_path(bench_run *run);    // bench_path_level.c
void bench_path_level_exact(bench_run *run);   // bench_path_level.c
void bench_path_level_nearest(bench_run *run); // bench_path_level.c
void bench_path_level_ray(bench_run *run);     // bench_path_level.c

void bench_decide_fsm(bench_run *run);   // bench_decide_fsm.c
void bench_decide_fuzzy(bench_run *run); // bench_decide_fuzzy.c
void bench_decide_hsm(bench_run *run);   // bench_decide_hsm.c

void bench_decide_program(bench_run *run);        // bench_decide_program.c
void bench_decide_program_resume(bench_run *run); // bench_decide_program.c

void bench_decide_goap(bench_run *run);          // bench_decide_goap.c
void bench_decide_rules_manners(bench_run *run); // bench_decide_rules.c
void bench_decide_rules_waltz(bench_run *run);   // bench_decide_rules.c
void bench_decide_rules_join(bench_run *run);    // bench_decide_rules.c

// Bytes of a character's instance in decide.bt.crowd, on 64-bit machines; the benchmark checks it.
#define BENCH_DECIDE_BT_BYTES 304
#define BENCH_DECIDE_BT_TEXT "304"
void bench_decide_bt(bench_run *run);        // bench_decide_bt.c
void bench_decide_bt_resume(bench_run *run); // bench_decide_bt.c
void bench_decide_bt_crowd(bench_run *run);  // bench_decide_bt.c
void bench_decide_bt_load(bench_run *run);   // bench_decide_bt_load.c

void bench_move_flock(bench_run *run);          // bench_move_flock.c
void bench_move_flock_parallel(bench_run *run); // bench_move_flock.c
void bench_move_single(bench_run *run);         // bench_move_single.c
void bench_move_sources(bench_run *run);        // bench_move_sources.c
void bench_move_crowd(bench_run *run);          // bench_move_crowd.c
void bench_move_crowd_detour(bench_run *run);   // bench_move_crowd.c

void bench_path_grid_astar(bench_run *run);       // bench_path_grid.c
void bench_path_grid_jps(bench_run *run);         // bench_path_grid.c
void bench_path_grid_fast(bench_run *run);        // bench_path_grid.c
void bench_path_grid_edit(bench_run *run);        // bench_path_grid.c
void bench_path_grid_unreachable(bench_run *run); // bench_path_grid.c

void bench_generate_erosion(bench_run *run); // bench_generate_land.c
void bench_generate_river(bench_run *run);   // bench_generate_land.c
void bench_generate_lsystem(bench_run *run); // bench_generate_land.c
void bench_generate_dungeon(bench_run *run); // bench_generate_levels.c
void bench_generate_maze(bench_run *run);    // bench_generate_levels.c
void bench_generate_cave(bench_run *run);    // bench_generate_levels.c

void bench_play_soccer(bench_run *run);      // bench_play.c
void bench_play_squad(bench_run *run);       // bench_play.c
void bench_play_raven(bench_run *run);       // bench_play.c
void bench_play_raven_large(bench_run *run); // bench_play.c
void bench_play_village(bench_run *run);     // bench_play.c
void bench_path_grid_js(bench_run *run);     // bench_path_grid.c
void bench_path_flow(bench_run *run);        // bench_path_field.c
void bench_path_flow_repair(bench_run *run); // bench_path_field.c
void bench_path_angle(bench_run *run);       // bench_path_field.c
void bench_path_anya(bench_run *run);        // bench_path_field.c
void bench_path_blocks(bench_run *run);      // bench_path_field.c
void bench_path_blocks_edit(bench_run *run); // bench_path_field.c
void bench_path_grid_wall(bench_run *run);   // bench_path_field.c
void bench_inspect_stream(bench_run *run);   // bench_inspect.c
void bench_inspect_flood(bench_run *run);    // bench_inspect.c
void bench_path_batch(bench_run *run);       // bench_path_batch.c
void bench_path_batch_grid(bench_run *run);  // bench_path_batch.c

void bench_generate_noise(bench_run *run);        // bench_generate.c
void bench_generate_noise_single(bench_run *run); // bench_generate.c
void bench_generate_wfc(bench_run *run);          // bench_generate_levels.c
void bench_data_tiled(bench_run *run);            // bench_generate_levels.c
void bench_generate_scatter(bench_run *run);      // bench_generate.c
