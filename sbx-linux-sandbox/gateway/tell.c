#include "gateway/tell.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void say(const struct tell *tell, const struct gateway_word *word, int flags)
{
	if (send(tell->line, word, sizeof(*word), flags | MSG_NOSIGNAL) < 0)
		errno = 0;
}

static void copy(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text);
}

void tell_unknown(const struct tell *tell, const char *name)
{
	struct gateway_word word = {.event = EVENT_UNKNOWN};

	copy(word.host, sizeof(word.host), name);
	say(tell, &word, MSG_DONTWAIT);
}

void tell_internal(const struct tell *tell, const char *name, const struct host_address *address)
{
	struct gateway_word word = {.event = EVENT_INTERNAL};

	copy(word.host, sizeof(word.host), name);
	host_address_text(address, word.other);
	say(tell, &word, MSG_DONTWAIT);
}

bool tell_ask(const struct tell *tell, const char *host, unsigned port, const char *program)
{
	struct gateway_word word = {.event = EVENT_ASK, .port = port};

	copy(word.host, sizeof(word.host), host);
	copy(word.program, sizeof(word.program), program);
	return send(tell->line, &word, sizeof(word), MSG_DONTWAIT | MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(word);
}

void tell_refused(const struct tell *tell, const char *host, unsigned port, const char *program)
{
	struct gateway_word word = {.event = EVENT_REFUSED, .port = port};

	copy(word.host, sizeof(word.host), host);
	copy(word.program, sizeof(word.program), program);
	say(tell, &word, MSG_DONTWAIT);
}

void tell_name(const struct tell *tell, const char *host, unsigned port, const char *other)
{
	struct gateway_word word = {.event = EVENT_OTHER_NAME, .port = port};

	copy(word.host, sizeof(word.host), host);
	copy(word.other, sizeof(word.other), other);
	say(tell, &word, MSG_DONTWAIT);
}

struct reached *reached_at(struct tell *tell, const char *host, unsigned port)
{
	if (!tell->reached)
		tell->reached = xcalloc(REACHED_MAX, sizeof(*tell->reached));
	for (size_t i = 0; i < tell->count; i++)
		if (tell->reached[i].port == port && strcmp(tell->reached[i].host, host) == 0)
			return &tell->reached[i];
	if (tell->count == REACHED_MAX)
		return &tell->reached[REACHED_MAX - 1];
	if (tell->count == REACHED_MAX - 1) {
		host = "...";
		port = 0;
	}
	tell->reached[tell->count].port = port;
	copy(tell->reached[tell->count].host, sizeof(tell->reached->host), host);
	return &tell->reached[tell->count++];
}

void tell_reached(const struct tell *tell)
{
	struct gateway_word end = {.event = EVENT_CONCLUDED};

	for (size_t i = 0; i < tell->count; i++) {
		const struct reached *r = &tell->reached[i];
		struct gateway_word word = {.event = EVENT_REACHED,
		                            .port = r->port,
		                            .connections = r->connections,
		                            .sent = r->sent,
		                            .received = r->received,
		                            .hidden = r->hidden};

		copy(word.host, sizeof(word.host), r->host);
		say(tell, &word, 0);
	}
	say(tell, &end, 0);
}
