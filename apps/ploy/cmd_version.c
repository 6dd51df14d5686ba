#include <stdio.h>

#include "apps/ploy/cli.h"
#include "ploy/base/version.h"

int cmd_version(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {{"--json", CLI_FLAG, &json, NULL, "print one JSON object"}};
    const cli_usage usage = {"version", "[--json]", "Prints the version of ploy.", options, 1,
                             0,         0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    const char *data = cli_data_dir();
    if (!json) {
        printf("ploy %s\n", ploy_version_text());
        printf("outside data: %s\n", data != NULL ? data : "none (set PLOY_DATA)");
        return CLI_OK;
    }
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer writer;
    ploy_json_writer_init(&writer, &out, 0);
    ploy_json_write_begin_object(&writer);
    ploy_json_write_key(&writer, "version");
    ploy_json_write_text(&writer, ploy_version_text());
    ploy_json_write_key(&writer, "data");
    if (data != NULL) {
        ploy_json_write_text(&writer, data);
    } else {
        ploy_json_write_null(&writer);
    }
    ploy_json_write_end_object(&writer);
    putchar('\n');
    return CLI_OK;
}
