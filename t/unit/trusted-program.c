/*
 * May this program be executed by us?  May nobody else change this path?
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "tap.h"
#include "trust/trusted_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Paths are below the scratch directory, which holds what main() makes. */
static const struct {
	const char *what, *path;
	const char *why; /* a part of the refusal; NULL: trusted */
} cases[] = {
        {"a program of the user's own", "own/program", NULL},
        {"a script", "own/script", NULL},
        {"a script with an option", "own/option", NULL},
        {"over a link of the user's own", "own/link", NULL},
        {"missing", "own/none", "No such file"},
        {"a directory", "own", "not a regular file"},
        {"not executable", "own/data", "not executable"},
        {"a fifo", "own/fifo", "not a regular file"},
        {"others can write it", "own/loose", "others can write it"},
        {"its group can write it", "own/group", "others can write it"},
        {"others can write its directory", "shared/program", "others can write it"},
        {"a sticky directory above", "sticky/own/program", NULL},
        {"in the workspace", "ws/program", "working directory"},
        {"below the workspace", "ws/deep/program", "working directory"},
        {"like the workspace", "ws2/program", NULL},
        {"in a writable root", "root/program", "the sandbox can write it"},
        {"read-only below a writable root", "root/kept/program", "the sandbox can write it"},
        {"granted before", "granted/program", "the sandbox can write it"},
        {"over a link in the workspace", "ws/link", "a link on the way"},
        {"a link into the workspace", "own/into", "working directory"},
        {"another name", "own/twice", "another name"},
        {"an interpreter in the workspace", "own/lured", "working directory"},
        {"an interpreter that is a script", "own/nested", "itself a script"},
        {"an interpreter without a path", "own/bare", "not an absolute path"},
};

static void put(const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "we");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
	if (chmod(path, mode) < 0)
		perror(path);
}

static int populate(const char *base)
{
	static const char *const directories[] = {"own",       "shared",  "sticky", "sticky/own",
	                                          "ws",        "ws/deep", "ws2",    "root",
	                                          "root/kept", "granted"};
	cleanup_free char *lured = xasprintf("#!%s/ws/program\n", base);
	cleanup_free char *nested = xasprintf("#!%s/own/script\n", base);

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		cleanup_free char *program = xasprintf("%s/program", directories[i]);

		if (mkdir(directories[i], 0755) < 0)
			return -1;
		put(program, "\177ELF", 0755);
	}
	put("own/script", "#!/bin/sh\n", 0755);
	put("own/option", "#! /bin/sh -e  \n", 0755);
	put("own/data", "x", 0644);
	put("own/loose", "x", 0757);
	put("own/group", "x", 0775);
	put("own/lured", lured, 0755);
	put("own/nested", nested, 0755);
	put("own/bare", "#!sh\n", 0755);
	put("own/first", "x", 0755);
	return mkfifo("own/fifo", 0755) < 0 || link("own/first", "own/twice") < 0 ||
	                       symlink("program", "own/link") < 0 ||
	                       symlink("../ws/program", "own/into") < 0 ||
	                       symlink("../own/program", "ws/link") < 0 ||
	                       chmod("shared", 0777) < 0 || chmod("sticky", 01777) < 0
	               ? -1
	               : 0;
}

static int command(struct could_write *w, const char *base)
{
	cleanup_json json_t *doc = NULL;
	struct error err = {0};
	cleanup_free char *ws = xasprintf("%s/ws", base), *root = xasprintf("%s/root", base);
	cleanup_free char *kept = xasprintf("%s/root/kept", base);
	cleanup_free char *granted = xasprintf("%s/granted", base);

	doc = json_pack("{s:{s:s},s:{s:{s:s},s:{s:s,s:[{s:s,s:s},{s:s,s:s},{s:s,s:s},{s:s,s:s}]}},"
	                "s:{s:{s:[s]}}}",
	                "command", "cwd", ws, "policy", "sandbox_policy", "type", "workspace-write",
	                "permissions", "network", "off", "fs", "path", "/", "access", "read",
	                "path", ws, "access", "write", "path", root, "access", "write", "path",
	                kept, "access", "read", "result", "granted", "write", granted);
	return doc ? could_write_get(w, doc, &err) : -1;
}

static void try(const char *base, size_t i, const struct could_write *w)
{
	cleanup_free char *path = xasprintf("%s/%s", base, cases[i].path);
	struct trusted_program program;
	struct error err = {0};
	int status = trusted_program_open(&program, "what", path, w, &err);

	check(cases[i].why ? status < 0 && strstr(err.message, cases[i].why) : status == 0,
	      cases[i].what, status < 0 ? err.message : "trusted");
	trusted_program_close(&program);
}

int main(void)
{
	/* Not in /tmp, where nothing is trusted. */
	char made[] = "/var/tmp/sbx-u.XXXXXX";
	cleanup_free char *base = NULL;
	cleanup_free char *remove = NULL;
	struct could_write w;

	umask(022);
	base = mkdtemp(made) ? realpath(made, NULL) : NULL;
	if (!base || chdir(base) < 0 || populate(base) < 0 || command(&w, base) < 0) {
		perror("Bail out! the fixture");
		return 1;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		try(base, i, &w);
	check(could_write(&w, "/tmp/x") != NULL, "/tmp is everybody's", NULL);
	w.held = false;
	check(could_write(&w, "/tmp/x") == NULL, "without a sandbox there is no difference", NULL);
	could_write_free(&w);
	remove = xasprintf("rm -rf '%s'", base);
	return system(remove) != 0 || finish();
}
