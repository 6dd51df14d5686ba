/// @file ploy/world/trigger.h
/// Triggers: zones in which something happens to agents.
///
/// A pressure plate, a lever, a health pack that grows back, the noise of a shot, a body that
/// a guard finds, a hint for a player who was here three times already: each is one
/// ploy_trigger_def, a zone and a few settings, owned by a ploy_triggers. Nothing is subclassed;
/// what happens is reported to a callback, or sent on as a ploy_message.
///
///     ploy_trigger_def pack = ploy_trigger_def_giver(zone, ploy_name_of("health"), 50, 600);
///     ploy_triggers_add(triggers, &pack, &id);
///     ploy_triggers_add_agent(triggers, guard, NULL);
///     ploy_triggers_step(triggers, now, &poses, on_trigger, game);      // each tick
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 7: in each step all triggers are
/// updated (growing back, fading), then every agent whose own regulator is due tries the triggers
/// that it touches. So what was taken in tick k with a pause of N ticks can be taken again in tick
/// k + N, and a trigger that lives L ticks is tried in exactly L. Unlike there, an agent hears a
/// sound once and never its own, and only triggers near an agent are looked at: a hierarchy of
/// boxes finds them, with the same results as trying all.
///
/// Order: triggers by the index of their id, agents in the order of their places, which are used
/// again. Who touches what is found for all agents before the first callback runs, so callbacks may
/// add, remove, move and switch triggers and agents as they like: what is gone or switched off is
/// notified no more, what is new takes part from the next step on.
///
/// Units: metres, seconds; one step is one tick. Cost: O(triggers) simple updates, and
/// O(log triggers + touched) for each agent that is due; nothing is allocated once warm. Memory:
/// about 350 bytes a trigger with its place in the index, 100 an agent. Threads: one caller at a
/// time.
#pragma once

#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/world/pose.h"
#include "ploy/world/zone.h"

/// When a trigger fires.
typedef enum ploy_trigger_when {
    PLOY_TRIGGER_TOUCH, ///< at each test of an agent that touches it: items
    PLOY_TRIGGER_ENTER, ///< when an agent comes in: plates, hints, ambushes
    PLOY_TRIGGER_LEAVE, ///< when it goes: doors that close
    PLOY_TRIGGER_EACH,  ///< once for each agent, ever: sounds, alarms, drops of blood
    PLOY_TRIGGER_USE,   ///< when an agent in it calls ploy_triggers_use: levers, switches
    PLOY_TRIGGER_WHEN_COUNT
} ploy_trigger_when;

/// What becomes of a trigger that has fired.
typedef enum ploy_trigger_after {
    PLOY_TRIGGER_STAYS,    ///< it can fire again at once
    PLOY_TRIGGER_RESPAWNS, ///< it is inactive for a while, then back at the same place
    PLOY_TRIGGER_ONCE,     ///< it is removed
    PLOY_TRIGGER_AFTER_COUNT
} ploy_trigger_after;

/// Events that a trigger reports beside firing; bits of `ploy_trigger_def.tells`.
enum {
    PLOY_TRIGGER_TELLS_ENTER = 1,
    PLOY_TRIGGER_TELLS_STAY = 2, ///< at each further test of an agent inside
    PLOY_TRIGGER_TELLS_LEAVE = 4,
    PLOY_TRIGGER_TELLS_BACK = 8, ///< it has respawned
    PLOY_TRIGGER_TELLS_END = 16  ///< its life is over and it goes, in the step after its last
};

/// The mask that lets all agents trigger.
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
    int32_t visits;        ///< fires from this occasion on: 3 is the third time
    bool visits_each;      ///< occasions are counted for each agent apart
    bool visits_again;     ///< the count restarts after firing: every third time
    bool active;           ///< at first
    bool skip_source;      ///< the source does not trigger it
    int32_t tells;         ///< PLOY_TRIGGER_TELLS_ bits
    int32_t node;          ///< of the navigation graph where it is, -1 for none: for planners
    float amount;          ///< what is given: health, rounds, loudness
    // Not in the field table, as they have no text form:
    uint32_t mask;        ///< agents trigger it whose mask shares a bit
    ploy_name kind;       ///< of the message: "health", "gunshot"
    ploy_name item;       ///< what is given or made
    ploy_agent_id source; ///< whose shot, body or blood it is
    uint64_t user;        ///< the game's own
    ploy_zone zone;       ///< where; corners are copied
} ploy_trigger_def;

/// Touch, stays, active, all agents; a circle of 1 m at the origin.
PLOY_API ploy_trigger_def ploy_trigger_def_default(void);
PLOY_API ploy_fields ploy_trigger_fields(void);

/// Fires on entering, and reports leaving: plates, doors, alarms.
PLOY_API ploy_trigger_def ploy_trigger_def_plate(ploy_zone zone, ploy_name kind);
/// Gives an amount of something to an agent that touches it and is inactive for this many ticks (0
/// or less: for good). The kind is the item's name.
PLOY_API ploy_trigger_def ploy_trigger_def_giver(ploy_zone zone, ploy_name item, float amount,
                                                 int32_t respawn_ticks);
/// Heard once by each agent within reach, but its source, during this many ticks. How many are
/// needed says ploy_trigger_sound_ticks.
PLOY_API ploy_trigger_def ploy_trigger_def_sound(ploy_vec3 at, float reach, ploy_name kind,
                                                 ploy_agent_id source, int32_t ticks);
/// The smallest life in which all agents with that many tests a second test once:
/// ceil(ticks / tests), at least 1; 8 for 60 ticks and 8 tests a second.
PLOY_API int32_t ploy_trigger_sound_ticks(float ticks_per_second, float tests_per_second);

/// Names a trigger of one ploy_triggers.
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

/// Who triggered what, when. Plain data.
typedef struct ploy_trigger_event {
    ploy_trigger_event_kind what;
    int32_t visits; ///< occasions so far, this one counted; of the agent if counted for each
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

/// The event as a message to the agent, due at once, from the source, of the trigger's kind (the
/// event's text where it has none), with a ploy_trigger_note.
PLOY_API ploy_message ploy_trigger_event_message(const ploy_trigger_event *event);

/// Receives each event. May call anything of this header but step and use.
typedef void (*ploy_trigger_fn)(void *user, const ploy_trigger_event *event);

/// How an agent takes part.
typedef struct ploy_trigger_agent_def {
    uint32_t cookie;
    float tests_per_second; ///< 0: tests in every step
    float first_test_s;     ///< s after the next step, so that agents take turns
    uint32_t mask;          ///< not in the field table
} ploy_trigger_agent_def;

PLOY_API ploy_trigger_agent_def ploy_trigger_agent_def_default(void);
PLOY_API ploy_fields ploy_trigger_agent_fields(void);

typedef struct ploy_triggers ploy_triggers;

typedef struct ploy_triggers_def {
    uint32_t cookie;
    int32_t triggers; ///< that fit before it grows
    int32_t agents;   ///< that fit before it grows
    int32_t log;      ///< events kept for looking; 0: none
} ploy_triggers_def;

PLOY_API ploy_triggers_def ploy_triggers_def_default(void);
PLOY_API ploy_fields ploy_triggers_fields(void);

/// An empty system: no triggers, no agents.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_create(const ploy_triggers_def *def, const ploy_env *env,
                                          ploy_triggers **out);
PLOY_API void ploy_triggers_destroy(ploy_triggers *triggers);

/// @param out  may be NULL.
/// @return PLOY_ERR_ARGUMENT for a def or a zone that is wrong, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_add(ploy_triggers *triggers, const ploy_trigger_def *def,
                                       ploy_trigger_id *out);
/// Removed immediately, nothing is reported. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_remove(ploy_triggers *triggers, ploy_trigger_id id);
/// Removes all triggers; agents stay.
PLOY_API void ploy_triggers_clear(ploy_triggers *triggers);

/// Switches it. Off, it forgets who is in it, without events; on, agents inside enter again.
/// A pause that runs is over. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_set_active(ploy_triggers *triggers, ploy_trigger_id id,
                                              bool active);
/// Moves or reshapes it; in a callback from the next step on.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_set_zone(ploy_triggers *triggers, ploy_trigger_id id,
                                            const ploy_zone *zone);

/// What a trigger is now.
typedef struct ploy_trigger_state {
    ploy_trigger_def def; ///< its zone's corners are borrowed, until the trigger changes
    bool active;
    int32_t visits;     ///< occasions counted together
    int32_t rest_ticks; ///< until it is back, 0 if it is or its pause is in seconds
    int32_t life_ticks; ///< left, 0 if it has no end in ticks
    uint64_t fired;     ///< how often, ever
    uint64_t last_tick; ///< of the last firing, if fired > 0
    ploy_agent_id last_agent;
} ploy_trigger_state;

/// @return false, leaving out alone, if it is gone.
PLOY_API bool ploy_triggers_get(const ploy_triggers *triggers, ploy_trigger_id id,
                                ploy_trigger_state *out);
PLOY_API int32_t ploy_triggers_count(const ploy_triggers *triggers);
/// Walks all by index: start with a cursor of 0 and call until it returns false.
PLOY_API bool ploy_triggers_next(const ploy_triggers *triggers, uint32_t *cursor,
                                 ploy_trigger_id *id);
/// The nearest active trigger with that item (by its zone's centre, then by index): what a bot
/// short of health looks for. @return false, leaving out alone, if there is none.
PLOY_API bool ploy_triggers_find(const ploy_triggers *triggers, ploy_name item, ploy_vec3 from,
                                 ploy_trigger_id *out);

/// Lets an agent take part. @param def  NULL for the default; copied.
/// @return PLOY_ERR_EXISTS, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_triggers_add_agent(ploy_triggers *triggers, ploy_agent_id agent,
                                             const ploy_trigger_agent_def *def);
/// It leaves everything without telling. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_triggers_remove_agent(ploy_triggers *triggers, ploy_agent_id agent);

/// One tick. An agent without a pose leaves what it is in.
/// @param now    s, finite, not before the last step's.
/// @param poses  asked once for each agent that is due.
/// @param fn     may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE from within a callback, PLOY_ERR_MEMORY; nothing has
///         changed and nothing was reported then.
PLOY_API ploy_result ploy_triggers_step(ploy_triggers *triggers, double now,
                                        const ploy_pose_source *poses, ploy_trigger_fn fn,
                                        void *user);

/// The agent pulls the levers (PLOY_TRIGGER_USE) that it was in at its last test.
/// @param used  how many fired; may be NULL.
/// @return PLOY_ERR_NOT_FOUND for an agent that takes no part, PLOY_ERR_STATE from within a
///         callback.
PLOY_API ploy_result ploy_triggers_use(ploy_triggers *triggers, ploy_agent_id agent,
                                       ploy_trigger_fn fn, void *user, int32_t *used);

/// Visits a ploy_triggers (ploy/base/visit.h): triggers and agents keep their ids, and who is in
/// what stays. Not from within a callback.
PLOY_API void ploy_triggers_visit(ploy_visit *v, void *triggers);
/// Every trigger and agent, and the log: who triggered what when.
PLOY_API void ploy_triggers_describe(const ploy_triggers *triggers, ploy_describe *out);
/// Zones on the layer of regions, sounds on that of senses; what is inactive as a ghost.
PLOY_API void ploy_triggers_draw(const ploy_triggers *triggers, ploy_draw *out);
PLOY_API void ploy_triggers_memory(const ploy_triggers *triggers, ploy_memory_fn fn, void *user);
