/*
 * Would this have worked without the sandbox?
 *
 * If so, and the policy is what stops it, it is noted as denied.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_LOOK_AT_H
#define SBX_LINUX_SANDBOX_OBSERVER_LOOK_AT_H

#include "observer/asking_process.h"
#include "observer/command_path.h"
#include "observer/denial_list.h"
#include "observer/plainly_writable.h"
#include "policy/permissions.h"

#include <stdbool.h>
#include <sys/stat.h>

struct question {
	struct judge *judge;
	pid_t pid;
	const char *syscall;
};

/* By the modes and owners of the host. */
bool caller_may(const char *path, int mode);
bool caller_owns(const struct stat *st);
bool same_mount(const char *a, const char *b);
bool is_empty_directory(const char *path);

/* To the command it is missing. */
bool is_stub(const struct judge *judge, const char *path);

/* The policy does not let it be written; *entry, unless NULL, says which of it. */
bool is_denied(const struct question *q, const struct resolved *r, const struct entry **entry);

/* The path, or NULL where no policy opens it. */
const char *grantable(const char *path);

void note_denial(const struct question *q, const char *op, const struct resolved *r,
                 const struct entry *entry, const char *member, const char *granted);

void look_at_new(const struct question *q, const struct resolved *r);
void look_at_written(const struct question *q, const struct resolved *r);
/* Below /dev, which inside is another one. */
void look_at_device(const struct question *q, const char *path);
void look_at_changed(const struct question *q, const struct resolved *r);
void look_at_attribute(const struct question *q, const struct resolved *r);
void look_at_removed(const struct question *q, const struct resolved *r, const char *op,
                     bool directory);
void look_at_read(const struct question *q, const struct named *named, struct resolved *r);

/*
 * What is known while calls are judged?
 */

struct judge {
	const struct permissions *permissions;
	const struct view *view;
	struct plain plain;
	struct targets targets;
	struct denials *denials;
	bool pipes_held; /* a protected pipe cannot be written to, as other files cannot */
};

/* The view stays the caller's. */
void judge_begin(struct judge *judge, const struct view *view, struct denials *denials);

/* The program that asks, or NULL. */
const char *judge_program(struct judge *judge, pid_t pid, char path[PATH_MAX]);

#endif
