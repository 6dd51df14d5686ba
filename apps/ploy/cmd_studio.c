// ploy studio: serves the page and the simulations behind it until Ctrl-C.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"

#ifdef PLOY_HAS_INSPECT_HTTP
#include "ploy/inspect/http.h"

static volatile sig_atomic_t studio_stopped;

static void stop_studio(int signal_number) {
    (void)signal_number;
    studio_stopped = 1;
}

// Prints the address, which names the simulation to open if there is one.
static void print_address(const cli_studio *studio, const ploy_inspect_server *server,
                          const cli_watching *watching) {
    char url[512];
    snprintf(url, sizeof url, "%s", ploy_inspect_server_url(server));
    if (watching != NULL) {
        size_t size = strlen(url);
        snprintf(url + size, sizeof url - size, "&simulation=%s&seed=%llu&session=%llu",
                 studio->watch->type->name, (unsigned long long)studio->watch->seed,
                 (unsigned long long)cli_watch_session(watching));
    }
    if (studio->json) {
        printf("{\"url\":\"%s\",\"port\":%d}\n", url, (int)ploy_inspect_server_port(server));
    } else {
        printf("The studio is at\n\n    %s\n\nCtrl-C ends it.\n", url);
    }
    fflush(stdout);
}

int cli_serve_studio(const cli_studio *studio, const ploy_env *env) {
    if (studio->port > 65535) return cli_error("--port expects 0 to 65535", NULL);
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    def.port = (int32_t)studio->port;
    def.any_address = studio->any_address;
    def.writable = !studio->read_only;
    ploy_inspect_server *server = NULL;
    ploy_result result = ploy_inspect_server_create(&def, cli_sims(), NULL, env, &server);
    if (result != PLOY_OK) return cli_error_result("studio", result);
    signal(SIGINT, stop_studio);
    signal(SIGTERM, stop_studio);
    cli_watching *watching = NULL;
    if (studio->watch != NULL) {
        watching = cli_watch_begin(studio->watch, ploy_inspect_server_inspector(server), env);
        if (watching == NULL) {
            ploy_inspect_server_destroy(server);
            return cli_error("cannot open the studio on", studio->watch->type->name);
        }
    }
    print_address(studio, server, watching);
    while (!studio_stopped && result == PLOY_OK) {
        result = ploy_inspect_server_step(server, 250);
        if (watching != NULL) cli_watch_step(watching);
    }
    cli_watch_end(watching);
    ploy_inspect_server_destroy(server);
    return result == PLOY_OK ? CLI_OK : cli_error_result("studio", result);
}

int cmd_studio(int argc, char **argv) {
    cli_studio studio = {CLI_STUDIO_PORT, false, false, false, NULL};
    const cli_option options[] = {
        {"--port", CLI_COUNT, &studio.port, "N",
         "port to listen on (default 7373; 0: any free port)"},
        {"--read-only", CLI_FLAG, &studio.read_only, NULL,
         "do not let clients open or change anything"},
        {"--any-address", CLI_FLAG, &studio.any_address, NULL,
         "listen on all interfaces; viewing then needs the token too"},
        {"--json", CLI_FLAG, &studio.json, NULL, "print the address as a JSON object"},
    };
    const cli_usage usage = {
        "studio",
        "[options]",
        "Serves the studio at a loopback address and prints it. Ctrl-C ends it.",
        options,
        4,
        0,
        0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    ploy_env env = cli_env();
    return cli_serve_studio(&studio, &env);
}
#else
int cli_serve_studio(const cli_studio *studio, const ploy_env *env) {
    (void)studio;
    (void)env;
    return cli_error(
        "cannot serve the studio: built without its server (configure with -DPLOY_INSPECT_HTTP=ON)",
        NULL);
}

int cmd_studio(int argc, char **argv) {
    (void)argc;
    (void)argv;
    const cli_studio studio = {CLI_STUDIO_PORT, false, false, false, NULL};
    ploy_env env = cli_env();
    return cli_serve_studio(&studio, &env);
}
#endif
