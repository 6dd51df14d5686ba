// ploy tactics influence | visibility | flood | convolve | automaton | query | script. Each command reads its own options; one more
// is one more row here.
#include "apps/ploy/tactics.h"

typedef int (*tactics_fn)(const cli_group *group, int32_t which, int argc, char **argv);

static const cli_command tactics_commands[] = {
    {"influence", "--size WxH|--map M.map --units F.csv [options]",
     "Computes which side owns each cell: how many, the length of the border, and the weakest cell "
     "of it. F.csv has side,x,y,strength.",
     0, 0},
    {"visibility", "--map M.map [options]",
     "Counts the open cells that each open cell of a map sees, itself not counted.", 0, 0},
    {"flood", "--size WxH|--map M.map --cities F.csv [options]",
     "Computes which city's territory each cell is in. F.csv has name,x,y,strength.", 0, 0},
    {"convolve", "IN.csv --kernel \"1 2 1;2 4 2;1 2 1\" [options]",
     "Filters a table of numbers and prints it.", 1, 1},
    {"automaton", "IN.txt --rule R --steps N [options]",
     "Runs a cellular automaton on rows of . and #. Rules: secure, crime, contour, city, or a "
     "table "
     "such as B3/S23.",
     1, 1},
    {"query", "F --level L --who NAME [options]",
     "Finds the best place for an agent of a level. F is the text of a query.", 1, 1},
    {"script", "check|run F [options]", "Checks or runs squad scripts.", 0, 0},
};

static const tactics_fn tactics_functions[] = {tactics_influence, tactics_visibility, tactics_flood,
                                               tactics_convolve,  tactics_automaton,  tactics_query,
                                               tactics_script};

int cmd_tactics(int argc, char **argv) {
    static const cli_group group = {"tactics", "Analyses levels for tactics.", tactics_commands,
                                    sizeof tactics_commands / sizeof tactics_commands[0]};
    int status = 0;
    int32_t which = cli_choose(&group, argc, argv, &status);
    if (which < 0) return status;
    return tactics_functions[which](&group, which, argc - 1, argv + 1);
}
