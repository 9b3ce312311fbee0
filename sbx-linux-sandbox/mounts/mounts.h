/*
 * Which mounts make a policy true?
 *
 * The plan is a list in the order in which it has to be carried out: parents
 * before children, except that a mask is sealed after what is reopened in it.
 * Every source is opened here, once, without following links, and stays open
 * for the whole run; later stages compare what got mounted with it.
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_MOUNTS_H
#define SBX_LINUX_SANDBOX_MOUNTS_MOUNTS_H

#include "base/error.h"
#include "kept/stubs.h"
#include "policy/permissions.h"
#include "tmp/private_tmp.h"

#include <stdbool.h>
#include <sys/types.h>

enum mount_kind {
	MOUNT_READ,      /* bind, read-only */
	MOUNT_WRITE,     /* bind */
	MOUNT_DEVICE,    /* bind with device access: a write entry below /dev */
	MOUNT_EMPTY,     /* empty tmpfs with perms */
	MOUNT_SEAL,      /* make it read-only */
	MOUNT_HIDE_FILE, /* an empty file that nobody may open */
	MOUNT_DEV,       /* minimal /dev */
	MOUNT_PROC,      /* fresh procfs */
	MOUNT_SYMLINK,   /* a symbolic link in an otherwise empty root */
	MOUNT_LINK,      /* pin a symbolic link, or what may pass; finish.c does it */
};

struct mount {
	enum mount_kind kind;
	char *path;
	char *source; /* the path outside, where it is another; else NULL */
	char *target; /* MOUNT_SYMLINK only */
	unsigned perms;
	bool passing;       /* nobody's concern when it vanishes */
	enum access around; /* of the directory that holds the path */
	int fd;             /* the source, or what is hidden, O_PATH; -1 when there is neither */
	dev_t dev;
	ino_t ino;
};

struct mounts {
	struct mount *items;
	size_t count;
	size_t links; /* how many are MOUNT_LINK */
};

struct mounts_options {
	const struct private_tmp *tmp; /* NULL: /tmp is the host's */
	const struct stubs *stubs;
	char *const *passing; /* see request.h; may be NULL */
	bool no_proc;         /* keep the surrounding /proc, read-only */
	bool hide_proc;       /* with no_proc: not even that */
	bool open_proc;       /* /proc/PID stays writable: user namespaces inside need it */
};

int mounts_plan(const struct permissions *permissions, const struct mounts_options *options,
                struct mounts *mounts, struct error *err);
void mounts_free(struct mounts *mounts);

/* Whether the sandbox shows what the fd means; else it is only held for us (held.h). */
bool mount_shows_source(const struct mount *mount);

/* Inside: whether what an fd means is on a read-only mount; false when that cannot be seen. */
bool mount_is_read_only(int fd);

#endif
