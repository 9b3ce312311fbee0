/*
 * Which bubblewrap, and how it is told.
 */
#ifndef SBX_BWRAP_H
#define SBX_BWRAP_H

#include "error.h"
#include "mounts.h"
#include "request.h"

#include <stdbool.h>

struct bwrap {
	bool system; /* the system's, opened as fd; else the vendored one */
	int fd;
	bool argv0;   /* it has --argv0 */
	bool bind_fd; /* it has --bind-fd and --ro-bind-fd */
	bool current; /* its set-up does not follow links: 0.12.0 or later */
};

/*
 * The system's bubblewrap is preferred when it is trustworthy: in a directory
 * of the system, never one of PATH, which the command, a document or a project
 * could name; owned by root like all directories above it, writable by nobody
 * else, not set-user-id, not in the working directory or any place the policy
 * lets the command write, and not older than the vendored one, whose release
 * mends a hole in the set-up (CVE-2026-87766).  An older one is used on request, and where the
 * vendored one may not make namespaces (`fallback`: AppArmor lets only the system's).
 */
int bwrap_choose(const struct request *request, bool fallback, struct bwrap *bwrap,
                 struct error *err);
void bwrap_close(struct bwrap *bwrap);

/*
 * bubblewrap's arguments as a NUL-terminated vector, ending with the inner
 * stage.  Sources are named by fd where bubblewrap can, and by path else; the
 * inner stage compares identities in both cases.
 */
char **bwrap_args(const struct bwrap *bwrap, const struct request *request,
                  const struct mounts *mounts, const char *inner, int control, int plan, int empty);

/* Becomes bubblewrap; returns only on failure. */
void bwrap_exec(const struct bwrap *bwrap, char **args);

#endif
