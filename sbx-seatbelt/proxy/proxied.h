/*
 * How does a command run beside the proxy?
 */
#ifndef SBX_SEATBELT_PROXY_PROXIED_H
#define SBX_SEATBELT_PROXY_PROXIED_H

#include "hosts/hosts.h"
#include "watch.h"

/* In the parameters of the profile; the port is put in when there is one. */
#define PROXY_PARAM "HOST_PROXY"
#define PROXY_PLACE "localhost"

struct proxied {
	bool asked;
	bool any_server_name;
	struct hosts hosts;
};

/* "a.example:443 *.b.example" */
int proxied_hosts(struct proxied *proxied, const char *list, struct error *err);

/* As watch_command(). */
int proxied_command(const struct proxied *proxied, const struct watch *watch, char **argv);

#endif
