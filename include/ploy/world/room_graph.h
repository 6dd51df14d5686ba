/// @file ploy/world/room_graph.h
/// Sense graphs: rooms and the links between them, so that sound travels around corners and not
/// through walls.
///
/// A node is a region in which signals pass freely: a room, a stretch of corridor, a yard. A link
/// leads from one to another in one direction: a door, a window, a duct that carries smell alone, a
/// camera that carries sight alone. Nodes and links have an attenuation for each modality, a factor
/// per metre; 0 on a link blocks. A link has the positions of both its ends and a separate length,
/// which need not be the distance between them. ploy_room_senses (ploy/world/room_senses.h)
/// computes which agents sense what in such a graph; the graph itself never changes.
///
/// Sight is not carried from room to room, so rooms that see each other need a link even if a third
/// room is in between; sound and smell need links only between neighbours.
///
/// Technique: the finite-element model of Millington, "AI for Games", sense management, as a
/// general directed graph: rooms are linked in both directions, so the graph cannot be acyclic.
///
/// Units: metres; dissipation is the share lost in a second. Cost: create O(n log n), finding the
/// node of a point O(log n + overlapping). Memory: one block. Threads: immutable; any thread.
#pragma once

#include "ploy/base/json.h"
#include "ploy/geom/scene.h"
#include "ploy/world/sense.h"
#include "ploy/world/zone.h"

/// Maximum number of nodes and of links in a graph.
#define PLOY_ROOM_GRAPH_MAX (1 << 20)

/// A region, by modality. Start from ploy_room_make.
typedef struct ploy_room {
    const char *name;                       ///< unique; copied by the graph
    ploy_zone zone;                         ///< corners copied
    float attenuation[PLOY_MODALITIES_MAX]; ///< factor for each metre, 0 to 1
    float dissipation[PLOY_MODALITIES_MAX]; ///< of smells: share lost in a second, 0 to 1
} ploy_room;

/// A link from one region to another, by modality. Start from ploy_room_link_make.
typedef struct ploy_room_link {
    int32_t from, to;
    ploy_vec3 start, end; ///< its ends in `from` and in `to`; may be the same point
    float distance;       ///< m from end to end, at least 0
    float attenuation[PLOY_MODALITIES_MAX]; ///< factor for each metre; 0 blocks
} ploy_room_link;

/// Returns a region in which each modality spreads as in open terrain.
PLOY_API ploy_room ploy_room_make(const char *name, ploy_zone zone,
                                  const ploy_modalities *modalities);
/// Returns a link in which each modality spreads as in open terrain; its length is the distance
/// between its ends.
PLOY_API ploy_room_link ploy_room_link_make(int32_t from, int32_t to, ploy_vec3 start,
                                            ploy_vec3 end, const ploy_modalities *modalities);

/// Opaque.
typedef struct ploy_room_graph ploy_room_graph;

/// @param modalities  kept; must outlive the graph.
/// @return PLOY_ERR_ARGUMENT for invalid counts, zones, numbers or ends (the log names them),
///         PLOY_ERR_EXISTS for two nodes with the same name, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_room_graph_create(const ploy_room *nodes, int32_t node_count,
                                            const ploy_room_link *links, int32_t link_count,
                                            const ploy_modalities *modalities, const ploy_env *env,
                                            ploy_room_graph **out);
PLOY_API void ploy_room_graph_destroy(ploy_room_graph *graph);

PLOY_API int32_t ploy_room_graph_node_count(const ploy_room_graph *graph);
PLOY_API int32_t ploy_room_graph_link_count(const ploy_room_graph *graph);
/// NULL out of range.
PLOY_API const ploy_room *ploy_room_graph_node(const ploy_room_graph *graph, int32_t index);
PLOY_API const ploy_room_link *ploy_room_graph_link(const ploy_room_graph *graph, int32_t index);
/// Returns the indexes of the links that leave a node. @param count  how many; 0 out of range.
PLOY_API const int32_t *ploy_room_graph_out(const ploy_room_graph *graph, int32_t node,
                                            int32_t *count);
/// Returns the node with that name, or -1.
PLOY_API int32_t ploy_room_graph_find(const ploy_room_graph *graph, const char *name);
/// Returns the node that contains a point: the one with the lowest index if several do, -1 if none
/// does.
PLOY_API int32_t ploy_room_graph_locate(const ploy_room_graph *graph, ploy_vec3 point);

/// Writes the graph as JSON, which ploy_room_graph_load reads back to the same bits.
PLOY_API void ploy_room_graph_save(const ploy_room_graph *graph, ploy_json_writer *json);

/// Reads {"nodes": [{"name": "hall", "zone": {...}, "attenuation": {"sound": 0.9}, "dissipation":
/// {"smell": 0.1}}], "links": [{"from": "hall", "to": "cell", "start": [x, y, z], "end": [x, y, z],
/// "distance": 1, "both": true, "attenuation": {"sight": 0}}]}. Modalities not named are as in open
/// terrain. "end" defaults to the start and "distance" to the distance between the ends; "both"
/// makes two links.
/// @param diags  receives every fault with its position; may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, or the error of create.
PLOY_API ploy_result ploy_room_graph_load(const void *bytes, size_t size, const char *name,
                                          const ploy_modalities *modalities, const ploy_env *env,
                                          ploy_diags *diags, ploy_room_graph **out);

/// Warns of valid but suspicious contents: a node that no link leaves or enters, a link that
/// carries nothing, a modality that no link carries, a link whose end is outside its node.
/// @param name  of the file. @return the number of warnings.
PLOY_API int32_t ploy_room_graph_lint(const ploy_room_graph *graph, const char *name,
                                      ploy_diags *diags);

/// Settings of a draft.
typedef struct ploy_room_draft_def {
    uint32_t cookie;
    float spacing;   ///< m between the points from which rays are cast
    float gap;       ///< m, thickest wall whose openings are found
    float eye;       ///< m, height of the rays above a zone's floor (above 0 without one)
    int32_t samples; ///< maximum number of points of a zone for sight
} ploy_room_draft_def;

PLOY_API ploy_room_draft_def ploy_room_draft_def_default(void);
PLOY_API ploy_fields ploy_room_draft_fields(void);

/// Creates a first graph from regions and walls, to be corrected by hand: save it, edit the text,
/// load it. Neighbours are linked in both directions where rays pass from one to the other, at the
/// middle of the opening. For modalities of sight, regions farther apart are linked too if any
/// point of one sees any point of the other.
/// @param nodes  as for create; @param scene  the walls; NULL: none. @param mask  of layers.
PLOY_API ploy_result ploy_room_graph_draft(const ploy_room_draft_def *def, const ploy_room *nodes,
                                           int32_t node_count, const ploy_scene *scene,
                                           uint32_t mask, const ploy_modalities *modalities,
                                           const ploy_env *env, ploy_room_graph **out);

/// Describes the graph as DERIVED, because immutable data is not state.
PLOY_API void ploy_room_graph_describe(const ploy_room_graph *graph, ploy_describe *out);
/// Draws regions as outlines with their names, and links as lines from end to end.
PLOY_API void ploy_room_graph_draw(const ploy_room_graph *graph, ploy_draw *out);
PLOY_API void ploy_room_graph_memory(const ploy_room_graph *graph, ploy_memory_fn fn, void *user);
