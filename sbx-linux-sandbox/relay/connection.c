#include "relay/connection.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

void connection_answer(struct connection *c, int error)
{
	struct seccomp_notif_resp response = {.id = c->id, .error = -error};

	if (c->answered)
		return;
	c->answered = true;
	/* Whoever asked may be gone. */
	while (ioctl(c->all->listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 && errno == EINTR)
		;
}

void connection_drop(struct connection *c)
{
	loop_close(c->all->loop, &c->far);
	loop_close(c->all->loop, &c->near);
	if (c->client >= 0)
		close(c->client);
	free(c->hello.bytes);
	free(c->reply.bytes);
	free(c->found);
	if (c->stage == LOOKED_UP)
		upstream_forget(c->all->upstream, c);
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	c->all->count--;
	c->all->waiting -= c->stage <= NEAR;
	loop_bury(c->all->loop, c, &c->grave);
}

void connection_fail(struct connection *c, int error)
{
	connection_answer(c, error);
	if (c->near_done)
		reset_socket(c->near.fd);
	if (c->far.fd >= 0)
		reset_socket(c->far.fd);
	connection_drop(c);
}
