#include "outer/network_report.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "gateway/gateway.h"
#include "policy/words.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The gateway has nothing else to do by then; one that does not answer has no figures. */
#define PATIENCE_MS 2000

/* What is said of a word that is a denial. */
static const struct row {
	enum gateway_event event;
	const char *op;
	enum { GRANTS_HOST, GRANTS_HOST_AND_PORT, GRANTS_OTHER, GRANTS_NOTHING } grants;
} rows[] = {
        {EVENT_UNKNOWN, "look up", GRANTS_HOST},
        {EVENT_REFUSED, "connect", GRANTS_HOST_AND_PORT},
        {EVENT_INTERNAL, "look up", GRANTS_OTHER},
        /* Another server than the one that was asked for, behind the same address. */
        {EVENT_OTHER_NAME, "connect", GRANTS_NOTHING},
};

static char *address_of(const struct gateway_word *word)
{
	switch ((enum gateway_event)word->event) {
	case EVENT_REFUSED:
		return xasprintf("%s:%u", word->host, word->port);
	case EVENT_INTERNAL:
		return xasprintf("%s, which is %s", word->host, word->other);
	case EVENT_OTHER_NAME:
		return xasprintf("%s:%u as %s", word->host, word->port,
		                 word->other[0] ? word->other : "nobody");
	default:
		return xstrdup(word->host);
	}
}

static void note(const struct observation *o, const struct row *row,
                 const struct gateway_word *word)
{
	cleanup_free char *address = address_of(word);
	cleanup_free char *port = xasprintf("%s:%u", word->host, word->port);
	const char *const granted[] = {[GRANTS_HOST] = word->host,
	                               [GRANTS_HOST_AND_PORT] = port,
	                               [GRANTS_OTHER] = word->other,
	                               [GRANTS_NOTHING] = NULL};
	const struct denial denial = {
	        .op = row->op,
	        .address = address,
	        .syscall = word->event == EVENT_REFUSED ? "connect" : "sendto",
	        .program = word->program[0] ? word->program : NULL,
	        .rule = "network",
	        .value = network_names[NETWORK_HOSTS],
	        .member = granted[row->grants] ? "hosts" : NULL,
	        .granted = granted[row->grants],
	};

	/* Also where files are not watched: the gateway knows it without asking the kernel. */
	denials_add(o->denials, &denial);
}

static void take(const struct observation *o, const struct gateway_word *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((int)rows[i].event == word->event)
			note(o, &rows[i], word);
}

bool network_report_hear(const struct observation *o, struct host_questions *questions)
{
	struct gateway_word word;
	int got = gateway_hear(o->gateway, &word);

	if (got > 0 && word.event == EVENT_ASK)
		host_asked(questions, &word);
	else if (got > 0)
		take(o, &word);
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void say_reached(int report, const struct gateway_word *word)
{
	cleanup_json json_t *event = xjson(
	        json_pack("{s:s,s:s,s:I,s:I,s:I,s:I,s:b}", "event", "reached", "host", word->host,
	                  "port", (json_int_t)word->port, "connections",
	                  (json_int_t)word->connections, "sent", (json_int_t)word->sent, "received",
	                  (json_int_t)word->received, "name_hidden", word->hidden != 0));
	cleanup_free char *text = xjson(json_text_dump(event, JSON_COMPACT));
	cleanup_free char *line = xasprintf("%s\n", text);

	if (report >= 0 && send(report, line, strlen(line), MSG_NOSIGNAL) < 0 &&
	    (errno != ENOTSOCK || write(report, line, strlen(line)) < 0))
		errno = 0;
}

void network_report_conclude(const struct observation *o, int report)
{
	struct pollfd fd = {.fd = o->gateway, .events = POLLIN};
	long long until = now_ms() + PATIENCE_MS;
	struct gateway_word word;
	int left;

	if (o->gateway < 0 || gateway_conclude(o->gateway) < 0)
		return;
	while ((left = (int)(until - now_ms())) > 0 && poll(&fd, 1, left) > 0 &&
	       gateway_hear(o->gateway, &word) > 0) {
		if (word.event == EVENT_CONCLUDED)
			return;
		if (word.event == EVENT_REACHED)
			say_reached(report, &word);
		else
			take(o, &word);
	}
}
