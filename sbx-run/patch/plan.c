#include "patch/plan.h"

#include "base/memory.h"
#include "base/read_full.h"
#include "base/write_full.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int plan_receive(int fd, void *bytes, size_t len)
{
	ssize_t n = read_full(fd, bytes, len);

	if (n >= 0 && (size_t)n < len)
		errno = EPIPE;
	return n >= 0 && (size_t)n == len ? 0 : -1;
}

int plan_send_text(int fd, const char *text, size_t len)
{
	uint64_t size = len;

	return write_full(fd, &size, sizeof(size)) < 0 ? -1 : write_full(fd, text, len);
}

char *plan_receive_text(int fd, size_t *len, size_t most)
{
	uint64_t size;
	char *text;

	if (plan_receive(fd, &size, sizeof(size)) < 0)
		return NULL;
	if (size > most) {
		errno = EMSGSIZE;
		return NULL;
	}
	*len = (size_t)size;
	text = xmalloc(*len + 1);
	text[*len] = '\0';
	if (plan_receive(fd, text, *len) == 0)
		return text;
	free(text);
	return NULL;
}
