#include "outer/prepare.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "broker/ground.h"
#include "caches/cache_mounts.h"
#include "fs/casefold.h"
#include "fs/path.h"
#include "kept/appeared_at_home.h"
#include "linux/broker_fit.h"
#include "linux/landlock_fit.h"
#include "linux/surroundings.h"
#include "mounts/which_mounts.h"
#include "outer/reopened_files.h"
#include "policy/words.h"
#include "preview/preview_mounts.h"
#include "process/own_proc.h"
#include "process/sibling.h"
#include "tmp/shown_from_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int plan_mounts(struct outer *outer, bool no_proc, struct error *err)
{
	struct mounts_options options = {
	        .tmp = outer->request.tmp ? &outer->tmp : NULL,
	        .stubs = &outer->stubs,
	        .passing = outer->request.passing,
	        .no_proc = no_proc,
	        /* Without Landlock, /proc/PID/root of a host process is a way out. */
	        .hide_proc = no_proc && landlock_abi() <= 0,
	        .open_proc = outer->request.nested,
	};

	mounts_free(&outer->mounts);
	if (mounts_plan(&outer->request.permissions, &options, &outer->mounts, err) < 0 ||
	    preview_mount(&outer->request, &outer->preview, &outer->mounts, err) < 0)
		return -1;
	/* Another bubblewrap knows nothing of overlays. */
	outer->layers.plain |= outer->bwrap.system;
	return caches_mount(&outer->request, &outer->layers, &outer->mounts, err);
}

/*
 * Inside another sandbox the filter that refuses sockets stays with every
 * child: there is no network to take away, and bubblewrap could not make a
 * namespace of its own, because it needs a socket to set it up.
 */
static bool sockets_are_refused(void)
{
	static const int families[] = {AF_INET, AF_INET6};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		cleanup_close int fd = socket(families[i], SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd >= 0 || errno != EPERM)
			return false;
	}
	return true;
}

/* A name in other letters would lead round what the broker protects by name. */
static int letters_matter(const struct permissions *permissions, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access != ACCESS_WRITE && entry->path[1] &&
		    permissions_resolve(permissions, parent, NULL) != ACCESS_NONE &&
		    ignores_case(parent))
			return error_set(err, EXIT_UNAVAILABLE, "ignores-case",
			                 "\"%s\" cannot be protected: its file system ignores "
			                 "case; use a workspace on another file system",
			                 entry->path);
	}
	return 0;
}

void network_is_held(struct request *request)
{
	free(request->permissions.network_name);
	request->permissions.network_name = NULL;
	if (request->loopback_optional)
		request->permissions.network = NETWORK_OFF;
	request->network_held = true;
}

/* Said in every run that goes on without them. */
static int landlock_fits_accepted(struct request *request, struct error *err)
{
	cleanup_free char *first = NULL;
	size_t lost;

	if (landlock_fits(&request->permissions, &request->brokered, err) == 0)
		return 0;
	if (!request->unprotected || strcmp(err->code, accepted_names[0]) != 0)
		return -1;
	lost = landlock_without_protected(&request->permissions, &first);
	*err = (struct error){0};
	if (landlock_fits(&request->permissions, &request->brokered, err) < 0)
		return -1;
	complain("protected paths can be changed in this run, as sbx.accept_lost says: \"%s\"%s",
	         first ? first : "", lost > 1 ? " and others" : "");
	return 0;
}

static int prepare_landlock(struct outer *outer, struct error *err)
{
	struct request *request = &outer->request;
	const char *why;

	if (refuse_hidden_files(request, err) < 0 || landlock_fits_accepted(request, err) < 0)
		return -1;
	/* A name for a socket that cannot be had is the broker's to give. */
	if (!request->brokered && !request->nested && permissions_writes(&request->permissions) &&
	    !sockets_can_be_taken())
		request->brokered = broker_works(&why);
	if (plain_roots_find(&request->permissions, request->tmp, &outer->plain, err) < 0)
		return -1;
	outer->missing = missing_at_home(&request->permissions);
	if (!request->brokered)
		return 0;
	if (request->nested)
		return error_set(err, EXIT_UNAVAILABLE, "nested",
		                 "sbx.nested and protected paths need mounts, which cannot be had "
		                 "here");
	/* To hide the place would mean to be asked about everything that is read. */
	if (letters_matter(&request->permissions, err) < 0 ||
	    place_keep(request, &outer->tmp, ACCESS_READ, err) < 0 ||
	    shared_memory_make(&outer->memory, &request->permissions, err) < 0 ||
	    moved_begin(&outer->moved, &request->permissions, err) < 0)
		return -1;
	ground_find(&request->permissions, &outer->ground);
	/* By the names that the command has for them, which the kernel cannot find. */
	if (outer->memory.path[0])
		permissions_force(&outer->ground, outer->memory.path, ACCESS_READ);
	outer->observation.memory = &outer->memory;
	outer->observation.moved = &outer->moved;
	outer->observation.ground = &outer->ground;
	return 0;
}

int prepare(struct outer *outer, struct error *err)
{
	cleanup_free char *directory = program_directory(err);

	if (!directory)
		return -1;
	outer->self = xasprintf("%s/sbx-linux-sandbox", directory);
	if (listed_sockets_pin(&outer->request.permissions, &outer->observation.listed, err) < 0 ||
	    git_parts_find(&outer->request.permissions, &outer->git, err) < 0 ||
	    bare_roots_find(&outer->request.permissions, &outer->bare, err) < 0)
		return -1;
	if (outer->request.permissions.network == NETWORK_HOSTS && outer->request.nested)
		return error_set(err, EXIT_UNAVAILABLE, "nested",
		                 "sbx.nested: a network by name cannot be held beside sandboxes of "
		                 "the command's own");
	if (outer->request.nested && nested_fits(&outer->request.permissions, err) < 0)
		return -1;
	if (outer->request.landlock)
		return prepare_landlock(outer, err);
	/* Mounts are finished and watched from outside, by the number of who is inside. */
	if (!proc_is_own())
		return error_set(err, EXIT_UNAVAILABLE, "proc",
		                 "the /proc here is not of this process namespace: nobody could be "
		                 "found in it (sbx-select --probe says more)");
	if (islands_find(&outer->request, &outer->tmp, err) < 0)
		return -1;
	if (outer->request.permissions.network == NETWORK_HOSTS && !sockets_can_be_taken())
		return error_set(err, EXIT_UNAVAILABLE, "hosts",
		                 "a network by name cannot be held: the sandbox around this one "
		                 "keeps sockets from us");
	if (outer->request.permissions.network == NETWORK_HOSTS && sockets_are_refused())
		return error_set(err, EXIT_UNAVAILABLE, "hosts",
		                 "a network by name cannot be had in a sandbox without a network");
	if (network_is_named(&outer->request.permissions) && sockets_are_refused())
		return error_set(err, EXIT_UNAVAILABLE, "shared-network",
		                 "a loopback that runs share cannot be had in a sandbox without a "
		                 "network");
	if (outer->request.permissions.network != NETWORK_ON && sockets_are_refused())
		network_is_held(&outer->request);
	if (bwrap_choose(&outer->request, false, &outer->bwrap, err) < 0)
		return -1;
	/* A bubblewrap of the system executes the inner stage: it must be there. */
	if (outer->bwrap.system &&
	    (permissions_resolve(&outer->request.permissions, outer->self, NULL) == ACCESS_NONE ||
	     island(&outer->request, outer->self)))
		permissions_add(&outer->request.permissions, outer->self, ACCESS_READ);
	if (plain_roots_find(&outer->request.permissions, outer->request.tmp, &outer->plain, err) <
	    0)
		return -1;
	outer->missing = missing_at_home(&outer->request.permissions);
	if (stubs_make(&outer->request.permissions, outer->request.tmp, &outer->stubs, err) < 0)
		return -1;
	layers_open(&outer->request, &outer->layers);
	return preview_open(&outer->request, &outer->preview, err);
}
