// Shared by the files of `ploy learn`.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/learner.h"

typedef struct learn_options {
    ploy_env env;
    ploy_diags *diags;
    const char *target, *learner, *save, *svg, *output, *ignore, *labels;
    cli_texts sets;
    uint64_t seed;
    int64_t folds, max, steps, eval, restart;
    bool json, seeded;
} learn_options;

enum { LEARN_BYTES_MAX = 1 << 29 };

// Reads a table and chooses its target. -1, or the exit status.
int learn_read_table(const learn_options *o, const char *path, ploy_examples **out);
// Whether a file's name has that ending.
bool learn_ends(const char *name, const char *ending);
// Reads a saved learner. -1, or the exit status.
int learn_read_model(const learn_options *o, const char *path, ploy_learner *out);
// Saves one, compact if the name ends in .cbor. -1, or the exit status.
int learn_save_model(const learn_options *o, const char *path, ploy_learner learner);
// -1 if the file is a saved actor, LEARN_NO_ACTOR if it is something else, or the status of a message.
enum { LEARN_NO_ACTOR = -2 };
int learn_read_actor(const learn_options *o, const char *path, ploy_actor *out);
int learn_save_actor(const learn_options *o, const char *path, ploy_actor actor);

int learn_list(const learn_options *o);
int learn_train(const learn_options *o, const char *path);
int learn_test(const learn_options *o, const char *model, const char *path);
int learn_show(const learn_options *o, const char *model);
int learn_convert(const learn_options *o, const char *model);
int learn_attributes(const learn_options *o, const char *path);
int learn_ngram(const learn_options *o, const char *path);
int learn_play(const learn_options *o, const char *problem);
