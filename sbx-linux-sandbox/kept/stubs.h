/*
 * How is a name protected that does not exist yet?
 *
 * A mount needs something to be mounted on, so for the time of the run a
 * missing protected name exists as an empty directory: the stub.  It carries
 * its own mark (mode 1555, which nobody gives an empty directory by hand) and
 * its own lock, so that there is no registry to forge or to lose:
 *
 * - every run that needs a stub holds a shared flock() on it;
 * - whoever ends takes the lock exclusively without waiting, and removes the
 *   stub only if it got it: then nobody else needs it;
 * - what a SIGKILL leaves has the mark and no lock; the next run that needs
 *   the name adopts it and removes it at its end;
 * - a directory without the mark is somebody's, and is never removed.
 */
#ifndef SBX_LINUX_SANDBOX_KEPT_STUBS_H
#define SBX_LINUX_SANDBOX_KEPT_STUBS_H

#include "base/error.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct stub {
	int parent; /* O_PATH of the directory that holds it */
	int fd;     /* the stub itself, locked */
	char *name;
};

struct stubs {
	struct stub *items;
	size_t count;
};

/*
 * Makes a stub for the first missing component of every entry that narrows a
 * writable directory, except in a private /tmp (or NULL), which is no place of the
 * host's.
 */
int stubs_make(const struct permissions *permissions, const char *private_tmp, struct stubs *stubs,
               struct error *err);

/* Whether a file of that name carries the mark. */
bool stub_has_mark(const char *name, const struct stat *st);

/*
 * Whether a directory carries the mark and nothing is in it: another run's, which
 * needs it where it is, or nobody's; in neither case anything that a tool obeys.
 */
bool stub_is_empty(int parent, const char *name, const struct stat *st);

/* Whether the file is one of these. */
bool stubs_contain(const struct stubs *stubs, const struct stat *st);

/* Removes what nobody else needs; to be called when no process of the run is left. */
void stubs_remove(struct stubs *stubs);

#endif
