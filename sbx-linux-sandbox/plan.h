/*
 * What must hold before the command runs, and what is the command?
 *
 * What the outer stage tells the inner one.  It travels as JSON in a memory
 * file, so that no environment variable or argument of the command is ever
 * visible to a program that runs outside.
 */
#ifndef SBX_PLAN_H
#define SBX_PLAN_H

#include "base/error.h"
#include "filter/choose_filter.h"
#include "mounts/mounts.h"
#include "request.h"

#include <jansson.h>
#include <stdint.h>

struct expectation {
	char *path;
	dev_t dev;
	ino_t ino; /* 0: an overlay, which has numbers of its own */
	bool writable;
};

struct plan {
	char **argv, **env;
	char *cwd;
	struct permissions permissions;
	struct seccomp_choice filter; /* also says what kind of run it is */
	struct permissions ground;    /* brokered: what Landlock is to give */
	struct expectation *mounts;   /* what each path must be */
	size_t mount_count;
	bool foreground; /* the command gets the terminal */
	int stderr_fd;   /* the command's stderr; 2 is bubblewrap's until then */
	int *keep_fds;
	size_t keep_count;
	json_t *aliases;      /* of what is mounted read-only, as case_alias.h has them */
	json_t *reopen;       /* files to open again, as reopened_files.h has them */
	uint64_t mark;        /* tells the observer that the command is next */
	unsigned long nofile; /* the soft limit that the caller had */
	int64_t processes;    /* of the user, at most; 0: as before */
	int64_t file_size;
};

/* What only the outer stage knows. */
struct plan_extras {
	bool foreground;
	int stderr_fd;
	unsigned long nofile;
	int64_t processes;
	const struct seccomp_choice *filter;
	uint64_t mark;
	const struct permissions *ground; /* NULL: no broker */
};

/* Fills the memory file. */
int plan_write(int fd, const struct request *request, const struct mounts *mounts,
               const struct plan_extras *extras, struct error *err);

int plan_read(int fd, struct plan *plan, struct error *err);

#endif
