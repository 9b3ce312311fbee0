/*
 * What does libsbx expect of a system that Windows calls otherwise, or has
 * not?
 *
 * Included before every file of the cross build.
 */
#ifndef SBX_WINTOKEN_POSIX_H
#define SBX_WINTOKEN_POSIX_H

#include <stdlib.h>
#include <string.h>

/* Never delivered. */
#ifndef SIGPIPE
#define SIGPIPE 13
#endif

/* There is no set-user-id. */
static inline int issetugid(void)
{
	return 0;
}

static inline char *sbx_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = malloc(len + 1);

	if (copy) {
		memcpy(copy, s, len);
		copy[len] = '\0';
	}
	return copy;
}
#define strndup sbx_strndup

#endif
