/*
 * Which server is connected, and may it be?
 *
 * A name is looked up only after it was allowed, and each address is judged by
 * the one that is connected, so that no other can come between.
 */
#ifndef SBX_SEATBELT_PROXY_FAR_END_H
#define SBX_SEATBELT_PROXY_FAR_END_H

#include "hosts/hosts.h"
#include "proxy/wanted.h"

enum far_verdict {
	FAR_CONNECTED,
	FAR_NOT_LISTED,
	FAR_INTERNAL,  /* only addresses that a name must not lead to; `address` is one */
	FAR_NOT_FOUND, /* the name has no address */
	FAR_FAILED,    /* errno is in `error` */
};

struct far_end {
	int fd; /* -1 */
	int error;
	struct host_address address;
};

enum far_verdict far_end_open(const struct hosts *hosts, const struct wanted *wanted,
                              struct far_end *far);

#endif
