/*
 * Which host does a client of the proxy name?
 *
 * The bytes are the command's: a name in its normal form or an address, and
 * nothing that a program could take for another one.
 */
#ifndef SBX_SEATBELT_PROXY_WANTED_H
#define SBX_SEATBELT_PROXY_WANTED_H

#include "hosts/host_rule.h"

struct wanted {
	char name[HOST_NAME_MAX_LENGTH + 1]; /* "": the address itself */
	struct host_address address;
	unsigned port;
	char text[HOST_NAME_MAX_LENGTH + 1]; /* either, as reports have it */
};

/* "a.example", "192.0.2.1"; false: no host. */
bool wanted_host(struct wanted *wanted, const char *text, size_t len);
bool wanted_address(struct wanted *wanted, const struct host_address *address);

/* "a.example:443", "[2001:db8::1]:443"; port 0: there must be one. */
bool wanted_authority(struct wanted *wanted, const char *text, size_t len, unsigned port);

#endif
