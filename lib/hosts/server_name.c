#include "hosts/server_name.h"

#include "hosts/tls_message.h"

#include <string.h>

#define SERVER_NAME     0
#define ENCRYPTED_HELLO 0xfe0d

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

/* Two messages in one record: servers differ in what becomes of the second. */
static enum server_name judge(enum tls_found found, const struct tls_message *hello,
                              char name[HOST_NAME_MAX_LENGTH + 1], size_t *end)
{
	static const enum server_name others[] = {[TLS_UNDECIDED] = SERVER_UNDECIDED,
	                                          [TLS_NONE] = SERVER_NOT_TLS,
	                                          [TLS_BROKEN] = SERVER_BROKEN};

	name[0] = '\0';
	*end = 0;
	if (found != TLS_WHOLE)
		return others[found];
	*end = hello->end;
	return hello->more ? SERVER_BROKEN : read_hello(hello->bytes, hello->size, name);
}

enum server_name server_name_read(const uint8_t *bytes, size_t len,
                                  char name[HOST_NAME_MAX_LENGTH + 1], size_t *end)
{
	struct tls_message hello;

	return judge(tls_message_read(bytes, len, TLS_CLIENT_HELLO, &hello), &hello, name, end);
}

enum server_name server_name_read_again(const uint8_t *bytes, size_t len,
                                        char name[HOST_NAME_MAX_LENGTH + 1], size_t *end)
{
	struct tls_message hello;

	return judge(tls_message_read_behind(bytes, len, TLS_CLIENT_HELLO, &hello), &hello, name,
	             end);
}

bool server_name_agrees(enum server_name found, const char *name, const char *asked)
{
	return found == SERVER_NOT_TLS || found == SERVER_UNNAMED ||
	       ((found == SERVER_NAMED || found == SERVER_HIDDEN) && strcmp(name, asked) == 0);
}
