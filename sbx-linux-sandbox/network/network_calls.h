/*
 * Where may the command connect, bind and send to?
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_NETWORK_CALLS_H
#define SBX_LINUX_SANDBOX_NETWORK_NETWORK_CALLS_H

#include "observer/observer_state.h"

/* Makes a unix socket, or what stands for one; answers. */
void socket_for(struct observer *o, const struct seccomp_notif *request);

/* Connects in a thread of its own, which also answers. */
void connect_for(struct observer *o, const struct seccomp_notif *request);

/* False: the socket is none that the observer sends for; else it also answers. */
bool send_for(struct observer *o, const struct seccomp_notif *request);

/* 0: go on; else the errno. */
int bind_for(struct observer *o, const struct seccomp_notif *request);

/* Notes where it would have gone; a message has its address in a structure. */
void look_at_sent(struct observer *o, const struct seccomp_notif *request, bool message);

#endif
