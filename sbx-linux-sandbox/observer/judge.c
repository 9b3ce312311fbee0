#include "observer/judge.h"

#include "fs/path.h"
#include "observer/command_path.h"
#include "observer/look_at.h"
#include "policy/protected_names.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False: the call fails by itself, or it cannot be told. */
static bool find(const struct question *q, const struct named *named, bool follow,
                 struct resolved *r)
{
	if (!resolve(q->judge->view, q->pid, named->path, follow, r))
		return false;
	r->exists = r->exists && !is_stub(q->judge, r->path);
	return !named->directory || !r->exists || S_ISDIR(r->st.st_mode);
}

static void judge_open(const struct question *q, const struct named *named, int flags)
{
	bool makes = (flags & O_CREAT) != 0, temporary = (flags & O_TMPFILE) == O_TMPFILE;
	bool writes = (flags & O_ACCMODE) != O_RDONLY, fresh = makes && (flags & O_EXCL);
	bool changes = writes || makes || (flags & O_TRUNC);
	const struct entry *entry;
	struct resolved r;

	/* A directory is not opened for writing, and no file is made by its name. */
	if ((flags & O_PATH) || (temporary && (!writes || makes)) ||
	    (changes && !temporary && (named->directory || (flags & O_DIRECTORY))))
		return;
	if (changes && plainly_writable(&q->judge->plain, named->path, fresh, false))
		return;
	if (writes && path_contains("/dev", named->path))
		look_at_device(q, named->path);
	if (!find(q, named, (!(flags & O_NOFOLLOW) && !fresh) || named->directory, &r))
		return;
	if (temporary) {
		if (r.exists && S_ISDIR(r.st.st_mode) && is_denied(q, &r, &entry) &&
		    caller_may(r.path, W_OK | X_OK))
			note_denial(q, "create", &r, entry, "write", grantable(r.path));
	} else if (makes && !r.exists) {
		look_at_new(q, &r);
	} else if (fresh || (changes && S_ISDIR(r.st.st_mode)) ||
	           ((flags & O_DIRECTORY) && !S_ISDIR(r.st.st_mode)) ||
	           ((flags & O_NOFOLLOW) && S_ISLNK(r.st.st_mode))) {
		return;
	} else if (writes || ((flags & O_TRUNC) && S_ISREG(r.st.st_mode))) {
		look_at_written(q, &r);
	} else {
		look_at_read(q, named, &r);
	}
}

/* What an argument pair names; false: it cannot be read, and the call fails by itself. */
static bool named_by(struct judge *judge, const struct seccomp_notif *request, int directory,
                     int path, struct named *named)
{
	int fd = directory < 0 ? AT_FDCWD : (int)request->data.args[directory];

	if (!target_path(&judge->targets, (pid_t)request->pid, fd, request->data.args[path], named))
		return false;
	path_tidy(named->path);
	return true;
}

static void judge_made(const struct question *q, const struct named *named)
{
	struct resolved r;

	if (!plainly_writable(&q->judge->plain, named->path, true, false) &&
	    find(q, named, false, &r))
		look_at_new(q, &r);
}

void judge_new_name(struct judge *judge, pid_t pid, const char *path, const char *syscall)
{
	const struct question q = {.judge = judge, .pid = pid, .syscall = syscall};
	struct named named = {0};

	if (strlen(path) < sizeof(named.path)) {
		memcpy(named.path, path, strlen(path) + 1);
		path_tidy(named.path);
		judge_made(&q, &named);
	}
}

static void judge_removed(const struct question *q, const struct named *named, const char *op,
                          bool directory)
{
	struct resolved r;

	if (!named->dots && !plainly_writable(&q->judge->plain, named->path, false, true) &&
	    find(q, named, false, &r))
		look_at_removed(q, &r, op, directory);
}

bool judge_removes_stub(struct judge *judge, const struct seccomp_notif *request,
                        const struct call *call)
{
	bool directory = call->act == ACT_RMDIR ||
	                 (call->act == ACT_REMOVE && call->flags >= 0 &&
	                  (request->data.args[(unsigned char)call->flags] & AT_REMOVEDIR) != 0);
	struct named named;
	struct resolved r;

	return directory && named_by(judge, request, call->directory, call->path, &named) &&
	       !named.nothing && !named.dots &&
	       !plainly_writable(&judge->plain, named.path, false, true) &&
	       resolve(judge->view, (pid_t)request->pid, named.path, false, &r) && r.exists &&
	       is_stub(judge, r.path);
}

/* What the kernel says of the two before it asks whether they may be changed. */
static bool can_be_renamed(const struct resolved *source, const struct resolved *target,
                           bool directories, unsigned flags)
{
	bool moves_directory = S_ISDIR(source->st.st_mode);

	if (!source->exists || (directories && !moves_directory))
		return false;
	if (strcmp(source->path, target->path) == 0)
		return !(flags & RENAME_NOREPLACE);
	if (path_contains(source->path, target->path))
		return false;
	if (flags & RENAME_EXCHANGE)
		return target->exists && !path_contains(target->path, source->path);
	if (!target->exists)
		return true;
	/* A repository is never empty, and a move there is reported all the same. */
	return !(flags & RENAME_NOREPLACE) && moves_directory == S_ISDIR(target->st.st_mode) &&
	       (!moves_directory || is_empty_directory(target->path) ||
	        inside_protected_name(strrchr(target->path, '/')));
}

static void judge_rename(const struct question *q, const struct named *from, const struct named *to,
                         unsigned flags)
{
	struct resolved source, target;

	if (from->dots || to->dots ||
	    (plainly_writable(&q->judge->plain, from->path, false, true) &&
	     plainly_writable(&q->judge->plain, to->path, false, true)))
		return;
	if (!find(q, from, false, &source) || !find(q, to, false, &target) ||
	    !can_be_renamed(&source, &target,
	                    from->directory || (to->directory && !(flags & RENAME_EXCHANGE)),
	                    flags))
		return;
	look_at_removed(q, &source, "rename", false);
	if (target.exists)
		look_at_removed(q, &target, "rename", false);
	else
		look_at_new(q, &target);
}

/* A second name changes the file: it has one more.  No grant helps, it is another mount. */
static void judge_linked(const struct question *q, const struct named *from, const struct named *to,
                         bool follow)
{
	const struct entry *entry;
	struct resolved source, target;

	if (plainly_writable(&q->judge->plain, from->path, !follow, false) &&
	    plainly_writable(&q->judge->plain, to->path, true, false))
		return;
	if (to->directory || !find(q, from, follow, &source) || !source.exists ||
	    S_ISDIR(source.st.st_mode) || !find(q, to, false, &target) || target.exists)
		return;
	look_at_new(q, &target);
	if (is_denied(q, &source, &entry) && !is_denied(q, &target, NULL) &&
	    caller_may(target.parent, W_OK | X_OK) && same_mount(source.path, target.parent) &&
	    (caller_owns(&source.st) || caller_may(source.path, R_OK | W_OK)))
		note_denial(q, "change", &source, entry, NULL, NULL);
}

static void judge_changed(const struct question *q, const struct named *named, bool follow,
                          enum act act)
{
	struct resolved r;

	follow = follow || named->directory;
	if (plainly_writable(&q->judge->plain, named->path, !follow, false) ||
	    !find(q, named, follow, &r))
		return;
	if (act == ACT_TRUNCATE && S_ISREG(r.st.st_mode))
		look_at_written(q, &r);
	else if (act == ACT_ATTRIBUTE || act == ACT_ATTRIBUTE_LINK)
		look_at_attribute(q, &r);
	else if (act != ACT_TRUNCATE)
		look_at_changed(q, &r);
}

void judge_open_file(struct judge *judge, pid_t pid, const char *path, const char *syscall)
{
	const struct question q = {.judge = judge, .pid = pid, .syscall = syscall};
	struct named named = {0};

	memcpy(named.path, path, strlen(path) + 1);
	judge_changed(&q, &named, false, strstr(syscall, "xattr") ? ACT_ATTRIBUTE : ACT_CHANGE);
}

void judge_moved(struct judge *judge)
{
	plain_forget(&judge->plain);
	targets_moved(&judge->targets);
}

void judge_call(struct judge *judge, const struct seccomp_notif *request, const struct call *call)
{
	const struct question q = {
	        .judge = judge, .pid = (pid_t)request->pid, .syscall = call->name};
	uint64_t flags = call->flags < 0 ? 0 : request->data.args[(unsigned char)call->flags];
	struct named named, second;

	if (call->act == ACT_MOVE) {
		targets_moved(&judge->targets);
		return;
	}
	if (call->path < 0 || !named_by(judge, request, call->directory, call->path, &named))
		return;
	/* Nothing is a name only where the call says so. */
	if (named.nothing && (call->act == ACT_OPEN || !(flags & AT_EMPTY_PATH)))
		return;
	switch (call->act) {
	case ACT_OPEN:
		judge_open(&q, &named, (int)flags);
		return;
	case ACT_CREAT:
		judge_open(&q, &named, O_CREAT | O_WRONLY | O_TRUNC);
		return;
	case ACT_SYMLINK:
	case ACT_MAKE:
		if (!named.directory)
			judge_made(&q, &named);
		if (call->act == ACT_SYMLINK)
			plain_forget(&judge->plain);
		return;
	case ACT_MKDIR:
		named.directory = false;
		if (!named.dots)
			judge_made(&q, &named);
		return;
	case ACT_LINK:
		if (named_by(judge, request, call->directory2, call->path2, &second) &&
		    !second.nothing)
			judge_linked(&q, &named, &second, (flags & AT_SYMLINK_FOLLOW) != 0);
		plain_forget(&judge->plain);
		return;
	case ACT_REMOVE:
		judge_removed(&q, &named, "remove", (flags & AT_REMOVEDIR) != 0);
		return;
	case ACT_RMDIR:
		judge_removed(&q, &named, "remove", true);
		return;
	case ACT_RENAME:
		if (named_by(judge, request, call->directory2, call->path2, &second) &&
		    !second.nothing)
			judge_rename(&q, &named, &second, (unsigned)flags);
		plain_forget(&judge->plain);
		targets_moved(&judge->targets);
		return;
	case ACT_TRUNCATE:
		judge_changed(&q, &named, true, call->act);
		return;
	case ACT_CHANGE:
	case ACT_ATTRIBUTE:
	case ACT_TIMES:
		judge_changed(&q, &named, !(flags & AT_SYMLINK_NOFOLLOW), call->act);
		return;
	case ACT_CHANGE_LINK:
	case ACT_ATTRIBUTE_LINK:
		judge_changed(&q, &named, false, call->act);
		return;
	case ACT_MOVE:
	case ACT_OPEN_FILE:
	case ACT_UMASK:
	case ACT_SOCKET:
	case ACT_CONNECT:
	case ACT_BIND:
	case ACT_SENDTO:
	case ACT_SENDMSG:
		return;
	}
}
