/*
 * What can nobody inside do from here on?
 */
#ifndef SBX_LINUX_SANDBOX_INNER_LOCK_DOWN_H
#define SBX_LINUX_SANDBOX_INNER_LOCK_DOWN_H

#include "inner/inner_state.h"

/* Privileges, keys and files; the filter too, unless the command is to be watched. */
int lock_down(struct inner *inner, struct error *err);

/* The filter without an observer: refused is refused. */
int install_filter(const struct plan *plan, struct error *err);

#endif
