/*
 * Which system calls are refused?
 */
#ifndef SBX_SECCOMP_H
#define SBX_SECCOMP_H

#include "error.h"
#include "permissions.h"

#include <linux/filter.h>
#include <stdbool.h>

struct seccomp_choice {
	enum network network;
	bool nested;    /* user namespaces, and mounts in them, are allowed */
	bool root;      /* the caller has uid 0 */
	bool no_writes; /* nothing is writable, and no mount says so */
};

/*
 * Compiles the filter.  Only the native calling convention passes; a call by
 * another one (i386, x32) ends the process.
 */
int seccomp_compile(const struct seccomp_choice *choice, struct sock_fprog *filter,
                    struct error *err);

/* Installs it; needs no_new_privs. */
int seccomp_install(const struct sock_fprog *filter, struct error *err);

#endif
