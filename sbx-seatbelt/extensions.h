/*
 * What may a program do that is not about files or the network?
 * permissions.macos.
 */
#ifndef SBX_SEATBELT_EXTENSIONS_H
#define SBX_SEATBELT_EXTENSIONS_H

#include "base/error.h"
#include "profile.h"

#include <jansson.h>
#include <stdbool.h>

enum grade {
	GRADE_NONE,
	GRADE_READ,
	GRADE_WRITE,
};

struct extensions {
	bool given; /* false: no table at all, which keeps the default */
	enum grade preferences, contacts;
	bool automation_all;
	char **automation; /* bundle ids; NULL: none */
	bool launch_services, accessibility, calendar;
};

/* json may be NULL.  Refuses unknown keys and words. */
int extensions_get(json_t *json, struct extensions *extensions, struct error *err);
void extensions_free(struct extensions *extensions);

/* home is the user's directory, needed by contacts; may be NULL. */
int extensions_write(const struct extensions *extensions, bool full_read, const char *home,
                     struct profile *profile, struct error *err);

#endif
