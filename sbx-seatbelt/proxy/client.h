/*
 * What becomes of one client of the proxy, from its first byte to its last?
 *
 * Each is served by a process of its own, which may wait for whatever it likes.
 */
#ifndef SBX_SEATBELT_PROXY_CLIENT_H
#define SBX_SEATBELT_PROXY_CLIENT_H

#include "hosts/hosts.h"
#include "proxy/words.h"

struct client {
	int fd;
	const struct hosts *hosts;
	bool check_names;        /* of TLS servers */
	const char *token;       /* SOCKS's password */
	const char *credentials; /* the same for HTTP */
	int stop;                /* readable: it is over */
};

void client_serve(const struct client *client, struct proxy_word *word);

#endif
