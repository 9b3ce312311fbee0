/*
 * What does the text of a patch ask for?
 *
 *	*** Begin Patch
 *	*** Add File: NAME       lines with "+"
 *	*** Delete File: NAME
 *	*** Update File: NAME    an optional "*** Move to: NAME", then changes: "@@" or
 *	                         "@@ CONTEXT", lines with " ", "-" or "+", and perhaps
 *	                         "*** End of File"
 *	*** End Patch
 *
 * Blanks around these markers and a here-document around all of it are forgiven.
 * A name is relative to the working directory, or absolute; never with "..".
 */
#ifndef SBX_POLICY_PATCH_TEXT_H
#define SBX_POLICY_PATCH_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* More than anybody reads; a document carries it through every stage. */
#define PATCH_BYTES_MAX (64UL << 20)
#define PATCH_FILES_MAX 20000

enum patch_kind {
	PATCH_ADD,
	PATCH_DELETE,
	PATCH_UPDATE,
};

/* Points into the text; has no line end. */
struct patch_line {
	char mark; /* ' ', '-' or '+' */
	const char *text;
	size_t len;
};

struct patch_change {
	struct patch_line context; /* text NULL: none */
	struct patch_line *lines;
	size_t count;
	bool at_end; /* "*** End of File" */
};

struct patch_file {
	enum patch_kind kind;
	char *name;
	char *moved; /* the new name, or NULL */
	struct patch_change *changes;
	size_t count;
};

/* `text` lives at least as long as what was read from it. */
struct patch_text {
	struct patch_file *files; /* in the order of the patch; a name may come again */
	size_t count;
};

int patch_read(const char *text, size_t len, struct patch_text *patch, struct error *err);
void patch_free(struct patch_text *patch);

/* Every name that the patch changes, once, below cwd unless absolute; NULL-terminated. */
char **patch_names(const struct patch_text *patch, const char *cwd);

#endif
