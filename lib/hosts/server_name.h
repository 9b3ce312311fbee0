/*
 * Which server does the first message of a TLS client name?
 *
 * The bytes are the command's.  Nothing is said about what is not TLS.
 */
#ifndef SBX_HOSTS_SERVER_NAME_H
#define SBX_HOSTS_SERVER_NAME_H

#include "hosts/host_rule.h"
#include "hosts/tls_message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVER_NAME_BYTES TLS_MESSAGE_MAX

enum server_name {
	SERVER_UNDECIDED, /* more bytes are needed */
	SERVER_NOT_TLS,
	SERVER_UNNAMED,
	SERVER_NAMED,
	SERVER_HIDDEN, /* another name may be encrypted; the one that is not is in `name`, if any */
	SERVER_BROKEN, /* TLS, and not as it has to be */
};

/* *end: behind the message, once it is decided about. */
enum server_name server_name_read(const uint8_t *bytes, size_t len,
                                  char name[HOST_NAME_MAX_LENGTH + 1], size_t *end);

/* The second time, when the server has asked for it: see hello_again.h.  Never "not TLS". */
enum server_name server_name_read_again(const uint8_t *bytes, size_t len,
                                        char name[HOST_NAME_MAX_LENGTH + 1], size_t *end);

/*
 * Whether the server may be the one that was asked for.  What looks encrypted (ECH) may be
 * random bytes, which browsers send to everybody, and servers without keys take the name
 * before it: that one has to be right in any case.
 */
bool server_name_agrees(enum server_name found, const char *name, const char *asked);

#endif
