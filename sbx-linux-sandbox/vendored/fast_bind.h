/*
 * How does the vendored bubblewrap mount when this program calls it?
 */
#ifndef SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H
#define SBX_LINUX_SANDBOX_VENDORED_FAST_BIND_H

/* From now on whole trees at once (fast_bind.c says how), with bubblewrap's own way as the
 * fallback. */
void bind_whole_trees(void);

#endif
