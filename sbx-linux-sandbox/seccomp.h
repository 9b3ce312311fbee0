/*
 * Which system call filter does a run get?  filter/rules.c says what is in it.
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

/* loopback and on have the same filter. */
#define SECCOMP_CHOICES 16

static inline unsigned seccomp_index(const struct seccomp_choice *choice)
{
	return (choice->network != NETWORK_OFF ? 1U : 0U) | (choice->nested ? 2U : 0U) |
	       (choice->root ? 4U : 0U) | (choice->no_writes ? 8U : 0U);
}

static inline struct seccomp_choice seccomp_choice_at(unsigned index)
{
	return (struct seccomp_choice){
	        .network = index & 1U ? NETWORK_ON : NETWORK_OFF,
	        .nested = (index & 2U) != 0,
	        .root = (index & 4U) != 0,
	        .no_writes = (index & 8U) != 0,
	};
}

/* Made at build time.  Only the native calling convention passes; a call by
 * another one (i386, x32) ends the process. */
extern const struct sock_fprog seccomp_filters[SECCOMP_CHOICES];

/* Installs it; needs no_new_privs. */
int seccomp_install(const struct seccomp_choice *choice, struct error *err);

#endif
