// ploy learn ngram: windows of every length over one sequence.
#include "apps/ploy/learn.h"

int learn_ngram(const learn_options *o, const char *path) {
    (void)o;
    return cli_error("not yet", path);
}
