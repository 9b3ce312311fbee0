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

/*
 * Is somebody waiting to see us stop, and how do we stop as the command did?
 */

/*
 * True when our parent is a shell, or whatever else started us as a job of our
 * own, and waits to see us stop.  A script in our group does not: the key that
 * stopped the command stopped it too, and the shell above it may continue the
 * group while we are still on our way to a stop, which nobody would then undo.
 */
bool stop_is_awaited(void);

/*
 * Stops us as the command was stopped, so that the calling shell sees its job
 * stopped; the signal may be blocked, and SIGCONT must be.  True when somebody
 * continued us; false when the kernel would not stop us: nobody could continue
 * a group without a shell above it.
 */
bool stop_as(int number, bool whole_group);

#endif
