/*
 * Who frees and closes what was opened?
 *
 * Ownership is local: whoever opens closes, in the same function.
 */
#ifndef SBX_BASE_CLEANUP_H
#define SBX_BASE_CLEANUP_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free_(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_json_(json_t **json)
{
	json_decref(*json);
}

#define cleanup_free  __attribute__((cleanup(cleanup_free_)))
#define cleanup_close __attribute__((cleanup(cleanup_close_)))
#define cleanup_json  __attribute__((cleanup(cleanup_json_)))

/* Hands an fd or a pointer out of the scope that would have released it. */
static inline int keep_fd(int *fd)
{
	int kept = *fd;

	*fd = -1;
	return kept;
}

static inline void *keep_ptr_(void *p)
{
	void *kept = *(void **)p;

	*(void **)p = NULL;
	return kept;
}
#define keep_ptr(p) keep_ptr_(&(p))

#endif
