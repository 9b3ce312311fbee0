/*
 * How do two runs take turns, where a command in the sandbox cannot hold them up?
 *
 * Whoever can open a file, if only to read, can lock it: flock() asks for
 * nothing more, and a read lock of fcntl() keeps a writer out as well.  So we
 * lock files of their own that can be written but not read: inside, the first
 * is refused by the sandbox and the second by the mode, and changing the mode
 * is a write.  And nobody is waited for without end.
 */
#ifndef SBX_FS_TAKE_TURNS_H
#define SBX_FS_TAKE_TURNS_H

#include "base/error.h"

/*
 * The lock of that name in the open directory, made if it is missing; held
 * until the descriptor is closed.  -1 with the code "locked" when somebody
 * else has it for all of limit_ms.  Whoever holds it may remove the file.
 */
int lock_take(int directory, const char *name, int limit_ms, struct error *err);

/*
 * An open directory or file that another run has alone only for a moment, until
 * the descriptor is closed.  0, or -1 with errno: ETIMEDOUT, it took longer.
 */
int lock_shared(int fd, int limit_ms);

#endif
