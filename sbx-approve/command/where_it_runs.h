/*
 * Where would the command run: which program does a name lead to, and does
 * the environment change what a program does?
 */
#ifndef SBX_APPROVE_COMMAND_WHERE_IT_RUNS_H
#define SBX_APPROVE_COMMAND_WHERE_IT_RUNS_H

#include "document/document.h"

#include <jansson.h>
#include <stdbool.h>

/* What was looked at once: our own environment does not change. */
struct site_memory {
	bool looked, poisoned, loads_code;
	const char *path, *home;
	struct site_found {
		char name[32];
		const char *directory; /* in path */
		size_t len;
		bool found;
	} found[16];
	size_t count;
};

struct site {
	const char *path; /* PATH of the command, or NULL */
	bool poisoned;    /* a variable makes ordinary programs run other code */
	bool loads_code;  /* the document's own environment names code for a program to load */
	bool may_load;    /* its environment does, or the caller's own */
	bool own_home;    /* HOME is the caller's */
	const json_t *fs; /* policy.permissions.fs */
	struct site_root {
		const char *path;
		size_t len;
	} roots[32]; /* the paths in fs that can be written, looked up when needed */
	size_t root_count;
	bool roots_known, all_writable;
	struct site_memory *memory; /* when path is our own; else NULL */
};

void site_look(struct site *site, const struct command *command, const json_t *policy,
               struct site_memory *memory);

/*
 * The bare name of a program of the system, or NULL: argv[0] is such a name
 * and PATH finds it in a system directory first, or it is the path of a file
 * in one.  "./ls" and a planted "ls" are none.
 */
const char *site_system_program(struct site *site, const char *name);

/*
 * A bare name that PATH finds, first of all, in a place where no sandbox of
 * this policy could have put it; or not at all.
 */
bool site_leads_out_of_reach(struct site *site, const char *name);

/*
 * The file itself, by bare name or absolute path and with its links resolved,
 * is where no sandbox of this policy can write.
 */
bool site_program_out_of_reach(struct site *site, const char *word);

#endif
