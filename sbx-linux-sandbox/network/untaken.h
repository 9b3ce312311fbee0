/*
 * What becomes of a unix socket where sockets of other processes cannot be had?
 *
 * A container of Docker's kind refuses pidfd_getfd(), so that the command's
 * own socket cannot be connected or bound on its behalf, and no filter sees an
 * address.  So the command never has a unix socket that it could connect: what
 * it gets is half of a pair, which the kernel takes for connected, and which a
 * socket of ours replaces once there is an address that it may have.  Every
 * other socket is of the internet: its own connect() can go on, whatever the
 * arguments have become meanwhile.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_UNTAKEN_H
#define SBX_LINUX_SANDBOX_NETWORK_UNTAKEN_H

#include <linux/seccomp.h>

/* SOCK_STREAM or SOCK_SEQPACKET: a unix socket; 0: another one; -errno. */
int untaken_type(const struct seccomp_notif *request);

/* A new one, as the caller's is: its type, waiting or not.  -errno. */
int untaken_like(const struct seccomp_notif *request);

/* In the place of the caller's.  0 or -errno. */
int untaken_replace(int listener, const struct seccomp_notif *request, int fd);

/* As the answer to socket(); 0, or the errno that is left to be answered. */
int untaken_begin(int listener, const struct seccomp_notif *request);

#endif
