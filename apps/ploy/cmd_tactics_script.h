// ploy tactics script: the words behind `script`.
#pragma once

int cmd_tactics_script(int argc, char **argv);
