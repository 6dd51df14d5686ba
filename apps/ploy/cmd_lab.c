// ploy lab list | run NAME: labs without a window.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "labs/labs.h"

int cmd_lab(int argc, char **argv) {
    const cli_sims_usage labs = {
        ploy_labs(), "unknown lab",
        "lab list",  "Lists the labs.",
        "lab run",   "Runs a lab without a window and prints its final state.",
        NULL};
    if (argc > 0 && strcmp(argv[0], "list") == 0) return cli_list_sims(&labs, argc - 1, argv + 1);
    if (argc > 0 && strcmp(argv[0], "run") == 0) return cli_run_sim(&labs, argc - 1, argv + 1);
    bool help = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
    if (argc > 0 && !help) {
        if (ploy_sim_type_find(ploy_labs(), argv[0], NULL) != NULL) {
            fprintf(stderr, "ploy: '%s' is a lab; to run it: ploy lab run %s\n", argv[0], argv[0]);
            return CLI_USAGE;
        }
        ploy_nearest nearest = ploy_nearest_make(argv[0]);
        ploy_nearest_offer(&nearest, "list");
        ploy_nearest_offer(&nearest, "run");
        return cli_error_unknown("unknown lab command", argv[0], nearest.best, "lab --help");
    }
    fprintf(help ? stdout : stderr,
            "usage: ploy lab list [--json]\n"
            "       ploy lab run NAME [options]      ('ploy lab run --help' lists them)\n\n"
            "Labs are small scenes, one for each family of techniques.\n");
    return help ? CLI_OK : CLI_USAGE;
}
