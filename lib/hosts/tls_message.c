#include "hosts/tls_message.h"

#include <string.h>

#define RECORD_HEADER 5
#define RECORD_FIRST  20 /* the kinds that TLS has */
#define RECORD_LAST   24
#define MESSAGE_FRONT 4 /* its kind and its length */

/*
 * Servers differ in what they take before the first message, and in which version
 * its records say (Go's take alerts, and nearly any version): what could be TLS to one
 * of them begins with the message, or is no way to a server.
 */
static bool could_be_tls(uint8_t first)
{
	return first >= RECORD_FIRST && first <= RECORD_LAST;
}

static size_t record_length(const uint8_t *header)
{
	return (size_t)header[3] << 8 | header[4];
}

enum tls_found tls_message_read(const uint8_t *bytes, size_t len, uint8_t kind,
                                struct tls_message *m)
{
	size_t at = 0, wanted = MESSAGE_FRONT;

	m->end = 0;
	for (m->size = 0; m->size < wanted;) {
		size_t record;

		if (len - at > 0 && bytes[at] != TLS_RECORD_HANDSHAKE)
			return at == 0 && !could_be_tls(bytes[0]) ? TLS_NONE : TLS_BROKEN;
		if (len - at < RECORD_HEADER)
			return TLS_UNDECIDED;
		record = record_length(bytes + at);
		at += RECORD_HEADER;
		if (record == 0 || record > TLS_MESSAGE_MAX - m->size)
			return TLS_BROKEN;
		if (len - at < record)
			return TLS_UNDECIDED;
		memcpy(m->bytes + m->size, bytes + at, record);
		m->size += record;
		at += record;
		if (m->bytes[0] != kind)
			return TLS_BROKEN;
		if (m->size >= MESSAGE_FRONT)
			wanted = MESSAGE_FRONT + ((size_t)m->bytes[1] << 16 |
			                          (size_t)m->bytes[2] << 8 | m->bytes[3]);
		if (wanted > TLS_MESSAGE_MAX)
			return TLS_BROKEN;
	}
	m->more = m->size > wanted;
	m->size = wanted;
	m->end = at;
	return TLS_WHOLE;
}

/* Of a change of ciphers, of an alert, of data. */
static bool is_other(uint8_t kind)
{
	return kind >= RECORD_FIRST && kind < RECORD_LAST && kind != TLS_RECORD_HANDSHAKE;
}

enum tls_found tls_message_read_behind(const uint8_t *bytes, size_t len, uint8_t kind,
                                       struct tls_message *m)
{
	enum tls_found found;
	size_t at = 0;

	while (len - at > 0 && is_other(bytes[at])) {
		if (len - at < RECORD_HEADER ||
		    len - at - RECORD_HEADER < record_length(bytes + at))
			return TLS_UNDECIDED;
		at += RECORD_HEADER + record_length(bytes + at);
	}
	found = tls_message_read(bytes + at, len - at, kind, m);
	m->end += at;
	return found == TLS_NONE ? TLS_BROKEN : found;
}
