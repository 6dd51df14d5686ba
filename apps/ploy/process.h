// A child process that talks in lines: engines of the arena. It and its children are one process group, which is
// killed as a whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct process process;

// Starts a command line through the shell. NULL: it could not be started.
process *process_start(const char *command);
// Writes a line. False: the process is gone.
bool process_write(process *p, const char *line);
typedef enum process_read_result {
    PROCESS_LINE,
    PROCESS_TIMEOUT,
    PROCESS_ENDED
} process_read_result;
// Waits for a line at most until the deadline, ms of ploy_os_clock_ns. The line is cut to size.
process_read_result process_read(process *p, char *line, size_t size, long long deadline_ms);
// Milliseconds of the clock that deadlines count by.
long long process_now_ms(void);
// Asks it to quit with that line (may be NULL), then kills the group. NULL is allowed.
void process_stop(process *p, const char *quit);
