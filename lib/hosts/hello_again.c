#include "hosts/hello_again.h"

#include "hosts/tls_message.h"

#include <stdbool.h>
#include <string.h>

#define RANDOM 6 /* behind the kind, the length and the version */

/* A ServerHello with these "random" bytes: RFC 8446, 4.1.3. */
static const uint8_t retry[32] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
                                  0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
                                  0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

static bool is_request(const struct tls_message *message)
{
	return message->size >= RANDOM + sizeof(retry) &&
	       memcmp(message->bytes + RANDOM, retry, sizeof(retry)) == 0;
}

enum hello_again hello_again_wanted(const uint8_t *bytes, size_t len)
{
	struct tls_message message;
	enum tls_found found = tls_message_read_behind(bytes, len, TLS_SERVER_HELLO, &message);

	if (found == TLS_UNDECIDED)
		return AGAIN_UNDECIDED;
	return found == TLS_WHOLE && is_request(&message) ? AGAIN_YES : AGAIN_NO;
}
