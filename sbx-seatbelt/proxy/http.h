/*
 * What does a request to an HTTP proxy ask for?
 *
 * CONNECT makes a tunnel.  Any other method comes with a whole URL, and goes on to
 * the server without it, for one request: the next may be for another server.
 */
#ifndef SBX_SEATBELT_PROXY_HTTP_H
#define SBX_SEATBELT_PROXY_HTTP_H

#include "proxy/wanted.h"

#define HTTP_HEAD_MAX 65536

struct http_request {
	struct wanted wanted;
	char *head; /* for the server, to be freed; NULL: a tunnel */
};

/* Of the head, with its empty line; 0: it is not all there. */
size_t http_head_length(const char *bytes, size_t len);

/* `credentials` as a client has to give them.  0, or the status of the refusal. */
int http_request_read(const char *head, size_t len, const char *credentials,
                      struct http_request *request);

#endif
