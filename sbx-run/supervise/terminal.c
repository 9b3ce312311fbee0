#include "supervise/terminal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

void terminal_open(struct terminal *t)
{
	static const int standard[] = {STDIN_FILENO, STDERR_FILENO, STDOUT_FILENO};

	*t = (struct terminal){.fd = -1};
	/* tcgetpgrp() answers for the controlling terminal only. */
	for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
		if (tcgetpgrp(standard[i]) >= 0) {
			t->fd = standard[i];
			return;
		}
	}
	t->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	t->owned = t->fd >= 0;
}

bool terminal_is_ours(const struct terminal *t)
{
	return t->fd >= 0 && tcgetpgrp(t->fd) == getpgrp();
}

void terminal_close(struct terminal *t)
{
	/* Output that a command stopped (TCOOFF) is not continued by any key, as ^S is by ^Q. */
	if (terminal_is_ours(t))
		tcflow(t->fd, TCOON);
	if (t->owned)
		close(t->fd);
	*t = (struct terminal){.fd = -1};
}

/* Another process at the end of a pipe may be in our group and read the keyboard. */
static bool shared_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

bool terminal_give_at_start(const struct terminal *t)
{
	return getpgrp() == getpid() && terminal_is_ours(t) && !shared_pipe(STDIN_FILENO) &&
	       !shared_pipe(STDOUT_FILENO);
}

bool terminal_give(struct terminal *t, pid_t group)
{
	if (!terminal_is_ours(t) || tcsetpgrp(t->fd, group) < 0)
		return false;
	t->given = t->wants = true;
	return true;
}

void terminal_again(struct terminal *t, pid_t group)
{
	/* Somebody stopped us alone, and the shell continued us in the background. */
	if (t->given && tcgetpgrp(t->fd) == getpgid(getppid()))
		t->given = false;
	if (t->wants)
		terminal_give(t, group);
}

void terminal_take(struct terminal *t)
{
	if (t->given)
		tcsetpgrp(t->fd, getpgrp());
	t->given = false;
}
