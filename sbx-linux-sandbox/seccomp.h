/*
 * Which system calls are refused?
 */
#ifndef SBX_SECCOMP_H
#define SBX_SECCOMP_H

#include "error.h"
#include "permissions.h"

#include <linux/filter.h>
#include <stdbool.h>

/*
 * Compiles the filter.  Only the native calling convention passes; a call by
 * another one (i386, x32) ends the process.  `nested` allows user namespaces
 * and mounts in them; `root` is a caller with uid 0.
 */
int seccomp_compile(enum network network, bool nested, bool root, struct sock_fprog *filter,
                    struct error *err);

/* Installs it; needs no_new_privs. */
int seccomp_install(const struct sock_fprog *filter, struct error *err);

#endif
