#include "git/other_repositories.h"

#include <string.h>

#define ALWAYS (WHERE_IT_WAS | WHERE_IT_IS_NEW)

/*
 * Not here: Subversion, whose hooks are the server's; Fossil, whose settings are
 * in a database with everything else; CVS, whose files are in every directory.
 */
static const struct other_repository repositories[] = {
        {".hg", "hgrc", ALWAYS}, /* Mercurial: hooks, extensions, editor */
        {".hg", "hgrc-not-shared", ALWAYS},
        {".hg", "sharedpath", ALWAYS},     /* another repository, whose hgrc counts */
        {".hg", "requires", WHERE_IT_WAS}, /* whether it does; without it no new one is read */
        {".sl", "config", ALWAYS},         /* Sapling: the same */
        {".sl", "sharedpath", ALWAYS},
        {".sl", "requires", WHERE_IT_WAS},
        {".jj", "repo/config.toml", ALWAYS}, /* Jujutsu: aliases, editor, fix tools */
        {".jj", "workspace-config.toml", ALWAYS},
        {".bzr", "branch/branch.conf",
         ALWAYS}, /* Bazaar, Breezy: hooks by post_commit_to and others */
        {".bzr", "branch/location", ALWAYS},           /* another branch, whose settings count */
        {"_darcs", "prefs", WHERE_IT_WAS},             /* Darcs: all that may come into it */
        {"_darcs", "prefs/defaults", WHERE_IT_IS_NEW}, /* posthooks */
        {"_darcs", "prefs/prefs", WHERE_IT_IS_NEW},    /* the test command */
        {".pijul", "config", ALWAYS},                  /* Pijul: hooks */
        {".repo", "repo", ALWAYS},                     /* Android's repo: the program itself */
        {".repo", "manifests", ALWAYS}, /* which repositories, and with which hooks */
        {".repo", "manifests.git", ALWAYS},
};

const struct other_repository *other_repository(size_t i)
{
	return i < sizeof(repositories) / sizeof(repositories[0]) ? &repositories[i] : NULL;
}

bool is_other_repository(const char *name)
{
	if (name[0] != '.' && name[0] != '_')
		return false;
	for (size_t i = 0; i < sizeof(repositories) / sizeof(repositories[0]); i++)
		if (strcmp(repositories[i].directory, name) == 0)
			return true;
	return false;
}
