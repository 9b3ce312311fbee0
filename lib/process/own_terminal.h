/*
 * Whose is the controlling terminal?
 */
#ifndef SBX_PROCESS_OWN_TERMINAL_H
#define SBX_PROCESS_OWN_TERMINAL_H

#include <stdbool.h>

/* -1: there is none. */
int own_terminal_open(void);

/* Our process group is in the foreground of it. */
bool own_terminal_is_ours(int fd);

/*
 * A command that we start is to have it from its first instruction: we are a job
 * of our own.  In a pipeline a pager may need the keyboard; there the command gets
 * the terminal when it first uses it.
 */
bool own_terminal_goes_to_command(int fd);

#endif
