/* Which calls does the broker make, and where are their arguments? */
#include "broker/broker.h"

#include "base/cleanup.h"
#include "broker/ground.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO (-1)

/* number, serve, directory, path, directory2, path2, flags, value, more, fixed */
static const struct form forms[] = {
#ifdef SYS_open /* x86; newer architectures have only the second forms */
        {SYS_open, serve_open, NO, 0, NO, NO, 1, 2, NO, 0},
        {SYS_creat, serve_open, NO, 0, NO, NO, NO, 1, NO, O_CREAT | O_WRONLY | O_TRUNC},
        {SYS_mkdir, serve_mkdir, NO, 0, NO, NO, NO, 1, NO, 0},
        {SYS_mknod, serve_mknod, NO, 0, NO, NO, NO, 1, NO, 0},
        {SYS_symlink, serve_symlink, NO, 1, NO, NO, NO, 0, NO, 0},
        {SYS_link, serve_link, NO, 0, NO, 1, NO, NO, NO, 0},
        {SYS_unlink, serve_unlink, NO, 0, NO, NO, NO, NO, NO, 0},
        {SYS_rmdir, serve_unlink, NO, 0, NO, NO, NO, NO, NO, AT_REMOVEDIR},
        {SYS_rename, serve_rename, NO, 0, NO, 1, NO, NO, NO, 0},
        {SYS_chmod, serve_chmod, NO, 0, NO, NO, NO, 1, NO, 0},
        {SYS_chown, serve_chown, NO, 0, NO, NO, NO, 1, 2, 0},
        {SYS_lchown, serve_chown, NO, 0, NO, NO, NO, 1, 2, AT_SYMLINK_NOFOLLOW},
        {SYS_utime, serve_times, NO, 0, NO, NO, NO, 1, NO, TIMES_BUF},
        {SYS_utimes, serve_times, NO, 0, NO, NO, NO, 1, NO, TIMES_VAL},
        {SYS_futimesat, serve_times, 0, 1, NO, NO, NO, 2, NO, TIMES_VAL},
#endif
#ifdef SYS_renameat
        {SYS_renameat, serve_rename, 0, 1, 2, 3, NO, NO, NO, 0},
#endif
        {SYS_openat, serve_open, 0, 1, NO, NO, 2, 3, NO, 0},
        {SYS_mkdirat, serve_mkdir, 0, 1, NO, NO, NO, 2, NO, 0},
        {SYS_mknodat, serve_mknod, 0, 1, NO, NO, NO, 2, NO, 0},
        {SYS_symlinkat, serve_symlink, 1, 2, NO, NO, NO, 0, NO, 0},
        {SYS_linkat, serve_link, 0, 1, 2, 3, 4, NO, NO, 0},
        {SYS_unlinkat, serve_unlink, 0, 1, NO, NO, 2, NO, NO, 0},
        {SYS_renameat2, serve_rename, 0, 1, 2, 3, 4, NO, NO, 0},
        {SYS_truncate, serve_truncate, NO, 0, NO, NO, NO, 1, NO, 0},
        {SYS_fchmod, serve_chmod, 0, NO, NO, NO, NO, 1, NO, 0},
        {SYS_fchmodat, serve_chmod, 0, 1, NO, NO, NO, 2, NO, 0},
        {SYS_fchown, serve_chown, 0, NO, NO, NO, NO, 1, 2, 0},
        {SYS_fchownat, serve_chown, 0, 1, NO, NO, 4, 2, 3, 0},
        {SYS_utimensat, serve_times, 0, 1, NO, NO, 3, 2, NO, TIMES_SPEC},
        {SYS_setxattr, serve_setxattr, NO, 0, NO, NO, NO, 1, 2, 0},
        {SYS_lsetxattr, serve_setxattr, NO, 0, NO, NO, NO, 1, 2, AT_SYMLINK_NOFOLLOW},
        {SYS_fsetxattr, serve_setxattr, 0, NO, NO, NO, NO, 1, 2, 0},
        {SYS_removexattr, serve_removexattr, NO, 0, NO, NO, NO, 1, NO, 0},
        {SYS_lremovexattr, serve_removexattr, NO, 0, NO, NO, NO, 1, NO, AT_SYMLINK_NOFOLLOW},
        {SYS_fremovexattr, serve_removexattr, 0, NO, NO, NO, NO, 1, NO, 0},
        {SYS_bind, serve_bind, NO, NO, NO, NO, NO, NO, NO, 0},
};

static const struct form *form_of(int number)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].number == number)
			return &forms[i];
	return NULL;
}

bool broker_knows(int number)
{
	return form_of(number) != NULL;
}

int find_place(const struct asked *asked, int directory, int path, enum follow follow, bool empty,
               struct place *place)
{
	int fd = directory < 0 ? AT_FDCWD : (int)argument(asked, directory);
	cleanup_close int base = -1;
	char text[PATH_MAX] = "";
	int got = path < 0 ? 0 : asked_text(asked, argument(asked, path), text);

	if (got < 0)
		return got;
	if (!text[0] && !empty)
		return -ENOENT;
	if (text[0] != '/') {
		base = asked_file(asked, fd);
		if (base < 0)
			return base;
	}
	/* What was read and pinned was the caller's. */
	if (!asked_still(asked))
		return -ESRCH;
	if (!text[0])
		return place_of_file(keep_fd(&base), place);
	return place_find(asked, keep_fd(&base), text, follow, place);
}

struct reply broker_serve(struct broker *broker, const struct asked *asked)
{
	const struct form *form = form_of(asked->request->data.nr);

	return form ? form->serve(broker, asked, form) : reply_with(-EPERM);
}

/*
 * The command has no capabilities, and we must not do for it what it could not
 * do.  Those of this thread stay permitted: they answer the question whether a
 * call would have succeeded without a sandbox, and nothing else.
 */
static int give_up_capabilities(struct error *err)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return error_system(err, "reading capabilities");
	data[0].effective = data[1].effective = 0;
	if (syscall(SYS_capset, &header, data) < 0)
		return error_system(err, "dropping capabilities");
	return 0;
}

int broker_begin(struct broker *broker, const struct permissions *policy,
                 const struct permissions *ground, struct moved *moved, struct error *err)
{
	*broker = (struct broker){.policy = policy,
	                          .moved = moved,
	                          .home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
	for (size_t i = 0; i < ground->count; i++)
		permissions_add(&broker->ground, ground->entries[i].path,
		                ground->entries[i].access);
	links_begin(&broker->links, policy);
	if (broker->home < 0)
		return error_system(err, "the working directory");
	return give_up_capabilities(err);
}
