#include "outer/launch.h"

#include "linux/surroundings.h"
#include "outer/attempt.h"
#include "outer/prepare.h"

/* How often the ground may move under us before we stop looking again. */
#define LOOKS 5

static enum outcome attempt_steadily(struct outer *outer, bool no_proc, struct error *err)
{
	enum outcome outcome = attempt(outer, no_proc, err);

	/* In a busy /tmp repositories of others come and go. */
	for (int i = 1; outcome == CHANGED && i < LOOKS; i++)
		outcome = attempt(outer, no_proc, err);
	return outcome;
}

/* Nothing has run yet, so trying again in the next best way is safe. */
int launch(struct outer *outer, struct error *err)
{
	bool no_proc = outer->request.no_proc;
	enum outcome outcome = attempt_steadily(outer, no_proc, err);

	/*
	 * In a sandbox with nothing but a loopback of its own, that one will do; where the
	 * policy wants none, the filter takes it away.
	 */
	if (outcome == NO_LOOPBACK && outer->request.permissions.network != NETWORK_ON &&
	    surroundings_have_only_loopback()) {
		network_is_held(&outer->request);
		outcome = attempt_steadily(outer, no_proc, err);
	}
	if ((outcome == NO_NAMESPACE || outcome == NO_LOOPBACK) && !outer->bwrap.system &&
	    outer->request.bwrap == BWRAP_AUTO) {
		struct error ignored;

		if (bwrap_choose(&outer->request, true, &outer->bwrap, &ignored) == 0)
			outcome = attempt_steadily(outer, no_proc, err);
	}
	if (outcome == NO_PROC && !no_proc)
		outcome = attempt_steadily(outer, true, err);
	return outcome == STARTED ? 0 : -1;
}
