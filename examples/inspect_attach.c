// Attach the inspector to your own loop: two calls, and a browser shows what your program draws and
// describes, and lets you tune its settings and kick the ball while it runs.
//
// Without an argument this runs three frames, to show that nothing of the loop changes. With a
// number of frames, say `inspect_attach 100000`, it prints an address to open and gives you time.
#include <stdio.h>
#include <stdlib.h>

#include "ploy/inspect/http.h"

typedef struct game {
    uint32_t cookie; // every def that has a field table begins with one
    float gravity;
    float height, speed;
} game;

static const ploy_field game_fields[] = {
    PLOY_FIELD_F32(game, gravity, 9.81f, 0, 30, "m/s^2", "how fast things fall"),
};

static void game_draw(void *user, ploy_draw *out) {
    const game *g = user;
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1), ploy_vec2_make(0, g->height),
                    0, 0.5f);
}

static void game_describe(void *user, ploy_describe *out) {
    const game *g = user;
    ploy_describe_begin_agent(out, "ball", ploy_agent_id_make(1, 1));
    ploy_describe_f32(out, "height", PLOY_STATE, g->height);
    ploy_describe_f32(out, "speed", PLOY_STATE, g->speed);
    ploy_describe_end(out);
}

static const ploy_command game_commands[] = {
    {"kick", "kick the ball upward", PLOY_VALUE_NONE, false, "k"},
};

// A person at the browser may press k.
static ploy_result game_command(void *user, const ploy_input *input) {
    game *g = user;
    (void)input; // there is only one
    g->speed = 10;
    return PLOY_OK;
}

int main(int argc, char **argv) {
    game g;
    ploy_fields fields = PLOY_FIELDS(game, game_fields);
    ploy_fields_default(fields, &g); // gravity from the table, the rest zero
    g.height = 10;
    ploy_inspect_source source = {
        "ball", "A ball", {-6, -1, 6, 11}, game_draw, game_describe, fields,
        &g,     &g,       game_commands,   1,         game_command};

    ploy_env env = ploy_env_default();
    ploy_inspect_server *server = NULL;
    if (ploy_inspect_attach(&source, &env, &server) != PLOY_OK) return 1;
    if (argc > 1) printf("open %s\n", ploy_inspect_server_url(server));

    int frames = argc > 1 ? atoi(argv[1]) : 3;
    for (int frame = 0; frame < frames; frame++) {
        const float dt = 1.0f / 60.0f;
        g.speed -= g.gravity * dt;
        g.height += g.speed * dt;
        if (g.height < 0 && g.speed < 0) g.speed = -g.speed;
        if (argc == 1) printf("frame %d: the ball is at %.4f m\n", frame, (double)g.height);
        // In a game with its own clock the second argument is 0; here it also paces the loop.
        if (ploy_inspect_server_step(server, argc > 1 ? 16 : 0) != PLOY_OK) break;
    }
    ploy_inspect_server_destroy(server);
    return 0;
}
