/*
 * Where are the suite's own programs and data?
 *
 * Next to the running program, else in the folders it was installed to.  Never
 * through PATH, the working directory or the environment.
 */
#ifndef SBX_PROCESS_SIBLING_H
#define SBX_PROCESS_SIBLING_H

#include "base/error.h"

/* The directory of the running program, without symbolic links. */
char *program_directory(struct error *err);

/* The path of a program of the suite. */
char *sibling_path(const char *name, struct error *err);

#endif
