#include "process/this_kernel.h"

#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

int kernel_adopt_orphans(struct error *err)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return error_system(err, "becoming the reaper of orphans");
	return 0;
}

bool kernel_die_with_parent(pid_t parent, int number)
{
	return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) == 0 && getppid() == parent;
}

int kernel_signal_fd(const sigset_t *set, struct error *err)
{
	int fd;

	if (sigprocmask(SIG_BLOCK, set, NULL) < 0)
		return error_system(err, "blocking signals");
	fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_system(err, "receiving signals") : fd;
}

bool kernel_signal_read(int fd, int *number, bool *keyboard)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return false;
	*number = (int)info.ssi_signo;
	*keyboard = info.ssi_code == SI_KERNEL;
	return true;
}

void kernel_signal_close(int fd)
{
	close(fd);
}

/* Of <linux/fs.h>, which does not go together with every libc. */
#define NAME_NOREPLACE 1U
#define NAME_EXCHANGE  2U

int kernel_exchange(int directory, const char *a, const char *b)
{
	return (int)syscall(SYS_renameat2, directory, a, directory, b, NAME_EXCHANGE);
}

int kernel_rename_new(int directory, const char *from, const char *to)
{
	if (syscall(SYS_renameat2, directory, from, directory, to, NAME_NOREPLACE) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL)
		return -1;
	return linkat(directory, from, directory, to, 0) < 0 ? -1 : unlinkat(directory, from, 0);
}

int kernel_process_fd(pid_t pid, struct error *err)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? error_system(err, "watching process %ld", (long)pid) : fd;
}

#define ACCESS_LIST "system.posix_acl_access"

static int same_attribute(int from, int to, const char *name)
{
	static char value[65536]; /* none is longer */
	ssize_t len;

	if (strncmp(name, "user.", 5) != 0 && strcmp(name, ACCESS_LIST) != 0)
		return 0;
	len = fgetxattr(from, name, value, sizeof(value));
	return len < 0 ? -1 : fsetxattr(to, name, value, (size_t)len, 0);
}

int kernel_same_attributes(int from, int to)
{
	static char names[65536];
	ssize_t len = flistxattr(from, names, sizeof(names));

	if (len < 0)
		return errno == ENOTSUP ? 0 : -1;
	/* What the directory gives to new files is nothing that the old one had. */
	if (fremovexattr(to, ACCESS_LIST) < 0 && errno != ENODATA && errno != ENOTSUP)
		return -1;
	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(names + at) + 1)
		if (same_attribute(from, to, names + at) < 0)
			return -1;
	return 0;
}

int kernel_memory_file(const char *name, const char *text, size_t len)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	for (size_t done = 0; fd >= 0 && done < len;) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
		if (done == len && lseek(fd, 0, SEEK_SET) == 0)
			return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

int kernel_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

int kernel_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

#else

#include <sys/event.h>
#include <sys/time.h>

/* A handler has no other way to reach its reader. */
static int signal_pipe[2] = {-1, -1};

static void note_signal(int number)
{
	unsigned char byte = (unsigned char)number;
	int saved = errno;

	/* A full pipe holds enough of them to wake the reader. */
	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

int kernel_adopt_orphans(struct error *err)
{
	(void)err;
	return 0;
}

bool kernel_die_with_parent(pid_t parent, int number)
{
	(void)number;
	return getppid() == parent;
}

/* The handlers vanish by exec: the command finds the default action again. */
int kernel_signal_fd(const sigset_t *set, struct error *err)
{
	struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	if (pipe_open(signal_pipe, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++)
		if (fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK) < 0)
			return error_system(err, "receiving signals");
	sigfillset(&action.sa_mask);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGTTOU && sigismember(set, number) == 1)
			sigaction(number, &action, NULL);
	signal(SIGTTOU, SIG_IGN);
	return signal_pipe[0];
}

bool kernel_signal_read(int fd, int *number, bool *keyboard)
{
	unsigned char byte;

	if (read(fd, &byte, 1) != 1)
		return false;
	*number = byte;
	*keyboard = false;
	return true;
}

void kernel_signal_close(int fd)
{
	close(fd);
	close(signal_pipe[1]);
}

static int not_inherited(int fd)
{
	if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

int kernel_process_fd(pid_t pid, struct error *err)
{
	int fd = not_inherited(kqueue());
	struct kevent event;

	EV_SET(&event, pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
	if (fd >= 0 && kevent(fd, &event, 1, NULL, 0, NULL) == 0)
		return fd;
	error_system(err, "watching process %ld", (long)pid);
	if (fd >= 0)
		close(fd);
	return -1;
}

int kernel_exchange(int directory, const char *a, const char *b)
{
	(void)directory, (void)a, (void)b;
	errno = ENOTSUP;
	return -1;
}

int kernel_rename_new(int directory, const char *from, const char *to)
{
	return linkat(directory, from, directory, to, 0) < 0 ? -1 : unlinkat(directory, from, 0);
}

int kernel_same_attributes(int from, int to)
{
	(void)from, (void)to;
	return 0;
}

int kernel_memory_file(const char *name, const char *text, size_t len)
{
	(void)name, (void)text, (void)len;
	errno = ENOSYS;
	return -1;
}

int kernel_socket(void)
{
	return not_inherited(socket(AF_UNIX, SOCK_STREAM, 0));
}

int kernel_accept(int listener)
{
	return not_inherited(accept(listener, NULL, NULL));
}

#endif
