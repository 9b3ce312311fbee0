/*
 * What was the outer stage asked to do?
 */
#ifndef SBX_REQUEST_H
#define SBX_REQUEST_H

#include "base/error.h"
#include "policy/permissions.h"
#include "policy/resource_limits.h"

#include <stdbool.h>

enum bwrap_choice {
	BWRAP_AUTO, /* the system's when it is trustworthy, else ours */
	BWRAP_SYSTEM,
	BWRAP_VENDORED,
};

enum observe_choice {
	OBSERVE_AUTO, /* where it costs little */
	OBSERVE_ON,   /* wherever the kernel can */
	OBSERVE_OFF,
};

/*
 * Of one workspace: browsers, modules and packages of a large project fit, and the
 * copies of ten projects fit on a usual disk.
 */
#define CACHES_MAX (4LL << 30)

/* Whether our caller decides about hosts that are not listed. */
enum ask_hosts {
	ASK_HOSTS_NOT,
	ASK_HOSTS_RUNNING, /* while the command runs on */
	ASK_HOSTS_HELD,    /* while all of it stands still: the terminal is shared */
};

struct cache {
	char *path;
	char **keep; /* names in it that stay as they are */
};

struct request {
	struct permissions permissions;
	char *cwd;
	struct limits limits;
	char *preview;   /* where what is written is kept, without effect on the host; or NULL */
	char *tmp;       /* /tmp, where inside it is not the host's; else NULL */
	char *workspace; /* whose it is then */
	/*
	 * Read-only, but nobody's concern when they vanish: temporaries of others.
	 * They are mounted if they are there, and not in the permissions.
	 */
	char **passing;
	struct cache *caches; /* to be written without effect on the host */
	size_t cache_count;
	long long caches_max; /* bytes that are kept of them for a workspace */
	char *home;           /* the directory that all of them are in; NULL: no caches */
	char *kept;           /* the one that the copies are kept in */
	/* What the command sees, where that is more: with the caches; else empty. */
	struct permissions inside;
	struct permissions explained; /* with them, where there are any; else empty */
	char **argv;                  /* the command; points into main's argv */
	int report_fd;
	bool refuse_sockets; /* rather than to know where they would have led */
	int *keep_fds;
	size_t keep_count;
	bool no_system_bwrap; /* none is current, as sbx-select saw */
	bool no_proc;
	bool landlock;    /* no mounts: Landlock and seccomp alone */
	bool unprotected; /* sbx.accept_lost: protected paths, where they cannot be held */
	bool brokered;    /* and the broker, for what Landlock cannot say */
	bool print_args;
	bool nested;            /* user namespaces may be made inside */
	bool debugged;          /* processes inside may trace each other */
	bool network_held;      /* the surroundings already give the network asked for */
	bool loopback_optional; /* where it cannot be the sandbox's own, the network is off */
	bool any_server_name;   /* what a TLS client calls its server is not looked at */
	enum bwrap_choice bwrap;
	enum observe_choice observe;
	enum ask_hosts ask;
};

/* What may be read and written inside, whether it has an effect outside or not. */
const struct permissions *permissions_inside(const struct request *request);

int request_parse(int argc, char **argv, struct request *request, struct error *err);
void request_free(struct request *request);

#endif
