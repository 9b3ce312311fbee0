/*
 * What is in the way of user namespaces, and what is there to be done?
 */
#ifndef SBX_SELECT_OBSTACLE_H
#define SBX_SELECT_OBSTACLE_H

#include "machine.h"

#include <stdbool.h>

/* Whose container this is, by what it leaves in its files. */
struct container {
	const char *name; /* NULL: none that we know */
	const char *sign; /* the file that says so */
	const char *run;  /* the command that starts one; NULL: it is started otherwise */
};
struct container container_look(void);

/* What an answer follows from; nothing else is looked at. */
struct circumstances {
	long max_namespaces; /* user.max_user_namespaces; -1: no such file */
	long unprivileged;   /* kernel.unprivileged_userns_clone; -1: no such file */
	bool root;           /* of the first user namespace or of one below */
	bool capless;        /* a namespace was made, and its capabilities withheld */
	bool apparmor;       /* AppArmor restricts those of unprofiled programs */
	bool inside;         /* in a sandbox of ours; by a variable, so for words only */
	bool filtered;       /* a system call filter was there before us */
	bool changed_root;   /* the root directory is no mount: chroot() */
	bool other_proc;     /* /proc is of another process namespace */
	int why;             /* errno of the attempt */
	struct container container;
};

struct obstacle {
	const char *why;
	const char *cure; /* in words */
	const char *type; /* the line to type; NULL: there is none */
	bool as_root;     /* ... as root */
};

void obstacle_find(const struct circumstances *here, struct obstacle *obstacle);

/* The same, of this machine. */
void obstacle_look(const struct machine *machine, struct obstacle *obstacle);

#endif
