/*
 * How does the command's own socket get connected to one of ours, inside?
 *
 * To a listener that is made for it, at the address that it wanted.
 */
#ifndef SBX_LINUX_SANDBOX_RELAY_NEAR_END_H
#define SBX_LINUX_SANDBOX_RELAY_NEAR_END_H

#include "hosts/host_rule.h"

/*
 * At the address and port that the command wants; `anywhere`: where something
 * inside listens at that port on every address, at another port.  -1 with errno.
 */
int near_listen(int maker, const struct host_address *at, unsigned port, bool anywhere);

/* What arrives is dropped, as if nobody were there yet: whoever connects tries again. */
int near_play_dead(int listener);
int near_wake_up(int listener);

/* The command's socket to it, without waiting; 0 or errno. */
int near_connect(int client, int listener);
int near_connect_to(int client, const struct host_address *at, unsigned port);

/* The command's socket, and nobody who came between; -1 with errno. */
int near_accept(int listener, int client);

#endif
