/*
 * How the vendored bubblewrap mounts when this program calls it.
 */
#ifndef SBX_BIND_H
#define SBX_BIND_H

/* From now on whole trees at once (bind.c says how), with bubblewrap's own way as the fallback. */
void bind_whole_trees(void);

#endif
