#include "observer/what_is_watched.h"

#include "linux/kernel_release.h"
#include "linux/surroundings.h"
#include "policy/words.h"
#include "process/own_proc.h"

#include <sys/random.h>
#include <unistd.h>

/* What it needs: other processes' sockets (5.6) and whose network they are of (5.14). */
static const char *obstacle(const struct request *request)
{
	if (request->observe == OBSERVE_OFF)
		return "sbx.observe is off";
	if (request->nested)
		return "sbx.nested: the command may make sandboxes of its own";
	/* Watched, every connection would be refused; unwatched, only those of unix sockets. */
	if (request->network_held && request->permissions.network == NETWORK_LOOPBACK &&
	    !sockets_can_be_taken())
		return "the sandbox around this one does not let connections be made for the "
		       "command";
	if (!kernel_at_least(5, 14))
		return "this kernel is older than 5.14";
	if (!proc_is_own())
		return "the /proc here is not of this process namespace";
	if (request->observe == OBSERVE_AUTO && !kernel_at_least(6, 6))
		return "this kernel is older than 6.6; -c sbx.observe=on observes them, slowly";
	return NULL;
}

static enum watch watch_level(const struct request *request)
{
	if (request->report_fd < 0 && !request->brokered)
		return WATCH_SOCKETS;
	for (size_t i = 0; i < request->permissions.count; i++)
		if (request->permissions.entries[i].access == ACCESS_NONE)
			return WATCH_READS;
	/* No entry for the root: what is not named cannot be read. */
	return permissions_find(&request->permissions, "/") ? WATCH_FILES : WATCH_READS;
}

int watch_plan(const struct request *request, struct observation *o, const char **unobserved,
               struct error *err)
{
	enum network network = request->permissions.network;
	bool told;

	*unobserved =
	        request->brokered && request->observe != OBSERVE_OFF ? NULL : obstacle(request);
	o->permissions = request->passing ? &request->explained : permissions_inside(request);
	o->view.permissions = o->permissions;
	/* The broker is asked wherever it is needed; what it denies costs nothing to say. */
	o->silent = *unobserved != NULL;
	o->choice.watch = *unobserved && !request->brokered ? WATCH_NONE : watch_level(request);
	/* Without it nobody connects to the hosts of the list, or keeps this machine back. */
	if (network >= NETWORK_HOSTS && o->choice.watch == WATCH_NONE && !request->nested)
		o->choice.watch = WATCH_SOCKETS;
	o->choice.brokered = request->brokered;
	o->choice.nested = request->nested;
	o->choice.debugged = request->debugged && !request->landlock && !request->nested;
	o->choice.root = geteuid() == 0;
	o->choice.alone = request->landlock;
	o->choice.no_writes = request->landlock && !permissions_writes(&request->permissions);
	o->own_network = !request->landlock && !request->network_held && network != NETWORK_ON;
	o->own_processes = !request->landlock;
	o->untaken = request->landlock && !sockets_can_be_taken();
	o->sockets = -1;
	o->gateway = -1;
	told = o->own_network && o->choice.watch >= WATCH_FILES && !request->refuse_sockets;
	o->choice.net = network == NETWORK_ON         ? NET_ON
	                : network == NETWORK_LOOPBACK ? NET_LOOPBACK
	                : network == NETWORK_HOSTS    ? NET_LOOPBACK
	                : told                        ? NET_OFF_TOLD
	                                              : NET_OFF;
	if (getrandom(&o->mark, sizeof(o->mark), 0) != (ssize_t)sizeof(o->mark))
		return error_system(err, "getrandom");
	o->mark >>= 1; /* a number that JSON can hold */
	return 0;
}
