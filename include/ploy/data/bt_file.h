/// @file ploy/data/bt_file.h
/// Behavior trees from files: BehaviorTree.CPP 4 XML, and the same content as JSON.
///
/// A loaded document owns its trees, the layouts of their blackboards, their expressions and texts.
/// The game provides its leaves as a table, by name; everything else is in the file:
///
///     <root BTCPP_format="4">
///       <BehaviorTree ID="Guard">
///         <Fallback>
///           <Sequence _skipIf="health &lt; 20">
///             <SeesEnemy enemy="{enemy}"/>  <Attack target="{enemy}"/>
///           </Sequence>
///           <SubTree ID="Patrol" speed="1.5" _autoremap="true"/>
///         </Fallback>
///       </BehaviorTree> ...
///
/// Blackboard layouts are static. If the game provides a layout (def.layout), the document binds to
/// it: keys and types are checked at load. Otherwise each tree gets a layout of every key that its
/// ports, scripts and sub-trees name. Each key then has one type: that of the ports it is bound to,
/// else of the values that scripts assign, else of its literals, else text; keys that sub-trees
/// remap to each other share a type. Two faults that BehaviorTree.CPP finds at run time are
/// reported at load: ports of different types on one key, and a script that reads or assigns (`=`)
/// a key that is never written. `{@key}` refers to the main tree's key from any tree.
///
/// JSON has the same nodes and attributes under the same names:
///
///     {"format": "ploy.bt", "main": "Guard", "trees": [
///       {"id": "Guard", "root": {"type": "Fallback", "children": [
///         {"type": "SubTree", "id": "Patrol", "attributes": {"speed": 1.5, "_autoremap": true}}]}}]}
///
/// All faults are reported at once, with line, column and the nearest valid name. Node names are
/// those of ploy_bt_kind_text; ploy's own nodes have these attributes: RandomSelector `tries`,
/// UntilFail and Timeout `result`, Restart `num_cycles`, Cooldown `msec`, Limit `max`,
/// SemaphoreGuard `semaphore` and `max`, Gate `open`, Signal `node` and `result`, Sleep `max_msec`.
///
/// Numbers and times of nodes may come from keys (`num_attempts="{n}"`, `msec="{t}"`), and the
/// queue of a Loop (`queue="{todo}"`: a text of values separated by ';', from which each turn takes
/// the first). Not available in files: nodes that need functions or layouts of the game
/// (UtilityFallback, BlackboardScope).
///
/// Cost: linear in the text, and O(keys) for each SubTree. Threads: a loaded document may be used
/// by many at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/decide/bt_builder.h"
#include "ploy/exec/maker.h"

/// A leaf of the game, or a control or decorator (a leaf with `choose`): what a node of that name
/// does.
typedef struct ploy_bt_file_leaf {
    const ploy_bt_leaf *leaf; ///< its texts and functions must outlive the document
    void *user;               ///< for its callbacks
    bool any_port;            ///< accepts and ignores attributes that are not ports of the leaf
} ploy_bt_file_leaf;

/// A behavior of the game: a planner, a machine, another document's tree. A node of that name runs
/// it on the board of the tree that the node is in; it takes no ports.
typedef struct ploy_bt_file_maker {
    const char *name;
    ploy_maker maker; ///< what it refers to must outlive the document
} ploy_bt_file_maker;

/// Called for node names that are in no table. @return PLOY_OK with *out set, or
/// PLOY_ERR_NOT_FOUND.
typedef ploy_result (*ploy_bt_file_find_fn)(void *user, const char *name, ploy_bt_file_leaf *out);

/// Reads an included file into bytes, which the caller initializes and frees.
/// @param path  as written in the file, appended to the folder of the including file.
typedef ploy_result (*ploy_bt_file_read_fn)(void *user, const char *path, ploy_buffer *bytes);

/// Settings for loading a document. Start from ploy_bt_file_def_default(). Tables are read only
/// during the load; the leaves that they point to must outlive the document.
typedef struct ploy_bt_file_def {
    uint32_t cookie;
    bool relaxed; ///< raw '<' and '&' in attribute values, as some tools write them
    const ploy_bt_file_leaf *leaves;
    int32_t leaf_count;
    const ploy_bt_file_maker *makers;
    int32_t maker_count;
    const ploy_word *words; ///< functions that conditions and scripts may call
    int32_t word_count;
    ploy_bt_file_find_fn find; ///< NULL: unknown names are faults
    void *find_user;
    const ploy_expression_constant *constants; ///< names of numbers in scripts and literals
    int32_t constant_count;
    /// The game's layout: every tree that is not a sub-tree of another runs on boards of this
    /// layout. Such a tree may use only its keys, with their types. It must outlive the document.
    /// NULL: each tree gets a layout of the keys that it uses.
    const ploy_blackboard_layout *layout;
    /// Without a layout: keys that the game adds to the main tree's board. If the type is none, the
    /// file's use of the key decides, otherwise the type of the initial value; an initial value
    /// that does not convert to that type is ignored.
    const ploy_blackboard_key *keys;
    int32_t key_count;
    ploy_bt_file_read_fn read; ///< NULL: includes are faults
    void *read_user;
    const char *main; ///< ID of the main tree; NULL: the one named in the file
} ploy_bt_file_def;

PLOY_API ploy_bt_file_def ploy_bt_file_def_default(void);
PLOY_API ploy_fields ploy_bt_file_fields(void);

/// A document. Opaque.
typedef struct ploy_bt_file ploy_bt_file;

/// Reads XML, or JSON if the first character is '{'.
/// @param name   of the file, for messages and for includes; copied.
/// @param diags  may be NULL; also receives the warnings of ploy_bt_builder_build.
/// @return PLOY_ERR_FORMAT for faults of the text, PLOY_ERR_NOT_FOUND for unknown nodes, trees and
///         keys, PLOY_ERR_LIMIT, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; or the error of read or find.
PLOY_API ploy_result ploy_bt_file_load(const void *bytes, size_t size, const char *name,
                                       const ploy_bt_file_def *def, const ploy_env *env,
                                       ploy_diags *diags, ploy_bt_file **out);
/// Frees the document with its trees; destroy their instances first. NULL is allowed.
PLOY_API void ploy_bt_file_destroy(ploy_bt_file *file);

/// Returns the main tree: the one named in the def, else the one named in the file, else the only
/// tree, else "MainTree", else the only tree that is not a sub-tree of another. NULL if none of
/// these applies.
PLOY_API const ploy_bt *ploy_bt_file_main(const ploy_bt_file *file);
/// Returns the tree with that ID, or NULL.
PLOY_API const ploy_bt *ploy_bt_file_find(const ploy_bt_file *file, const char *id);
/// The trees in the order of the text, those of included files after the including file; NULL out
/// of range.
PLOY_API int32_t ploy_bt_file_count(const ploy_bt_file *file);
PLOY_API const ploy_bt *ploy_bt_file_at(const ploy_bt_file *file, int32_t index);
/// Returns the layout of the blackboards on which a tree of the document runs; NULL for any other
/// tree.
PLOY_API const ploy_blackboard_layout *ploy_bt_file_layout(const ploy_bt_file *file,
                                                           const ploy_bt *bt);

/// Writes the whole document, with all included files, as one file.
PLOY_API ploy_result ploy_bt_file_save_xml(const ploy_bt_file *file, ploy_writer *writer);
PLOY_API ploy_result ploy_bt_file_save_json(const ploy_bt_file *file, ploy_writer *writer);

/// Reports the bytes held, without those of the trees and expressions themselves.
PLOY_API void ploy_bt_file_memory(const ploy_bt_file *file, ploy_memory_fn fn, void *user);
