#include "supervise/terminal.h"

#include "process/own_terminal.h"

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
	t->fd = own_terminal_open();
	t->owned = t->fd >= 0;
}

void terminal_close(struct terminal *t)
{
	/* Output that a command stopped (TCOOFF) is not continued by any key, as ^S is by ^Q. */
	if (own_terminal_is_ours(t->fd))
		tcflow(t->fd, TCOON);
	if (t->owned)
		close(t->fd);
	*t = (struct terminal){.fd = -1};
}

bool terminal_give(struct terminal *t, pid_t group)
{
	if (!own_terminal_is_ours(t->fd) || tcsetpgrp(t->fd, group) < 0)
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

bool terminal_borrow(struct terminal *t)
{
	pid_t lender = t->fd < 0 ? -1 : tcgetpgrp(t->fd);

	if (lender <= 0 || (lender != getpgrp() && !t->given))
		return false;
	if (tcgetattr(t->fd, &t->before) < 0 || tcsetpgrp(t->fd, getpgrp()) < 0)
		return false;
	t->lender = lender;
	return true;
}

void terminal_hold(struct terminal *t)
{
	if (t->lender > 0)
		tcsetpgrp(t->fd, getpgrp());
}

/* Ours, or taken by the end of our own job; 0: somebody else has it by now. */
static pid_t holder_in_job(const struct terminal *t)
{
	pid_t holder = tcgetpgrp(t->fd);

	return holder == getpgrp() || holder == t->lender || (t->given && holder == t->job) ? holder
	                                                                                    : 0;
}

void terminal_return(struct terminal *t)
{
	pid_t holder = t->lender > 0 ? holder_in_job(t) : 0;

	/* A question that had to be killed leaves a terminal that shows nothing of what is typed.
	 */
	if (holder > 0)
		tcsetattr(t->fd, TCSADRAIN, &t->before);
	if (holder == getpgrp())
		tcsetpgrp(t->fd, t->lender);
	t->lender = 0;
}

void terminal_take(struct terminal *t)
{
	if (t->given)
		tcsetpgrp(t->fd, getpgrp());
	t->given = false;
}
