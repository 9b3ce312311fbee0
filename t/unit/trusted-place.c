/*
 * May a place that a variable names become writable, or be believed?
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "tap.h"
#include "trust/believed_place.h"
#include "trust/trusted_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Below the scratch directory, where home/ is the home directory and ws/ is writable. */
static const struct {
	const char *path;
	const char *temporary, *cache; /* parts of the refusals; NULL: may become writable */
} opened[] = {
        {"home/empty", NULL, NULL},
        {"home/tmp", NULL, NULL},                /* with files, and its name says what for */
        {"home/my-cache", "other things", NULL}, /* the same of a cache */
        {"home/pip", "other things", NULL},      /* the tool's own name */
        {"home/Documents", "other things", "other things"},
        {"home/tmp-programs", "programs", "programs"},
        {"home/tmp-settings", "settings in it", "settings in it"},
        {"home/tmp-home", "settings in it", "settings in it"}, /* looks like a home directory */
        {"home", "home directory", "home directory"},
        {"", "another writable root", "another writable root"},
        {"home/.ssh", "kept there", "kept there"},
        {"home/.ssh/tmp", "kept there", "kept there"},
        {"home/.vim", "kept there", "kept there"},
        {"home/.config", "kept there", "kept there"},
        {"home/.config/tmp", "kept there", "kept there"},
        {"home/.local/bin", "kept there", "kept there"},
        {"home/.local", "configuration of sbx", "configuration of sbx"},
        {"home/.codex", "repository|configuration|kept", "repository|configuration|kept"},
        {"home/.codex/tmp", "repository|configuration|kept", "repository|configuration|kept"},
        {"repo-tmp", "repository", "repository"},
        {"repo-tmp/.git/tmp", "repository", "repository"},
        {"home/group-tmp", "private", "private"},
        {"home/open-tmp", "private", "private"},
        {"sticky", NULL, "private"},
        {"home/file-tmp", "not a directory", "not a directory"},
        {"home/none-tmp", "not a directory", "not a directory"},
        {"home/link", NULL, NULL}, /* to empty: nobody inside can turn it */
        {"ws/link", "link in a writable root", "link in a writable root"},
        {"/", "whole file system", "whole file system"},
        {"/usr", "private|system", "private|system"},
        {"/etc", "private|system", "private|system"},
};

static const struct {
	const char *path;
	const char *why; /* NULL: believed */
} believed[] = {
        {"home/.codex", NULL},
        {"home/none/yet", NULL},
        {"home/link", NULL},
        {"home/group-tmp", "others could write"},
        {"home/group-tmp/below", "others could write"},
        {"home/open-tmp/below", "others could write"},
        {"sticky", "others could write"},
        {"sticky/none", "others could write"}, /* whoever makes it first */
        {"sticky/own", NULL},
        {"/tmp/sbx-none", "in /tmp"},
        {"/tmp", "in /tmp"},
};

static int populate(void)
{
	static const struct {
		const char *path;
		mode_t mode; /* with an x bit of a directory; 0: an empty file */
	} made[] = {
	        {"home", 0755},
	        {"home/empty", 0700},
	        {"home/tmp", 0700},
	        {"home/tmp/x", 0},
	        {"home/my-cache", 0755},
	        {"home/my-cache/x", 0},
	        {"home/pip", 0755},
	        {"home/pip/x", 0},
	        {"home/Documents", 0755},
	        {"home/Documents/x", 0},
	        {"home/tmp-programs", 0755},
	        {"home/tmp-settings", 0755},
	        {"home/tmp-home", 0755},
	        {"home/tmp-home/.ssh", 0700},
	        {"home/.ssh", 0700},
	        {"home/.ssh/tmp", 0700},
	        {"home/.vim", 0755},
	        {"home/.config", 0755},
	        {"home/.config/tmp", 0755},
	        {"home/.local", 0755},
	        {"home/.local/bin", 0755},
	        {"home/.codex", 0755},
	        {"home/.codex/tmp", 0755},
	        {"repo-tmp", 0755},
	        {"repo-tmp/.git", 0755},
	        {"repo-tmp/.git/tmp", 0755},
	        {"repo-tmp/.git/objects", 0755},
	        {"repo-tmp/.git/refs", 0755},
	        {"home/group-tmp", 0770},
	        {"home/group-tmp/below", 0700},
	        {"home/open-tmp", 0777},
	        {"home/open-tmp/below", 0700},
	        {"sticky", 01777},
	        {"sticky/own", 0700},
	        {"home/file-tmp", 0},
	        {"ws", 0755},
	        {"home/tmp-programs/run", 0},
	        {"home/tmp-settings/pip.conf", 0},
	        {"repo-tmp/.git/HEAD", 0},
	};

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		FILE *f;

		if (made[i].mode &&
		    (mkdir(made[i].path, 0700) < 0 || chmod(made[i].path, made[i].mode) < 0))
			return -1;
		if (made[i].mode)
			continue;
		f = fopen(made[i].path, "we");
		if (!f || fputs("ref: refs/heads/main\n", f) < 0 || fclose(f) != 0)
			return -1;
	}
	return chmod("home/tmp-programs/run", 0755) < 0 || symlink("empty", "home/link") < 0 ||
	                       symlink("../home/empty", "ws/link") < 0
	               ? -1
	               : 0;
}

/* One of the words between bars is in the text. */
static bool says(const char *text, const char *wanted)
{
	cleanup_free char *copy = xstrdup(wanted);

	for (char *save = NULL, *word = strtok_r(copy, "|", &save); word;
	     word = strtok_r(NULL, "|", &save))
		if (text && strstr(text, word))
			return true;
	return false;
}

static void try(const char *base, size_t i, enum place_use use,
                const struct permissions *permissions)
{
	const char *wanted = use == USE_CACHE ? opened[i].cache : opened[i].temporary;
	cleanup_free char *path = opened[i].path[0] == '/'
	                                  ? xstrdup(opened[i].path)
	                                  : xasprintf("%s/%s", base, opened[i].path);
	cleanup_free char *what =
	        xasprintf("%s: %s", use == USE_CACHE ? "cache" : "temporary", opened[i].path);
	struct error err = {0};
	struct trail trail;
	const char *why = NULL;

	if (trail_follow(&trail, "/", path, &err) == 0)
		why = place_not_writable(&trail, use, use == USE_CACHE ? "pip" : NULL, permissions);
	check(wanted ? says(why, wanted) : !why, what, why);
	trail_free(&trail);
}

static void try_belief(const char *base, size_t i)
{
	cleanup_free char *path = believed[i].path[0] == '/'
	                                  ? xstrdup(believed[i].path)
	                                  : xasprintf("%s/%s", base, believed[i].path);
	cleanup_free char *what = xasprintf("believed: %s", believed[i].path);
	struct error err = {0};
	int status = place_believed("X", path, &err);

	check(believed[i].why ? status < 0 && says(err.message, believed[i].why) : status == 0,
	      what, err.message);
}

int main(void)
{
	/* A name that says nothing; not in /tmp, where nothing is believed. */
	char made[] = "/var/tmp/sbx-u.XXXXXX";
	struct permissions permissions = {0};
	cleanup_free char *base = NULL, *home = NULL, *ws = NULL, *remove = NULL;

	umask(022);
	base = mkdtemp(made) ? realpath(made, NULL) : NULL;
	if (!base || chdir(base) < 0 || populate() < 0) {
		perror("Bail out! the fixture");
		return 1;
	}
	home = xasprintf("%s/home", base);
	ws = xasprintf("%s/ws", base);
	setenv("HOME", home, 1);
	unsetenv("CODEX_HOME");
	unsetenv("SBX_SESSION");
	permissions_add(&permissions, "/", ACCESS_READ);
	permissions_add(&permissions, ws, ACCESS_WRITE);
	for (size_t i = 0; i < sizeof(opened) / sizeof(opened[0]); i++) {
		try(base, i, USE_TEMPORARY, &permissions);
		try(base, i, USE_CACHE, &permissions);
	}
	for (size_t i = 0; i < sizeof(believed) / sizeof(believed[0]); i++)
		try_belief(base, i);
	permissions_free(&permissions);
	remove = xasprintf("rm -rf '%s'", base);
	return system(remove) != 0 || finish();
}
