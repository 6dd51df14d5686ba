// Limits: a generator that cannot finish ends with the best so far and says why. You will see a
// field that is too full, and a search for a good one that relaxes its demand until it is met.
// Shows ploy_generate_outcome and ploy/generate/accept.h.
#include <stdio.h>

#include "ploy/ploy.h"

// How many discs there are: more is better.
static double score(void *user, ploy_generator generator, const char **reason) {
    (void)user;
    *reason = "number of discs";
    return (double)ploy_generator_outcome(generator).count;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_scatter_def field = ploy_scatter_def_default();
    field.method = PLOY_SCATTER_REJECTION;
    field.width = field.height = 20.0f;
    field.count = 1000; // far more than fit
    field.max_attempts = 5000;
    ploy_generator generator;
    ploy_rng_key key = ploy_rng_key_make(1);
    if (ploy_generator_run(ploy_scatter_generator(), &field, key, NULL, NULL, &env, &generator) !=
        PLOY_OK) {
        return 1;
    }
    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
    printf("%lld of 1000 discs, %s, limit %s\n", (long long)outcome.count,
           outcome.partial ? "partial" : "complete", outcome.limit);
    printf("content has %d points\n", (int)ploy_generator_content(generator).point_count);
    ploy_generator_cancel(generator);

    // 82 discs are too many; after each attempt one disc less will do.
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 82.0f;
    def.relax = 1.0f;
    field = ploy_scatter_def_default();
    field.width = field.height = 20.0f;
    ploy_accept_input input = {ploy_scatter_generator(), &field, NULL, score, NULL};
    ploy_accept *accept = NULL;
    if (ploy_accept_begin(&def, &input, key, NULL, &env, &accept) != PLOY_OK) return 1;
    ploy_result result = ploy_accept_step(accept, NULL);
    ploy_accept_statistics statistics = ploy_accept_statistics_of(accept);
    printf("accepted %lld discs at attempt %lld, threshold then %.0f, worst %.0f\n",
           (long long)ploy_generator_outcome(ploy_accept_best(accept)).count,
           (long long)ploy_accept_outcome(accept).attempts, statistics.threshold, statistics.worst);
    ploy_accept_cancel(accept);
    return result == PLOY_OK ? 0 : 1;
}
