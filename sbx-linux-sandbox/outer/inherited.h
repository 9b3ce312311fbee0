/*
 * What does the command inherit, besides files and pipes, that no sandbox
 * holds?
 *
 * A socket stays of the namespaces and the rights it was made with.  One that
 * leads to a single peer is a pipe; one that can be turned to anybody is a way
 * out, and no filter sees the address of sendmsg().
 */
#ifndef SBX_LINUX_SANDBOX_OUTER_INHERITED_H
#define SBX_LINUX_SANDBOX_OUTER_INHERITED_H

#include "request.h"

/* One of them is a socket of the internet. */
bool inherited_internet(const struct request *request);

/* Refuses it, with a word about which and why. */
int inherited_check(const struct request *request, struct error *err);

/* In the process that becomes the command: 0, 1, 2 and those that were asked for stay open. */
int inherited_only(const int *keep_fds, size_t count, struct error *err);

/* In process 1: nothing else that set the sandbox up stays open beside the command. */
int inherited_close_others(const int *fds, size_t count, struct error *err);

#endif
