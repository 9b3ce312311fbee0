#include "outer/bubblewrap.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "inner/inner.h"
#include "network/loopback.h"
#include "vendored/fast_bind.h"
#include "vendored/mount_rest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int bwrap_main(int argc, char **argv);
int bwrap_execvp(const char *path, char *const *argv);
ssize_t bwrap_read(int fd, void *data, size_t size);
ssize_t bwrap_write(int fd, const void *data, size_t size);
pid_t bwrap_waitpid(pid_t pid, int *status, int options);
void bwrap_loopback_setup(void);
void loopback_setup(void); /* its own, which ends the program where it fails */

/*
 * Where the vendored bubblewrap would execute the inner stage, that is
 * already in memory: this very program.  One execve() less per launch, and
 * the program file need not be visible inside.
 */
int bwrap_execvp(const char *path, char *const *argv)
{
	size_t count = 0;

	while (argv[count])
		count++;
	if (strcmp(argv[0], "sbx-linux-inner") == 0)
		_exit(inner_main((int)count, argv));
	return execvp(path, argv);
}

_Noreturn static void cannot_go_on(void)
{
	dprintf(STDERR_FILENO, "bwrap: Can't go on: %s\n", strerror(errno));
	_exit(1);
}

/*
 * bubblewrap tells its other process to go on and does not look whether it was
 * told: then that one would wait for ever.
 */
ssize_t bwrap_write(int fd, const void *data, size_t size)
{
	ssize_t n = write(fd, data, size);

	if (n < 0 && errno != EINTR)
		cannot_go_on();
	return n;
}

/* To the outer stage: -1 when bubblewrap runs under its own name. */
static int outer_line = -1;

/*
 * That other process would also wait for ever if nobody were left to tell it:
 * bubblewrap ties it to the first one only afterwards.
 */
ssize_t bwrap_read(int fd, void *data, size_t size)
{
	struct pollfd fds[2] = {{.fd = fd, .events = POLLIN}, {.fd = outer_line, .events = 0}};
	int flags = fcntl(fd, F_GETFL);

	if (outer_line >= 0 && flags < 0)
		cannot_go_on();
	while (outer_line >= 0 && !(flags & O_NONBLOCK) && !fds[0].revents) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			cannot_go_on();
		if (fds[1].revents)
			_exit(1);
	}
	return read(fd, data, size);
}

/* Nor does it look whether it heard of an end, of which it is told once. */
pid_t bwrap_waitpid(pid_t pid, int *status, int options)
{
	pid_t ended;

	do
		ended = waitpid(pid, status, options);
	while (ended < 0 && errno == EINTR);
	if (ended < 0 && errno != ECHILD)
		cannot_go_on();
	return ended;
}

/* It gives lo the address 127.0.0.1, and no other. */
void bwrap_loopback_setup(void)
{
	loopback_setup();
	if (outer_line >= 0)
		loopback_addresses();
}

static void say(struct strings *words, const char *a, const char *b)
{
	strings_add(words, xstrdup(a));
	if (b)
		strings_add(words, xstrdup(b));
}

int bwrap_choose(const struct request *request, bool fallback, struct bwrap *bwrap,
                 struct error *err)
{
	bool any = fallback || request->bwrap == BWRAP_SYSTEM;
	cleanup_free char *cwd = NULL;

	*bwrap = (struct bwrap){.argv0 = true, .bind_fd = true, .current = true};
	if (!any && (request->bwrap == BWRAP_VENDORED || request->no_system_bwrap))
		return 0;
	cwd = realpath(request->cwd, NULL);
	/* A view of what the request holds; nothing in it is freed. */
	if (request->bwrap != BWRAP_VENDORED &&
	    which_bwrap(&(struct could_write){request->permissions, cwd, true}, !any, bwrap))
		return 0;
	if (any)
		return error_set(err, EXIT_UNAVAILABLE, "no-bubblewrap",
		                 "no trustworthy bwrap in /usr/bin, /bin or /usr/local/bin; "
		                 "install bubblewrap");
	*bwrap = (struct bwrap){.argv0 = true, .bind_fd = true, .current = true};
	return 0;
}

static void add_bind(struct strings *words, const struct bwrap *bwrap, const struct mount *mount)
{
	static const char *const by_path[] = {"--ro-bind", "--bind", "--dev-bind"};
	static const char *const by_fd[] = {"--ro-bind-fd", "--bind-fd", NULL};

	/* By descriptor it would look for the source where the overlay is; inner looks, too. */
	if (bwrap->bind_fd && by_fd[mount->kind] && !mount->overlay) {
		say(words, by_fd[mount->kind], NULL);
		strings_add(words, xasprintf("%d", mount->fd));
	} else {
		say(words, by_path[mount->kind], mount->source ? mount->source : mount->path);
	}
	say(words, mount->path, NULL);
}

static void add_mount(struct strings *words, const struct bwrap *bwrap, const struct mount *mount,
                      int empty)
{
	switch (mount->kind) {
	case MOUNT_READ:
	case MOUNT_WRITE:
	case MOUNT_DEVICE:
		add_bind(words, bwrap, mount);
		break;
	case MOUNT_EMPTY:
		say(words, "--perms", NULL);
		strings_add(words, xasprintf("%04o", mount->perms));
		if (mount->most) {
			say(words, "--size", NULL);
			strings_add(words, xasprintf("%lld", (long long)mount->most));
		}
		say(words, "--tmpfs", mount->path);
		break;
	case MOUNT_DIRECTORY:
		say(words, "--perms", NULL);
		strings_add(words, xasprintf("%04o", mount->perms));
		say(words, "--dir", mount->path);
		break;
	case MOUNT_SEAL:
		say(words, "--remount-ro", mount->path);
		break;
	case MOUNT_HIDE_FILE:
		say(words, "--perms", "0000");
		say(words, "--ro-bind-data", NULL);
		/* bubblewrap closes the fd after reading it. */
		strings_add(words, xasprintf("%d", fcntl(empty, F_DUPFD, 3)));
		say(words, mount->path, NULL);
		break;
	case MOUNT_TEXT:
		say(words, "--perms", "0444");
		say(words, "--ro-bind-data", NULL);
		strings_add(words, xasprintf("%d", fcntl(mount->fd, F_DUPFD, 3)));
		say(words, mount->path, NULL);
		break;
	case MOUNT_DEV:
		say(words, "--dev", mount->path);
		/* Message queues are of the sandbox's own namespace; Landlock needs the place. */
		say(words, "--mqueue", "/dev/mqueue");
		break;
	case MOUNT_PROC:
		say(words, "--proc", mount->path);
		break;
	case MOUNT_SYMLINK:
		say(words, "--symlink", mount->target);
		say(words, mount->path, NULL);
		break;
	case MOUNT_LINK:
		break;
	}
}

char **bwrap_args(const struct bwrap *bwrap, const struct request *request,
                  const struct mounts *mounts, const char *inner, int control, int plan, int empty)
{
	struct strings words = {0};

	say(&words, "sbx-bwrap", NULL);
	say(&words, "--as-pid-1", "--die-with-parent");
	/* Explicit: bubblewrap skips the user namespace for root. */
	say(&words, "--unshare-user", "--unshare-pid");
	say(&words, "--unshare-ipc", NULL);
	if (request->permissions.network != NETWORK_ON && !request->network_held &&
	    !request->permissions.network_name)
		say(&words, "--unshare-net", NULL);
	for (size_t i = 0; i < mounts->count; i++)
		if (!mount_is_left(i))
			add_mount(&words, bwrap, &mounts->items[i], empty);
	say(&words, "--chdir", "/");
	say(&words, "--cap-drop", "ALL");
	if (bwrap->argv0)
		say(&words, "--argv0", "sbx-linux-inner");
	say(&words, "--", inner);
	say(&words, "--inner", NULL);
	strings_add(&words, xasprintf("%d", control));
	strings_add(&words, xasprintf("%d", plan));
	return words.items;
}

/* "--", the inner stage and its three words: what bwrap_args() ends with. */
#define INNER_WORDS 5

static int args_file(char **args, size_t count)
{
	int fd = memfd_create("sbx-bwrap-args", 0);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (fwrite(args[i], 1, strlen(args[i]) + 1, file) != strlen(args[i]) + 1)
			return -1;
	if (fflush(file) != 0 || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return fd;
}

void bwrap_exec(const struct bwrap *bwrap, char **args)
{
	char option[] = "--args", number[16];
	char *none[] = {NULL};
	char *line[3 + INNER_WORDS + 1] = {args[0], option, number};
	size_t total = 0;
	int fd;

	while (args[total])
		total++;
	if (!bwrap->system) {
		/* Our own copy needs no new program: it is already in this one. */
		clearenv();
		bind_whole_trees();
		outer_line = atoi(args[total - 2]);
		_exit(bwrap_main((int)total, args));
	}
	/* A thousand mounts do not fit on a command line; a file has no limit. */
	fd = args_file(args + 1, total - 1 - INNER_WORDS);
	if (fd < 0)
		return;
	snprintf(number, sizeof(number), "%d", fd);
	memcpy(line + 3, args + total - INNER_WORDS, (INNER_WORDS + 1) * sizeof(*args));
	/* No variable may steer a dynamically linked program that runs outside. */
	syscall(SYS_execveat, bwrap->fd, "", line, none, AT_EMPTY_PATH);
}
