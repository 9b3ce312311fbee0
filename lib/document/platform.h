/*
 * Which system is a command wrapped for?  By the names of --platform.
 */
#ifndef SBX_DOCUMENT_PLATFORM_H
#define SBX_DOCUMENT_PLATFORM_H

#include "base/error.h"

#include <stdbool.h>

/* The one this program runs on. */
const char *platform_own(void);

/* A known name, as a string that lives as long as the program. */
int platform_parse(const char *word, const char **platform, struct error *err);

/*
 * An engine of Linux that runs what is wrapped for it: oci, kubernetes, systemd.
 * Paths, users and what exists are those of the machine where the wrap runs.
 */
bool platform_is_engine(const char *platform);

/* Its files are those of this machine. */
bool platform_is_here(const char *platform);

/*
 * A path that begins where the platform's file system does.  On Windows that
 * is "/" as well: documents made on another system have it.
 */
bool platform_absolute(const char *platform, const char *path);

#endif
