#include "gateway/asked.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

bool asked_can(const struct asked *asked, size_t names)
{
	return asked->can && asked->total < ASKED_MAX && names < ASKED_NAMES;
}

static struct gateway_word *find(struct asked *asked, const char *host, unsigned port)
{
	for (size_t i = 0; i < asked->open; i++)
		if (asked->waiting[i].port == port && strcmp(asked->waiting[i].host, host) == 0)
			return &asked->waiting[i];
	return NULL;
}

bool asked_about(struct asked *asked, const char *host, unsigned port, const char *program)
{
	struct gateway_word *word;

	if (!asked->can)
		return false;
	if (find(asked, host, port))
		return true;
	if (asked->open == ASKED_OPEN || asked->total == ASKED_MAX ||
	    !tell_ask(asked->tell, host, port, program))
		return false;
	asked->total++;
	asked->still = asked->hold;
	word = &asked->waiting[asked->open++];
	*word = (struct gateway_word){.port = port};
	snprintf(word->host, sizeof(word->host), "%s", host);
	snprintf(word->program, sizeof(word->program), "%s", program);
	return true;
}

bool asked_decided(struct asked *asked, const char *host, unsigned port, bool allowed)
{
	struct gateway_word *word = find(asked, host, port);
	cleanup_free char *rule = xasprintf("%s%s:%u", allowed ? "" : "!", host, port);
	struct error none = {0};

	if (!word)
		return false;
	if (!allowed)
		tell_refused(asked->tell, host, port, word->program);
	*word = asked->waiting[--asked->open];
	asked->still = asked->hold && asked->open > 0;
	return hosts_add(asked->hosts, rule, &none) == 0;
}
