/*
 * How does a message take a descriptor along?
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_PASS_FD_H
#define SBX_LINUX_SANDBOX_GATEWAY_PASS_FD_H

#include <stddef.h>
#include <sys/types.h>

/* fd -1: none.  -1 with errno. */
int pass_send(int line, const void *bytes, size_t len, int fd, int flags);

/* As recv(); *fd is -1 when none came. */
ssize_t pass_receive(int line, void *bytes, size_t len, int *fd, int flags);

#endif
