// ploy: one program with subcommands, each in a file cmd_<name>.c.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/name.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} command;

static const command commands[] = {
    {"studio", cmd_studio, "serve the studio: labs and games in the browser"},
    {"lab", cmd_lab, "list the labs, or run one without a window"},
    {"learn", cmd_learn, "learn from tables and sequences, test and show what was learned"},
    {"play", cmd_play, "list the games, or play one"},
    {"path", cmd_path, "find paths on grid maps, or solve a whole scenario"},
    {"bt", cmd_bt, "run, lint, draw and convert behavior trees"},
    {"fsm", cmd_fsm, "run, check, lint and draw statecharts"},
    {"fuzzy", cmd_fuzzy, "evaluate, check, draw and lint fuzzy systems"},
    {"level", cmd_level, "build, check and draw levels for games"},
    {"navmesh", cmd_navmesh, "build a navigation mesh from a level, or find paths on one"},
    {"generate", cmd_generate, "generate levels, landscapes, plants and placements"},
    {"board", cmd_board, "play, search and test board games"},
    {"arena", cmd_arena, "compare two sides of a board game or a simulation"},
    {"plan", cmd_plan, "solve a planning problem written in PDDL"},
    {"rules", cmd_rules, "run or check rule programs in the language of CLIPS"},
    {"script", cmd_script, "run, check, compile and test programs and Lua scripts"},
    {"replay", cmd_replay, "execute a recording again"},
    {"tactics", cmd_tactics, "influence, visibility, flooding, filters and automata on maps"},
    {"tiled", cmd_tiled, "check, convert and draw maps of the Tiled editor"},
    {"tune", cmd_tune, "search good parameters of a game by playing it"},
    {"wfc", cmd_wfc, "make more of a picture, or maps of tiles, by wave function collapse"},
    {"bench", cmd_bench, "measure ploy beside its peers"},
    {"doctor", cmd_doctor, "check what is installed and built, and suggest fixes"},
    {"completion", cmd_completion, "print completions for bash or zsh"},
    {"version", cmd_version, "print the version"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const char *cli_command_name(int32_t index) {
    return index >= 0 && index < COMMAND_COUNT ? commands[index].name : NULL;
}

static void print_help(FILE *out) {
    fprintf(out,
            "usage: ploy COMMAND [words and options]\n\n"
            "ploy is a game-AI engine as a C library; this program shows, measures and runs it.\n\n"
            "commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    }
    fprintf(
        out,
        "\n'ploy COMMAND --help' explains a command. With --json, every command prints JSON, one\n"
        "object per line. Exit status: 0 done, 1 the answer is no or output was lost, 2 bad usage\n"
        "or input.\n");
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        if (argc > 2 && strcmp(name, "help") == 0) {
            char *help[] = {"--help"};
            for (int i = 0; i < COMMAND_COUNT; i++) {
                if (strcmp(argv[2], commands[i].name) == 0) return commands[i].run(1, help);
            }
        }
        print_help(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "--version") == 0) return cmd_version(0, NULL);
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) == 0) return commands[i].run(argc - 2, argv + 2);
        ploy_nearest_offer(&nearest, commands[i].name);
    }
    return cli_error_unknown("unknown command", name, nearest.best, "help");
}

// Output that does not arrive (a full disk, a closed pipe) must not look like success.
int main(int argc, char **argv) {
    int status = run(argc, argv);
    bool lost = ferror(stdout) != 0;
    if (fflush(stdout) != 0) lost = true;
    if (!lost) return status;
    fprintf(stderr, "ploy: standard output could not be written; the output is incomplete\n");
    return status == CLI_OK ? CLI_NO : status;
}
