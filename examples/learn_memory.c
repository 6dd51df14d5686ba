// Nets that remember and nets that are rewarded. You will see a grid fill in the unseen half of a map, a layer that
// keeps half of its input, a filter over an image, and an action that pays become likelier. Shows
// ploy/learn/hebb.h, and convolution, recurrence and rewards of ploy/learn/net.h and trainer.h.
#include <stdio.h>

#include "ploy/ploy.h"

static int remember(const ploy_env *env) {
    ploy_hebb_def def = ploy_hebb_def_default();
    def.width = 6;
    def.height = 1;
    ploy_hebb *hebb = NULL;
    if (ploy_hebb_create(&def, env, &hebb) != PLOY_OK) return 1;
    const float safe_then_not[6] = {1, 1, 1, -1, -1, -1}, seen[6] = {1, 0, 0, 0, 0, 0};
    float guess[6];
    for (int game = 0; game < 3; game++) ploy_hebb_learn(hebb, safe_then_not);
    int sweeps = ploy_hebb_recall(hebb, seen, guess);
    printf("after %d games, %d sweeps:", ploy_hebb_patterns(hebb), sweeps);
    for (int i = 0; i < 6; i++) printf(" %c", guess[i] > 0 ? '+' : '-');
    printf(", link of 2 and 3 is %.0f\n", (double)ploy_hebb_link(hebb, 2, 3));
    ploy_hebb_destroy(hebb);
    return 0;
}

static int recur(const ploy_env *env) {
    ploy_net_layer layer = ploy_net_dense(1, PLOY_NET_LINEAR);
    ploy_net *net = NULL;
    if (ploy_net_create(ploy_net_inputs(2), &layer, 1, ploy_rng_key_make(1), env, &net) != PLOY_OK)
        return 1;
    ploy_net_weights(net, 0, 0)[0] = 1.0f;
    ploy_net_weights(net, 0, 0)[1] = 0.5f;
    *ploy_net_bias(net, 0, 0) = 0.0f;
    float scratch[64], state = 0.0f, alarm[4] = {1, 0, 0, 0};
    printf("alarm fades:");
    for (int i = 0; i < 4; i++) {
        ploy_net_recur(net, &alarm[i], 1, &state, scratch);
        printf(" %.3f", (double)state);
    }
    printf("\n");
    ploy_net_destroy(net);
    return 0;
}

static int filter(const ploy_env *env) {
    ploy_net_layer layers[] = {ploy_net_conv(1, 3, PLOY_NET_RELU),
                               ploy_net_pool(PLOY_NET_MAX_POOL, 2),
                               ploy_net_dense(2, PLOY_NET_SIGMOID)};
    ploy_net_size image = {1, 4, 4};
    ploy_net *net = NULL;
    ploy_trainer *trainer = NULL;
    ploy_trainer_def def = ploy_trainer_def_default();
    if (ploy_net_create(image, layers, 3, ploy_rng_key_make(1), env, &net) != PLOY_OK) return 1;
    if (ploy_trainer_create(&def, net, env, &trainer) != PLOY_OK) return 1;
    float seen[16] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, before[2], after[2],
          scratch[256];
    ploy_net_run(net, seen, before, scratch);
    for (int i = 0; i < 100; i++) ploy_trainer_reward(trainer, seen, 1, 0.5f); // hiding paid
    ploy_net_run(net, seen, after, scratch);
    printf("a sigmoid rises by %.2f at 0; ", (double)ploy_net_derive(PLOY_NET_SIGMOID, 1.0f, 0.0f));
    printf("%lld weights; action 1 rose: %s\n", (long long)ploy_net_weight_count(net),
           after[1] > before[1] + 0.1f ? "yes" : "no");
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    return 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    return remember(&env) + recur(&env) + filter(&env);
}
