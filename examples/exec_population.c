// A city that has people only where the player looks: as the day passes and the player walks from the
// market to the harbour, people come and go, and a person who returns is the same. A slow computer shows
// fewer of them. Shows ploy_population, ploy_distribution and ploy_ambient_scale.
#include <stdio.h>

#include "ploy/exec/distribution.h"
#include "ploy/exec/population.h"

enum { MARKET, HARBOUR, DISTRICTS };

// People about at midnight, 6, 12 and 18 o'clock.
static const float flow[DISTRICTS * 4] = {0, 4, 12, 6, 2, 3, 3, 5};

static void look(ploy_population *city, const char *when, int hour, int district) {
    uint8_t visible[DISTRICTS] = {0, 0};
    visible[district] = 1;
    if (ploy_population_step(city, hour * 3600.0, visible, 1.0f) != PLOY_OK) return;
    printf("%s: %d people, %d new, %d gone", when, (int)ploy_population_count(city),
           (int)ploy_population_born_count(city), (int)ploy_population_gone_count(city));
    // Number 1 of the district: drawn from district and number alone, so never another.
    ploy_distribution age = ploy_distribution_normal(38.0f, 11.0f);
    ploy_person who = {district, 1};
    float years = ploy_distribution_sample(&age, ploy_population_key(city, who), 1, 0);
    int32_t met = 0;
    ploy_population_recall(city, who, &met);
    printf("; number 1 is %.0f%s\n", (double)years, met != 0 ? ", and knows you" : "");
}

// People who were talked to keep their ages; the others are merged into a distribution.
static void forget(void) {
    static const uint8_t met[6] = {0, 0, 1, 0, 0, 0};
    float ages[6] = {31, 44, 38, 27, 52, 36};
    ploy_people people = {ages, 1, 6, met, NULL};
    ploy_distribution age = ploy_distribution_normal(0.0f, 0.0f);
    int32_t merged = 0;
    if (ploy_people_compress(&people, &age, 1, &merged) != PLOY_OK) return;
    printf("%d of 6 are forgotten; they were %.0f years old, give or take %.0f\n", (int)merged,
           (double)age.mean, (double)age.deviation);
}

// A tick may cost 1,000 units of thinking; the crowd shrinks until it does.
static void scale(void) {
    static const int64_t spent[4] = {600, 2500, 1200, 700};
    ploy_ambient_def def = ploy_ambient_def_default();
    float part = 1.0f;
    printf("part of the crowd:");
    for (int i = 0; i < 4; i++) {
        part = ploy_ambient_scale(&def, part, spent[i], 1000, 0.5f);
        printf(" %.2f", (double)part);
    }
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_population_def def = ploy_population_def_default();
    ploy_population *city = NULL;
    def.regions = DISTRICTS;
    def.times = 4;
    def.day_length = 24 * 3600;
    def.record_size = sizeof(int32_t);
    def.flow = flow;
    if (ploy_population_create(&def, &env, &city) != PLOY_OK) return 1;
    look(city, "the market at  6", 6, MARKET);
    look(city, "the market at 12", 12, MARKET);
    const int32_t met = 1;
    ploy_person who = {MARKET, 1};
    ploy_population_store(city, who, &met); // we talked
    look(city, "the harbour at 15", 15, HARBOUR);
    look(city, "the market at 18", 18, MARKET);
    ploy_population_destroy(city);
    forget();
    scale();
    return 0;
}
