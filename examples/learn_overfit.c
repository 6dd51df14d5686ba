// Over-fitting: a net learns eight situations by heart and guesses the next one. You will see what share of its examples,
// and of a thousand situations that it never met, a net gets right, and what fewer units and more examples do; each
// number is the mean of 20 nets. Shows ploy_overfit_of of ploy/learn/score.h.
#include <stdio.h>

#include "ploy/ploy.h"

enum { INPUTS = 12, NETS = 20, TESTS = 1000 };

// A situation: strengths, distances and what else a game knows. Two of the numbers make it dangerous, the enemies' and
// our own strength; the others only distract.
static float draw(ploy_rng *rng, float situation[INPUTS]) {
    for (int i = 0; i < INPUTS; i++) situation[i] = ploy_rng_range(rng, -1.0f, 1.0f);
    return situation[0] > situation[1] ? 1.0f : 0.0f;
}

static int right(const ploy_net *net, const float *situation, float danger, float *scratch) {
    float answer;
    ploy_net_run(net, situation, &answer, scratch);
    return (answer > 0.5f) == (danger > 0.5f);
}

// Trains one net and adds the shares that it gets right.
static int learn(int units, int examples, uint64_t seed, double *train, double *test,
                 int64_t *weights) {
    static float situations[500][INPUTS], dangers[500], scratch[512];
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    for (int i = 0; i < examples; i++) dangers[i] = draw(&rng, situations[i]);
    ploy_net_layer layers[] = {ploy_net_dense(units, PLOY_NET_TANH),
                               ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_net *net = NULL;
    ploy_trainer *trainer = NULL;
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_CROSS_ENTROPY;
    def.rate = 0.02f;
    if (ploy_net_create(ploy_net_inputs(INPUTS), layers, 2, ploy_rng_key_make(seed), &env, &net) !=
        PLOY_OK) {
        return 1;
    }
    if (ploy_trainer_create(&def, net, &env, &trainer) != PLOY_OK) return 1;
    for (int i = 0; i < 4000; i++) {
        (void)ploy_trainer_learn(trainer, situations[i % examples], &dangers[i % examples]);
    }
    int known = 0, unseen = 0;
    for (int i = 0; i < examples; i++) known += right(net, situations[i], dangers[i], scratch);
    for (int i = 0; i < TESTS; i++) {
        float situation[INPUTS], danger = draw(&rng, situation);
        unseen += right(net, situation, danger, scratch);
    }
    *train += (double)known / examples / NETS;
    *test += (double)unseen / TESTS / NETS;
    *weights = ploy_net_weight_count(net);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    return 0;
}

int main(void) {
    static const int rows[][2] = {{8, 8}, {2, 8}, {8, 50}, {8, 500}}; // units, examples
    for (int r = 0; r < 4; r++) {
        double train = 0.0, test = 0.0;
        int64_t weights = 0;
        for (uint64_t seed = 1; seed <= NETS; seed++) {
            if (learn(rows[r][0], rows[r][1], seed, &train, &test, &weights) != 0) return 1;
        }
        ploy_overfit gap = ploy_overfit_of(train, test, weights, rows[r][1]);
        printf("%d units, %3d examples: %3.0f %% of them right, %2.0f %% of others%s\n", rows[r][0],
               rows[r][1], 100.0 * gap.train, 100.0 * gap.test, gap.warning ? "; over-fitted" : "");
    }
    return 0;
}
