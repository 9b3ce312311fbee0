#include "terminal/question_terminal.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "fs/take_turns.h"
#include "process/own_terminal.h"
#include "process/this_kernel.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
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

/*
 * A command that has ended may have left the terminal in the middle of a
 * string, which swallows all that follows, or without visible colours: then it
 * has drawn a question of its own, and ours is not seen.  The cursor stays where
 * it is, and below it nothing stays that could pass for a part of the question.
 */
static const char afresh[] =
        "\030\033\\"                                             /* the end of any string */
        "\0337\033[?69l\033[r\0338"                              /* all of the screen */
        "\033[?9;1000;1001;1002;1003l"                           /* no clicks */
        "\033]104\033\\\033]110\033\\\033]111\033\\\033]R\033\\" /* the colours of the user */
        "\033[0m\033(B\017\033[4l\033[?7h\033[?25h"              /* plain text, that is seen */
        "\033[J";

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
	/* What was stopped would stop the question as well. */
	tcflow(t->fd, TCOON);
	raw = t->before;
	/* Keys one by one; ^C is an answer too, so that the settings come back. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	/* What was typed before the question was seen is no answer to it. */
	tcsetattr(t->fd, TCSAFLUSH, &raw);
	fputs(afresh, t->fold.out);
	return 0;
}

/* The terminal by its own name, of which /dev/tty has not the device. */
static int own_terminal(void)
{
	cleanup_close int fd = own_terminal_open();
	char name[256];
	int named;

	if (fd < 0)
		return -1;
	if (ttyname_r(fd, name, sizeof(name)) != 0 || strcmp(name, "/dev/tty") == 0)
		return keep_fd(&fd);
	named = open(name, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	return named < 0 ? keep_fd(&fd) : named;
}

bool tty_has_colours(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return term && *term && strcmp(term, "dumb") != 0 && !(no && *no);
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

/* How many of the bytes are keys; *key is the last of them. */
static int count_keys(struct tty *t, const unsigned char *bytes, ssize_t n, int *key)
{
	int count = 0;

	for (ssize_t i = 0; i < n; i++) {
		if (!typed_key(&t->keys, bytes[i]) || bytes[i] == '\r' || bytes[i] == '\n')
			continue;
		*key = bytes[i];
		count++;
	}
	return count;
}

int tty_key(struct tty *t)
{
	for (;;) {
		unsigned char bytes[4096];
		int key = 0, count;
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
		count = count_keys(t, bytes, n, &key);
		while (n > 1 && (bytes[n - 1] == '\r' || bytes[n - 1] == '\n'))
			n--;
		if (count == 1 && n == 1)
			return key;
		if (count > 0)
			fprintf(t->fold.out, "(one key)");
	}
}

int tty_key_shown(struct tty *t)
{
	int key = tty_key(t);

	fprintf(t->fold.out, "%c\r\n", key >= '?' && key <= 'z' ? key : ' ');
	return key;
}
