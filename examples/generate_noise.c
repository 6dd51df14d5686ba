// Noise: an island from five octaves, a tile that repeats without a seam, and Perlin's own values.
// You will see the island as letters. Shows ploy/generate/noise.h.
#include <math.h>
#include <stdio.h>

#include "ploy/ploy.h"

enum { COLUMNS = 64, ROWS = 20 };

// The heights of hills, a whole grid at once; a character is 1 m wide and 2 m high.
static ploy_result hills(ploy_noise *noise, float *heights, const ploy_env *env) {
    ploy_noise_def def = ploy_noise_def_default();
    def.fractal = PLOY_NOISE_FBM;
    def.frequency = 1.0f / 16.0f; // the largest hills are 16 m wide
    ploy_result result = ploy_noise_init(noise, &def, ploy_rng_key_make(12), env);
    ploy_noise_grid grid = ploy_noise_grid_make(ploy_vec2_make(0, 0), 1.0f, COLUMNS, ROWS);
    grid.step.y = 2.0f;
    return result == PLOY_OK ? ploy_noise_fill2(noise, &grid, heights, COLUMNS) : result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_noise noise;
    float heights[ROWS * COLUMNS];
    if (hills(&noise, heights, &env) != PLOY_OK) return 1;
    for (int row = ROWS - 1; row >= 0; row--) {
        for (int column = 0; column < COLUMNS; column++) {
            float x = (float)column / 32.0f - 1.0f, y = (float)row / 10.0f - 1.0f;
            float height = heights[row * COLUMNS + column] + 0.45f - 0.8f * (x * x + y * y);
            putchar(height < -0.1f ? ' ' : height < 0.0f ? '~' : height < 0.3f ? '.' : '^');
        }
        putchar('\n');
    }

    // One sample has the bits that it has in the grid.
    float one = ploy_noise_at2(&noise, ploy_vec2_make(10.0f, 6.0f));
    printf("one sample equals the grid: %s\n", one == heights[3 * COLUMNS + 10] ? "yes" : "no");

    // A period of four cells, in space: the same value four cells further.
    ploy_noise_def def = ploy_noise_def_default();
    def.fractal = PLOY_NOISE_FBM;
    def.frequency = 1.0f;
    def.period_x = def.period_y = def.period_z = 4;
    if (ploy_noise_init(&noise, &def, ploy_rng_key_make(12), &env) != PLOY_OK) return 1;
    float here = ploy_noise_at3(&noise, ploy_vec3_make(0.75f, 1.5f, 2.25f));
    float there = ploy_noise_at3(&noise, ploy_vec3_make(4.75f, 1.5f, -1.75f));
    printf("a period repeats to the bit: %s\n", here == there ? "yes" : "no");

    // Other programs' noise: Perlin's permutation in double, and an octave over stored gradients.
    printf("perlin 2002 at (3.14, 42, 7): %.6f\n", ploy_perlin_2002(3.14, 42, 7));
    ploy_vec2 gradients[3 * 3];
    ploy_perlin_gradients(ploy_rng_key_make(1), 2, true, gradients);
    float crease = 0.0f;
    for (int fade = PLOY_FADE_LINEAR; fade <= PLOY_FADE_QUINTIC; fade++) {
        float left = ploy_perlin_octave(gradients, 2, (ploy_fade)fade, 0.99f, 0.6f);
        float right = ploy_perlin_octave(gradients, 2, (ploy_fade)fade, 1.01f, 0.6f);
        float middle = ploy_perlin_octave(gradients, 2, (ploy_fade)fade, 1.0f, 0.6f);
        float bend = fabsf(left + right - 2.0f * middle);
        if (fade == PLOY_FADE_LINEAR) crease = bend;
        if (fade > 0)
            printf("fade %d bends less than linear: %s\n", fade, bend < crease ? "yes" : "no");
    }
    return 0;
}
