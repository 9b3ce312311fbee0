#include "relay/connections.h"

#include "base/memory.h"
#include "hosts/own_address.h"
#include "network/interruption.h"
#include "network/socket_address.h"
#include "relay/ends.h"
#include "relay/near_end.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- a host that was asked about ------------------------------------------- */

/* A signal may have taken the caller away; if it comes again, it asks again. */
static bool still_waits(const struct connection *c)
{
	uint64_t id = c->id;

	return ioctl(c->all->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void connections_decided(struct connections *all, const char *host, unsigned port, bool allowed)
{
	for (struct connection *c = all->first, *after; c; c = after) {
		after = c->next;
		if (c->stage != ASKED || c->port != port || strcmp(c->host, host) != 0)
			continue;
		if (!still_waits(c))
			connection_drop(c);
		else if (allowed)
			ends_begin(c);
		else
			connection_fail(c, EACCES);
	}
}

/* ---- a request -------------------------------------------------------------- */

/* connect() takes no address for this machine's. */
static void name_unspecified(struct host_address *address)
{
	static const struct host_address six = {{0}}, four = {.bytes = {[10] = 0xff, [11] = 0xff}};

	if (memcmp(address, &four, sizeof(four)) == 0)
		address->bytes[12] = 127;
	else if (memcmp(address, &six, sizeof(six)) != 0)
		return;
	address->bytes[15] = 1;
}

static bool is_loopback(const struct host_address *address)
{
	static const struct host_address six = {.bytes = {[15] = 1}};

	return memcmp(address, &six, sizeof(six)) == 0 ||
	       (host_address_is_four(address) && address->bytes[12] == 127);
}

/* By number, what is not public is not asked about: a name would not lead there either. */
static bool may_be_asked(const struct connection *c)
{
	return c->name[0] || !(c->own || address_is_internal(&c->real));
}

/* An address that was asked for by number has one of ours as well. */
static int give_inside(struct connection *c, const struct synthetic *known)
{
	return known || synthetic_of(c->all->synthetics, "", &c->real, &c->inside) ? 0 : ENOBUFS;
}

/* 0, or the errno that the command gets. */
static int judge(struct connection *c, const struct gateway_request *request)
{
	const struct synthetic *known;
	char text[HOST_ADDRESS_TEXT];
	enum host_verdict verdict;

	if (!socket_address_read(&request->address, request->len, &c->inside, &c->port))
		return EAFNOSUPPORT;
	if (c->port == 0)
		return ECONNREFUSED;
	name_unspecified(&c->inside);
	c->local = is_loopback(&c->inside);
	if (c->local) {
		c->real = c->inside;
		strcpy(c->host, "localhost");
		return hosts_name_localhost(c->all->hosts, c->port) ? 0 : EACCES;
	}
	known = synthetic_find(c->all->synthetics, &c->inside);
	if (!known && is_synthetic(&c->inside))
		return EHOSTUNREACH; /* a number that nobody was given */
	c->real = known ? known->real : c->inside;
	strcpy(c->name, known ? known->name : "");
	host_address_text(&c->real, text);
	strcpy(c->host, c->name[0] ? c->name : text);
	c->own = !is_unresolved(&c->real) && is_of_this_machine(c->all->put, &c->real);
	verdict = is_unresolved(&c->real) ? hosts_judge_name(c->all->hosts, c->name, c->port)
	                                  : hosts_judge(c->all->hosts, c->name[0] ? c->name : NULL,
	                                                &c->real, c->own, c->port);
	if (verdict == HOST_NOT_LISTED && may_be_asked(c) &&
	    asked_about(c->all->asked, c->host, c->port, request->program)) {
		c->stage = ASKED;
		return give_inside(c, known);
	}
	if (verdict != HOST_ALLOWED) {
		if (verdict == HOST_INTERNAL)
			tell_internal(c->all->tell, c->name, &c->real);
		else
			tell_refused(c->all->tell, c->host, c->port, request->program);
		return EACCES;
	}
	return give_inside(c, known);
}

/* A socket that is connected, or listens, is not connected again. */
static int check_client(struct connection *c)
{
	struct tcp_info info = {0};
	socklen_t len = sizeof(info);
	int flags = fcntl(c->client, F_GETFL);

	if (flags < 0 || getsockopt(c->client, IPPROTO_TCP, TCP_INFO, &info, &len) < 0)
		return EINVAL;
	c->waits_not = flags & O_NONBLOCK;
	return info.tcpi_state == TCP_CLOSE      ? 0
	       : info.tcpi_state == TCP_SYN_SENT ? EALREADY
	                                         : EISCONN;
}

static bool stays_inside(struct connection *c)
{
	socklen_t size = sizeof(int);
	int error, fd = near_listen(c->all->maker, &c->inside, c->port, false);

	if (fd >= 0) {
		close(fd);
		return false;
	}
	if (errno != EADDRINUSE)
		return false;
	error = near_connect_to(c->client, &c->inside, c->port);
	/* It is decided within the call: nobody else is on the way. */
	if (!error && getsockopt(c->client, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	connection_fail(c, error ? error : c->waits_not ? EINPROGRESS : 0);
	return true;
}

/* ---- a caller that is interrupted ------------------------------------------- */

static uint64_t number_of(int socket)
{
	uint64_t number = 0;
	socklen_t size = sizeof(number);

	return getsockopt(socket, SOL_SOCKET, SO_COOKIE, &number, &size) < 0 ? 0 : number;
}

/*
 * A call that starts again after a signal waits for what is on the way since the first
 * time, as the kernel has it; so does a second one of somebody else.
 */
static bool waits_for_earlier(struct connections *all, uint64_t id, int client)
{
	uint64_t number = number_of(client);

	for (struct connection *c = all->first; number && c; c = c->next) {
		if (c->stage != NEAR || !c->answered || c->client < 0 ||
		    number_of(c->client) != number || (fcntl(client, F_GETFL) & O_NONBLOCK))
			continue;
		c->id = id;
		c->answered = c->waits_not = false;
		c->meanwhile = CALL_RESTARTS;
		close(client);
		return true;
	}
	return false;
}

void connections_interrupted(struct connections *all, uint64_t id)
{
	struct connection *c = all->first;

	while (c && (c->id != id || c->answered))
		c = c->next;
	if (!c)
		return;
	c->meanwhile = CALL_RESTARTS;
	if (c->stage == FAR)
		ends_begin_near(c);
	else if (c->stage < FAR)
		connection_fail(c, CALL_RESTARTS);
	else if (!c->far_done)
		connection_answer(c, CALL_RESTARTS);
}

/* ---- from beginning to end -------------------------------------------------- */

void connections_open(struct connections *all, const struct gateway_request *request, int client)
{
	struct connection *c;
	int error;

	if (all->waiting && waits_for_earlier(all, request->id, client))
		return;
	c = xcalloc(1, sizeof(*c));
	*c = (struct connection){.all = all,
	                         .next = all->first,
	                         .link = &all->first,
	                         .far.fd = -1,
	                         .near.fd = -1,
	                         .client = client,
	                         .id = request->id,
	                         .meanwhile = EINPROGRESS,
	                         .stage = FAR};
	if (all->first)
		all->first->link = &c->next;
	all->first = c;
	all->count++;
	all->waiting++;
	error = all->count > all->max ? ENOBUFS : check_client(c);
	if (!error)
		error = judge(c, request);
	if (error) {
		connection_fail(c, error);
		return;
	}
	/* What listens inside at the port of this machine is nearer. */
	if (c->local && stays_inside(c))
		return;
	if (c->stage != ASKED)
		ends_begin(c);
}

static bool is_due(const struct connection *c)
{
	return c->stage == FAR ? c->deadline != FOR_EVER : c->stage == NEAR && c->far_done;
}

int connections_tick(struct connections *all, long long now)
{
	long long next = -1;

	for (struct connection *c = all->waiting ? all->first : NULL, *after; c; c = after) {
		after = c->next;
		if (!is_due(c))
			continue;
		if (c->deadline > now) {
			if (next < 0 || c->deadline - now < next)
				next = c->deadline - now;
		} else if (c->stage == FAR) {
			ends_begin_near(c);
		} else {
			connection_fail(c, ETIMEDOUT);
		}
	}
	return (int)next;
}
