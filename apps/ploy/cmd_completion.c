// ploy completion bash|zsh: what the shell offers after the Tab key.
//
// The scripts ask the program itself for options and commands of commands (its --help), so they need no
// change when a command gets an option.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"

// The words for a place on the line: commands of commands, options, names of labs, games, generators and benchmarks.
static const char completion_words[] =
    "_ploy_words() {\n"
    "  local help\n"
    "  case \"$1 $2\" in\n"
    "    \"lab run\") ploy lab list 2>/dev/null | awk '{print $1}' ;;\n"
    "    \"play \") ploy play list 2>/dev/null | awk '{print $1}'; echo list ;;\n"
    "    \"board \") ploy board list 2>/dev/null | awk '{print $1}'; echo list; return ;;\n"
    "    \"generate \") ploy generate list 2>/dev/null | awk '{print $1}' ;;\n"
    "    \"arena \") (ploy play list; ploy board list) 2>/dev/null | awk '{print $1}' ;;\n"
    "    \"tune \") ploy play list 2>/dev/null | awk '{print $1}' ;;\n"
    "    \"bench \") ploy bench --list 2>/dev/null | awk '{print $1}' ;;\n"
    "    \"learn play\") ploy learn play list 2>/dev/null | awk '$1 == \"problem\" {print $2}' ;;\n"
    "    \"completion \") printf 'bash\\nzsh\\n' ;;\n"
    "  esac\n"
    "  help=$(ploy \"$@\" --help 2>/dev/null)\n"
    "  printf '%s\\n' \"$help\" | sed -n 's/^  \\(--[a-z][a-z-]*\\).*/\\1/p'\n"
    "  printf '%s\\n' \"$help\" | sed -n '/^commands:/,$ s/^  \\([a-z][a-z-]*\\) .*/\\1/p'\n"
    "  printf '%s\\n' \"$help\" | sed -n \"s/^\\(usage:\\|      \\) ploy $1 \\([a-z][a-z]*\\) "
    ".*/\\2/p\"\n"
    "}\n";

static void completion_commands(void) {
    printf("_ploy_commands=\"");
    for (int32_t i = 0; cli_command_name(i) != NULL; i++) {
        printf("%s%s", i > 0 ? " " : "", cli_command_name(i));
    }
    printf(" help\"\n");
}

static void completion_bash(void) {
    printf("# ploy for bash: eval \"$(ploy completion bash)\"\n");
    completion_commands();
    fputs(completion_words, stdout);
    fputs("_ploy() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} words=() i most=3\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "    COMPREPLY=($(compgen -W \"$_ploy_commands\" -- \"$word\"))\n"
          "    return\n"
          "  fi\n"
          "  case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in board* | \"tactics script\") most=4 ;; "
          "esac\n"
          "  for ((i = 1; i < COMP_CWORD && i < most; i++)); do\n"
          "    case ${COMP_WORDS[i]} in -*) break ;; *) words+=(\"${COMP_WORDS[i]}\") ;; esac\n"
          "  done\n"
          "  COMPREPLY=($(compgen -W \"$(_ploy_words \"${words[@]}\")\" -- \"$word\"))\n"
          "}\n"
          "complete -o default -F _ploy ploy\n",
          stdout);
}

static void completion_zsh(void) {
    printf("#compdef ploy\n# ploy for zsh: source <(ploy completion zsh)\n");
    completion_commands();
    fputs(completion_words, stdout);
    fputs("_ploy() {\n"
          "  local -a found parts\n"
          "  local i most=4\n"
          "  if (( CURRENT == 2 )); then\n"
          "    compadd -- ${=_ploy_commands}\n"
          "    return\n"
          "  fi\n"
          "  case \"${words[2]} ${words[3]}\" in (board*|\"tactics script\") most=5 ;; esac\n"
          "  for (( i = 2; i < CURRENT && i < most; i++ )); do\n"
          "    [[ ${words[i]} == -* ]] && break\n"
          "    parts+=(${words[i]})\n"
          "  done\n"
          "  found=(${(f)\"$(_ploy_words $parts)\"})\n"
          "  compadd -- $found || _files\n"
          "}\n"
          "compdef _ploy ploy\n",
          stdout);
}

int cmd_completion(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &json, NULL, "print the names of all commands as one JSON object"}};
    const cli_usage usage = {"completion",
                             "bash|zsh",
                             "Prints completions for a shell. For bash: eval \"$(ploy completion "
                             "bash)\"; for zsh: source <(ploy completion zsh).",
                             options,
                             1,
                             0,
                             1};
    const char *words[1] = {NULL};
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer writer;
        ploy_json_writer_init(&writer, &out, 0);
        ploy_json_write_begin_object(&writer);
        ploy_json_write_key(&writer, "commands");
        ploy_json_write_begin_array(&writer);
        for (int32_t i = 0; cli_command_name(i) != NULL; i++) {
            ploy_json_write_text(&writer, cli_command_name(i));
        }
        ploy_json_write_end_array(&writer);
        ploy_json_write_end_object(&writer);
        putchar('\n');
        return CLI_OK;
    }
    if (words[0] == NULL) return cli_error("completion expects bash or zsh", NULL);
    if (strcmp(words[0], "bash") == 0) {
        completion_bash();
    } else if (strcmp(words[0], "zsh") == 0) {
        completion_zsh();
    } else {
        return cli_error_near("unknown shell", words[0], words[0][0] == 'z' ? "zsh" : "bash");
    }
    return CLI_OK;
}
