#include "proxy/wanted.h"

#include <stdio.h>
#include <string.h>

bool wanted_address(struct wanted *w, const struct host_address *address)
{
	w->name[0] = '\0';
	w->address = *address;
	host_address_text(address, w->text);
	return true;
}

bool wanted_host(struct wanted *w, const char *text, size_t len)
{
	char number[HOST_ADDRESS_TEXT];
	struct host_address address;

	if (len < sizeof(number) && !memchr(text, '\0', len)) {
		memcpy(number, text, len);
		number[len] = '\0';
		if (host_address_parse(number, &address))
			return wanted_address(w, &address);
	}
	if (host_name_normal(text, len, w->name) != NULL)
		return false;
	snprintf(w->text, sizeof(w->text), "%s", w->name);
	return true;
}

/* 1 to 65535 in decimal; 0. */
static unsigned port_number(const char *text, size_t len)
{
	unsigned port = 0;

	if (len > 5)
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		port = port * 10 + (unsigned)(text[i] - '0');
	}
	return port <= 65535 ? port : 0;
}

/* An address of IPv6 stands in brackets, and nothing else does. */
static bool bracketed(struct wanted *w, const char *text, size_t len)
{
	return memchr(text, ':', len) && wanted_host(w, text, len) && !w->name[0];
}

bool wanted_authority(struct wanted *w, const char *text, size_t len, unsigned port)
{
	const char *end = text + len, *after;
	bool known;

	if (len > 0 && text[0] == '[') {
		after = memchr(text, ']', len);
		known = after && bracketed(w, text + 1, (size_t)(after - text) - 1);
		after = after ? after + 1 : end;
	} else {
		after = memchr(text, ':', len);
		after = after ? after : end;
		known = wanted_host(w, text, (size_t)(after - text));
	}
	w->port = port;
	if (after < end)
		w->port = *after == ':' ? port_number(after + 1, (size_t)(end - after) - 1) : 0;
	return known && w->port != 0;
}
