/*
 * Where does a path lead, and over which links?
 */
#include "fs/followed_path.c"
#include "tap.h"

#include <fcntl.h>

/* Paths are below the scratch directory; target NULL: refused with `code`. */
static const struct {
	const char *what, *path, *target;
	size_t links;
	int stopped;
	const char *code;
} cases[] = {
        {"a directory", "d", "d", 0, 0, NULL},
        {"itself", ".", "", 0, 0, NULL},
        {"slashes and dots", ".//d/./", "d", 0, 0, NULL},
        {"a link", "to-d", "d", 1, 0, NULL},
        {"a link to a link", "to-to-d", "d", 2, 0, NULL},
        {"through a link", "to-d/f", "d/f", 1, 0, NULL},
        {"'..' behind a link is the target's parent", "to-deep/..", "d", 1, 0, NULL},
        {"missing", "d/none/x", "d/none/x", 0, ENOENT, NULL},
        {"a link to what is missing", "dangling/x", "d/none/x", 1, ENOENT, NULL},
        {"below a file", "d/f/x", "d/f/x", 0, ENOTDIR, NULL},
        {"'..' behind what is missing", "none/../d", NULL, 0, 0, "bad-path"},
        {"'..' in a link behind what is missing", "tricky", NULL, 1, 0, "bad-path"},
        {"a circle", "loop", NULL, 41, 0, "link-loop"},
        {"through procfs", "magic", NULL, 1, 0, "magic-link"},
};

int main(void)
{
	char made[] = "/tmp/sbx-u.XXXXXX";
	cleanup_free char *base = mkdtemp(made) ? realpath(made, NULL) : NULL;
	static const char *const names[] = {"to-d",   "to-to-d", "to-deep", "dangling",
	                                    "tricky", "loop",    "magic"};

	if (!base || chdir(base) < 0 || mkdir("d", 0700) < 0 || mkdir("d/deep", 0700) < 0 ||
	    close(open("d/f", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) < 0 ||
	    symlink("d", "to-d") < 0 || symlink("./to-d", "to-to-d") < 0 ||
	    symlink("d/deep", "to-deep") < 0 || symlink("d/none", "dangling") < 0 ||
	    symlink("none/../d", "tricky") < 0 || symlink("loop", "loop") < 0 ||
	    symlink("/proc/self/cwd", "magic") < 0) {
		puts("Bail out! cannot make the scratch tree");
		return 1;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_free char *wanted =
		        cases[i].target
		                ? path_join(base, cases[i].target[0] ? cases[i].target : ".")
		                : NULL;
		struct error err = {0};
		struct trail trail;
		int status = trail_follow(&trail, base, cases[i].path, &err);

		if (wanted)
			check(status == 0 && strcmp(trail.target, wanted) == 0 &&
			              trail.stopped == cases[i].stopped,
			      cases[i].what, trail.target);
		else
			check(status < 0 && strcmp(err.code, cases[i].code) == 0, cases[i].what,
			      trail.target);
		check(trail.count == cases[i].links, "... and its links", cases[i].path);
		trail_free(&trail);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	unlink("d/f");
	rmdir("d/deep");
	rmdir("d");
	rmdir(base);
	return finish();
}
