// ploy studio: serves the page and the simulations behind it until Ctrl-C.
#include <signal.h>
#include <stdio.h>

#include "apps/ploy/cli.h"
#include "labs/labs.h"

#ifdef PLOY_HAS_INSPECT_HTTP
#include "ploy/inspect/http.h"

static volatile sig_atomic_t studio_stopped;

static void stop_studio(int signal_number) {
    (void)signal_number;
    studio_stopped = 1;
}

int cmd_studio(int argc, char **argv) {
    int64_t port = 7373;
    bool any_address = false, read_only = false, json = false;
    const cli_option options[] = {
        {"--port", CLI_COUNT, &port, "N", "port to listen on (7373); 0 takes any free one"},
        {"--read-only", CLI_FLAG, &read_only, NULL, "nobody may open or change anything"},
        {"--any-address", CLI_FLAG, &any_address, NULL,
         "listen beyond this machine; looking then needs the token too"},
        {"--json", CLI_FLAG, &json, NULL, "print the address as a JSON object"},
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
    if (port > 65535) return cli_error("--port wants 0 to 65535", NULL);
    ploy_env env = cli_env();
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    def.port = (int32_t)port;
    def.any_address = any_address;
    def.writable = !read_only;
    ploy_inspect_server *server = NULL;
    ploy_result result = ploy_inspect_server_create(&def, ploy_labs(), NULL, &env, &server);
    if (result != PLOY_OK) return cli_error_result("studio", result);
    signal(SIGINT, stop_studio);
    signal(SIGTERM, stop_studio);
    if (json) {
        printf("{\"url\":\"%s\",\"port\":%d}\n", ploy_inspect_server_url(server),
               (int)ploy_inspect_server_port(server));
    } else {
        printf("The studio is at\n\n    %s\n\nCtrl-C ends it.\n", ploy_inspect_server_url(server));
    }
    fflush(stdout);
    while (!studio_stopped && result == PLOY_OK) result = ploy_inspect_server_step(server, 250);
    ploy_inspect_server_destroy(server);
    return result == PLOY_OK ? CLI_OK : cli_error_result("studio", result);
}
#else
int cmd_studio(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return cli_error("this ploy was built without the studio's server", NULL);
}
#endif
