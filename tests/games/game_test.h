// The tests of games use what the tests of labs share.
#pragma once

#include "games/games.h"

#define LAB_TYPES ploy_games()
#include "tests/labs/lab_edit.h"
