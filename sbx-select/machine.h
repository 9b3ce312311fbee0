/*
 * What works on this machine?  Looked at once per process, before the first
 * document is there, so that it overlaps with the stages before.
 */
#ifndef SBX_SELECT_MACHINE_H
#define SBX_SELECT_MACHINE_H

#include <jansson.h>
#include <stdbool.h>

struct machine {
	const char *platform; /* what is wrapped for */
	bool foreign;         /* another system than this one: assumed to work */

	/* Linux */
	bool root;           /* of whatever namespace this was started in */
	bool userns;         /* this program can make a user namespace and use it */
	int userns_errno;    /* why not */
	bool userns_capless; /* made, but without its capabilities (AppArmor) */
	bool other_proc;     /* not tried: who is inside could not be found in this /proc */
	int unknown;        /* an errno: the look failed, which is no reason for a weaker sandbox */
	bool bwrap_system;  /* there is a bwrap of the system */
	bool bwrap_current; /* ... that may be used instead of ours */
	bool bwrap_userns;  /* only that bwrap can make a user namespace */
	bool outer_proc;    /* a fresh /proc would be refused: the one that is there is shown */
	int landlock_abi;   /* 0: none */
	bool seccomp, notify;

	/* macOS */
	bool sandbox_exec;
};

/*
 * Changes the process for good: on Linux it is then in a user namespace of
 * its own.  That saves a process on the path of every command.  Aside: a child
 * tries that instead, and this process can start others afterwards.
 */
void machine_look(struct machine *machine, const char *platform, bool aside);

/* sandbox.capabilities */
json_t *machine_capabilities(const struct machine *machine);

#endif
