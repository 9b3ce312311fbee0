/*
 * Which system call filter does a run get?  filter/rules.c says what is in it.
 */
#ifndef SBX_LINUX_SANDBOX_FILTER_CHOOSE_FILTER_H
#define SBX_LINUX_SANDBOX_FILTER_CHOOSE_FILTER_H

#include "base/error.h"
#include "filter/filter_rule.h"
#include "policy/permissions.h"

#include <linux/filter.h>

/* As bits of a number, so that filters can be made for all of them beforehand. */
#define SECCOMP_CHOICES 1024

static inline unsigned seccomp_index(const struct seccomp_choice *choice)
{
	return (unsigned)choice->net | (unsigned)choice->watch << 2 | (choice->nested ? 16U : 0U) |
	       (choice->root ? 32U : 0U) | (choice->no_writes ? 64U : 0U) |
	       (choice->alone ? 128U : 0U) | (choice->brokered ? 256U : 0U) |
	       (choice->debugged ? 512U : 0U);
}

static inline struct seccomp_choice seccomp_choice_at(unsigned index)
{
	return (struct seccomp_choice){
	        .net = (enum net)(index & 3U),
	        .watch = (enum watch)(index >> 2 & 3U),
	        .nested = (index & 16U) != 0,
	        .root = (index & 32U) != 0,
	        .no_writes = (index & 64U) != 0,
	        .alone = (index & 128U) != 0,
	        .brokered = (index & 256U) != 0,
	        .debugged = (index & 512U) != 0,
	};
}

/* Without the observer nothing but the filter holds connections, and nobody grants. */
static inline struct seccomp_choice seccomp_unwatched(const struct seccomp_choice *choice)
{
	struct seccomp_choice out = *choice;

	out.net = choice->net == NET_OFF_TOLD ? NET_OFF : choice->net;
	out.watch = WATCH_NONE;
	out.brokered = false;
	return out;
}

/* No run asks for the others, and they are left empty. */
static inline bool seccomp_choice_exists(const struct seccomp_choice *choice)
{
	bool files = choice->watch >= WATCH_FILES;

	return (!choice->no_writes || choice->alone) &&
	       (choice->net != NET_OFF_TOLD || (files && !choice->alone)) &&
	       (!choice->nested || choice->watch == WATCH_NONE) &&
	       (!choice->brokered || (choice->alone && files)) &&
	       (!choice->debugged || (!choice->alone && !choice->nested));
}

/* Made at build time.  Only the native calling convention passes; a call by
 * another one (i386, x32) ends the process. */
extern const struct sock_fprog seccomp_filters[SECCOMP_CHOICES];

/* The rules of filter/rules.c with the numbers of this architecture. */
extern const struct rule seccomp_rules[];
extern const size_t seccomp_rule_count;

/* Installs it; needs no_new_privs. */
int seccomp_install(const struct seccomp_choice *choice, struct error *err);

/* The same with a listener, whose fd it returns; -1 with errno. */
int seccomp_install_watched(const struct seccomp_choice *choice);

#endif
