/*
 * What of the host's /tmp is shown in the private one?
 *
 * Besides what the policy names: the working directory, so that it exists; the
 * sockets that may be connected to; and files that the caller has opened to be
 * read.  All of it read-only, at its own path.
 */
#ifndef SBX_LINUX_SANDBOX_TMP_SHOWN_FROM_HOST_H
#define SBX_LINUX_SANDBOX_TMP_SHOWN_FROM_HOST_H

#include "base/error.h"
#include "request.h"
#include "tmp/private_tmp.h"

/*
 * Opens the private /tmp and adds entries to the request.  Where /tmp is the
 * host's and writable, hides the place that the private ones are in.
 */
int islands_find(struct request *request, struct private_tmp *tmp, struct error *err);

/*
 * In the host's /tmp, where that is writable: the place of the private ones
 * gets this access, and is made if it is not there.
 */
int place_keep(struct request *request, struct private_tmp *tmp, enum access kept,
               struct error *err);

/* True when a path of the host is not to be seen in the private /tmp. */
bool island(const struct request *request, const char *path);

#endif
