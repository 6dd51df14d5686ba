// A network in a game: it learns from examples when a guard should flee, then one shared net decides for a whole
// crowd at once. You will see the decisions and the error before and after. Shows ploy/learn/net.h and trainer.h.
#include <stdio.h>

#include "ploy/ploy.h"

// What the designer would do: flee when hurt and the enemy is near.
static float should_flee(const float guard[2]) {
    return guard[0] < 0.4f && guard[1] < 0.5f ? 1.0f : 0.0f;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_net_layer layers[] = {ploy_net_dense(8, PLOY_NET_TANH),
                               ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_net *net = NULL;
    if (ploy_net_create(ploy_net_inputs(2), layers, 2, ploy_rng_key_make(1), &env, &net) != PLOY_OK)
        return 1;
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_CROSS_ENTROPY;
    def.rate = 0.01f;
    def.batch = 8;
    ploy_trainer *trainer = NULL;
    if (ploy_trainer_create(&def, net, &env, &trainer) != PLOY_OK) return 1;

    ploy_rng rng = ploy_rng_make(2);
    for (int round = 1; round <= 3; round++) {
        float loss = 0.0f;
        for (int i = 0; i < 4000; i++) {
            float health = ploy_rng_float(&rng), distance = ploy_rng_float(&rng);
            float guard[2] = {health, distance}, target = should_flee(guard);
            loss += ploy_trainer_learn(trainer, guard, &target);
        }
        printf("round %d: mean loss %.2f\n", round, (double)loss / 4000.0);
    }

    float crowd[4][2] = {{0.1f, 0.1f}, {0.9f, 0.1f}, {0.1f, 0.9f}, {0.2f, 0.3f}}, flee[4],
          scratch[512];
    if (ploy_net_batch_scratch(net) > 512) return 1;
    ploy_net_run_batch(net, 0, 4, crowd[0], 2, flee, 1, scratch);
    for (int i = 0; i < 4; i++) {
        printf("health %.1f, enemy at %.1f: %s\n", (double)crowd[i][0], (double)crowd[i][1],
               flee[i] > 0.5f ? "flee" : "fight");
    }
    // What moved the last decision: the change of the output for each input.
    ploy_trainer_sense(trainer, crowd[3], 0);
    const float *sensed = ploy_trainer_sensed(trainer);
    printf("more health %s it, more distance %s it (first unit: %s)\n",
           sensed[0] < 0 ? "lowers" : "raises", sensed[1] < 0 ? "lowers" : "raises",
           ploy_trainer_values(trainer, 1)[0] > 0 ? "on" : "off");
    printf("%lld examples, %lld updates at rate %.2f, weights %016llx\n",
           (long long)ploy_trainer_examples(trainer), (long long)ploy_trainer_updates(trainer),
           (double)ploy_trainer_rate(trainer), (unsigned long long)ploy_net_hash(net));
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    return 0;
}
