/*
 * :minimal: what must a program be able to read to run at all?
 */
#ifndef SBX_POLICY_RESOLVE_PLATFORM_DEFAULTS_H
#define SBX_POLICY_RESOLVE_PLATFORM_DEFAULTS_H

struct platform_default {
	const char *path;
};

/* Ends with a NULL path; each counts only where it exists. */
extern const struct platform_default platform_defaults[];

#endif
