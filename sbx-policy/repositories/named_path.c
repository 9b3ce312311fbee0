#include "repositories/named_path.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "entries/carve_outs.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A word costs some looks, a name a mount; nobody has as many. */
#define WORDS_MAX  256 /* of one repository */
#define NAMES_MAX  64  /* of one repository */
#define MOUNTS_MAX 512 /* of all: those that were known first come first */

/* A hostile file could hold thousands of names. */
bool named_may_look(struct workbench *bench)
{
	if (bench->cost.words < WORDS_MAX && bench->cost.names < NAMES_MAX &&
	    bench->cost.mounts < MOUNTS_MAX) {
		bench->cost.words++;
		return true;
	}
	bench->policy->cut = true;
	return false;
}

/* Makes read-only what path leads to from base, with the links on the way. */
int named_protect(struct workbench *bench, const char *base, const char *path, const char *source,
                  struct trail *trail)
{
	struct error none = {0};
	size_t before = bench->policy->permissions.count;
	int status = protect_trail(bench, trail, base, path, source, &none);

	bench->cost.names += bench->policy->permissions.count - before;
	bench->cost.mounts += bench->policy->permissions.count - before;
	return status == 0 && trail->target ? 0 : -1;
}

const char *named_source(struct workbench *bench, const struct git_key *key)
{
	cleanup_free char *source = xasprintf("named by git's %s", key->name);

	return bench_word(bench, source);
}

/* ~/x, $HOME/x and what else begins where the user is at home or git runs it. */
char *named_expand(const char *word, const char *top)
{
	static const struct {
		const char *prefix;
		bool home;
	} known[] = {{"~/", true},
	             {"$HOME/", true},
	             {"${HOME}/", true},
	             {"$PWD/", false},
	             {"${PWD}/", false}};
	const char *home = getenv("HOME");

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t len = strlen(known[i].prefix);
		const char *base = known[i].home ? home : top;

		if (strncmp(word, known[i].prefix, len) == 0)
			return base && base[0] == '/' ? path_join(base, word + len) : NULL;
	}
	/* Another user's home, or where git itself is installed. */
	return word[0] == '~' || word[0] == '%' ? NULL : xstrdup(word);
}

/* NULL: no directory that is there. */
char *named_directory(const char *base, const char *path)
{
	struct error none = {0};
	struct trail trail;
	char *found = NULL;

	if (trail_follow(&trail, base, path, &none) == 0 && trail.stopped == 0 &&
	    S_ISDIR(trail.st.st_mode))
		found = xstrdup(trail.target);
	trail_free(&trail);
	return found;
}
