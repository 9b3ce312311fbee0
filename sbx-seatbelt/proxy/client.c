#include "proxy/client.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/write_full.h"
#include "hosts/hello_again.h"
#include "hosts/server_name.h"
#include "proxy/both_ways.h"
#include "proxy/far_end.h"
#include "proxy/http.h"
#include "proxy/socks.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define HEAD_PATIENCE_S 30
#define TLS_PORT        443
#define SOCKS_VERSION   5

/* ---- answers ------------------------------------------------------------------ */

static const struct {
	int http;
	enum socks_reply socks;
	const char *words;
} answers[] = {
        [FAR_CONNECTED] = {200, SOCKS_DONE, "Connection established"},
        [FAR_NOT_LISTED] = {403, SOCKS_NOT_ALLOWED, "Not in the list of hosts"},
        [FAR_INTERNAL] = {403, SOCKS_NOT_ALLOWED, "Leads to an address that is not public"},
        [FAR_NOT_FOUND] = {502, SOCKS_NO_HOST, "No such host"},
        [FAR_FAILED] = {502, SOCKS_FAILED, "Not reached"},
};

static void say(int fd, const char *text)
{
	/* Whoever does not hear it has gone. */
	if (write_full(fd, text, strlen(text)) < 0)
		errno = 0;
}

static void refuse_http(int fd, int status, const char *words)
{
	cleanup_free char *text = xasprintf(
	        "HTTP/1.1 %d %s\r\n%sContent-Type: text/plain\r\nConnection: close\r\n"
	        "Content-Length: %zu\r\n\r\nsbx: %s\n",
	        status, words, status == 407 ? "Proxy-Authenticate: Basic realm=\"sbx\"\r\n" : "",
	        strlen(words) + 6, words);

	say(fd, text);
}

static enum socks_reply socks_reply(enum far_verdict verdict, int error)
{
	if (verdict != FAR_FAILED)
		return answers[verdict].socks;
	return error == ECONNREFUSED                         ? SOCKS_REFUSED
	       : error == ENETUNREACH                        ? SOCKS_NO_NETWORK
	       : error == EHOSTUNREACH || error == ETIMEDOUT ? SOCKS_NO_HOST
	                                                     : SOCKS_FAILED;
}

/* ---- what is asked for --------------------------------------------------------- */

struct asked {
	bool socks;
	struct wanted wanted;
	char *head; /* for the server, before all else; NULL */
};

/* The head and what came with it; 0: it did not come. */
static size_t read_head(int fd, char *bytes, size_t *len)
{
	size_t head = 0;

	for (*len = 0; head == 0 && *len < HTTP_HEAD_MAX;) {
		ssize_t n = recv(fd, bytes + *len, HTTP_HEAD_MAX - *len, 0);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return 0;
		*len += n > 0 ? (size_t)n : 0;
		head = http_head_length(bytes, *len);
	}
	return head;
}

/* What follows the head is the client's first word to the server. */
static bool ask_http(const struct client *c, struct asked *asked, struct way *up)
{
	cleanup_free char *bytes = xmalloc(HTTP_HEAD_MAX);
	struct http_request request = {0};
	size_t len, head = read_head(c->fd, bytes, &len);
	int status;

	if (head == 0)
		return false;
	status = http_request_read(bytes, head, c->credentials, &request);
	if (status) {
		refuse_http(c->fd, status,
		            status == 407 ? "The proxy's password is in its variable"
		                          : "A request that a proxy does not understand");
		return false;
	}
	asked->wanted = request.wanted;
	asked->head = request.head;
	up->len = len - head;
	up->count = up->len;
	memcpy(up->bytes, bytes + head, up->len);
	return true;
}

static bool ask(const struct client *c, struct asked *asked, struct way *up)
{
	const struct timeval patience = {.tv_sec = HEAD_PATIENCE_S}, none = {0};
	unsigned char first;
	bool known;

	if (setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) < 0 ||
	    recv(c->fd, &first, 1, MSG_PEEK) != 1)
		return false;
	asked->socks = first == SOCKS_VERSION;
	/* A method is in large letters. */
	if (!asked->socks && (first < 'A' || first > 'Z'))
		return false;
	known = asked->socks ? socks_read(c->fd, c->token, &asked->wanted) : ask_http(c, asked, up);
	return known && setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof(none)) == 0;
}

/* ---- the connection ------------------------------------------------------------- */

static void note(struct proxy_word *word, enum far_verdict verdict,
                 const struct host_address *address)
{
	static const enum proxy_event events[] = {[FAR_CONNECTED] = PROXY_REACHED,
	                                          [FAR_NOT_LISTED] = PROXY_REFUSED,
	                                          [FAR_INTERNAL] = PROXY_INTERNAL,
	                                          [FAR_NOT_FOUND] = PROXY_NOTHING,
	                                          [FAR_FAILED] = PROXY_NOTHING};

	word->event = events[verdict];
	if (verdict == FAR_INTERNAL)
		host_address_text(address, word->other);
}

static const uint8_t *waiting(const struct way *way)
{
	return (const uint8_t *)way->bytes + way->at;
}

/*
 * The next message of the client that may have a name.  Undecided: there is none, and the
 * server, which spoke first, is none of TLS.
 */
static enum server_name wait_for_name(struct both_ways *both, bool again,
                                      char name[HOST_NAME_MAX_LENGTH + 1], size_t *end)
{
	const struct way *up = &both->up;
	enum server_name found;

	for (;;) {
		found = again ? server_name_read_again(waiting(up), up->len, name, end)
		              : server_name_read(waiting(up), up->len, name, end);
		if (found != SERVER_UNDECIDED || up->ended)
			return found;
		if (!again && both->down.len > 0)
			return up->len > 0 ? SERVER_BROKEN : found;
		if (up->len >= SERVER_NAME_BYTES || !both_ways_listen(both))
			return SERVER_BROKEN;
	}
}

/* The server may want the first message again, and take the name in that one. */
static enum hello_again wait_for_reply(struct both_ways *both)
{
	const struct way *down = &both->down;
	enum hello_again again;

	while ((again = hello_again_wanted(waiting(down), down->len)) == AGAIN_UNDECIDED)
		if (down->ended || down->len >= SERVER_NAME_BYTES || !both_ways_listen(both))
			return down->ended ? AGAIN_NO : AGAIN_UNDECIDED;
	return again;
}

/* Not another one than the one that was allowed. */
static bool may_be_named(const struct asked *asked, enum server_name found, struct proxy_word *word)
{
	word->hidden |= found == SERVER_HIDDEN;
	if (found == SERVER_UNDECIDED || server_name_agrees(found, word->other, asked->wanted.name))
		return true;
	word->event = PROXY_OTHER_NAME;
	return false;
}

/* The server named in TLS is the one that was allowed; true: the bytes may move. */
static bool names_itself(const struct asked *asked, struct both_ways *both, struct proxy_word *word)
{
	enum hello_again again;
	size_t end;
	enum server_name found = wait_for_name(both, false, word->other, &end);

	if (!may_be_named(asked, found, word))
		return false;
	if (found == SERVER_NOT_TLS || found == SERVER_UNDECIDED)
		return true;
	if (!way_pass(&both->up, end))
		return false;
	again = wait_for_reply(both);
	if (again != AGAIN_YES)
		return again == AGAIN_NO;
	if (!way_pass(&both->down, both->down.len))
		return false;
	return may_be_named(asked, wait_for_name(both, true, word->other, &end), word);
}

static void connect_ends(const struct client *c, const struct asked *asked, struct both_ways *both,
                         int server, struct proxy_word *word)
{
	const int one = 1;

	/* What is to be gathered was gathered by whoever wrote it. */
	if (setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) < 0 ||
	    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) < 0)
		errno = 0;
	both_ways_begin(both, c->fd, server, c->stop);
	if (asked->head && write_full(server, asked->head, strlen(asked->head)) < 0)
		return;
	both->up.count += asked->head ? strlen(asked->head) : 0;
	if (!c->check_names || asked->head || asked->wanted.port != TLS_PORT ||
	    !asked->wanted.name[0] || names_itself(asked, both, word))
		both_ways_move(both);
}

void client_serve(const struct client *c, struct proxy_word *word)
{
	cleanup_free struct both_ways *both = xcalloc(1, sizeof(*both));
	struct asked asked = {0};
	struct far_end far = {.fd = -1};
	enum far_verdict verdict;

	if (!ask(c, &asked, &both->up))
		return;
	verdict = far_end_open(c->hosts, &asked.wanted, &far);
	snprintf(word->host, sizeof(word->host), "%s", asked.wanted.text);
	word->port = asked.wanted.port;
	note(word, verdict, &far.address);
	if (asked.socks)
		socks_answer(c->fd, socks_reply(verdict, far.error));
	else if (verdict != FAR_CONNECTED)
		refuse_http(c->fd, answers[verdict].http, answers[verdict].words);
	else if (!asked.head)
		say(c->fd, "HTTP/1.1 200 Connection established\r\n\r\n");
	if (verdict == FAR_CONNECTED) {
		connect_ends(c, &asked, both, far.fd, word);
		close(far.fd);
	}
	word->sent = both->up.count;
	word->received = both->down.count;
	free(asked.head);
}
