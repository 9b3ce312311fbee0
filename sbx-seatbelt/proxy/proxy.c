#include "proxy/proxy.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "process/spawn.h"
#include "proxy/client.h"
#include "proxy/listener.h"
#include "proxy/sums.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLIENTS_MAX 256  /* at a time; the others wait in the queue */
#define LOOK_MS     1000 /* for those that ended without a word */
#define LAST_MS     1000 /* for the last words, when all is over */

struct serving {
	struct listener listener;
	struct client client; /* what is the same for all */
	int line;             /* to whoever started us */
	int said[2];          /* clients write to the second */
	int stop[2];          /* clients read the first; its end is theirs */
	size_t clients;
	pid_t pids[CLIENTS_MAX];
	struct sums sums;
	int report;
};

/* ---- one client ----------------------------------------------------------------- */

_Noreturn static void be_client(struct serving *s, int fd)
{
	struct client client = s->client;
	struct proxy_word word = {.event = PROXY_NOTHING};

	listener_close(&s->listener);
	close(s->said[0]);
	close(s->stop[1]);
	close(s->line);
	client.fd = fd;
	client.stop = s->stop[0];
	client_serve(&client, &word);
	if (send(s->said[1], &word, sizeof(word), 0) != (ssize_t)sizeof(word))
		_exit(1);
	_exit(0);
}

static void begin_client(struct serving *s, int fd)
{
	pid_t pid = fork();

	if (pid == 0)
		be_client(s, fd);
	close(fd);
	if (pid > 0)
		s->pids[s->clients++] = pid;
}

static void bury_clients(struct serving *s)
{
	for (size_t i = s->clients; i-- > 0;)
		if (waitpid(s->pids[i], NULL, WNOHANG) != 0)
			s->pids[i] = s->pids[--s->clients];
}

static bool hear(struct serving *s)
{
	struct proxy_word word;
	ssize_t n = recv(s->said[0], &word, sizeof(word), MSG_DONTWAIT);

	if (n == (ssize_t)sizeof(word))
		sums_add(&s->sums, &word);
	return n == (ssize_t)sizeof(word);
}

/* ---- all of them ------------------------------------------------------------------ */

static void end_clients(struct serving *s)
{
	int64_t until = now_ms() + LAST_MS, left;

	close(s->stop[1]);
	while (s->clients > 0 && (left = until - now_ms()) > 0) {
		struct pollfd fd = {.fd = s->said[0], .events = POLLIN};

		if (poll(&fd, 1, (int)(left < 20 ? left : 20)) > 0)
			hear(s);
		bury_clients(s);
	}
	for (size_t i = 0; i < s->clients; i++)
		kill(s->pids[i], SIGKILL);
	while (hear(s))
		;
}

static void serve(struct serving *s)
{
	for (;;) {
		bool room = s->clients < CLIENTS_MAX;
		struct pollfd fds[] = {
		        {.fd = s->line, .events = POLLIN},
		        {.fd = s->said[0], .events = POLLIN},
		        {.fd = room ? s->listener.fds[0] : -1, .events = POLLIN},
		        {.fd = room ? s->listener.fds[1] : -1, .events = POLLIN},
		};

		if (poll(fds, 4, s->clients > 0 ? LOOK_MS : -1) < 0 && errno != EINTR)
			break;
		while (fds[1].revents && hear(s))
			;
		bury_clients(s);
		if (fds[0].revents)
			break;
		for (int i = 0; i < LISTENERS && s->clients < CLIENTS_MAX; i++) {
			int fd = fds[2 + i].revents ? listener_accept(s->listener.fds[i]) : -1;

			if (fd >= 0)
				begin_client(s, fd);
		}
	}
}

/* What is typed at the command's terminal, and the command's streams, are not ours. */
static bool stand_aside(void)
{
	static const int theirs[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
		signal(theirs[i], SIG_IGN);
	return null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1;
}

_Noreturn static void be_proxy(struct serving *s)
{
	char order;

	if (!stand_aside())
		_exit(125);
	serve(s);
	listener_close(&s->listener);
	/* A word is the command's end; none is that of whoever would hear us. */
	if (recv(s->line, &order, 1, 0) != 1)
		_exit(0);
	end_clients(s);
	sums_tell(&s->sums, s->report);
	_exit(0);
}

static int make_lines(struct serving *s, int line[2], struct error *err)
{
	const int size = 1 << 18;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) < 0 ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, s->said) < 0)
		return error_system(err, "the proxy");
	/* Best effort: who finds no room waits. */
	if (setsockopt(s->said[0], SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)) < 0)
		errno = 0;
	if (fcntl(line[0], F_SETFD, FD_CLOEXEC) < 0 || fcntl(line[1], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(s->said[0], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(s->said[1], F_SETFD, FD_CLOEXEC) < 0)
		return error_system(err, "the proxy");
	return pipe_open(s->stop, err);
}

int proxy_start(const struct hosts *hosts, bool check_names, int report, struct proxy *proxy,
                struct error *err)
{
	struct serving *s = xcalloc(1, sizeof(*s));
	cleanup_free char *secret = NULL;
	int line[2];

	if (!token_make(proxy->token))
		return error_system(err, "a token for the proxy");
	if (listener_open(&s->listener, err) < 0 || make_lines(s, line, err) < 0)
		return -1;
	secret = xasprintf("sbx:%s", proxy->token);
	s->client = (struct client){.hosts = hosts,
	                            .check_names = check_names,
	                            .token = proxy->token,
	                            .credentials = base64_encode(secret, strlen(secret))};
	s->report = report;
	s->line = line[1];
	proxy->line = line[0];
	proxy->port = s->listener.port;
	proxy->pid = fork();
	if (proxy->pid < 0)
		return error_system(err, "starting the proxy");
	if (proxy->pid == 0) {
		close(line[0]);
		be_proxy(s);
	}
	close(line[1]);
	listener_close(&s->listener);
	for (int i = 0; i < 2; i++) {
		close(s->said[i]);
		close(s->stop[i]);
	}
	free(s);
	return 0;
}

void proxy_conclude(struct proxy *proxy)
{
	if (send(proxy->line, "", 1, 0) != 1)
		kill(proxy->pid, SIGKILL);
	if (spawn_wait(proxy->pid) < 0)
		errno = 0;
	close(proxy->line);
}
