/*
 * What is kept of caches, for which workspaces, and what of it is to go?
 *
 * sbx-policy --caches ends up here.  What a run has in use is kept, and said.
 */
#ifndef SBX_LINUX_SANDBOX_CACHES_KEPT_CACHES_H
#define SBX_LINUX_SANDBOX_CACHES_KEPT_CACHES_H

/*
 * PLACE lists; PLACE -- WORKSPACE... removes theirs; PLACE --all removes all.  The exit
 * status: 1 when something was to be removed and is in use.
 */
int kept_caches_main(char **words);

#endif
