/*
 * What does the helper do with a preview that is kept?
 */
#ifndef SBX_RUN_PREVIEW_KEPT_H
#define SBX_RUN_PREVIEW_KEPT_H

#include "preview/state.h"

/* What has changed, as the document says it; NULL with err.  A new reference. */
json_t *kept_changes(const struct preview_state *state, struct error *err);

/* As a unified diff, to fd; or up to `most` bytes of it, to be freed. */
int kept_diff(const struct preview_state *state, char *const *paths, int fd, struct error *err);
char *kept_diff_text(const struct preview_state *state, size_t most, struct error *err);

/* All of it or what is below the paths, under its policy and that of today. */
int kept_apply(const struct preview_state *state, const struct arguments *arguments,
               char *const *paths, bool force, struct error *err);

int kept_discard(const struct preview_state *state, struct error *err);

/* Those that nobody has looked at for a month are forgotten. */
void kept_expire(void);

/* If an apply was ended in between, it is undone or finished now. */
void kept_recover(void);

#endif
