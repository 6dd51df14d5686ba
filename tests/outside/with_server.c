// A program that links the component inspect_http and opens its server on a free port.
#include <stdio.h>
#include <string.h>

#include "ploy/inspect/http.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    ploy_inspect_server *server = NULL;
    ploy_result result = ploy_inspect_server_create(&def, NULL, NULL, &env, &server);
    if (result != PLOY_OK) {
        fprintf(stderr, "%s\n", ploy_result_text(result));
        return 1;
    }
    bool has_page = ploy_studio_assets()[0].path != NULL;
    bool has_url = strncmp(ploy_inspect_server_url(server), "http://", 7) == 0;
    ploy_inspect_server_destroy(server);
    return has_page && has_url ? 0 : 1;
}
