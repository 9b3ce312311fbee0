/*
 * Is somebody waiting to see us stop, and how do we stop as the command did?
 */
#ifndef SBX_PROCESS_JOB_STOP_H
#define SBX_PROCESS_JOB_STOP_H

#include <stdbool.h>

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
