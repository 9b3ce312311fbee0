/*
 * Which server do the first bytes of a client name, whatever stands before and around it?
 */
#include "hosts/hello_again.h"
#include "hosts/server_name.c"
#include "tap.h"

#include <stdio.h>
#include <string.h>

struct bytes {
	uint8_t at[4096];
	size_t len;
};

static void add(struct bytes *b, const void *more, size_t len)
{
	memcpy(b->at + b->len, more, len);
	b->len += len;
}

static void add_number(struct bytes *b, size_t value, size_t size)
{
	while (size-- > 0)
		b->at[b->len++] = (uint8_t)(value >> 8 * size);
}

static void add_part(struct bytes *b, const struct bytes *part, size_t size)
{
	add_number(b, part->len, size);
	add(b, part->at, part->len);
}

static void add_name(struct bytes *list, unsigned kind, const char *name)
{
	const struct bytes text = {.len = strlen(name)};

	add_number(list, kind, 1);
	add_number(list, text.len, 2);
	add(list, name, text.len);
}

static void add_extension(struct bytes *extensions, unsigned kind, const struct bytes *body)
{
	add_number(extensions, kind, 2);
	add_part(extensions, body, 2);
}

static void add_server(struct bytes *extensions, const char *name)
{
	struct bytes list = {.len = 0}, body = {.len = 0};

	add_name(&list, 0, name);
	add_part(&body, &list, 2);
	add_extension(extensions, SERVER_NAME, &body);
}

/* A first message with these extensions, without its record. */
static struct bytes message(const struct bytes *extensions)
{
	struct bytes body = {.len = 2 + 32}, out = {.at = {TLS_CLIENT_HELLO}, .len = 1};
	const struct bytes none = {.len = 0}, ciphers = {.at = {0x13, 1}, .len = 2},
	                   compression = {.len = 1};

	add_part(&body, &none, 1);
	add_part(&body, &ciphers, 2);
	add_part(&body, &compression, 1);
	add_part(&body, extensions, 2);
	add_part(&out, &body, 3);
	return out;
}

static void add_record(struct bytes *out, unsigned kind, unsigned version, const uint8_t *from,
                       size_t len)
{
	add_number(out, kind, 1);
	add_number(out, version, 2);
	add_number(out, len, 2);
	add(out, from, len);
}

static void is(const struct bytes *sent, enum server_name wanted, const char *name,
               const char *what)
{
	char got[HOST_NAME_MAX_LENGTH + 1], said[HOST_NAME_MAX_LENGTH + 32];
	size_t end;
	enum server_name found = server_name_read(sent->at, sent->len, got, &end);

	snprintf(said, sizeof(said), "%d %s", (int)found, got);
	check(found == wanted && strcmp(got, name) == 0, what, said);
}

static struct bytes in_record(unsigned version, const struct bytes *extensions)
{
	struct bytes hello = message(extensions), out = {.len = 0};

	add_record(&out, TLS_RECORD_HANDSHAKE, version, hello.at, hello.len);
	return out;
}

static void whole(const struct bytes *named)
{
	static const unsigned versions[] = {0x0300, 0x0301, 0x0303, 0x0304, 0x0002,
	                                    0x0200, 0x0401, 0x0fff, 0x7f1c, 0xffff};
	struct bytes out = in_record(0x0301, named);
	bool early = true;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		struct bytes odd = in_record(versions[i], named);
		char what[64];

		snprintf(what, sizeof(what), "a record of version %04x is read like any other",
		         versions[i]);
		is(&odd, SERVER_NAMED, "a.example", what);
	}
	for (size_t len = 0; len < out.len; len++) {
		char name[HOST_NAME_MAX_LENGTH + 1];
		size_t end;

		early &= server_name_read(out.at, len, name, &end) == SERVER_UNDECIDED;
	}
	check(early, "nothing is decided before all of it is there", "decided early");
}

static void in_pieces(const struct bytes *named)
{
	struct bytes hello = message(named), ones = {.len = 0}, mixed = {.len = 0},
	             empty = {.len = 0};

	for (size_t i = 0; i < hello.len; i++)
		add_record(&ones, TLS_RECORD_HANDSHAKE, 0x0301, hello.at + i, 1);
	is(&ones, SERVER_NAMED, "a.example", "in records of one byte");
	add_record(&mixed, TLS_RECORD_HANDSHAKE, 0x0301, hello.at, 5);
	add_record(&mixed, 21, 0x0301, (const uint8_t *)"\1\x5a", 2);
	add_record(&mixed, TLS_RECORD_HANDSHAKE, 0x0301, hello.at + 5, hello.len - 5);
	is(&mixed, SERVER_BROKEN, "", "with an alert between its records");
	add_record(&empty, TLS_RECORD_HANDSHAKE, 0x0301, hello.at, 0);
	add_record(&empty, TLS_RECORD_HANDSHAKE, 0x0301, hello.at, hello.len);
	is(&empty, SERVER_BROKEN, "", "after an empty record");
}

static void after_others(const struct bytes *named)
{
	struct bytes hello = message(named);

	for (unsigned kind = 0; kind < 256; kind++) {
		struct bytes out = {.len = 0};
		char what[64];

		if (kind == TLS_RECORD_HANDSHAKE)
			continue;
		add_record(&out, kind, 0x0301, (const uint8_t *)"\1\x5a", 2);
		add_record(&out, TLS_RECORD_HANDSHAKE, 0x0301, hello.at, hello.len);
		snprintf(what, sizeof(what), "after a record of kind %u", kind);
		is(&out, kind >= 20 && kind <= 24 ? SERVER_BROKEN : SERVER_NOT_TLS, "", what);
	}
}

static void odd_lists(void)
{
	struct bytes twice = {.len = 0}, hidden = {.len = 0}, none = {.len = 0}, list = {.len = 0},
	             body = {.len = 0}, two = {.len = 0}, bad = {.len = 0};
	const struct bytes nothing = {.len = 0};
	struct bytes out;

	add_server(&twice, "a.example");
	add_server(&twice, "b.example");
	out = in_record(0x0301, &twice);
	is(&out, SERVER_BROKEN, "a.example", "two extensions with names");
	add_name(&list, 0, "a.example");
	add_name(&list, 0, "b.example");
	add_part(&body, &list, 2);
	add_extension(&two, SERVER_NAME, &body);
	out = in_record(0x0301, &two);
	is(&out, SERVER_BROKEN, "", "two names in one");
	add_server(&bad, "a.example/b");
	out = in_record(0x0301, &bad);
	is(&out, SERVER_BROKEN, "a.example/", "a name that no host has");
	add_server(&hidden, "outer.example");
	add_extension(&hidden, ENCRYPTED_HELLO, &nothing);
	out = in_record(0x0301, &hidden);
	is(&out, SERVER_HIDDEN, "outer.example", "a name that is encrypted");
	out = in_record(0x0301, &none);
	is(&out, SERVER_UNNAMED, "", "no name");
	add_extension(&none, ENCRYPTED_HELLO, &nothing);
	out = in_record(0x0301, &none);
	is(&out, SERVER_HIDDEN, "", "no name but one that is encrypted");
}

static const uint8_t change[] = {20, 3, 3, 0, 1, 1}, alert[] = {21, 3, 3, 0, 2, 1, 112},
                     data[] = {23, 3, 3, 0, 3, 'x', 'y', 'z'};

/* The second time other records may stand before it, and none of them decides anything. */
static void again(const struct bytes *named)
{
	struct bytes hello = in_record(0x0303, named), out = {.len = 0}, two = {.len = 0};
	char name[HOST_NAME_MAX_LENGTH + 1];
	bool early = true;
	size_t end;

	add(&out, change, sizeof(change));
	add(&out, data, sizeof(data));
	add(&out, alert, sizeof(alert));
	add(&out, hello.at, hello.len);
	for (size_t len = 0; len < out.len; len++)
		early &= server_name_read_again(out.at, len, name, &end) == SERVER_UNDECIDED;
	check(early, "a second message is not decided about early", "decided early");
	check(server_name_read_again(out.at, out.len, name, &end) == SERVER_NAMED &&
	              strcmp(name, "a.example") == 0 && end == out.len,
	      "it is read behind records of other kinds", name);
	check(server_name_read_again((const uint8_t *)"GET /", 5, name, &end) == SERVER_BROKEN,
	      "it is never something else than TLS", "taken");
	hello = message(named);
	add(&two, hello.at, hello.len);
	add(&two, hello.at, hello.len);
	out.len = 0;
	add_record(&out, TLS_RECORD_HANDSHAKE, 0x0303, two.at, two.len);
	is(&out, SERVER_BROKEN, "", "two messages in one record");
}

/* A server's first message with these random bytes. */
static struct bytes reply(const uint8_t random[32])
{
	struct bytes body = {.at = {3, 3}, .len = 2}, text = {.at = {TLS_SERVER_HELLO}, .len = 1},
	             out = {.len = 0};
	static const uint8_t rest[] = {0, 0x13, 1, 0, 0, 0};

	add(&body, random, 32);
	add(&body, rest, sizeof(rest));
	add_part(&text, &body, 3);
	add(&out, alert, sizeof(alert));
	add_record(&out, TLS_RECORD_HANDSHAKE, 0x0303, text.at, 10);
	add_record(&out, TLS_RECORD_HANDSHAKE, 0x0303, text.at + 10, text.len - 10);
	return out;
}

static void asks_again(void)
{
	uint8_t random[32] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
	                      0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
	                      0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};
	struct bytes out = reply(random);
	bool early = true;

	for (size_t len = 0; len < out.len; len++)
		early &= hello_again_wanted(out.at, len) == AGAIN_UNDECIDED;
	check(early, "nothing is decided before all of the request is there", "decided early");
	check(hello_again_wanted(out.at, out.len) == AGAIN_YES, "a server asks again", "no");
	random[31] ^= 1;
	out = reply(random);
	check(hello_again_wanted(out.at, out.len) == AGAIN_NO, "another does not", "yes");
	check(hello_again_wanted((const uint8_t *)"HTTP/1.1 400", 12) == AGAIN_NO,
	      "nor one that is none of TLS", "yes");
}

int main(void)
{
	struct bytes named = {.len = 0}, large = {.len = 0};
	static const uint8_t ssh[] = "SSH-2.0-x\r\n", http[] = "GET / HTTP/1.1\r\n\r\n",
	                     old[] = {0x80, 0x2e, 1, 3, 1, 0, 0x15};
	struct bytes other = {.len = 0};

	add_server(&named, "a.example");
	whole(&named);
	in_pieces(&named);
	after_others(&named);
	odd_lists();
	again(&named);
	asks_again();
	add_server(&large, "A.Example.");
	other = in_record(0x0301, &large);
	is(&other, SERVER_NAMED, "a.example", "in other letters");
	other.len = 0;
	add(&other, ssh, sizeof(ssh));
	is(&other, SERVER_NOT_TLS, "", "ssh");
	other.len = 0;
	add(&other, http, sizeof(http));
	is(&other, SERVER_NOT_TLS, "", "HTTP");
	other.len = 0;
	add(&other, old, sizeof(old));
	is(&other, SERVER_NOT_TLS, "", "a first message of SSL 2, which has no room for a name");
	return finish();
}
