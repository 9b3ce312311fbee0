/*
 * Which entries does a permission set mean here?
 */
#ifndef SBX_POLICY_RESOLVE_SET_ENTRIES_H
#define SBX_POLICY_RESOLVE_SET_ENTRIES_H

#include "base/error.h"
#include "entries/workbench.h"

/* Adds those of policy->set. */
int set_apply(struct workbench *bench, struct error *err);

/*
 * :minimal: what must a program be able to read to run at all?
 */

struct platform_default {
	const char *path;
};

/* Ends with a NULL path; each counts only where it exists. */
extern const struct platform_default platform_defaults[];

/* One path or pattern that is not to be read; `source` lives as long as the policy. */
int deny_path(struct workbench *bench, const char *pattern, const char *source, struct error *err);

/* What the administrator lets nobody read, in any mode. */
int deny_read(struct workbench *bench, struct error *err);

/* All entries are known: none of them opens anything below it again. */
void deny_read_finally(struct policy *policy);

#endif
