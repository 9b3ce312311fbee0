/*
 * Stopping with a job.
 */
#ifndef SBX_STOP_H
#define SBX_STOP_H

#include <stdbool.h>

/*
 * Stops us as the command was stopped, so that the calling shell sees its job
 * stopped; the signal may be blocked, and SIGCONT must be.  True when somebody
 * continued us; false when the kernel would not stop us: nobody could continue
 * a group without a shell above it.
 */
bool stop_as(int number, bool whole_group);

#endif
