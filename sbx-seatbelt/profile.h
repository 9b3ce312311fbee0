/*
 * What is the text of a profile, and which parameters does it refer to?
 *
 * Nothing of a policy goes into the text; whatever the policy says becomes the
 * value of a parameter, which the system's interpreter never reads as code.
 */
#ifndef SBX_SEATBELT_PROFILE_H
#define SBX_SEATBELT_PROFILE_H

#include "base/error.h"
#include "base/strings.h"

#include <stdio.h>

struct profile {
	FILE *out; /* into text */
	char *text;
	size_t size;
	struct strings params; /* "NAME=VALUE", in the order of their first use */
};

int profile_open(struct profile *profile, struct error *err);
void profile_free(struct profile *profile);

/* Ends the text; nothing can be added after it. */
int profile_close(struct profile *profile, struct error *err);

/* `name` is made of our own words and numbers. */
void profile_param(struct profile *profile, const char *name, const char *value);

/* (literal (param "NAME")) (subpath (param "NAME")), with `wrap` around each. */
void profile_tree(struct profile *profile, const char *indent, const char *wrap, const char *name);

/*
 * What are the fixed parts of a profile?
 *
 * The text of share/sbpl/, compiled in: nothing that is read again at run time
 * could be changed in between.
 */

/* One per file, by its name with "_" for "-"; made by the Makefile. */
extern const char sbpl_accessibility[];
extern const char sbpl_automation[];
extern const char sbpl_automation_all[];
extern const char sbpl_base[];
extern const char sbpl_calendar[];
extern const char sbpl_contacts_read[];
extern const char sbpl_contacts_write[];
extern const char sbpl_launch_services[];
extern const char sbpl_network_hosts[];
extern const char sbpl_network_loopback[];
extern const char sbpl_network_off[];
extern const char sbpl_network_on[];
extern const char sbpl_platform_defaults[];
extern const char sbpl_preferences_default[];
extern const char sbpl_preferences_read[];
extern const char sbpl_preferences_write[];
extern const char sbpl_read_full[];
extern const char sbpl_read_restricted[];
extern const char sbpl_unix_sockets[];
extern const char sbpl_write_full[];
extern const char sbpl_write_none[];
extern const char sbpl_write_roots[];

#endif
