/*
 * What is mounted, and from where?
 */
#ifndef SBX_LINUX_SANDBOX_MOUNTS_MOUNTS_H
#define SBX_LINUX_SANDBOX_MOUNTS_MOUNTS_H

#include "policy/permissions.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

enum mount_kind {
	MOUNT_READ,      /* bind, read-only */
	MOUNT_WRITE,     /* bind */
	MOUNT_DEVICE,    /* bind with device access: a write entry below /dev */
	MOUNT_EMPTY,     /* empty tmpfs with perms, perhaps bounded */
	MOUNT_DIRECTORY, /* an empty directory with perms, in one of those */
	MOUNT_SEAL,      /* make it read-only */
	MOUNT_TEXT,      /* a file of ours in place of the host's; fd is its content */
	MOUNT_HIDE_FILE, /* an empty file that nobody may open */
	MOUNT_DEV,       /* minimal /dev */
	MOUNT_PROC,      /* fresh procfs */
	MOUNT_SYMLINK,   /* a symbolic link in an otherwise empty root */
	MOUNT_LINK,      /* pin a symbolic link, or what may pass; late_mounts.c does it */
};

struct mount {
	enum mount_kind kind;
	char *path;
	char *source; /* the path outside, where it is another; else NULL */
	char *target; /* MOUNT_SYMLINK only */
	unsigned perms;
	int64_t most;       /* bytes; 0: as the kernel has it */
	bool passing;       /* nobody's concern when it vanishes */
	bool overlay;       /* what is written lies in the source, over what the host has there */
	bool copied;        /* it lies in what a preview shows a copy of */
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

/* With a path of its own and nothing else; valid until the next one. */
struct mount *mounts_append(struct mounts *mounts, enum mount_kind kind, const char *path);
void mounts_append_empty(struct mounts *mounts, const char *path, unsigned perms);

/* Takes the fd over. */
void mounts_append_source(struct mounts *mounts, enum mount_kind kind, const char *path, int fd,
                          const struct stat *st);
void mount_set_source(struct mount *mount, int fd, const struct stat *st);

/* Moves the last one to this place of the order. */
void mounts_move_last(struct mounts *mounts, size_t to);

void mounts_free(struct mounts *mounts);

/* Whether the sandbox shows what the fd means; else it is only held for us (held.h). */
bool mount_shows_source(const struct mount *mount);

/* Inside: whether what an fd means is on a read-only mount; false when that cannot be seen. */
bool mount_is_read_only(int fd);

#endif
