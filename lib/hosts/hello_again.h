/*
 * Does a TLS server ask for the client's first message once more?
 *
 * With TLS 1.3 it may, where it wants another key (HelloRetryRequest), and some then
 * take the name in the second for the one that counts.
 */
#ifndef SBX_HOSTS_HELLO_AGAIN_H
#define SBX_HOSTS_HELLO_AGAIN_H

#include <stddef.h>
#include <stdint.h>

enum hello_again {
	AGAIN_UNDECIDED, /* more bytes of the server are needed */
	AGAIN_NO,
	AGAIN_YES,
};

/* The first bytes of the server, all of its request if it is one. */
enum hello_again hello_again_wanted(const uint8_t *bytes, size_t len);

#endif
