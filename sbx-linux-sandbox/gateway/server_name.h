/*
 * Which server does the first message of a TLS client name?
 *
 * The bytes are the command's.  Nothing is said about what is not TLS.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_SERVER_NAME_H
#define SBX_LINUX_SANDBOX_GATEWAY_SERVER_NAME_H

#include "policy/host_rule.h"

#include <stddef.h>
#include <stdint.h>

#define SERVER_NAME_BYTES 32768 /* enough for any first message that is one */

enum server_name {
	SERVER_UNDECIDED, /* more bytes are needed */
	SERVER_NOT_TLS,
	SERVER_UNNAMED,
	SERVER_NAMED,
	SERVER_HIDDEN, /* the name is encrypted; the outer one is in `name`, if there is one */
	SERVER_BROKEN, /* TLS, and not as it has to be */
};

enum server_name server_name_read(const uint8_t *bytes, size_t len,
                                  char name[HOST_NAME_MAX_LENGTH + 1]);

#endif
