/*
 * What does one wrap work on?  Gathered once from the document.
 */
#ifndef SBX_WRAP_WRAP_H
#define SBX_WRAP_WRAP_H

#include "base/error.h"
#include "document/document.h"
#include "policy/permissions.h"
#include "policy/words.h"

#include <jansson.h>
#include <stdbool.h>

struct wrap_options {
	const char *platform; /* by the names of --platform */
	const char *output;   /* where to write what an engine reads; NULL: nowhere */
	const char *image;    /* of a pod; or NULL */
	bool captured;        /* nobody watches the output: no colours, no pagers */
};

struct wrap {
	const struct wrap_options *options;
	json_t *policy; /* that is to be enforced, grants and all */
	const json_t *sandbox;
	enum sandbox_type type;
	const char *backend; /* sandbox.backend, or NULL */
	struct command command;
	struct permissions permissions;
};

#endif
