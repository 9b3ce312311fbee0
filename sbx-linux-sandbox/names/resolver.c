#include "names/resolver.h"

#include "hosts/own_address.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Short: who remembers longer keeps an address that still means the same. */
#define LIFE_S 60

void resolver_begin(struct resolver *r)
{
	for (size_t i = 0; i < RESOLVER_CLIENTS; i++)
		r->clients[i].source.fd = -1;
	for (size_t i = 0; i < RESOLVER_SOCKETS; i++)
		r->udp[i].source.fd = r->tcp[i].source.fd = -1;
}

/* ---- answering ------------------------------------------------------------- */

static void client_gone(struct resolver_client *client)
{
	struct resolver *r = client->resolver;

	for (size_t i = 0; i < RESOLVER_PENDING; i++)
		if (r->queries[i].client == client)
			r->queries[i].client = NULL;
	loop_close(r->loop, &client->source);
}

static void client_next(struct resolver_client *client);

/* The whole of it fits into any buffer that a socket has; one that is full is not read. */
static void send_reply(struct resolver_query *q, const struct dns_reply *reply)
{
	uint8_t bytes[2 + DNS_REPLY_MAX];
	struct resolver_client *client = q->client;

	if (q->udp >= 0 && sendto(q->udp, reply->bytes, reply->len, MSG_DONTWAIT | MSG_NOSIGNAL,
	                          (struct sockaddr *)&q->from, q->from_len) < 0)
		errno = 0;
	q->used = false;
	q->client = NULL;
	if (!client)
		return;
	bytes[0] = (uint8_t)(reply->len >> 8);
	bytes[1] = (uint8_t)reply->len;
	memcpy(bytes + 2, reply->bytes, reply->len);
	if (send(client->source.fd, bytes, reply->len + 2, MSG_DONTWAIT | MSG_NOSIGNAL) !=
	    (ssize_t)reply->len + 2) {
		client_gone(client);
		return;
	}
	client->waits = false;
	client_next(client);
}

static void reply_code(struct resolver_query *q, enum dns_code code)
{
	uint8_t out[DNS_REPLY_MAX];
	struct dns_reply reply;

	dns_reply_begin(&reply, out, q->bytes, &q->query, code);
	send_reply(q, &reply);
}

static void reply_addresses(struct resolver_query *q, const struct host_address *addresses,
                            size_t count)
{
	uint8_t out[DNS_REPLY_MAX];
	struct dns_reply reply;

	dns_reply_begin(&reply, out, q->bytes, &q->query, DNS_FINE);
	for (size_t i = 0; i < count; i++)
		dns_reply_address(&reply, &addresses[i], LIFE_S);
	send_reply(q, &reply);
}

/* ---- which answer ---------------------------------------------------------- */

static bool is_local(const char *name)
{
	static const char suffix[] = ".localhost";
	size_t len = strlen(name);

	return strcmp(name, "localhost") == 0 ||
	       (len > strlen(suffix) && strcmp(name + len - strlen(suffix), suffix) == 0);
}

static const struct host_address four_of_this_machine = {
        .bytes = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}};
static const struct host_address six_of_this_machine = {.bytes = {[15] = 1}};

static void answer_local(struct resolver_query *q)
{
	if (q->query.type == DNS_A)
		reply_addresses(q, &four_of_this_machine, 1);
	else
		reply_addresses(q, &six_of_this_machine, q->query.type == DNS_AAAA);
}

static void answer_reverse(struct resolver_query *q)
{
	struct host_address address;
	const struct synthetic *known = NULL;
	uint8_t out[DNS_REPLY_MAX];
	struct dns_reply reply;
	bool local;

	if (!dns_reverse_read(q->query.name, &address)) {
		reply_code(q, DNS_NO_SUCH_NAME);
		return;
	}
	local = (host_address_is_four(&address) && address.bytes[12] == 127) ||
	        memcmp(&address, &six_of_this_machine, sizeof(address)) == 0;
	known = synthetic_find(q->resolver->synthetics, &address);
	dns_reply_begin(&reply, out, q->bytes, &q->query,
	                local || (known && known->name[0]) ? DNS_FINE : DNS_NO_SUCH_NAME);
	if (local || (known && known->name[0]))
		dns_reply_name(&reply, local ? "localhost" : known->name, LIFE_S);
	send_reply(q, &reply);
}

/* Upstream has answered: each address that may be reached gets one of ours. */
static void answered(void *who, const struct dns_answer *answer)
{
	struct resolver_query *q = who;
	struct resolver *r = q->resolver;
	struct host_address inside[DNS_ADDRESSES];
	size_t count = 0;

	if (answer->code != DNS_FINE) {
		reply_code(q, answer->code);
		return;
	}
	for (size_t i = 0; i < answer->count; i++) {
		const struct host_address *real = &answer->addresses[i];

		if (!hosts_know_address(r->hosts, real, is_of_this_machine(r->put, real)))
			tell_internal(r->tell, q->query.name, real);
		else if (synthetic_of(r->synthetics, q->query.name, real, &inside[count]))
			count++;
	}
	reply_addresses(q, inside, count);
}

/* The length of a name without the domains that the search list put behind it. */
static size_t word_length(const struct name_servers *servers, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = servers->search; *at;) {
		size_t domain = strcspn(at, " ");

		if (len > domain + 1 && name[len - domain - 1] == '.' &&
		    strncmp(name + len - domain, at, domain) == 0) {
			len -= domain + 1;
			at = servers->search; /* there may be more of it */
			continue;
		}
		at += domain + (at[domain] == ' ');
	}
	return len;
}

/* Tried with a domain before it is tried as it stands: see resolv.conf(5). */
static bool is_tried_later(const struct name_servers *servers, const char *name, size_t word)
{
	unsigned dots = 0, first = 1;

	for (size_t i = 0; i < word; i++)
		dots += name[i] == '.';
	if (sscanf(servers->ndots, "options ndots:%u", &first) != 1)
		first = 1;
	return dots > 0 && dots < first;
}

/*
 * A program that finds no "git" asks for git.DOMAIN, and the other way round: one of
 * them was meant, which is the one that comes first, unless it has dots and is
 * tried with each domain before.
 */
static bool is_searched(struct resolver *r, const char *name)
{
	size_t word = word_length(r->servers, name);

	if (!r->servers->search[0])
		return false;
	if (name[word] && is_tried_later(r->servers, name, word))
		return true;
	for (size_t i = 0; i < RESOLVER_RECENT; i++)
		if (word_length(r->servers, r->recent[i]) == word &&
		    memcmp(r->recent[i], name, word) == 0)
			return strcmp(r->recent[i], name) != 0;
	strcpy(r->recent[r->next_recent++ % RESOLVER_RECENT], name);
	return false;
}

/* The question is about a port as well, and a client waits for that, not for a name. */
static bool answer_later(struct resolver_query *q)
{
	struct resolver *r = q->resolver;
	struct host_address inside;

	if (hosts_judge_name(r->hosts, q->query.name, 0) == HOST_DENIED ||
	    !asked_can(r->asked, r->synthetics->count))
		return false;
	if (q->query.type == DNS_A &&
	    !synthetic_of(r->synthetics, q->query.name, &unresolved, &inside))
		return false;
	reply_addresses(q, &inside, q->query.type == DNS_A);
	return true;
}

static void answer_unknown(struct resolver_query *q, bool searched)
{
	struct resolver *r = q->resolver;

	if (searched || !answer_later(q)) {
		if ((q->query.type == DNS_A || q->query.type == DNS_AAAA) && !searched)
			tell_unknown(r->tell, q->query.name);
		reply_code(q, DNS_NO_SUCH_NAME);
	}
}

static void answer_query(struct resolver_query *q)
{
	struct resolver *r = q->resolver;
	const char *name = q->query.name;
	bool searched = is_searched(r, name);

	if (!q->query.internet) {
		reply_code(q, DNS_REFUSED);
	} else if (q->query.type == DNS_PTR) {
		answer_reverse(q);
	} else if (!name[0]) {
		reply_code(q, DNS_NO_SUCH_NAME);
	} else if (is_local(name)) {
		answer_local(q);
	} else if (!hosts_know_name(r->hosts, name)) {
		answer_unknown(q, searched);
	} else if (q->query.type == DNS_A || (q->query.type == DNS_AAAA && r->six)) {
		upstream_ask(r->upstream, name, q->query.type, answered, q);
	} else {
		/* HTTPS, SVCB, MX, ...: it exists, and has addresses only. */
		reply_code(q, DNS_FINE);
	}
}

/* NULL: too many at once; whoever asked will ask again. */
static struct resolver_query *query_begin(struct resolver *r, const uint8_t *bytes, size_t len)
{
	struct dns_query read;

	if (!dns_query_read(bytes, len, &read))
		return NULL;
	for (size_t i = 0; i < RESOLVER_PENDING; i++) {
		struct resolver_query *q = &r->queries[i];

		if (q->used)
			continue;
		*q = (struct resolver_query){.resolver = r, .used = true, .udp = -1, .query = read};
		memcpy(q->bytes, bytes, read.end);
		return q;
	}
	return NULL;
}

/* ---- sockets --------------------------------------------------------------- */

static void udp_ready(struct source *source, uint32_t events)
{
	struct resolver_socket *socket = (struct resolver_socket *)source;
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	uint8_t bytes[DNS_QUERY_MAX];
	ssize_t n = recvfrom(source->fd, bytes, sizeof(bytes), MSG_DONTWAIT,
	                     (struct sockaddr *)&from, &from_len);
	struct resolver_query *q;

	(void)events;
	q = n < 0 ? NULL : query_begin(socket->resolver, bytes, (size_t)n);
	if (!q)
		return;
	q->udp = source->fd;
	q->from = from;
	q->from_len = from_len;
	answer_query(q);
}

/* The next query that has arrived whole. */
static void client_next(struct resolver_client *client)
{
	size_t len = client->got < 2 ? 0 : (size_t)client->bytes[0] << 8 | client->bytes[1];
	struct resolver_query *q;

	if (client->waits || client->got < 2 || client->got < len + 2)
		return;
	q = query_begin(client->resolver, client->bytes + 2, len);
	if (!q) {
		client_gone(client);
		return;
	}
	client->got -= len + 2;
	memmove(client->bytes, client->bytes + len + 2, client->got);
	client->waits = true;
	q->client = client;
	answer_query(q);
}

static void client_ready(struct source *source, uint32_t events)
{
	struct resolver_client *client = (struct resolver_client *)source;
	ssize_t n = recv(source->fd, client->bytes + client->got,
	                 sizeof(client->bytes) - client->got, MSG_DONTWAIT);

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* At its end, or with more than a query can be. */
	if (n <= 0) {
		client_gone(client);
		return;
	}
	client->got += (size_t)n;
	client_next(client);
}

static void tcp_ready(struct source *source, uint32_t events)
{
	struct resolver *r = ((struct resolver_socket *)source)->resolver;
	int fd = accept4(source->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	for (size_t i = 0; fd >= 0 && i < RESOLVER_CLIENTS; i++) {
		struct resolver_client *client = &r->clients[i];

		if (client->source.fd >= 0)
			continue;
		*client = (struct resolver_client){.source = {.fd = fd, .ready = client_ready},
		                                   .resolver = r};
		if (loop_watch(r->loop, &client->source, EPOLLIN) < 0)
			client_gone(client);
		return;
	}
	if (fd >= 0)
		close(fd);
}

int resolver_serve(struct resolver *r, int fd, bool udp)
{
	struct resolver_socket *sockets = udp ? r->udp : r->tcp;

	for (size_t i = 0; i < RESOLVER_SOCKETS; i++) {
		if (sockets[i].source.fd >= 0)
			continue;
		sockets[i] = (struct resolver_socket){
		        .source = {.fd = fd, .ready = udp ? udp_ready : tcp_ready}, .resolver = r};
		return loop_watch(r->loop, &sockets[i].source, EPOLLIN);
	}
	errno = ENOSPC;
	return -1;
}
