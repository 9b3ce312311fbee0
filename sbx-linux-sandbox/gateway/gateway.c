#include "gateway/gateway.h"

#include "base/clock.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "filter/choose_filter.h"
#include "hosts/own_address.h"
#include "relay/connections.h"
#include "gateway/pass_fd.h"
#include "gateway/private_network.h"
#include "names/resolver.h"
#include "inner/landlock.h"
#include "process/close_on_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define LINE               3 /* where it is in the gateway */
#define OTHER_FDS          1024
#define FDS_PER_CONNECTION 7
#define CONNECTIONS_MAX    8192

struct gateway {
	struct source line; /* first: it is what is called */
	struct loop loop;
	struct name_servers servers;
	struct put_on_loopback put;
	struct synthetics synthetics;
	struct upstream upstream;
	struct resolver resolver;
	struct connections connections;
	struct asked asked;
	struct tell tell;
};

/* ---- orders ------------------------------------------------------------------ */

static void decided(struct gateway *g, const struct gateway_request *request)
{
	bool allowed = request->allowed != 0;

	/* A rule that could not be kept was not given. */
	allowed = asked_decided(&g->asked, request->host, request->port, allowed) && allowed;
	connections_decided(&g->connections, request->host, request->port, allowed);
}

static void obey(struct source *source, uint32_t events)
{
	struct gateway *g = (struct gateway *)source;
	struct gateway_request request;
	cleanup_close int fd = -1;
	ssize_t n = pass_receive(source->fd, &request, sizeof(request), &fd, MSG_DONTWAIT);

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* Without the outer stage there is nobody to serve. */
	if (n != (ssize_t)sizeof(request))
		_exit(0);
	if (request.order == ORDER_LISTENER && fd >= 0)
		g->connections.listener = keep_fd(&fd);
	else if (request.order == ORDER_CONNECT && fd >= 0)
		connections_open(&g->connections, &request, keep_fd(&fd));
	else if (request.order == ORDER_DECIDED)
		decided(g, &request);
	else if (request.order == ORDER_INTERRUPTED && !g->asked.still)
		connections_interrupted(&g->connections, request.id);
	else if (request.order == ORDER_CONCLUDE)
		tell_reached(&g->tell);
}

/* ---- its own limits ---------------------------------------------------------- */

/* The command's streams are not ours: who reads them waits for their end. */
static int keep_only(int line, struct error *err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
	    (line != LINE && dup3(line, LINE, O_CLOEXEC) < 0))
		return error_system(err, "the gateway");
	return close_at_once(LINE + 1, ~0U, err);
}

/* No file can be opened any more, and nothing but sockets of the internet made. */
static int lock_up(struct error *err)
{
	const struct permissions none = {.network = NETWORK_ON};
	const struct seccomp_choice choice = {
	        .net = NET_ON, .alone = true, .no_writes = true, .root = true};

	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_system(err, "the gateway");
	if (landlock_apply(&none, NULL, false, true, err) < 0)
		return -1;
	return seccomp_install(&choice, err);
}

static size_t most_connections(void)
{
	struct rlimit limit;
	size_t most;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur <= 2 * OTHER_FDS)
		return 64;
	most = (limit.rlim_cur - OTHER_FDS) / FDS_PER_CONNECTION;
	return most < CONNECTIONS_MAX ? most : CONNECTIONS_MAX;
}

/* ---- from beginning to end --------------------------------------------------- */

static int serve_names(struct gateway *g, const struct private_network *network, struct error *err)
{
	resolver_begin(&g->resolver);
	for (size_t i = 0; i < INSIDE_RESOLVERS; i++)
		if ((network->udp[i] >= 0 &&
		     resolver_serve(&g->resolver, network->udp[i], true) < 0) ||
		    (network->tcp[i] >= 0 &&
		     resolver_serve(&g->resolver, network->tcp[i], false) < 0))
			return error_system(err, "serving names");
	return 0;
}

static int set_up(struct gateway *g, const struct gateway_plan *plan, pid_t inside,
                  struct error *err)
{
	struct private_network network = {.maker = -1};

	if (keep_only(g->line.fd, err) < 0)
		return -1;
	name_servers_read(&g->servers);
	put_on_loopback_read(&g->put);
	if (private_network_enter(inside, &network, err) < 0)
		return -1;
	if (loop_begin(&g->loop) < 0)
		return error_system(err, "epoll");
	g->tell.line = LINE;
	g->line = (struct source){.fd = LINE, .ready = obey};
	synthetics_begin(&g->synthetics);
	g->upstream.loop = &g->loop;
	g->upstream.servers = &g->servers;
	/* Member by member: most of it is room that is not touched before it is needed. */
	g->resolver.loop = &g->loop;
	g->resolver.hosts = plan->hosts;
	g->resolver.put = &g->put;
	g->resolver.servers = &g->servers;
	g->resolver.upstream = &g->upstream;
	g->resolver.synthetics = &g->synthetics;
	g->asked.can = plan->ask;
	g->asked.hold = plan->hold;
	g->asked.hosts = plan->hosts;
	g->asked.tell = &g->tell;
	g->resolver.asked = &g->asked;
	g->resolver.tell = &g->tell;
	g->resolver.six = network.six;
	g->connections = (struct connections){.loop = &g->loop,
	                                      .hosts = plan->hosts,
	                                      .put = &g->put,
	                                      .synthetics = &g->synthetics,
	                                      .upstream = &g->upstream,
	                                      .asked = &g->asked,
	                                      .tell = &g->tell,
	                                      .maker = network.maker,
	                                      .listener = -1,
	                                      .check_names = plan->check_names,
	                                      .max = most_connections()};
	if (serve_names(g, &network, err) < 0 || lock_up(err) < 0)
		return -1;
	return loop_watch(&g->loop, &g->line, EPOLLIN) < 0 ? error_system(err, "epoll") : 0;
}

/* Only orders: an answer would wake somebody who is to stand still. */
static int step_still(struct gateway *g)
{
	struct pollfd line = {.fd = LINE, .events = POLLIN};

	if (poll(&line, 1, -1) < 0)
		return errno == EINTR ? 0 : -1;
	obey(&g->line, 0);
	return 0;
}

static int earlier(int a, int b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

static int step(struct gateway *g)
{
	int wait = earlier(upstream_tick(&g->upstream, now_ms()),
	                   connections_tick(&g->connections, now_ms()));

	return loop_step(&g->loop, wait);
}

/* What it says first: nothing, or why it cannot. */
static int say_first(const struct error *err)
{
	return send(LINE, err, sizeof(*err), MSG_NOSIGNAL) == (ssize_t)sizeof(*err) ? 0 : -1;
}

_Noreturn static void be_gateway(const struct gateway_plan *plan, pid_t inside, int line,
                                 pid_t parent)
{
	struct gateway *g = xcalloc(1, sizeof(*g));
	struct error err = {0};

	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent)
		_exit(1);
	g->line.fd = line;
	if (set_up(g, plan, inside, &err) < 0 || say_first(&err) < 0) {
		say_first(&err);
		_exit(1);
	}
	for (;;)
		if ((g->asked.still ? step_still(g) : step(g)) < 0)
			_exit(1);
}

int gateway_start(const struct gateway_plan *plan, pid_t inside, int *line, struct error *err)
{
	pid_t parent = getpid(), child;
	struct error why;
	int pair[2];
	ssize_t n;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return error_system(err, "socketpair");
	child = fork();
	if (child < 0)
		return error_system(err, "fork");
	if (child == 0)
		be_gateway(plan, inside, pair[1], parent);
	close(pair[1]);
	do
		n = recv(pair[0], &why, sizeof(why), 0);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(why) && why.exit == 0) {
		*line = pair[0];
		return 0;
	}
	close(pair[0]);
	if (n != (ssize_t)sizeof(why))
		return error_set(err, EXIT_SYSTEM, "gateway", "the gateway died");
	*err = why;
	return -1;
}

/* ---- the outer stage's side -------------------------------------------------- */

static int order(int line, const struct gateway_request *request, int fd)
{
	return pass_send(line, request, sizeof(*request), fd, MSG_DONTWAIT);
}

/* As the caller does, in a thread of its own: many may connect at the same time. */
static int order_and_wait(int line, const struct gateway_request *request, int fd)
{
	int n;

	do
		n = pass_send(line, request, sizeof(*request), fd, 0);
	while (n < 0 && errno == EINTR);
	return n;
}

int gateway_give_listener(int line, int listener)
{
	return order(line, &(struct gateway_request){.order = ORDER_LISTENER}, listener);
}

int gateway_connect(int line, const struct gateway_request *request, int client)
{
	return order_and_wait(line, request, client);
}

int gateway_interrupted(int line, uint64_t id)
{
	return order(line, &(struct gateway_request){.order = ORDER_INTERRUPTED, .id = id}, -1);
}

int gateway_decided(int line, const char *host, unsigned port, bool allowed)
{
	struct gateway_request request = {.order = ORDER_DECIDED, .port = port, .allowed = allowed};

	snprintf(request.host, sizeof(request.host), "%s", host);
	return order(line, &request, -1);
}

int gateway_conclude(int line)
{
	return order(line, &(struct gateway_request){.order = ORDER_CONCLUDE}, -1);
}

int gateway_hear(int line, struct gateway_word *word)
{
	ssize_t n = recv(line, word, sizeof(*word), MSG_DONTWAIT);

	if (n < 0)
		return -1;
	word->host[sizeof(word->host) - 1] = word->other[sizeof(word->other) - 1] = '\0';
	word->program[sizeof(word->program) - 1] = '\0';
	return n == (ssize_t)sizeof(*word);
}
