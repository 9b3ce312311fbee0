#include "proxy/socks.h"

#include "base/write_full.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#define VERSION       5
#define WITH_PASSWORD 2
#define NO_METHOD     0xff
#define CONNECT       1
#define ADDRESS_FOUR  1
#define ADDRESS_NAME  3
#define ADDRESS_SIX   4

static bool take(int client, void *bytes, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = recv(client, (char *)bytes + got, len - got, 0);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool give(int client, unsigned char one, unsigned char two)
{
	const unsigned char bytes[] = {one, two};

	return write_full(client, bytes, sizeof(bytes)) == 0;
}

/* A length, then so much. */
static bool take_part(int client, char part[256], unsigned char *len)
{
	return take(client, len, 1) && take(client, part, *len);
}

static bool greet(int client)
{
	unsigned char version;
	unsigned char count;
	char methods[256];

	if (!take(client, &version, 1) || version != VERSION || !take_part(client, methods, &count))
		return false;
	if (memchr(methods, WITH_PASSWORD, count))
		return give(client, VERSION, WITH_PASSWORD);
	give(client, VERSION, NO_METHOD);
	return false;
}

static bool prove(int client, const char *token)
{
	unsigned char version, name_len, len, differs;
	char name[256], password[256];

	if (!take(client, &version, 1) || !take_part(client, name, &name_len) ||
	    !take_part(client, password, &len))
		return false;
	differs = len != strlen(token);
	for (size_t i = 0; i < len && token[i]; i++)
		differs |= (unsigned char)(password[i] ^ token[i]);
	return give(client, 1, differs != 0) && !differs;
}

static bool take_host(int client, unsigned char kind, struct wanted *wanted)
{
	struct host_address address = {.bytes = {[10] = 0xff, [11] = 0xff}};
	unsigned char len;
	char name[256];

	switch (kind) {
	case ADDRESS_FOUR:
		return take(client, address.bytes + 12, 4) && wanted_address(wanted, &address);
	case ADDRESS_SIX:
		return take(client, address.bytes, 16) && wanted_address(wanted, &address);
	case ADDRESS_NAME:
		return take_part(client, name, &len) && wanted_host(wanted, name, len);
	default:
		return false;
	}
}

void socks_answer(int client, enum socks_reply reply)
{
	/* The address at which it is connected is nobody's business. */
	const unsigned char bytes[] = {
	        VERSION, (unsigned char)reply, 0, ADDRESS_FOUR, 0, 0, 0, 0, 0, 0};

	if (write_full(client, bytes, sizeof(bytes)) < 0)
		errno = 0; /* which the next byte tells as well */
}

bool socks_read(int client, const char *token, struct wanted *wanted)
{
	unsigned char head[4], port[2];

	if (!greet(client) || !prove(client, token) || !take(client, head, sizeof(head)))
		return false;
	if (head[0] != VERSION || head[1] != CONNECT) {
		socks_answer(client, SOCKS_NO_COMMAND);
		return false;
	}
	if (!take_host(client, head[3], wanted) || !take(client, port, sizeof(port))) {
		socks_answer(client, SOCKS_NO_ADDRESS);
		return false;
	}
	wanted->port = (unsigned)port[0] << 8 | port[1];
	if (wanted->port == 0)
		socks_answer(client, SOCKS_REFUSED);
	return wanted->port != 0;
}
