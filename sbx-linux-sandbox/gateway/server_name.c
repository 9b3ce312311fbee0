#include "gateway/server_name.h"

#include <stdbool.h>
#include <string.h>

#define RECORD_HEADER    5
#define RECORD_HANDSHAKE 22
#define CLIENT_HELLO     1
#define SERVER_NAME      0
#define ENCRYPTED_HELLO  0xfe0d

/* A cursor that stays inside: past the end it reads nothing more. */
struct reader {
	const uint8_t *at, *end;
	bool broken;
};

static size_t number(struct reader *r, size_t bytes)
{
	size_t value = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->broken = true;
		return 0;
	}
	while (bytes-- > 0)
		value = value << 8 | *r->at++;
	return value;
}

/* A part with its length, of so many bytes, before it. */
static struct reader part(struct reader *r, size_t bytes)
{
	size_t len = number(r, bytes);
	struct reader out = {r->at, r->at, r->broken};

	if ((size_t)(r->end - r->at) < len) {
		r->broken = out.broken = true;
		return out;
	}
	out.end = r->at += len;
	return out;
}

/* The message may be cut into several records: into `hello`, without their headers. */
static enum server_name join_records(const uint8_t *bytes, size_t len, uint8_t *hello, size_t *size)
{
	size_t at = 0, wanted = 4;

	for (*size = 0; *size < wanted;) {
		size_t record;

		if (len - at > 0 && bytes[at] != RECORD_HANDSHAKE)
			return at == 0 ? SERVER_NOT_TLS : SERVER_BROKEN;
		if (len - at > 1 && bytes[at + 1] != 3)
			return at == 0 ? SERVER_NOT_TLS : SERVER_BROKEN;
		if (len - at < RECORD_HEADER)
			return SERVER_UNDECIDED;
		record = (size_t)bytes[at + 3] << 8 | bytes[at + 4];
		at += RECORD_HEADER;
		if (record == 0 || record > SERVER_NAME_BYTES - *size)
			return SERVER_BROKEN;
		if (len - at < record)
			return SERVER_UNDECIDED;
		memcpy(hello + *size, bytes + at, record);
		*size += record;
		at += record;
		if (hello[0] != CLIENT_HELLO)
			return SERVER_BROKEN;
		if (*size >= 4)
			wanted = 4 + ((size_t)hello[1] << 16 | (size_t)hello[2] << 8 | hello[3]);
		if (wanted > SERVER_NAME_BYTES)
			return SERVER_BROKEN;
	}
	*size = wanted;
	return SERVER_NAMED;
}

/* The list has one name of the kind "host" that counts. */
static bool read_name(struct reader extension, char name[HOST_NAME_MAX_LENGTH + 1])
{
	struct reader list = part(&extension, 2);
	size_t kind = number(&list, 1);
	struct reader host = part(&list, 2);

	return !list.broken && !host.broken && kind == 0 && list.at == list.end &&
	       extension.at == extension.end &&
	       host_name_normal((const char *)host.at, (size_t)(host.end - host.at), name) == NULL;
}

static enum server_name read_hello(const uint8_t *hello, size_t size,
                                   char name[HOST_NAME_MAX_LENGTH + 1])
{
	struct reader r = {hello + 4, hello + size, false};
	bool named = false, hidden = false;
	struct reader extensions;

	number(&r, 2);
	for (int i = 0; i < 32; i++)
		number(&r, 1);
	part(&r, 1); /* session */
	part(&r, 2); /* ciphers */
	part(&r, 1); /* compression */
	if (r.broken)
		return SERVER_BROKEN;
	if (r.at == r.end)
		return SERVER_UNNAMED;
	extensions = part(&r, 2);
	while (!extensions.broken && extensions.at < extensions.end) {
		size_t kind = number(&extensions, 2);
		struct reader body = part(&extensions, 2);

		if (kind == SERVER_NAME && (named || !read_name(body, name)))
			return SERVER_BROKEN;
		named |= kind == SERVER_NAME;
		hidden |= kind == ENCRYPTED_HELLO;
	}
	if (r.broken || extensions.broken)
		return SERVER_BROKEN;
	return hidden ? SERVER_HIDDEN : named ? SERVER_NAMED : SERVER_UNNAMED;
}

enum server_name server_name_read(const uint8_t *bytes, size_t len,
                                  char name[HOST_NAME_MAX_LENGTH + 1])
{
	uint8_t hello[SERVER_NAME_BYTES];
	size_t size;
	enum server_name joined = join_records(bytes, len, hello, &size);

	name[0] = '\0';
	return joined == SERVER_NAMED ? read_hello(hello, size, name) : joined;
}
