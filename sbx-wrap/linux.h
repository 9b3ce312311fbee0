/*
 * Which argv runs a command under the Linux helper?
 */
#ifndef SBX_WRAP_LINUX_H
#define SBX_WRAP_LINUX_H

#include "wrap.h"

/* To be released by os_vector_free(); the command begins at out[*command]. */
char **linux_argv(const struct wrap *wrap, size_t *command, struct error *err);

#endif
