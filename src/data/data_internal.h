// Shared inside data.
#pragma once

#include "ploy/data/characters.h"
#include "ploy/data/fuzzy_file.h"
#include "ploy/data/machine.h"
#include "ploy/data/pddl.h"

// ---- of ploy/data/characters.h, for its sources and tests

// Returns the name of a kind's mind; NULL if it has none.
const char *ployi_characters_mind(const ploy_characters *characters, int32_t index);

// ---- of ploy/data/pddl.h, for its sources and tests

// Returns whether the problem minimizes total cost; otherwise every action costs 1.
bool ployi_pddl_has_costs(const ploy_pddl *pddl);

// ---- of ploy/data/fuzzy_file.h, for its sources and tests

int32_t ployi_fld_columns(const ploy_fld *fld);

int32_t ployi_fld_rows(const ploy_fld *fld);

// "" out of range.
const char *ployi_fld_column_name(const ploy_fld *fld, int32_t column);

// ---- of ploy/data/machine.h, for its sources and tests

// Returns the name of the scxml element, or "".
const char *ployi_machine_name(const ploy_machine *machine);
