/*
 * About which of the command's calls is the observer asked?
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_WHAT_IS_WATCHED_H
#define SBX_LINUX_SANDBOX_OBSERVER_WHAT_IS_WATCHED_H

#include "observer/observation.h"
#include "request.h"

/* Fills the observation but for its denials; unobserved: why it is not asked at all, or NULL. */
int watch_plan(const struct request *request, struct observation *observation,
               const char **unobserved, struct error *err);

#endif
