/*
 * Will the sandbox make this call fail, and would it have succeeded without?
 *
 * Only what the policy is the cause of is a denial: a name that is not there,
 * or a file that belongs to somebody else, fails by itself.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_JUDGE_H
#define SBX_LINUX_SANDBOX_OBSERVER_JUDGE_H

#include "observer/look_at.h"
#include "observer/watched_calls.h"

#include <linux/seccomp.h>

/* Looks at a call on files and notes what of it will be denied. */
void judge_call(struct judge *judge, const struct seccomp_notif *request, const struct call *call);

/*
 * A command tidies away what only stands for a name that is missing, as "git clean"
 * does with empty directories.  It is told that nothing is left of it: on the host
 * there is nothing, and the stand-in stays where it is.
 */
bool judge_removes_stub(struct judge *judge, const struct seccomp_notif *request,
                        const struct call *call);

/* A name that is about to be made, as bind() does for a socket. */
void judge_new_name(struct judge *judge, pid_t pid, const char *path, const char *syscall);

/* A change of mode, owner, times or attributes of an open file; path is canonical. */
void judge_open_file(struct judge *judge, pid_t pid, const char *path, const char *syscall);

/* A link is about to be made, or something to be moved: what was known of places is no more. */
void judge_moved(struct judge *judge);

#endif
