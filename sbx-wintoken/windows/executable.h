/*
 * Which file is the command?
 *
 * Found here and given to the system by its whole path, so that no rule of
 * its own guesses: not the current directory, not C:\Program.exe.
 */
#ifndef SBX_WINTOKEN_EXECUTABLE_H
#define SBX_WINTOKEN_EXECUTABLE_H

#include "windows/system.h"

struct executable {
	char *path; /* what is started */
	char *line; /* its command line */
};

/*
 * argv[0] with a separator counts from cwd, without one along PATH with the
 * extensions of PATHEXT, both of env.  err->exit is 126 or 127.
 */
int executable_find(struct executable *executable, char *const *argv, char *const *env,
                    const char *cwd, struct error *err);
void executable_free(struct executable *executable);

#endif
