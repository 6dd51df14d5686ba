// A simulation opened in the studio by the program itself, which is a client of its inspector:
// it opens the simulation with the requested parameters, begins to play when the first page comes, and
// sets what changes in the file of parameters while a person plays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/json.h"
#include "ploy/base/os.h"
#include "ploy/inspect/inspector.h"

enum { WATCH_PERIOD_MS = 500 };

struct cli_watching {
    const cli_watch *watch;
    ploy_inspector *inspector;
    const ploy_env *env;
    ploy_id client;
    uint64_t requests;
    uint64_t session;
    uint64_t next_ns; // when to look at the file again
    bool playing;
    void *params;      // as they were sent last
    ploy_buffer bytes; // of the file, as it was read last
};

// Takes what the inspector has to say; the number of the session that an answer to `open` names.
static uint64_t watch_drain(cli_watching *watching) {
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    uint64_t session = 0;
    while (ploy_inspector_send(watching->inspector, watching->client, NULL, &bytes, &size,
                               &is_text) == PLOY_OK) {
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        if (!is_text ||
            ploy_json_load(bytes, size, "answer", &def, watching->env, NULL, &doc) != PLOY_OK) {
            continue;
        }
        ploy_json_node root = ploy_json_root(doc);
        ploy_json_node opened = ploy_json_member(doc, root, "session");
        uint64_t number = 0;
        if (ploy_json_u64(doc, ploy_json_member(doc, opened, "session"), &number) == PLOY_OK) {
            session = number;
        }
        ploy_json_node error = ploy_json_member(doc, root, "error");
        const char *message = ploy_json_text(doc, ploy_json_member(doc, error, "message"), NULL);
        if (message[0] != 0) fprintf(stderr, "ploy: %s\n", message);
        ploy_json_destroy(doc);
    }
    return session;
}

typedef struct watch_request {
    cli_watching *watching;
    const void *before; // only what differs from it; NULL: everything
    const void *after;
    ploy_buffer buffer;
    ploy_writer writer;
    ploy_json_writer json;
    int32_t count;
} watch_request;

// Opens the object of a request. It must stay where it is until its end.
static void watch_begin(watch_request *request, cli_watching *watching, const char *what) {
    memset(request, 0, sizeof *request);
    request->watching = watching;
    request->after = watching->params;
    ploy_buffer_init(&request->buffer, 0, watching->env);
    request->writer = ploy_buffer_writer(&request->buffer);
    ploy_json_writer_init(&request->json, &request->writer, 0);
    ploy_json_write_begin_object(&request->json);
    ploy_json_write_key(&request->json, "id");
    ploy_json_write_u64(&request->json, ++watching->requests);
    ploy_json_write_key(&request->json, "do");
    ploy_json_write_text(&request->json, what);
    if (watching->session == 0) return;
    ploy_json_write_key(&request->json, "session");
    ploy_json_write_u64(&request->json, watching->session);
}

static uint64_t watch_end(watch_request *request) {
    cli_watching *watching = request->watching;
    ploy_json_write_end_object(&request->json);
    (void)ploy_inspector_receive(watching->inspector, watching->client, request->buffer.bytes,
                                 request->buffer.size, true);
    ploy_buffer_fini(&request->buffer);
    return watch_drain(watching);
}

static void watch_param(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    watch_request *request = user;
    (void)offset;
    ploy_fields fields = request->watching->watch->type->fields();
    ploy_value after, before;
    if (ploy_fields_get(fields, request->after, path, &after) != PLOY_OK) return;
    if (request->before != NULL) {
        if (ploy_fields_get(fields, request->before, path, &before) != PLOY_OK) return;
        if (ploy_value_equal(&after, &before)) return;
        if (!field->live) {
            fprintf(stderr, "ploy: %s cannot change after the game has started\n", path);
            return;
        }
    }
    ploy_json_write_key(&request->json, path);
    ploy_json_write_value(&request->json, &after);
    request->count++;
}

// Looks for changes in the file; one that cannot be read changes nothing but says why.
static void watch_file(cli_watching *watching) {
    const cli_watch *watch = watching->watch;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, watching->env);
    ploy_result result =
        ploy_os_read_file(watch->file, CLI_PARAMS_BYTES_MAX, watching->env, &bytes);
    bool same = result != PLOY_OK ||
                (bytes.size == watching->bytes.size &&
                 (bytes.size == 0 || memcmp(bytes.bytes, watching->bytes.bytes, bytes.size) == 0));
    if (same) {
        ploy_buffer_fini(&bytes);
        return;
    }
    ploy_buffer_fini(&watching->bytes);
    watching->bytes = bytes;
    void *after = calloc(1, watch->type->fields().size);
    if (after == NULL) return;
    if (cli_load_params(watch, after, watching->env) < 0) {
        watch_request request;
        watch_begin(&request, watching, "set");
        request.before = watching->params;
        request.after = after;
        ploy_json_write_key(&request.json, "values");
        ploy_json_write_begin_object(&request.json);
        ploy_fields_each(watch->type->fields(), watch_param, &request);
        ploy_json_write_end_object(&request.json);
        watch_end(&request);
        fprintf(stderr, "ploy: %s: %d parameters changed\n", watch->file, (int)request.count);
        void *old = watching->params;
        watching->params = after;
        after = old;
    }
    free(after);
}

static uint64_t watch_ask(cli_watching *watching, const char *what) {
    watch_request request;
    watch_begin(&request, watching, what);
    if (strcmp(what, "hello") == 0) {
        ploy_json_write_key(&request.json, "protocol");
        ploy_json_write_i64(&request.json, PLOY_INSPECTOR_PROTOCOL);
    } else if (strcmp(what, "watch") == 0) { // keeps it open, and requests nothing
        ploy_json_write_key(&request.json, "rate");
        ploy_json_write_i64(&request.json, 0);
        ploy_json_write_key(&request.json, "describe");
        ploy_json_write_text(&request.json, "none");
        ploy_json_write_key(&request.json, "why");
        ploy_json_write_bool(&request.json, false);
    } else if (strcmp(what, "open") == 0) {
        char seed[24];
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)watching->watch->seed);
        ploy_json_write_key(&request.json, "simulation");
        ploy_json_write_text(&request.json, watching->watch->type->name);
        ploy_json_write_key(&request.json, "seed");
        ploy_json_write_text(&request.json, seed);
        ploy_json_write_key(&request.json, "params");
        ploy_json_write_begin_object(&request.json);
        ploy_fields_each(watching->watch->type->fields(), watch_param, &request);
        ploy_json_write_end_object(&request.json);
    }
    return watch_end(&request);
}

// Replaces the map before the first tick. The file was read once already, to check it.
static void watch_map(cli_watching *watching) {
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, watching->env);
    const char *path = watching->watch->map;
    ploy_result result = ploy_os_read_file(path, CLI_PARAMS_BYTES_MAX, watching->env, &bytes);
    if (result != PLOY_OK) {
        (void)cli_error_read(path, result);
        return;
    }
    watch_request request;
    watch_begin(&request, watching, "reload");
    ploy_json_write_key(&request.json, "name");
    ploy_json_write_text(&request.json, "map");
    ploy_json_write_key(&request.json, "text");
    ploy_json_write_text_bytes(&request.json, (const char *)bytes.bytes, bytes.size);
    watch_end(&request);
    ploy_buffer_fini(&bytes);
}

cli_watching *cli_watch_begin(const cli_watch *watch, ploy_inspector *inspector,
                              const ploy_env *env) {
    cli_watching *watching = calloc(1, sizeof *watching);
    void *params = calloc(1, watch->type->fields().size);
    if (watching == NULL || params == NULL ||
        ploy_inspector_connect(inspector, PLOY_INSPECT_WRITE, &watching->client) != PLOY_OK) {
        free(params);
        free(watching);
        return NULL;
    }
    watching->watch = watch;
    watching->inspector = inspector;
    watching->env = env;
    watching->params = params;
    memcpy(params, watch->params, watch->type->fields().size);
    ploy_buffer_init(&watching->bytes, 0, env);
    if (watch->file != NULL) {
        (void)ploy_os_read_file(watch->file, CLI_PARAMS_BYTES_MAX, env, &watching->bytes);
    }
    watch_ask(watching, "hello");
    uint64_t session = watch_ask(watching, "open");
    if (session == 0) {
        cli_watch_end(watching);
        return NULL;
    }
    watching->session = session;
    watch_ask(watching, "watch");
    if (watch->map != NULL) watch_map(watching);
    return watching;
}

uint64_t cli_watch_session(const cli_watching *watching) {
    return watching->session;
}

void cli_watch_step(cli_watching *watching) {
    watch_drain(watching);
    if (!watching->playing && ploy_inspector_client_count(watching->inspector) > 1) {
        watching->playing = true;
        watch_ask(watching, "play");
    }
    uint64_t now = ploy_os_clock_ns();
    if (watching->watch->file == NULL || now < watching->next_ns) return;
    watching->next_ns = now + (uint64_t)WATCH_PERIOD_MS * 1000000u;
    watch_file(watching);
}

void cli_watch_end(cli_watching *watching) {
    if (watching == NULL) return;
    ploy_inspector_disconnect(watching->inspector, watching->client);
    ploy_buffer_fini(&watching->bytes);
    free(watching->params);
    free(watching);
}
