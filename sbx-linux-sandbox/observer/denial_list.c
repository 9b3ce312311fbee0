#include "observer/denial_list.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "observer/asking_process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS 2048 /* more than twice DENIALS_MAX */

/*
 * How long a reader may keep us waiting: many denials at once fill a socket
 * faster than anybody reads.  One that does not read at all must not hold up
 * the command again and again.
 */
#define PATIENCE_MS 1000

/* So many processes are remembered, each by a descriptor. */
#define ENDS_MAX 64

struct seen {
	char *key;
	unsigned long count;
	size_t id;
	int process; /* a pidfd; 0: none */
};

struct denials {
	pthread_mutex_t lock;
	int report;
	bool deaf; /* the reader let us wait in vain */
	struct seen slots[SLOTS];
	size_t used;
	size_t ends; /* processes that are remembered */
	unsigned long dropped;
};

struct denials *denials_new(int report)
{
	/* Large and most often unused: pages of zeros that nobody writes cost nothing. */
	struct denials *denials = xcalloc(1, sizeof(*denials));

	if (pthread_mutex_init(&denials->lock, NULL) != 0)
		abort();
	denials->report = report;
	return denials;
}

/* Whole or not at all; false when the reader is too slow. */
static bool send_line(struct denials *denials, const char *line, size_t len)
{
	struct pollfd room = {.fd = denials->report, .events = POLLOUT};
	int ready;
	ssize_t n;

	do
		ready = poll(&room, 1, denials->deaf ? 0 : PATIENCE_MS);
	while (ready < 0 && errno == EINTR);
	denials->deaf = ready != 1 || !(room.revents & POLLOUT);
	if (denials->deaf)
		return false;
	n = send(denials->report, line, len, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0 && len <= 4096) /* a pipe with room takes this much in one piece */
		n = write(denials->report, line, len);
	return n == (ssize_t)len;
}

static bool say(struct denials *denials, json_t *event)
{
	cleanup_json json_t *owned = event;
	cleanup_free char *text = json_text_dump(owned, JSON_COMPACT);
	cleanup_free char *line = text ? xasprintf("%s\n", text) : NULL;

	return denials->report < 0 || (line && send_line(denials, line, strlen(line)));
}

static json_t *rule_json(const struct denial *denial)
{
	if (denial->entry)
		return xjson(json_pack("{s:o,s:s}", "path", os_string(denial->entry->path),
		                       "access", access_names[denial->entry->access]));
	if (denial->rule && denial->value)
		return xjson(json_pack("{s:s}", denial->rule, denial->value));
	if (denial->rule)
		return xjson(json_pack("{s:[]}", denial->rule));
	/* No entry matches: that is none. */
	return xjson(json_pack("{s:n,s:s}", "path", "access", access_names[ACCESS_NONE]));
}

static json_t *grant_json(const struct denial *denial)
{
	if (!denial->member || !denial->granted)
		return json_null();
	if (strcmp(denial->member, "network") == 0)
		return xjson(json_pack("{s:s}", denial->member, denial->granted));
	return xjson(json_pack("{s:[o]}", denial->member, os_string(denial->granted)));
}

static json_t *event_json(const struct denial *denial, size_t id)
{
	json_t *event = xjson(json_pack("{s:s,s:I,s:s,s:s,s:o,s:o,s:i}", "event", "denial", "id",
	                                (json_int_t)id, "op", denial->op, "syscall",
	                                denial->syscall, "rule", rule_json(denial), "grant",
	                                grant_json(denial), "count", 1));

	if (denial->path)
		json_object_set_new(event, "path", os_string(denial->path));
	if (denial->address)
		json_object_set_new(event, "address", json_string(denial->address));
	if (denial->program)
		json_object_set_new(event, "program", os_string(denial->program));
	return event;
}

static struct seen *slot_of(struct denials *denials, const char *key)
{
	for (size_t i = (size_t)(hash_bytes(key, strlen(key)) % SLOTS);; i = (i + 1) % SLOTS)
		if (!denials->slots[i].key || strcmp(denials->slots[i].key, key) == 0)
			return &denials->slots[i];
}

/* The headers of the build machine may be older than the kernel (6.15). */
struct exit_info {
	uint64_t mask, cgroup;
	uint32_t ids[11];
	int32_t status;
};
#define GET_EXIT      _IOWR(0xff, 11, struct exit_info)
#define EXIT_IS_KNOWN (1ULL << 3)

/* How a thread ends says nothing. */
static void remember_process(struct denials *denials, struct seen *seen, pid_t pid)
{
	pid_t leader = pid > 0 && denials->ends < ENDS_MAX ? thread_leader(pid) : 0;
	int fd = leader > 0 ? (int)syscall(SYS_pidfd_open, leader, 0) : -1;

	if (fd <= 0)
		return;
	seen->process = fd;
	denials->ends++;
}

/* Whether it matters: what a process that succeeded was denied, it did well without. */
static void tell_end(struct denials *denials, const struct seen *seen)
{
	struct exit_info info = {.mask = EXIT_IS_KNOWN};

	if (seen->process && ioctl(seen->process, GET_EXIT, &info) == 0 &&
	    (info.mask & EXIT_IS_KNOWN))
		say(denials, xjson(json_pack("{s:s,s:I,s:b}", "event", "ended", "id",
		                             (json_int_t)seen->id, "failed", info.status != 0)));
}

void denials_add(struct denials *denials, const struct denial *denial)
{
	cleanup_free char *key = xasprintf("%s %s", denial->op,
	                                   denial->path      ? denial->path
	                                   : denial->address ? denial->address
	                                                     : denial->syscall);
	struct seen *seen;

	pthread_mutex_lock(&denials->lock);
	seen = slot_of(denials, key);
	if (seen->key) {
		seen->count++;
	} else if (denials->used == DENIALS_MAX) {
		denials->dropped++;
	} else {
		*seen = (struct seen){.key = xstrdup(key), .count = 1, .id = denials->used++};
		remember_process(denials, seen, denial->pid);
		if (!say(denials, event_json(denial, seen->id)))
			denials->dropped++;
	}
	pthread_mutex_unlock(&denials->lock);
}

void denials_conclude(struct denials *denials)
{
	pthread_mutex_lock(&denials->lock);
	for (size_t i = 0; denials->report >= 0 && i < SLOTS; i++)
		tell_end(denials, &denials->slots[i]);
	for (size_t i = 0; denials->report >= 0 && i < SLOTS; i++)
		if (denials->slots[i].count > 1)
			say(denials, xjson(json_pack("{s:s,s:I,s:I}", "event", "repeated", "id",
			                             (json_int_t)denials->slots[i].id, "count",
			                             (json_int_t)denials->slots[i].count)));
	if (denials->dropped)
		say(denials, xjson(json_pack("{s:s,s:I}", "event", "dropped", "count",
		                             (json_int_t)denials->dropped)));
	pthread_mutex_unlock(&denials->lock);
}
