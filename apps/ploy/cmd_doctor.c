// ploy doctor: what is installed, which components are built, whether the port is free, and what to do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/version.h"
#ifdef PLOY_HAS_INSPECT_HTTP
#include "ploy/inspect/http.h"
#endif

enum { DOCTOR_ROWS_MAX = 32, DOCTOR_STUB_BYTES = 20000 };

// One finding. What is not needed by this program itself is a hint, not a fault.
typedef struct doctor_row {
    const char *group, *name;
    bool ok, needed;
    char state[200];
    const char *advice;
} doctor_row;

typedef struct doctor {
    doctor_row rows[DOCTOR_ROWS_MAX];
    int32_t count;
} doctor;

static void doctor_add(doctor *d, const char *group, const char *name, bool ok, bool needed,
                       const char *state, const char *advice) {
    if (d->count == DOCTOR_ROWS_MAX) return;
    doctor_row *row = &d->rows[d->count++];
    *row = (doctor_row){group, name, ok, needed, "", advice};
    snprintf(row->state, sizeof row->state, "%s", state);
}

// The first folder of PATH that has a program; false if none has.
static bool doctor_which(const char *program, char *out, size_t size) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != 0) {
        size_t length = strcspn(path, ":");
        int used = snprintf(out, size, "%.*s/%s", (int)length, path, program);
        FILE *file = used > 0 && (size_t)used < size ? fopen(out, "rb") : NULL;
        if (file != NULL) {
            fclose(file);
            return true;
        }
        path += length;
        if (*path == ':') path++;
    }
    return false;
}

static void doctor_programs(doctor *d) {
    static const struct {
        const char *names[3];
        const char *advice;
    } programs[] = {
        {{"cc", "gcc", "clang"},
         "needed to build ploy or a game that uses it: install gcc or clang"},
        {{"cmake", NULL, NULL}, "needed to build ploy: install cmake"},
        {{"node", NULL, NULL}, "needed to build and test the studio's page: install nodejs"},
        {{"npm", NULL, NULL}, "needed to build the studio's page: install npm"},
        {{"chromium", "chromium-browser", "google-chrome"},
         "needed for the studio's browser tests; any browser shows the studio"},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char found[200] = "not found";
        bool ok = false;
        for (int32_t k = 0; k < 3 && programs[i].names[k] != NULL && !ok; k++) {
            ok = doctor_which(programs[i].names[k], found, sizeof found);
        }
        doctor_add(d, "installed", programs[i].names[0], ok, false, ok ? found : "not found",
                   programs[i].advice);
    }
}

static void doctor_components(doctor *d) {
#ifdef PLOY_HAS_INSPECT_HTTP
    const bool http = true;
#else
    const bool http = false;
#endif
#ifdef PLOY_HAS_INSPECT_PNG
    const bool png = true;
#else
    const bool png = false;
#endif
#ifdef PLOY_HAS_PATH_RECAST
    const bool recast = true;
#else
    const bool recast = false;
#endif
#ifdef PLOY_HAS_DATA_COMPRESSION
    const bool zip = true;
#else
    const bool zip = false;
#endif
#ifdef PLOY_HAS_MPI
    const bool mpi = true;
#else
    const bool mpi = false;
#endif
#ifdef PLOY_HAS_DATA_PNG
    const bool image = true;
#else
    const bool image = false;
#endif
#ifdef PLOY_HAS_SCRIPT_LUA
    const bool lua = true;
#else
    const bool lua = false;
#endif
#ifdef PLOY_HAS_SCRIPT_BIND
    const bool bind = true;
#else
    const bool bind = false;
#endif
#ifdef PLOY_HAS_BENCH
    const bool bench = true;
#else
    const bool bench = false;
#endif
    const struct {
        const char *name;
        bool built, needed;
        const char *advice;
    } rows[] = {
        {"inspect_http", http, true, "the studio's server needs POSIX sockets"},
        {"inspect_png", png, false, "for --png: install libpng-dev and build again"},
        {"path_recast", recast, false, "for navmesh build: install librecast-dev and build again"},
        {"mpi", mpi, false, "for tune under mpirun: install libopenmpi-dev and build again"},
        {"data_compression", zip, false,
         "for compressed Tiled maps: install zlib1g-dev and build again"},
        {"data_png", image, false, "for images as samples: install libpng-dev and build again"},
        {"script_lua", lua, false, "for Lua: install liblua5.4-dev and build again"},
        {"script_bind", bind, false,
         "for the library's functions in Lua: install liblua5.4-dev, node and clang, and build "
         "again"},
        {"bench", bench, false, "for ploy bench: build with PLOY_PROGRAMS on"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        doctor_add(d, "built", rows[i].name, rows[i].built, rows[i].needed,
                   rows[i].built ? "built in" : "not built in", rows[i].advice);
    }
}

static void doctor_studio(doctor *d, int64_t port) {
#ifdef PLOY_HAS_INSPECT_HTTP
    size_t bytes = 0;
    for (const ploy_asset *asset = ploy_studio_assets(); asset->path != NULL; asset++) {
        bytes += asset->size;
    }
    char state[64];
    snprintf(state, sizeof state, "%zu bytes", bytes);
    doctor_add(d, "studio", "page", bytes > DOCTOR_STUB_BYTES, true, state,
               "the page is a placeholder: run 'make page' (needs node and npm) and build again");
    ploy_env env = cli_env();
    env.log = NULL; // the row reports the reason
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    ploy_inspect_server *server = NULL;
    def.port = (int32_t)port;
    ploy_result result = ploy_inspect_server_create(&def, NULL, NULL, &env, &server);
    snprintf(state, sizeof state, "%lld is %s", (long long)port,
             result == PLOY_OK ? "free" : "taken");
    doctor_add(d, "studio", "port", result == PLOY_OK, true, state,
               "another program uses this port: stop it, or choose another port with --port");
    ploy_inspect_server_destroy(server);
#else
    (void)port;
    doctor_add(d, "studio", "page", false, true, "no server", "see inspect_http");
#endif
    const char *data = cli_data_dir();
    doctor_add(d, "studio", "data", data != NULL, false, data != NULL ? data : "none",
               "maps for benchmarks and some tests: set PLOY_DATA to their folder");
}

static void doctor_print_json(const doctor *d, bool healthy) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "version");
    ploy_json_write_text(&json, ploy_version_text());
    ploy_json_write_key(&json, "ok");
    ploy_json_write_bool(&json, healthy);
    ploy_json_write_key(&json, "checks");
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < d->count; i++) {
        const doctor_row *row = &d->rows[i];
        ploy_json_write_begin_object(&json);
        const char *const texts[][2] = {{"group", row->group},
                                        {"name", row->name},
                                        {"state", row->state},
                                        {"advice", row->ok ? "" : row->advice}};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            ploy_json_write_key(&json, texts[k][0]);
            ploy_json_write_text(&json, texts[k][1]);
        }
        ploy_json_write_key(&json, "ok");
        ploy_json_write_bool(&json, row->ok);
        ploy_json_write_key(&json, "needed");
        ploy_json_write_bool(&json, row->needed);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    putchar('\n');
}

int cmd_doctor(int argc, char **argv) {
    bool json = false;
    int64_t port = CLI_STUDIO_PORT;
    const cli_option options[] = {
        {"--port", CLI_COUNT, &port, "N", "port of the studio (default 7373)"},
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"doctor",
                             "[options]",
                             "Checks what is installed, which components are built and whether the "
                             "studio's port is free, and suggests fixes. Exit status 1 if "
                             "something that the program needs is missing.",
                             options,
                             2,
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    if (port > 65535) return cli_error("--port expects 0 to 65535", NULL);
    doctor d = {.count = 0};
    doctor_components(&d);
    doctor_studio(&d, port);
    doctor_programs(&d);
    bool healthy = true;
    for (int32_t i = 0; i < d.count; i++) healthy = healthy && (d.rows[i].ok || !d.rows[i].needed);
    if (json) {
        doctor_print_json(&d, healthy);
        return healthy ? CLI_OK : CLI_NO;
    }
    printf("ploy %s\n", ploy_version_text());
    for (int32_t i = 0; i < d.count; i++) {
        const doctor_row *row = &d.rows[i];
        if (i == 0 || strcmp(row->group, d.rows[i - 1].group) != 0) printf("%s:\n", row->group);
        printf("  %-6s %-17s %s\n",
               row->ok       ? "ok"
               : row->needed ? "FAULT"
                             : "none",
               row->name, row->state);
        if (!row->ok) printf("         %s\n", row->advice);
    }
    printf(healthy ? "Nothing that ploy needs is missing.\n"
                   : "Something that ploy needs is missing.\n");
    return healthy ? CLI_OK : CLI_NO;
}
