// ploy learn list | train | test | show | convert | attributes | ngram | play.
#include <string.h>

#include "apps/ploy/learn.h"

static const cli_command learn_commands[] = {
    {"list", "[options]", "Lists the learners.", 0, 0},
    {"train", "FILE --learner NAME [options]",
     "Learns a table (ARFF, CSV, MONK's). With --folds K, learns K times without every K-th row "
     "and counts how many of those rows it then gets right.",
     1, 1},
    {"test", "MODEL FILE [options]", "Counts how many rows of a table a saved learner gets right.",
     2, 2},
    {"show", "MODEL [options]",
     "Prints what a saved learner has learned, or an actor saved by `learn play`.", 1, 1},
    {"convert", "MODEL -o F.json|.cbor|.net|.onnx",
     "Writes a saved learner or actor as JSON or CBOR, its network or that of a .net (FANN) or "
     ".onnx file as .net or .onnx, or a table as .data of FANN.",
     1, 1},
    {"attributes", "FILE [options]", "Prints the information gain of each column.", 1, 1},
    {"ngram", "FILE [options]",
     "Predicts each symbol of a sequence from those before it, with windows of every length, and "
     "counts the hits.",
     1, 1},
    {"play", "PROBLEM --learner NAME [options]",
     "Learns by acting in a problem and prints the returns; `play list` names problems and "
     "learners.",
     1, 1},
};

int cmd_learn(int argc, char **argv) {
    static const cli_group group = {"learn", "Learns from tables and sequences.", learn_commands,
                                    sizeof learn_commands / sizeof learn_commands[0]};
    int status = 0;
    int32_t which = cli_choose(&group, argc, argv, &status);
    if (which < 0) return status;
    learn_options o;
    memset(&o, 0, sizeof o);
    o.env = cli_env();
    o.seed = UINT64_MAX;
    o.max = 8;
    o.steps = 100000;
    o.eval = 10;
    o.restart = -1;
    const cli_option options[] = {
        {"--target", CLI_TEXT, &o.target, "COL", "column to predict, by name or number (last)"},
        {"--learner", CLI_TEXT, &o.learner, "NAME", "learner, as in `ploy learn list`"},
        {"--ignore", CLI_TEXT, &o.ignore, "COL,..", "columns to leave out"},
        {"--folds", CLI_COUNT, &o.folds, "K",
         "test on folds: the fold of a row is its index modulo K"},
        {"--seed", CLI_U64, &o.seed, "S", "seed, for learners that draw random numbers"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a setting of the learner; may be repeated"},
        {"--save", CLI_TEXT, &o.save, "F",
         "write the learner, trained on all rows, or the actor; .cbor: compact"},
        {"--labels", CLI_TEXT, &o.labels, "F", "labels of an IDX file of images"},
        {"--svg", CLI_TEXT, &o.svg, "F", "write a picture"},
        {"-o", CLI_TEXT, &o.output, "F", "file to write"},
        {"--max", CLI_COUNT, &o.max, "N", "longest sequence counted (default 8)"},
        {"--steps", CLI_COUNT, &o.steps, "N", "steps to learn from (default 100000)"},
        {"--eval", CLI_COUNT, &o.eval, "E", "greedy episodes at the end (default 10)"},
        {"--restart", CLI_COUNT, &o.restart, "P",
         "percent of steps that start again in a random state (default 10 where states count)"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const char *words[2] = {NULL, NULL};
    status = cli_parse_command(&group, which, options, sizeof options / sizeof options[0], argc - 1,
                               argv + 1, words);
    if (status >= 0) return status;
    o.seeded = o.seed != UINT64_MAX;
    ploy_result result = ploy_diags_create(32, &o.env, &o.diags);
    if (result != PLOY_OK) return cli_error_result("learn", result);
    switch (which) {
    case 0: status = learn_list(&o); break;
    case 1: status = learn_train(&o, words[0]); break;
    case 2: status = learn_test(&o, words[0], words[1]); break;
    case 3: status = learn_show(&o, words[0]); break;
    case 4: status = learn_convert(&o, words[0]); break;
    case 5: status = learn_attributes(&o, words[0]); break;
    case 6: status = learn_ngram(&o, words[0]); break;
    default: status = learn_play(&o, words[0]); break;
    }
    ploy_diags_destroy(o.diags);
    return status;
}
