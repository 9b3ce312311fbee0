#include "network.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile.h"

void network_write(const struct permissions *permissions, struct profile *p)
{
	switch (permissions->network) {
	case NETWORK_OFF:
		fputs(sbpl_network_off, p->out);
		break;
	case NETWORK_HOSTS: /* request_get() refuses it */
	case NETWORK_LOOPBACK:
		fputs(sbpl_network_loopback, p->out);
		break;
	case NETWORK_ON:
		fputs(sbpl_network_on, p->out);
		break;
	}
}

void network_write_sockets(const struct permissions *permissions, struct profile *p)
{
	char *const *sockets = permissions->unix_sockets;

	if (!sockets || !sockets[0])
		return;
	fputs(sbpl_unix_sockets, p->out);
	for (size_t i = 0; sockets[i]; i++) {
		cleanup_free char *name = xasprintf("UNIX_SOCKET_%zu", i);

		profile_param(p, name, sockets[i]);
		fprintf(p->out,
		        "(allow network-bind (local unix-socket (subpath (param \"%s\"))))\n",
		        name);
		fprintf(p->out,
		        "(allow network-outbound (remote unix-socket (subpath (param \"%s\"))))\n",
		        name);
	}
}
