#include "proxy/http.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HTTP_PORT 80

size_t http_head_length(const char *bytes, size_t len)
{
	static const char end[] = "\r\n\r\n";

	for (size_t i = 0; i + 4 <= len; i++)
		if (memcmp(bytes + i, end, 4) == 0)
			return i + 4;
	return 0;
}

/* The value of a header; NULL. */
static const char *header_value(const char *line, const char *name)
{
	size_t len = strlen(name);

	if (strncasecmp(line, name, len) != 0 || line[len] != ':')
		return NULL;
	return line + len + 1 + strspn(line + len + 1, " \t");
}

/* In a time that says nothing about how much of it is right. */
static bool same_secret(const char *a, const char *b)
{
	size_t len = strlen(b);
	unsigned char differs = strlen(a) != len;

	for (size_t i = 0; i < len && a[i]; i++)
		differs |= (unsigned char)(a[i] ^ b[i]);
	return differs == 0;
}

static bool proves(const char *value, const char *credentials)
{
	return strncasecmp(value, "Basic ", 6) == 0 && same_secret(value + 6, credentials);
}

/* Between the client and us, or about how long the connection lives. */
static bool goes_on(const char *line)
{
	static const char *const ours[] = {"Connection", "Proxy-Connection", "Keep-Alive",
	                                   "Proxy-Authorization"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (header_value(line, ours[i]))
			return false;
	return true;
}

/* The first line in its three parts; false: it has not three. */
static bool split(char *line, char *words[3])
{
	for (int i = 0; i < 3; i++) {
		words[i] = line;
		line += strcspn(line, " ");
		if ((*line == '\0') != (i == 2) || line == words[i])
			return false;
		if (i < 2)
			*line++ = '\0';
	}
	return strncmp(words[2], "HTTP/1.", 7) == 0;
}

/* http://HOST[:PORT][/PATH]: the path, to be freed; NULL: another URL. */
static char *read_url(const char *url, struct wanted *wanted)
{
	static const char scheme[] = "http://";
	size_t len;

	if (strncasecmp(url, scheme, strlen(scheme)) != 0)
		return NULL;
	url += strlen(scheme);
	len = strcspn(url, "/?#");
	if (!wanted_authority(wanted, url, len, HTTP_PORT))
		return NULL;
	return xasprintf("%s%s", url[len] == '/' ? "" : "/", url + len);
}

/* What the server gets: the method, the path, the headers that are for it. */
static char *rewritten(char *const words[3], const char *path, char *rest)
{
	char *out = xasprintf("%s %s %s\r\n", words[0], path, words[2]);
	char *next;

	for (char *line = rest; *line; line = next) {
		char *longer;

		next = line + strcspn(line, "\r\n");
		if (*next)
			*next++ = '\0';
		next += *next == '\n';
		if (!*line || !goes_on(line))
			continue;
		longer = xasprintf("%s%s\r\n", out, line);
		free(out);
		out = longer;
	}
	next = xasprintf("%sConnection: close\r\n\r\n", out);
	free(out);
	return next;
}

static bool is_proven(const char *head, const char *credentials)
{
	for (const char *line = head; (line = strstr(line, "\r\n")) != NULL; line += 2) {
		const char *value = header_value(line + 2, "Proxy-Authorization");
		cleanup_free char *text = value ? xstrndup(value, strcspn(value, "\r\n")) : NULL;

		if (text && proves(text, credentials))
			return true;
	}
	return false;
}

int http_request_read(const char *bytes, size_t len, const char *credentials,
                      struct http_request *request)
{
	cleanup_free char *head = xstrndup(bytes, len);
	cleanup_free char *path = NULL;
	char *words[3], *rest;

	request->head = NULL;
	/* Bytes that end a string or a line elsewhere than ours do are somebody's trick. */
	if (strlen(head) != len)
		return 400;
	if (!is_proven(head, credentials))
		return 407;
	rest = strstr(head, "\r\n");
	*rest = '\0';
	if (!split(head, words))
		return 400;
	if (strcmp(words[0], "CONNECT") == 0)
		return wanted_authority(&request->wanted, words[1], strlen(words[1]), 0) ? 0 : 400;
	path = read_url(words[1], &request->wanted);
	if (!path)
		return 400;
	request->head = rewritten(words, path, rest + 2);
	return 0;
}
