// What a scripted miner may do, by names: shared by the languages that he is written in.
#pragma once

#include "games/westworld/westworld.h"

// Numbers that scripts read and write: the miner's, then settings, which scripts should not set.
enum { WEST_VALUES = 16 };
const char *west_value_name(int32_t index);
int64_t west_value_get(const west_town *town, int32_t index);
void west_value_set(west_town *town, int32_t index, int64_t value);

// Each names a line, place, person or cause as scripts do: 'walk_home', 'shack', 'wife', 'rested'.
// @return PLOY_ERR_NOT_FOUND for an unknown one.
ploy_result west_mind_say(west_town *town, const char *line, int32_t number);
ploy_result west_mind_walk(west_town *town, const char *place, const char *line, bool *moved);
ploy_result west_mind_send(west_town *town, const char *who, const char *kind);
ploy_result west_mind_go(const ploy_fsm_turn *turn, const char *cause);
ploy_result west_mind_strike(west_town *town);
// @param other  a cause, or a state.
void west_mind_stay(const ploy_fsm_turn *turn, const char *why, const char *other,
                    const char *why_not);
// The kind of a telegram to the miner; "" for one that he does not know.
const char *west_mind_kind(const ploy_message *message);
