/*
 * Who is called when a file is ready, or a time has come?
 *
 * One thread: whoever is called must not wait.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_LOOP_H
#define SBX_LINUX_SANDBOX_GATEWAY_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

struct source {
	int fd;
	uint32_t events; /* that are waited for */
	bool added;
	void (*ready)(struct source *source, uint32_t events);
};

/* What is not to be freed before all that is ready now has been called. */
struct buried {
	void *memory;
	struct buried *next;
};

struct loop {
	int epoll;
	struct buried *buried;
};

/* -1 with errno. */
int loop_begin(struct loop *loop);

/* Adds it, or changes what it waits for, which may be nothing; -1 with errno. */
int loop_watch(struct loop *loop, struct source *source, uint32_t events);

/* Closes the file; it is not called again. */
void loop_close(struct loop *loop, struct source *source);

/* Frees it, once nobody can be called with it. */
void loop_bury(struct loop *loop, void *memory, struct buried *grave);

/* Calls whoever is ready within so many ms (-1: whenever); -1 with errno. */
int loop_step(struct loop *loop, int ms);

#endif
