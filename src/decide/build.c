// What all definitions have in common while they are built.
#include "decide_internal.h"

#include <stdio.h>
#include <string.h>

ploy_result ployi_build_init(ployi_build *build, const ploy_env *env) {
    memset(build, 0, sizeof *build);
    build->env = *env;
    return ploy_names_create(env, &build->names);
}

void ployi_build_fini(ployi_build *build) {
    ploy_names_destroy(build->names);
    build->names = NULL;
}

void ployi_build_join(const char *what, const char *name, char text[PLOY_DIAG_TEXT_MAX]) {
    const char *parts[] = {what, " '", name != NULL ? name : "", "'"};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < PLOY_DIAG_TEXT_MAX; c++) {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
}

ploy_result ployi_build_fault(ployi_build *build, ploy_result code, const char *what,
                              const char *name) {
    char text[PLOY_DIAG_TEXT_MAX];
    ployi_build_join(what, name, text);
    ploy_env_log(&build->env, PLOY_SEVERITY_ERROR, text);
    if (build->result == PLOY_OK && !build->finished) build->result = code;
    return code;
}

bool ployi_build_open(ployi_build *build) {
    return build->result == PLOY_OK && !build->finished;
}

ploy_name ployi_build_name(ployi_build *build, const char *what, const char *text) {
    ploy_name name = {0};
    ploy_result result = ploy_names_add(build->names, text, &name);
    if (result == PLOY_OK) return name;
    (void)ployi_build_fault(build, result, what, text);
    name.hash = 0;
    return name;
}

const char *ployi_build_text(const ployi_build *build, ploy_name name) {
    const char *text = ploy_names_text(build->names, name);
    return text != NULL ? text : "";
}

void ployi_lint(ploy_diags *diags, int32_t *count, const char *what, const char *name) {
    char text[PLOY_DIAG_TEXT_MAX];
    ployi_build_join(what, name, text);
    ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, name, 0, 0, text, NULL, NULL);
    (*count)++;
}

ploy_result ployi_build_unfinished(const char *what, ploy_diags *diags) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_STATE, what, 0, 0,
                   "nested definition is not finished", NULL, NULL);
    return PLOY_ERR_STATE;
}

ploy_result ployi_build_unknown(ployi_build *build, const char *what, const char *name,
                                const char *row) {
    char text[PLOY_DIAG_TEXT_MAX];
    snprintf(text, sizeof text, "unknown %s '%.60s' in row", what, name);
    return ployi_build_fault(build, PLOY_ERR_NOT_FOUND, text, row);
}
