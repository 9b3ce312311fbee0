/*
 * What does a file of patterns (.gitignore and its kin) say about a path?
 */
#ifndef SBX_POLICY_CLOSED_IGNORE_FILE_H
#define SBX_POLICY_CLOSED_IGNORE_FILE_H

#include "base/error.h"
#include "closed/ignore_pattern.h"

struct ignore_file {
	struct ignore_pattern *patterns;
	size_t count;
	size_t depth; /* of its directory, below the top of the repository */
};

enum ignored {
	IGNORED_UNSAID, /* another file decides */
	IGNORED_NO,
	IGNORED_YES,
};

/*
 * From an open directory, over no link.  A file that is missing says nothing; one
 * that cannot be read whole is an error: what it says would be left out.
 */
int ignore_file_read(struct ignore_file *file, int directory, const char *name, const char *path,
                     struct error *err);
void ignore_file_free(struct ignore_file *file);

/* Takes out what says "not this one": the command could have written it. */
void ignore_file_distrust(struct ignore_file *file);

/* The components of a path from the top on; the last line that names it decides. */
enum ignored ignore_file_says(const struct ignore_file *file, const char *const *names,
                              size_t count, bool directory);

#endif
