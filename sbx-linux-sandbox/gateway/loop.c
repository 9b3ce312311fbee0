#include "gateway/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define AT_ONCE 64

int loop_begin(struct loop *loop)
{
	loop->buried = NULL;
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	return loop->epoll < 0 ? -1 : 0;
}

int loop_watch(struct loop *loop, struct source *source, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = source};

	if (source->added ? source->events == events : events == 0)
		return 0;
	/* A hang-up is reported to whoever is there, wanted or not, again and again. */
	if (events == 0) {
		source->added = false;
		return epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	}
	if (epoll_ctl(loop->epoll, source->added ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, source->fd,
	              &event) < 0)
		return -1;
	source->added = true;
	source->events = events;
	return 0;
}

void loop_close(struct loop *loop, struct source *source)
{
	/* Somebody else may hold the same file: closing alone would not take it out. */
	if (source->added && epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL) < 0)
		errno = 0;
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
	source->added = false;
}

void loop_bury(struct loop *loop, void *memory, struct buried *grave)
{
	*grave = (struct buried){.memory = memory, .next = loop->buried};
	loop->buried = grave;
}

int loop_step(struct loop *loop, int ms)
{
	struct epoll_event events[AT_ONCE];
	int count = epoll_wait(loop->epoll, events, AT_ONCE, ms);

	if (count < 0 && errno != EINTR)
		return -1;
	for (int i = 0; i < count; i++) {
		struct source *source = events[i].data.ptr;

		if (source->added)
			source->ready(source, events[i].events);
	}
	while (loop->buried) {
		struct buried *grave = loop->buried;

		loop->buried = grave->next;
		free(grave->memory);
	}
	return 0;
}
