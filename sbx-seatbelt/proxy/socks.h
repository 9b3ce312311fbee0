/*
 * What does a client of SOCKS 5 ask for?  RFC 1928 and 1929.
 */
#ifndef SBX_SEATBELT_PROXY_SOCKS_H
#define SBX_SEATBELT_PROXY_SOCKS_H

#include "proxy/wanted.h"

enum socks_reply {
	SOCKS_DONE,
	SOCKS_FAILED,
	SOCKS_NOT_ALLOWED,
	SOCKS_NO_NETWORK,
	SOCKS_NO_HOST,
	SOCKS_REFUSED,
	SOCKS_NO_COMMAND = 7,
	SOCKS_NO_ADDRESS,
};

/* From the first byte on; the token is the password.  False: it is over, and answered. */
bool socks_read(int client, const char *token, struct wanted *wanted);

void socks_answer(int client, enum socks_reply reply);

#endif
