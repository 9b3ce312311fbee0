/*
 * What is one profile made from?  Gathered once from the document.
 */
#ifndef SBX_SEATBELT_REQUEST_H
#define SBX_SEATBELT_REQUEST_H

#include "base/error.h"
#include "extensions.h"
#include "policy/permissions.h"
#include "profile.h"

#include <jansson.h>
#include <stdbool.h>

struct request {
	struct permissions permissions; /* in the forms that the kernel compares */
	char **deny_globs;              /* NULL: none */
	struct extensions extensions;
	bool platform_defaults; /* what the system is made of can be read */
	bool repositories;      /* a ".git" that nobody saw is read-only as well */
	char *home;             /* of the command's environment, or NULL */
};

/* `doc` has "policy"; home comes from "exec", else from "command". */
int request_get(json_t *doc, struct request *request, struct error *err);
void request_free(struct request *request);

/* All sections, in their order; the profile is closed after it. */
int request_profile(const struct request *request, struct profile *profile, struct error *err);

#endif
