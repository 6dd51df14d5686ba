// Seeds: the streams of a run. You will see that combat changes no level, that level 9 needs none
// before it, and a number for any place. Shows ploy_generate_stream and ploy_mix.
#include <stdio.h>

#include "ploy/ploy.h"

// The first room of a level: all that this example makes of one.
static int32_t first_room(ploy_rng_key game, uint64_t level) {
    ploy_rng_key key = ploy_rng_key_split(ploy_generate_stream(game, "levels"), level);
    ploy_rng rng = ploy_rng_from_key(key, 0);
    return ploy_rng_int(&rng, 3, 20);
}

int main(void) {
    ploy_rng_key game = ploy_rng_key_make(2024);
    ploy_rng combat = ploy_rng_from_key(ploy_generate_stream(game, "combat"), 0);
    int32_t before = first_room(game, 2);
    for (int i = 0; i < 1000; i++) (void)ploy_rng_chance(&combat, 0.3f);
    printf("combat has drawn %llu words; level 2 is the same: %s\n",
           (unsigned long long)ploy_generate_draws(&combat),
           first_room(game, 2) == before ? "yes" : "no");
    printf("level 9 starts with a room of %d m\n", (int)first_room(game, 9));

    // Anything that has coordinates has its number, without a stream.
    uint64_t flower = ploy_mix(game.bits, 120, 45, ploy_hash_text("flower"));
    printf("the flower at (120, 45) has %d petals\n", (int)(3 + flower % 10));

    // Numbers of another program: the generator of C++'s standard library, and of browsers.
    ploy_mt19937 twister = ploy_mt19937_make(5489);
    ploy_xorshift32 narrow = ploy_xorshift32_make(1);
    ploy_xorshift128 wide = ploy_xorshift128_make(1, 2);
    printf("%u %u %llu\n", (unsigned)ploy_mt19937_u32(&twister),
           (unsigned)ploy_xorshift32_u32(&narrow), (unsigned long long)ploy_xorshift128_u64(&wide));
    return 0;
}
