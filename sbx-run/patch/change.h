/*
 * What is in a file after the changes of a patch?
 */
#ifndef SBX_RUN_PATCH_CHANGE_H
#define SBX_RUN_PATCH_CHANGE_H

#include "patches/patch_text.h"

/* A text that is not terminated, and may hold anything. */
struct content {
	char *text;
	size_t len;
};

/* Of a file that is added. */
void change_add(const struct patch_file *file, struct content *out);

/*
 * Of a file that is updated.  Lines that do not change stay as they are, with
 * their ends; new ones get the end that is usual there.
 */
int change_update(const struct patch_file *file, const struct content *old, struct content *out,
                  struct error *err);

#endif
