#include "git/other_repositories.h"

#include <string.h>

/*
 * Not here: Subversion, whose hooks are the server's; Fossil, whose settings are
 * in a database with everything else; CVS, whose files are in every directory.
 */
static const struct other_repository repositories[] = {
        {".hg", "hgrc"}, /* Mercurial: hooks, extensions, editor */
        {".hg", "hgrc-not-shared"},
        {".hg", "sharedpath"}, /* another repository, whose hgrc counts */
        {".hg", "requires"},   /* whether it does */
        {".sl", "config"},     /* Sapling: the same */
        {".sl", "sharedpath"},
        {".sl", "requires"},
        {".jj", "repo/config.toml"}, /* Jujutsu: aliases, editor, fix tools */
        {".jj", "workspace-config.toml"},
        {".bzr", "branch/branch.conf"}, /* Bazaar, Breezy: hooks by post_commit_to and others */
        {".bzr", "branch/location"},    /* another branch, whose settings count */
        {"_darcs", "prefs"},            /* Darcs: posthooks, the test command */
        {".pijul", "config"},           /* Pijul: hooks */
        {".repo", "repo"},              /* Android's repo: the program itself */
        {".repo", "manifests"},         /* which repositories, and with which hooks */
        {".repo", "manifests.git"},
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
