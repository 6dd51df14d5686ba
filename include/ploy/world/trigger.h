/// @file ploy/world/trigger.h
/// Triggers: zones in which something happens to agents.
///
/// A pressure plate, a lever, a health pack that respawns, the noise of a shot, a body that a guard
/// finds, a hint for a player on the third visit: each is one ploy_trigger_def, a zone and a few
/// settings, owned by a ploy_triggers. Nothing is subclassed; events are reported to a callback, or
/// sent as a ploy_message.
///
///     ploy_trigger_def pack = ploy_trigger_def_giver(zone, ploy_name_of("health"), 50, 600);
///     ploy_triggers_add(triggers, &pack, &id);
///     ploy_triggers_add_agent(triggers, guard, NULL);
///     ploy_triggers_step(triggers, now, &poses, on_trigger, game);      // each tick
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 7: in each step all triggers are
/// updated (respawning, fading), then every agent whose own regulator is due tries the triggers
/// that it touches. An item taken in tick k with a pause of N ticks can therefore be taken again in
/// tick k + N, and a trigger that lives L ticks is tried in exactly L ticks. Unlike in the book, an
/// agent hears a sound once and never its own, and only triggers near an agent are tested: a
/// hierarchy of boxes finds them, with the same results as testing all.
///
/// Order: triggers by the index of their id, agents in the order of their slots, which are reused.
/// All contacts are found before the first callback runs, so callbacks may add, remove, move and
/// switch triggers and agents freely: events of removed or inactive ones are no longer reported,
/// and new ones take part from the next step on.
///
/// Units: metres, seconds; one step is one tick. Cost: O(triggers) simple updates, and O(log
/// triggers + touched) for each agent that is due; nothing is allocated once warm. Memory: about
/// 350 bytes per trigger including its index entry, 100 per agent. Threads: one caller at a time.
#pragma once

#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/world/pose.h"
#include "ploy/world/zone.h"

/// When a trigger fires.
typedef enum ploy_trigger_when {
    PLOY_TRIGGER_TOUCH, ///< at each test of an agent that touches it: items
    PLOY_TRIGGER_ENTER, ///< when an agent enters: plates, hints, ambushes
    PLOY_TRIGGER_LEAVE, ///< when an agent leaves: doors that close
    PLOY_TRIGGER_EACH,  ///< once for each agent, ever: sounds, alarms, drops of blood
    PLOY_TRIGGER_USE,   ///< when an agent in it calls ploy_triggers_use: levers, switches
    PLOY_TRIGGER_WHEN_COUNT
} ploy_trigger_when;

/// What happens to a trigger after it has fired.
typedef enum ploy_trigger_after {
    PLOY_TRIGGER_STAYS,    ///< it can fire again immediately
    PLOY_TRIGGER_RESPAWNS, ///< it is inactive for a while, then active again at the same place
    PLOY_TRIGGER_ONCE,     ///< it is removed
    PLOY_TRIGGER_AFTER_COUNT
} ploy_trigger_after;

/// Events that a trigger reports in addition to firing; bits of `ploy_trigger_def.tells`.
enum {
    PLOY_TRIGGER_TELLS_ENTER = 1,
    PLOY_TRIGGER_TELLS_STAY = 2, ///< at each further test of an agent inside
    PLOY_TRIGGER_TELLS_LEAVE = 4,
    PLOY_TRIGGER_TELLS_BACK = 8, ///< it has respawned
    PLOY_TRIGGER_TELLS_END = 16  ///< its life is over and it is removed, in the step after its last
};

/// The mask with which all agents can fire the trigger.
#define PLOY_TRIGGER_ALL 0xffffffffu

/// Settings of one trigger. Start from ploy_trigger_def_default() or one of the makers below.
typedef struct ploy_trigger_def {
    uint32_t cookie;
    ploy_trigger_when when;
    ploy_trigger_after after;
    int32_t respawn_ticks; ///< pause after firing; or
    float respawn_s;       ///< s, if above 0: by the clock, for steps of uneven length
    int32_t life_ticks;    ///< tested in this many steps, then removed; 0: no end
    float life_s;          ///< s, if above 0: by the clock
    int32_t visits;        ///< fires from this occasion on; 3: the third time
    bool visits_each;      ///< occasions are counted separately for each agent
    bool visits_again;     ///< the count restarts after firing: every third time
    bool active;           ///< at first
    bool skip_source;      ///< the source does not trigger it
    int32_t tells;         ///< PLOY_TRIGGER_TELLS_ bits
    int32_t node;          ///< of the navigation graph where it is, -1 for none: for planners
    float amount;          ///< the amount given: health, rounds, loudness
    // Not in the field table, because they have no text form:
    uint32_t mask;        ///< agents whose mask shares a bit can fire it
    ploy_name kind;       ///< of the message: "health", "gunshot"
    ploy_name item;       ///< what is given or made
    ploy_agent_id source; ///< whose shot, body or blood it is
    uint64_t user;        ///< for the game
    ploy_zone zone;       ///< where; corners are copied
} ploy_trigger_def;

/// Returns the default: touch, stays, active, all agents; a circle of 1 m at the origin.
PLOY_API ploy_trigger_def ploy_trigger_def_default(void);
PLOY_API ploy_fields ploy_trigger_fields(void);

/// Fires on entering, and reports leaving: plates, doors, alarms.
PLOY_API ploy_trigger_def ploy_trigger_def_plate(ploy_zone zone, ploy_name kind);
/// Gives an amount of an item to an agent that touches it, then is inactive for this many ticks (0
/// or less: forever). The kind is the item's name.
PLOY_API ploy_trigger_def ploy_trigger_def_giver(ploy_zone zone, ploy_name item, float amount,
                                                 int32_t respawn_ticks);
/// Heard once by each agent within reach, except its source, during this many ticks.
/// ploy_trigger_sound_ticks returns the number needed.
PLOY_API ploy_trigger_def ploy_trigger_def_sound(ploy_vec3 at, float reach, ploy_name kind,
                                                 ploy_agent_id source, int32_t ticks);
/// Returns the shortest life, in ticks, in which every agent with that many tests per second tests
/// at least once: ceil(ticks / tests), at least 1; 8 for 60 ticks and 8 tests per second.
PLOY_API int32_t ploy_trigger_sound_ticks(float ticks_per_second, float tests_per_second);

/// Identifies a trigger of one ploy_triggers.
typedef struct ploy_trigger_id {
    ploy_id id;
} ploy_trigger_id;

typedef enum ploy_trigger_event_kind {
    PLOY_TRIGGER_FIRED,
    PLOY_TRIGGER_ENTERED,
    PLOY_TRIGGER_STAYED,
    PLOY_TRIGGER_LEFT,
    PLOY_TRIGGER_BACK, ///< no agent
    PLOY_TRIGGER_ENDED ///< no agent
} ploy_trigger_event_kind;

/// "fired", "entered", "stayed", "left", "back", "ended".
PLOY_API const char *ploy_trigger_event_kind_text(ploy_trigger_event_kind kind);

/// Which agent triggered what, and when. Plain data.
typedef struct ploy_trigger_event {
    ploy_trigger_event_kind what;
    int32_t visits; ///< occasions so far, including this one; the agent's if visits_each
    ploy_trigger_id trigger;
    ploy_agent_id agent;
    ploy_agent_id source;
    ploy_name kind;
    ploy_name item;
    float amount;
    int32_t node;
    ploy_vec3 position; ///< of the zone
    uint64_t user;
    uint64_t tick; ///< number of the step, from 0
    double now;
} ploy_trigger_event;

/// Payload of the message made from an event; 32 bytes.
typedef struct ploy_trigger_note {
    uint64_t trigger; ///< ploy_id_to_u64
    uint64_t source;  ///< ploy_id_to_u64; 0 for none
    uint64_t item;    ///< hash of the name
    float amount;
    int32_t node;
} ploy_trigger_note;

/// Returns the event as a message to the agent, due immediately, from the source, of the trigger's
/// kind (the event's text if the trigger has none), with a ploy_trigger_note.
PLOY_API ploy_message ploy_trigger_event_message(const ploy_trigger_event *event);

/// Receives each event. May call any function of this header except step and use.
typedef void (*ploy_trigger_fn)(void *user, const ploy_trigger_event *event);

/// Settings of an agent that takes part.
typedef struct ploy_trigger_agent_def {
    uint32_t cookie;
    float tests_per_second; ///< 0: tests in every step
    float first_test_s;     ///< s after the next step, to spread the agents' tests over time
    uint32_t mask;          ///< not in the field table
} ploy_trigger_agent_def;

PLOY_API ploy_trigger_agent_def ploy_trigger_agent_def_default(void);
PLOY_API ploy_fields ploy_trigger_agent_fields(void);

typedef struct ploy_triggers ploy_triggers;

typedef struct ploy_triggers_def {
    uint32_t cookie;
    int32_t triggers; ///< that fit before it grows
    int32_t agents;   ///< that fit before it grows
    int32_t touches;  ///< agents in triggers, all at the same time, that fit before it grows
    int32_t log;      ///< number of events kept in the log; 0: none
} ploy_triggers_def;

PLOY_API ploy_triggers_def ploy_triggers_def_default(void);
PLOY_API ploy_fields ploy_triggers_fields(void);

/// Creates a system without triggers and agents.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_create(const ploy_triggers_def *def, const ploy_env *env,
                                          ploy_triggers **out);
PLOY_API void ploy_triggers_destroy(ploy_triggers *triggers);

/// @param out  may be NULL.
/// @return PLOY_ERR_ARGUMENT for an invalid def or zone, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_add(ploy_triggers *triggers, const ploy_trigger_def *def,
                                       ploy_trigger_id *out);
/// Removes a trigger immediately, without an event. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_remove(ploy_triggers *triggers, ploy_trigger_id id);
/// Removes all triggers; agents stay.
PLOY_API void ploy_triggers_clear(ploy_triggers *triggers);

/// Switches a trigger on or off. Switched off, it forgets the agents inside, without events;
/// switched on, agents inside enter again. Ends a running pause. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_set_active(ploy_triggers *triggers, ploy_trigger_id id,
                                              bool active);
/// Moves or reshapes a trigger; from a callback, this takes effect in the next step.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_set_zone(ploy_triggers *triggers, ploy_trigger_id id,
                                            const ploy_zone *zone);

/// The current state of a trigger.
typedef struct ploy_trigger_state {
    ploy_trigger_def def; ///< its zone's corners are borrowed until the trigger changes
    bool active;
    int32_t visits;     ///< occasions counted over all agents
    int32_t rest_ticks; ///< until it is active again; 0 if it is, or if its pause is in seconds
    int32_t life_ticks; ///< remaining; 0 if it has no end in ticks
    uint64_t fired;     ///< how often in total
    uint64_t last_tick; ///< of the last firing, if fired > 0
    ploy_agent_id last_agent;
} ploy_trigger_state;

/// @return false, leaving out unchanged, if the trigger is gone.
PLOY_API bool ploy_triggers_get(const ploy_triggers *triggers, ploy_trigger_id id,
                                ploy_trigger_state *out);
PLOY_API int32_t ploy_triggers_count(const ploy_triggers *triggers);
/// Walks all triggers by index: start with a cursor of 0 and call until it returns false.
PLOY_API bool ploy_triggers_next(const ploy_triggers *triggers, uint32_t *cursor,
                                 ploy_trigger_id *id);
/// Finds the nearest active trigger with that item (by its zone's centre, then by index), for
/// instance for a bot that needs health. @return false, leaving out unchanged, if there is none.
PLOY_API bool ploy_triggers_find(const ploy_triggers *triggers, ploy_name item, ploy_vec3 from,
                                 ploy_trigger_id *out);

/// Adds an agent that takes part. @param def  NULL for the default; copied.
/// @return PLOY_ERR_EXISTS, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_add_agent(ploy_triggers *triggers, ploy_agent_id agent,
                                             const ploy_trigger_agent_def *def);
/// Removes an agent from all zones, without events. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_remove_agent(ploy_triggers *triggers, ploy_agent_id agent);

/// Steps one tick. An agent without a pose leaves all zones that it is in.
/// @param now    s, finite, not before the last step's.
/// @param poses  called once for each agent that is due.
/// @param fn     may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE from within a callback, PLOY_ERR_MEMORY; then nothing
///         has changed and nothing was reported.
PLOY_API ploy_result ploy_triggers_step(ploy_triggers *triggers, double now,
                                        const ploy_pose_source *poses, ploy_trigger_fn fn,
                                        void *user);

/// Makes the agent use the triggers (PLOY_TRIGGER_USE) that it was in at its last test.
/// @param used  how many fired; may be NULL.
/// @return PLOY_ERR_NOT_FOUND for an agent that was not added, PLOY_ERR_STATE from within a
///         callback.
PLOY_API ploy_result ploy_triggers_use(ploy_triggers *triggers, ploy_agent_id agent,
                                       ploy_trigger_fn fn, void *user, int32_t *used);

/// Visits a ploy_triggers (ploy/base/visit.h): triggers and agents keep their ids, and agents stay
/// in their zones. Do not call it from a callback.
PLOY_API void ploy_triggers_visit(ploy_visit *v, void *triggers);
/// Describes every trigger and agent, and the log of events.
PLOY_API void ploy_triggers_describe(const ploy_triggers *triggers, ploy_describe *out);
/// Draws zones on the layer of regions and sounds on the layer of senses; inactive triggers as
/// ghosts.
PLOY_API void ploy_triggers_draw(const ploy_triggers *triggers, ploy_draw *out);
PLOY_API void ploy_triggers_memory(const ploy_triggers *triggers, ploy_memory_fn fn, void *user);
