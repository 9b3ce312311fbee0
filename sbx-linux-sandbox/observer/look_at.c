#include "observer/look_at.h"

#include "fs/path.h"
#include "kept/stubs.h"
#include "linux/kernel_statx.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40

bool caller_may(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, 0) == 0;
}

/* Who may change the mode or the times of a file. */
bool caller_owns(const struct stat *st)
{
	return geteuid() == 0 || st->st_uid == geteuid();
}

/* As the host has them; a kernel that does not say is not believed to. */
bool same_mount(const char *a, const char *b)
{
	struct kernel_statx of_a, of_b;

	return kernel_statx(AT_FDCWD, a, KERNEL_STATX_MOUNT_ID, &of_a) == 0 &&
	       kernel_statx(AT_FDCWD, b, KERNEL_STATX_MOUNT_ID, &of_b) == 0 &&
	       (of_a.mask & of_b.mask & KERNEL_STATX_MOUNT_ID) && of_a.mount_id == of_b.mount_id;
}

/* A sticky directory keeps the files of others. */
static bool may_remove(const struct resolved *r)
{
	struct stat directory;

	return caller_may(r->parent, W_OK | X_OK) && stat(r->parent, &directory) == 0 &&
	       (!(directory.st_mode & S_ISVTX) || caller_owns(&directory) || caller_owns(&r->st));
}

/*
 * A protected name that was missing is kept by an empty directory of ours for
 * as long as the command runs.  To the command it is missing.
 */
bool is_stub(const struct judge *judge, const char *path)
{
	struct stat st;

	return permissions_find(judge->permissions, path) && lstat(path, &st) == 0 &&
	       S_ISDIR(st.st_mode) && (st.st_mode & 07777) == STUB_MODE && st.st_uid == geteuid();
}

void note_denial(const struct question *q, const char *op, const struct resolved *r,
                 const struct entry *entry, const char *member, const char *granted)
{
	char program[PATH_MAX];
	const struct denial denial = {.op = op,
	                              .path = r->path,
	                              .syscall = q->syscall,
	                              .program = judge_program(q->judge, q->pid, program),
	                              .pid = q->pid,
	                              .entry = entry,
	                              .member = member,
	                              .granted = granted};

	denials_add(q->judge->denials, &denial);
}

/* Nothing in a policy opens the kernel's own files. */
const char *grantable(const char *path)
{
	return path_contains("/proc", path) || path_contains("/sys", path) ? NULL : path;
}

bool is_denied(const struct question *q, const struct resolved *r, const struct entry **entry)
{
	return permissions_resolve(q->judge->permissions, r->path, entry) != ACCESS_WRITE;
}

/* Names come and go there by the kernel's doing alone. */
static bool is_in_proc(const struct resolved *r)
{
	return path_contains("/proc", r->path);
}

void look_at_new(const struct question *q, const struct resolved *r)
{
	const struct entry *entry;

	if (r->exists || is_in_proc(r) || !is_denied(q, r, &entry) ||
	    (!caller_may(r->parent, W_OK | X_OK) && !is_stub(q->judge, r->parent)))
		return;
	/* In a writable directory only the name itself is protected. */
	note_denial(q, "create", r, entry, "write",
	            permissions_resolve(q->judge->permissions, r->parent, NULL) == ACCESS_WRITE
	                    ? r->path
	                    : grantable(r->parent));
}

/* A mount keeps nobody from writing into a pipe, and Landlock knows no "but not that". */
static bool is_in_writable(const struct question *q, const char *path)
{
	const struct permissions *permissions = q->judge->permissions;

	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access == ACCESS_WRITE &&
		    path_contains(permissions->entries[i].path, path))
			return true;
	return false;
}

/* The sandbox has a /dev of its own, with these in it. */
static bool is_own_device(const char *path)
{
	static const char *const own[] = {"null", "zero",    "full", "random", "urandom",
	                                  "tty",  "console", "ptmx", "pts",    "shm"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		size_t len = strlen(own[i]);

		if (strncmp(path + 5, own[i], len) == 0 && (!path[5 + len] || path[5 + len] == '/'))
			return true;
	}
	return false;
}

void look_at_device(const struct question *q, const char *path)
{
	const struct entry *entry = NULL;
	struct resolved r = {.exists = true};

	if (!path[4] || is_own_device(path) || lstat(path, &r.st) < 0 || !S_ISCHR(r.st.st_mode) ||
	    !caller_may(path, W_OK))
		return;
	permissions_resolve(q->judge->permissions, path, &entry);
	/* Given by its name, or with a directory of devices. */
	if (entry && path_contains("/dev", entry->path) && entry->path[4])
		return;
	memcpy(r.path, path, strlen(path) + 1);
	note_denial(q, "write", &r, entry, "write", path);
}

void look_at_written(const struct question *q, const struct resolved *r)
{
	const struct entry *entry;

	if (r->exists && !S_ISDIR(r->st.st_mode) && !S_ISSOCK(r->st.st_mode) &&
	    is_denied(q, r, &entry) && caller_may(r->path, W_OK) &&
	    !(S_ISFIFO(r->st.st_mode) && !q->judge->pipes_held && is_in_writable(q, r->path)))
		note_denial(q, "write", r, entry, "write", grantable(r->path));
}

void look_at_changed(const struct question *q, const struct resolved *r)
{
	const struct entry *entry;

	if (r->exists && is_denied(q, r, &entry) && caller_owns(&r->st))
		note_denial(q, "change", r, entry, "write", grantable(r->path));
}

void look_at_attribute(const struct question *q, const struct resolved *r)
{
	const struct entry *entry;

	if (r->exists && (S_ISREG(r->st.st_mode) || S_ISDIR(r->st.st_mode)) &&
	    is_denied(q, r, &entry) && caller_may(r->path, W_OK))
		note_denial(q, "change", r, entry, "write", grantable(r->path));
}

bool is_empty_directory(const char *path)
{
	DIR *directory = opendir(path);
	int entries = 0;

	while (directory && readdir(directory) && entries < 3)
		entries++;
	if (directory)
		closedir(directory);
	return entries == 2; /* "." and ".." */
}

void look_at_removed(const struct question *q, const struct resolved *r, const char *op,
                     bool directory)
{
	const struct entry *entry;

	if (!r->exists || is_in_proc(r) ||
	    (directory && (!S_ISDIR(r->st.st_mode) || !is_empty_directory(r->path))) ||
	    (!directory && strcmp(op, "remove") == 0 && S_ISDIR(r->st.st_mode)))
		return;
	if (is_denied(q, r, &entry)) {
		if (may_remove(r))
			note_denial(q, op, r, entry, "write", grantable(r->parent));
		return;
	}
	/* Writable itself, but a mount inside holds it where it is. */
	entry = permissions_below(q->judge->permissions, r->path);
	if (entry && may_remove(r))
		note_denial(q, op, r, entry, NULL, NULL);
}

/* The sandbox shows the links of the top level, if no entry is about them (which_mounts.c). */
static bool passes_hidden(const struct question *q, const char *named, const struct entry **entry)
{
	char path[PATH_MAX];

	memcpy(path, named, strlen(named) + 1);
	for (int links = 0; links < LINKS_MAX; links++) {
		if (path_steps_back(path) ||
		    permissions_resolve(q->judge->permissions, path, entry) != ACCESS_NONE)
			return false;
		if ((*entry && path_depth((*entry)->path) > 0) || !expand_top_link(path))
			return true;
	}
	return false;
}

/*
 * What is hidden cannot be passed on the way to something else, either.  That
 * the link itself were visible is nothing that a grant of its target gives.
 */
void look_at_read(const struct question *q, const struct named *named, struct resolved *r)
{
	bool hidden = permissions_resolve(q->judge->permissions, r->path, NULL) == ACCESS_NONE;
	const struct entry *entry;

	if (!hidden && !passes_hidden(q, named->path, &entry))
		return;
	if (hidden)
		permissions_resolve(q->judge->permissions, r->path, &entry);
	else
		memcpy(r->path, named->path, strlen(named->path) + 1);
	if (r->exists && caller_may(r->path, R_OK))
		note_denial(q, "read", r, entry, hidden ? "read" : NULL,
		            hidden ? grantable(r->path) : NULL);
}

void judge_begin(struct judge *judge, const struct view *view, struct denials *denials)
{
	*judge = (struct judge){.permissions = view->permissions, .view = view, .denials = denials};
	plain_begin(&judge->plain, view);
	targets_begin(&judge->targets);
}

const char *judge_program(struct judge *judge, pid_t pid, char path[PATH_MAX])
{
	return target_link(&judge->targets, pid, "exe", path) ? path : NULL;
}
