/*
 * May this file be believed, and what does it say?
 */
#ifndef SBX_POLICY_CONFIG_CONFIG_FILE_H
#define SBX_POLICY_CONFIG_CONFIG_FILE_H

#include "base/complain.h"
#include "base/error.h"
#include "config/config.h"

#include <stdbool.h>
#include <sys/stat.h>

/*
 * A file that was opened by somebody; st is of the fd.  NULL when its owner
 * (this user or root; root alone for `by_root`) vouches for it, else why not.
 */
const char *file_doubt(const struct stat *st, bool by_root);

/* The bytes of an open file, at most what can be parsed and one more, with a NUL behind. */
char *file_contents(int fd, size_t *len);

/* What a text says as the layer, in `own` alone. */
int file_parse(const char *text, size_t len, const char *name, enum layer layer, struct config *own,
               struct notes *notes, struct error *err);

/* Reads an open configuration file into config, as the layer. */
int file_read(int fd, const char *name, enum layer layer, struct config *config,
              struct notes *notes, struct error *err);

/* One of the user's own files; 1: read, 0: there is none. */
int file_read_own(const char *home, const char *name, enum layer layer, struct config *config,
                  struct notes *notes, struct error *err);

/*
 * -c KEY=VALUE: what does the command line say of one key of the configuration?
 */

/* Merges it into overrides.  An unknown key is noted and changes nothing. */
int override_take(struct config *overrides, const char *assignment, struct notes *notes,
                  struct error *err);

#endif
