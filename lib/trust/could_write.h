/*
 * What could the command of a document have written?
 *
 * A program that we execute, or a file that we believe, must not be among it:
 * the command would be asked about itself.
 */
#ifndef SBX_TRUST_COULD_WRITE_H
#define SBX_TRUST_COULD_WRITE_H

#include "base/error.h"
#include "policy/permissions.h"

struct could_write {
	struct permissions permissions; /* with what was granted to an attempt before */
	char *cwd;                      /* canonical, or NULL */
	bool held; /* false: no sandbox holds the command, and nothing is out of its reach */
};

/* From "policy", command.cwd and, after an attempt, result.granted. */
int could_write_get(struct could_write *w, const json_t *doc, struct error *err);
void could_write_free(struct could_write *w);

/*
 * Why a canonical path is within its reach, or NULL: writable, below a
 * writable directory, in the working directory, or in /tmp, where every other
 * run writes as well.
 */
const char *could_write(const struct could_write *w, const char *path);

#endif
