/*
 * How does a process inside become the command, watched from its first call on?
 */
#ifndef SBX_LINUX_SANDBOX_INNER_COMMAND_PROCESS_H
#define SBX_LINUX_SANDBOX_INNER_COMMAND_PROCESS_H

#include "inner/inner_state.h"

/*
 * 0 when the command runs.  One that cannot be executed is reported to the outer
 * stage, and ends us.
 */
int start_command(struct inner *inner, struct error *err);

/* The terminal to a process group of ours. */
void take_terminal(pid_t group);

#endif
