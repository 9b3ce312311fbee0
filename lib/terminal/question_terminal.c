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
#ifdef __linux__
#include <sys/ioctl.h>
#endif
#include <unistd.h>

/* Of /dev/tty, whatever terminal that is here, the terminal's own; 0: it cannot be known. */
static unsigned long long device_of(int fd)
{
	struct stat st;
#ifdef TIOCGDEV
	unsigned device;

	if (ioctl(fd, TIOCGDEV, &device) == 0)
		return device;
#endif
	return fstat(fd, &st) < 0 ? 0 : (unsigned long long)st.st_rdev;
}

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
	unsigned long long device = device_of(fd);

	if (!place || device == 0)
		return -1;
	mkdir(home, 0700);
	mkdir(place, 0700);
	directory = open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	name = xasprintf("terminal-%llx", device);
	return directory < 0 ? -1 : lock_take(directory, name, limit_ms, err);
}

/* What would leave the terminal without its settings. */
static int end_signals(bool size, struct error *err)
{
	static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&set, numbers[i]);
	if (size)
		sigaddset(&set, SIGWINCH);
	return kernel_signal_fd(&set, err);
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
	t->signals = end_signals(false, &ignored);
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

bool tty_has_screen(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0;
}

bool tty_has_colours(void)
{
	const char *no = getenv("NO_COLOR");

	return tty_has_screen() && !(no && *no);
}

void tty_clear(const struct tty *t)
{
	fputs(tty_has_screen() ? "\033[H\033[2J" : "\r\n", t->fold.out);
}

int tty_open(struct tty *t, int limit_ms, struct error *err)
{
	struct error locked = {0};

	*t = (struct tty){
	        .lock = -1, .signals = -1, .parent = -1, .news = -1, .fold = {.end = "\r\n"}};
	t->fd = own_terminal_open();
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
	sigset_t stop, none;

	/* The end of a command may have taken the terminal: that is no reason to stop here. */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	fflush(t->fold.out);
	tcsetattr(t->fd, TCSAFLUSH, &t->before);
	fclose(t->fold.out);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int tty_watch_size(struct tty *t, struct error *err)
{
	if (t->signals >= 0)
		kernel_signal_close(t->signals);
	t->signals = end_signals(true, err);
	return t->signals < 0 ? -1 : 0;
}

/* What ends us is obeyed when the terminal has its settings again. */
static int heed_signal(const struct tty *t)
{
	int number;
	bool keyboard;

	if (!kernel_signal_read(t->signals, &number, &keyboard))
		return 1;
	if (number == SIGWINCH)
		return TTY_RESIZED;
	kill(getpid(), number);
	return TTY_ENDED;
}

/* 1: there is a key; else what there is in place of it. */
static int wait_for_key(struct tty *t)
{
	struct pollfd fds[] = {{.fd = t->fd, .events = POLLIN},
	                       {.fd = t->signals, .events = POLLIN},
	                       {.fd = t->parent, .events = POLLIN},
	                       {.fd = t->news, .events = POLLIN}};
	int said = 1;

	if (t->over)
		return TTY_ENDED;
	do {
		if (poll(fds, 4, -1) < 0) {
			if (errno != EINTR)
				return TTY_ENDED;
			continue;
		}
		if (fds[1].revents)
			said = heed_signal(t);
		if (said != 1 || fds[2].revents)
			return said == 1 ? TTY_ENDED : said;
		if (fds[3].revents && t->is_over(t->context)) {
			t->over = true;
			return TTY_ENDED;
		}
	} while (!fds[0].revents);
	return 1;
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
		int key = 0, count, said;
		ssize_t n;

		fflush(t->fold.out);
		said = wait_for_key(t);
		if (said != 1)
			return said;
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
		/* ^L, as everywhere: what other programs wrote over is shown again. */
		if (count == 1 && n == 1)
			return key == '\f' ? TTY_RESIZED : key;
		if (count > 0)
			fprintf(t->fold.out, "(press one key)");
	}
}

void tty_key_row(const struct tty *t, const char *text)
{
	struct fold fold = t->fold;

	fold.mark = "  ";
	fold_ready(&fold, "  ", text);
}

void tty_no_such_key(const struct tty *t, int key)
{
	if (key != TTY_RESIZED && key != TTY_ENDED)
		tty_key_row(t, "that is not one of the keys");
}

int tty_key_shown(struct tty *t)
{
	int key = tty_key(t);

	fprintf(t->fold.out, "%c\r\n", key >= '?' && key <= 'z' ? key : ' ');
	return key;
}
