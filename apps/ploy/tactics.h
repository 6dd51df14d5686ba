// The commands of `ploy tactics`.
#pragma once

#include "apps/ploy/cli.h"

int tactics_influence(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_visibility(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_flood(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_convolve(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_automaton(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_query(const cli_group *group, int32_t which, int argc, char **argv);
int tactics_script(const cli_group *group, int32_t which, int argc, char **argv);
