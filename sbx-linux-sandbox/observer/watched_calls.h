/*
 * Which calls does the observer look at, and where are their paths?
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_WATCHED_CALLS_H
#define SBX_LINUX_SANDBOX_OBSERVER_WATCHED_CALLS_H

#include <stddef.h>

/* The headers of the build machine may be older than the kernel. */
#define NR_fchmodat2      452
#define NR_setxattrat     463
#define NR_removexattrat  466
#define NR_open_tree_attr 467
#define NR_file_setattr   469

enum act {
	ACT_OPEN,    /* flags: argument of the open flags */
	ACT_CREAT,   /* an open for writing that makes or truncates */
	ACT_MAKE,    /* a new name that must not be there yet */
	ACT_MKDIR,   /* the same, of a directory */
	ACT_SYMLINK, /* the same; what it points to is only text */
	ACT_LINK,    /* a second name for a file */
	ACT_REMOVE,  /* flags: AT_REMOVEDIR */
	ACT_RMDIR,
	ACT_RENAME, /* flags: RENAME_NOREPLACE, RENAME_EXCHANGE */
	ACT_TRUNCATE,
	ACT_CHANGE,      /* mode, owner, times; flags: AT_SYMLINK_NOFOLLOW */
	ACT_CHANGE_LINK, /* the same of a link itself */
	ACT_TIMES,       /* ACT_CHANGE; without a path it is about an open file */
	ACT_ATTRIBUTE,   /* like content: who may write may change it; flags as of ACT_CHANGE */
	ACT_ATTRIBUTE_LINK,
	ACT_OPEN_FILE, /* mode, owner, attributes of an open file: the broker's alone */
	ACT_UMASK,     /* what the broker makes must know it */
	ACT_MOVE,      /* to another working directory: what was known of it is no more */
	ACT_SOCKET,    /* of the unix kind */
	ACT_CONNECT,
	ACT_BIND,
	ACT_SENDTO,
	ACT_SENDMSG,
};

struct call {
	int number;
	const char *name;
	enum act act;
	/* Arguments by number; -1: none, and for directories: the working directory. */
	signed char directory, path, flags;
	signed char directory2, path2; /* of ACT_LINK and ACT_RENAME: the new name */
};

extern const struct call calls[];
extern const size_t call_count;

#endif
