/*
 * Whom does this machine ask about names, and which does it know itself?
 *
 * /etc/resolv.conf and /etc/hosts, read once, at the start: a run keeps what
 * it began with.
 */
#ifndef SBX_LINUX_SANDBOX_NAMES_NAME_SERVERS_H
#define SBX_LINUX_SANDBOX_NAMES_NAME_SERVERS_H

#include "hosts/host_rule.h"

#define NAME_SERVERS 3

struct known_host {
	char name[HOST_NAME_MAX_LENGTH + 1];
	struct host_address address;
};

struct name_servers {
	struct host_address servers[NAME_SERVERS];
	size_t count;
	char *search; /* domains, with blanks between them; "": none */
	char *ndots;  /* as an option of resolv.conf has it; "": none */
	struct known_host *hosts;
	size_t host_count;
};

/* What cannot be read is not there. */
void name_servers_read(struct name_servers *servers);
void name_servers_free(struct name_servers *servers);

#endif
