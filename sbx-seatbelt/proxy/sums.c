#include "proxy/sums.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/write_full.h"
#include "document/json_pool.h"
#include "policy/words.h"

#include <errno.h>
#include <string.h>

static bool same(const struct proxy_word *a, const struct proxy_word *b)
{
	return a->event == b->event && a->port == b->port && strcmp(a->host, b->host) == 0 &&
	       (a->event == PROXY_REACHED || strcmp(a->other, b->other) == 0);
}

void sums_add(struct sums *sums, const struct proxy_word *word)
{
	if (word->event == PROXY_NOTHING)
		return;
	for (size_t i = 0; i < sums->count; i++) {
		struct sum *sum = &sums->items[i];

		if (!same(&sum->word, word))
			continue;
		sum->count++;
		sum->word.sent += word->sent;
		sum->word.received += word->received;
		sum->word.hidden |= word->hidden;
		return;
	}
	if (sums->count < SUMS_MAX)
		list_add(sums->items, sums->count, (struct sum){.word = *word, .count = 1});
}

static json_t *reached_json(const struct sum *sum)
{
	const struct proxy_word *word = &sum->word;

	return xjson(json_pack("{s:s,s:s,s:I,s:I,s:I,s:I,s:b}", "event", "reached", "host",
	                       word->host, "port", (json_int_t)word->port, "connections",
	                       (json_int_t)sum->count, "sent", (json_int_t)word->sent, "received",
	                       (json_int_t)word->received, "name_hidden", word->hidden));
}

static char *address_of(const struct proxy_word *word)
{
	switch (word->event) {
	case PROXY_INTERNAL:
		return xasprintf("%s, which is %s", word->host, word->other);
	case PROXY_OTHER_NAME:
		return xasprintf("%s:%u as %s", word->host, word->port,
		                 word->other[0] ? word->other : "nobody");
	default:
		return xasprintf("%s:%u", word->host, word->port);
	}
}

/* What in the list would have allowed it; NULL: nothing. */
static char *host_for(const struct proxy_word *word)
{
	if (word->event == PROXY_OTHER_NAME)
		return NULL;
	return word->event == PROXY_INTERNAL ? xstrdup(word->other)
	                                     : xasprintf("%s:%u", word->host, word->port);
}

static json_t *refused_json(const struct sum *sum)
{
	cleanup_free char *address = address_of(&sum->word);
	cleanup_free char *host = host_for(&sum->word);
	json_t *event =
	        xjson(json_pack("{s:s,s:s,s:s,s:s,s:{s:s},s:I}", "event", "denial", "op",
	                        sum->word.event == PROXY_INTERNAL ? "look up" : "connect",
	                        "address", address, "syscall", "connect", "rule", "network",
	                        network_names[NETWORK_HOSTS], "count", (json_int_t)sum->count));

	json_object_set_new(event, "grant",
	                    host ? xjson(json_pack("{s:[s]}", "hosts", host)) : json_null());
	return event;
}

static void tell_person(const struct proxy_word *word)
{
	cleanup_free char *address = address_of(word);
	cleanup_free char *host = host_for(word);

	complain("denied: connect %s%s%s", address, host ? ": --allow-host " : "",
	         host ? host : "");
}

static void put(int report, json_t *event)
{
	cleanup_free char *text = xjson(json_text_dump(event, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", text);

	/* A supervisor that has gone ends us by other means. */
	if (write_full(report, line, strlen(line)) < 0)
		errno = 0;
	json_decref(event);
}

void sums_tell(const struct sums *sums, int report)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct sum *sum = &sums->items[i];
		bool reached = sum->word.event == PROXY_REACHED;

		if (report >= 0)
			put(report, reached ? reached_json(sum) : refused_json(sum));
		else if (!reached)
			tell_person(&sum->word);
	}
}
