#include "supervise/job_control.h"

#include "process/own_terminal.h"

/*
 * The command's group must learn what a keyboard sent to ours; a signal that
 * was sent to us by number is for the command alone, as if it were in our
 * place.  The helper passes on by itself what it gets.
 */
static void hand_on(const struct supervised *w, const struct arrival *arrival)
{
	bool group = arrival->keyboard || arrival->number == SIGTSTP;

	if (arrival->number == SIGTSTP) {
		w->terminal->stopping = true;
		w->terminal->overtaken = false;
	}
	kill(group && !w->sandboxed ? -w->pid : w->pid, arrival->number);
}

/* The calling shell goes on with its job; it decides whether in the foreground. */
static void go_on(const struct supervised *w)
{
	w->terminal->overtaken = w->terminal->stopping;
	w->terminal->stopping = false;
	terminal_again(w->terminal, w->pid);
	kill(-w->pid, SIGCONT);
}

/*
 * Was it stopped for using a terminal it has not got?  The helper stops with
 * SIGSTOP whatever stopped the command; when nobody asked for a stop, that is
 * what it was.
 */
static bool asks_for_terminal(const struct supervised *w, int number)
{
	const struct terminal *t = w->terminal;

	return number == SIGTTIN || number == SIGTTOU ||
	       (w->sandboxed && number == SIGSTOP && !t->wants && !t->stopping);
}

void job_stopped(const struct supervised *w, int number)
{
	struct terminal *t = w->terminal;
	bool asked = asks_for_terminal(w, number);
	bool had = t->given;
	bool overtaken = t->overtaken;

	t->stopping = t->overtaken = false;
	/* Without a terminal nobody watches jobs, and a timeout must still come. */
	if (t->fd < 0)
		return;
	if (overtaken) {
		kill(-w->pid, SIGCONT);
		return;
	}
	/* It wants the terminal and we have it. */
	if (asked && terminal_give(t, w->pid)) {
		kill(-w->pid, SIGCONT);
		return;
	}
	terminal_take(t);
	/*
	 * ^Z went to the command's group alone because we gave it the terminal;
	 * what shares our group is part of the same job.  SIGSTOP is answered
	 * with SIGTSTP, which the kernel drops where nobody could undo it.
	 */
	if (number == SIGSTOP)
		number = asked ? SIGTTIN : SIGTSTP;
	if ((had || stop_is_awaited()) && !stop_as(number, had && number == SIGTSTP) &&
	    number == SIGTSTP)
		go_on(w);
}

void job_signal(const struct supervised *w, const struct arrival *arrival)
{
	switch (arrival->number) {
	case SIGCONT:
		go_on(w);
		break;
	case SIGTTIN:
	case SIGTTOU:
		break; /* about our own use of the terminal; there is none to stop */
	default:
		hand_on(w, arrival);
	}
}
