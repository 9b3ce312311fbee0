#include "tty.h"

#include "cleanup.h"
#include "home.h"
#include "kernel.h"
#include "lock.h"
#include "memory.h"
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Not on the terminal itself, which a command in the sandbox has open as well:
 * one lock would stop every question.  The settings are out of its reach.
 */
static int lock_terminal(int fd, int limit_ms, struct error *err)
{
	cleanup_free char *home = settings_home();
	cleanup_free char *place = home ? path_join(home, ".locks") : NULL;
	cleanup_free char *name = NULL;
	cleanup_close int directory = -1;
	struct stat st;

	if (!place || fstat(fd, &st) < 0)
		return -1;
	mkdir(home, 0700);
	mkdir(place, 0700);
	directory = open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	name = xasprintf("terminal-%llx", (unsigned long long)st.st_rdev);
	return directory < 0 ? -1 : lock_take(directory, name, limit_ms, err);
}

/* What would leave the terminal without its settings. */
static int end_signals(void)
{
	static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP};
	struct error ignored;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&set, numbers[i]);
	return kernel_signal_fd(&set, &ignored);
}

static int prepare(struct tty *t)
{
	struct termios raw;
	struct error ignored;

	if (tcgetattr(t->fd, &t->before) < 0)
		return -1;
	t->fold.out = fdopen(dup(t->fd), "w");
	if (!t->fold.out)
		return -1;
	t->signals = end_signals();
	t->parent = kernel_process_fd(getppid(), &ignored);
	raw = t->before;
	/* Keys one by one; ^C is an answer too, so that the settings come back. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	/* What was typed before the question was seen is no answer to it. */
	tcsetattr(t->fd, TCSAFLUSH, &raw);
	return 0;
}

/* The terminal by its own name, of which /dev/tty has not the device. */
static int own_terminal(void)
{
	cleanup_close int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	char name[256];
	int named;

	if (fd < 0)
		return -1;
	if (ttyname_r(fd, name, sizeof(name)) != 0 || strcmp(name, "/dev/tty") == 0)
		return keep_fd(&fd);
	named = open(name, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	return named < 0 ? keep_fd(&fd) : named;
}

int tty_open(struct tty *t, int limit_ms, struct error *err)
{
	struct error locked = {0};

	*t = (struct tty){.lock = -1, .signals = -1, .parent = -1, .fold = {.end = "\r\n"}};
	t->fd = own_terminal();
	if (t->fd < 0)
		return error_set(err, EXIT_SYSTEM, "no-terminal", "there is no terminal");
	/* Where nothing can be locked, questions may mix, but they are asked. */
	t->lock = lock_terminal(t->fd, limit_ms, &locked);
	if (t->lock < 0 && locked.exit && strcmp(locked.code, "locked") == 0) {
		close(t->fd);
		return error_set(err, EXIT_DENIED, "locked",
		                 "another question is still open at this terminal");
	}
	if (prepare(t) == 0)
		return 0;
	close(t->fd);
	if (t->lock >= 0)
		close(t->lock);
	return error_set(err, EXIT_SYSTEM, "no-terminal", "there is no terminal");
}

void tty_close(struct tty *t)
{
	int fds[] = {t->fd, t->lock, t->signals, t->parent};
	sigset_t none;

	fflush(t->fold.out);
	tcsetattr(t->fd, TCSAFLUSH, &t->before);
	fclose(t->fold.out);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* False when there is nobody left to answer to. */
static bool wait_for_key(const struct tty *t)
{
	struct pollfd fds[] = {{.fd = t->fd, .events = POLLIN},
	                       {.fd = t->signals, .events = POLLIN},
	                       {.fd = t->parent, .events = POLLIN}};

	while (poll(fds, 3, -1) < 0)
		if (errno != EINTR)
			return false;
	return !fds[1].revents && !fds[2].revents;
}

int tty_key(struct tty *t)
{
	for (;;) {
		char bytes[64];
		ssize_t n;

		fflush(t->fold.out);
		if (!wait_for_key(t))
			return TTY_ENDED;
		n = read(t->fd, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return TTY_ENDED;
		if (fold_columns(t->fd) != t->fold.columns)
			return TTY_RESIZED;
		while (n > 1 && (bytes[n - 1] == '\r' || bytes[n - 1] == '\n'))
			n--;
		if (n == 1 && bytes[0] != '\r' && bytes[0] != '\n')
			return (unsigned char)bytes[0];
		if (n > 1)
			fprintf(t->fold.out, "(one key)");
	}
}
