/*
 * May this document run, and what is to be executed?
 */
#ifndef SBX_RUN_SUPERVISE_WRAPPED_H
#define SBX_RUN_SUPERVISE_WRAPPED_H

#include "base/error.h"
#include "policy/resource_limits.h"

#include <jansson.h>
#include <stdbool.h>

/* The member "exec", checked and copied out. */
struct wrapped {
	char **argv; /* argv[0] is what is executed, whatever arg0 says */
	char *arg0;  /* NULL: argv[0] */
	char *cwd;
	char **env;
	bool sandboxed; /* argv[0] is a helper of ours, which reports to us */
	bool confined;  /* argv[0] is a helper, ours or the system's */
	bool observed;  /* it reports every denial, or that it does not */
	json_int_t timeout_ms;
	struct limits limits; /* a helper of Linux holds them itself */
};

/*
 * Refuses a document that failed, was not approved or was not wrapped.
 * err->exit is EXIT_DENIED when it was not approved.
 */
int wrapped_get(const json_t *doc, struct wrapped *wrapped, struct error *err);
void wrapped_free(struct wrapped *wrapped);

#endif
