/*
 * Which directory does a file of git's name?
 */
#include "git/pointer_file.c"
#include "tap.h"

static void is(const char *what, const char *got, const char *wanted)
{
	check(got && wanted ? strcmp(got, wanted) == 0 : got == wanted, what, got);
}

static const struct {
	const char *what, *text, *exact, *trimmed;
} pointers[] = {
        {"as git writes it", "gitdir: /a/b\n", "/a/b", "/a/b"},
        {"no line end", "gitdir: x", "x", "x"},
        {"no blank", "gitdir:x", "x", "x"},
        {"blanks that git keeps", "gitdir:  x \n", " x ", "x"},
        {"line ends of other systems", "gitdir: x\r\n\n", "x", "x"},
        {"blanks around the key", " gitdir : x", "x", "x"},
        {"a colon in the path", "gitdir: c:/x", "c:/x", "c:/x"},
        {"no path", "gitdir:\n", "", ""},
        {"another key", "worktree: x", NULL, NULL},
        {"a key that only begins so", "gitdirs: x", NULL, NULL},
        {"no colon", "gitdir x", NULL, NULL},
        {"empty", "", NULL, NULL},
};

static void put(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0) {
		puts("Bail out! cannot write a scratch file");
		exit(1);
	}
}

int main(void)
{
	char directory[] = "/tmp/sbx-u.XXXXXX";
	cleanup_free char *path = NULL, *link = NULL, *common = NULL;
	struct gitfile file;

	if (!mkdtemp(directory)) {
		puts("Bail out! no scratch directory");
		return 1;
	}
	path = path_join(directory, ".git");
	link = path_join(directory, "link");
	common = path_join(directory, "commondir");
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		bool read;

		put(path, pointers[i].text, strlen(pointers[i].text));
		file = (struct gitfile){0};
		read = gitfile_pointer(&file, path) == 0;
		is(pointers[i].what, read ? file.exact : NULL, pointers[i].exact);
		is(pointers[i].what, read ? file.trimmed : NULL, pointers[i].trimmed);
		gitfile_free(&file);
	}
	put(path, "gitdir: x\0y", 11);
	file = (struct gitfile){0};
	is("what follows a NUL is not there", gitfile_pointer(&file, path) == 0 ? file.exact : NULL,
	   "x");
	gitfile_free(&file);
	put(common, "../..\n", 6);
	file = (struct gitfile){0};
	is("commondir", gitfile_common(&file, directory) == 0 ? file.exact : NULL, "../..");
	gitfile_free(&file);
	file = (struct gitfile){0};
	if (symlink(".git", link) == 0)
		is("a link is not followed", gitfile_pointer(&file, link) == 0 ? "read" : NULL,
		   NULL);
	gitfile_free(&file);
	unlink(path);
	unlink(link);
	unlink(common);
	rmdir(directory);
	return finish();
}
