/*
 * What is the message that begins a side's part of TLS?
 *
 * It may be cut into records, each with a header of its own.  The bytes are anybody's.
 */
#ifndef SBX_HOSTS_TLS_MESSAGE_H
#define SBX_HOSTS_TLS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLS_RECORD_HANDSHAKE 22
#define TLS_CLIENT_HELLO     1
#define TLS_SERVER_HELLO     2
#define TLS_MESSAGE_MAX      32768 /* enough for any first message that is one */

enum tls_found {
	TLS_UNDECIDED, /* more bytes are needed */
	TLS_NONE,      /* something else than TLS */
	TLS_BROKEN,    /* TLS, and not as it has to be */
	TLS_WHOLE,
};

struct tls_message {
	uint8_t bytes[TLS_MESSAGE_MAX]; /* with its own header, without those of records */
	size_t size;
	size_t end; /* behind its records */
	bool more;  /* the last of which has more than this message */
};

enum tls_found tls_message_read(const uint8_t *bytes, size_t len, uint8_t kind,
                                struct tls_message *message);

/* The same behind records of other kinds, where TLS has begun already. */
enum tls_found tls_message_read_behind(const uint8_t *bytes, size_t len, uint8_t kind,
                                       struct tls_message *message);

#endif
