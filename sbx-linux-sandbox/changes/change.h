/*
 * How does one name in a preview differ from what the host has there?
 */
#ifndef SBX_LINUX_SANDBOX_CHANGES_CHANGE_H
#define SBX_LINUX_SANDBOX_CHANGES_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum change_kind {
	CHANGE_ADDED,
	CHANGE_DELETED,
	CHANGE_TYPE, /* another kind of file by the same name */
	CHANGE_CONTENT,
	CHANGE_MODE,
	CHANGE_TIMES, /* a person is told about it where there is nothing else */
	CHANGE_SAME,  /* it is the same; something in it is not, or it has another name */
};

extern const char *const change_names[];

struct change {
	enum change_kind kind;
	char *path; /* on the host */
	size_t root;
	bool had, has;             /* on the host; in the preview */
	struct stat was, now;      /* of each */
	const struct change *from; /* it was renamed: the one that was deleted */
	bool renamed;              /* it is the deleted half of that */
	const char *conflict;      /* why the host's is not what it was; NULL: it is */
};

/* Parents before what is in them. */
struct changes {
	struct change *items;
	size_t count, room;
};

struct change *changes_add(struct changes *changes, char *path);
void changes_free(struct changes *changes);

/* The change of that path, or NULL. */
struct change *changes_find(const struct changes *changes, const char *path);

/* It is removed from the host, and something new comes to its name. */
bool change_removes(const struct change *change);
bool change_makes(const struct change *change);

/* A person is told about it. */
bool change_is_told(const struct change *change);

#endif
