#include "trial.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "brief.h"
#include "document/json_pool.h"
#include "fs/path.h"
#include "process/sibling.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_MS 10000

/* Outside /tmp first: there the workspaces of others come and go. */
static char *make_workspace(struct error *err)
{
	static const char *const places[] = {"/var/tmp", "/tmp", "/dev/shm"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		cleanup_free char *name = xasprintf("%s/sbx-probe.XXXXXX", places[i]);

		if (mkdtemp(name))
			return keep_ptr(name);
	}
	error_system(err, "making a directory to try it in");
	return NULL;
}

/* The protected name is what most can go wrong with; Landlock alone cannot hold one, the broker
 * can. */
static char *make_policy(const char *workspace, bool alone)
{
	cleanup_free char *name = path_join(workspace, ".git");
	cleanup_json json_t *policy = xjson(json_pack(
	        "{s:{s:[{s:s,s:s},{s:s,s:s}],s:s}}", "permissions", "fs", "path", "/", "access",
	        "read", "path", workspace, "access", "write", "network", "off"));
	json_t *fs = json_object_get(json_object_get(policy, "permissions"), "fs");

	if (!alone)
		json_array_append_new(
		        fs, xjson(json_pack("{s:s,s:s}", "path", name, "access", "read")));
	return xjson(json_text_dump(policy, JSON_COMPACT));
}

/* "sbx-linux-sandbox: why", one line. */
static int say_why(char *text, int status, struct error *err)
{
	static const char prefix[] = "sbx-linux-sandbox: ";
	const char *why = text;

	text[strcspn(text, "\n")] = '\0';
	if (strncmp(why, prefix, strlen(prefix)) == 0)
		why += strlen(prefix);
	if (*why)
		return error_set(err, EXIT_UNAVAILABLE, "trial", "%s", why);
	if (status < 0)
		return error_set(err, EXIT_UNAVAILABLE, "trial", "the helper did not end in time");
	return error_set(err, EXIT_UNAVAILABLE, "trial", "the helper ended with %d", status);
}

static int run_helper(const struct machine *machine, const char *backend, const char *workspace,
                      struct error *err)
{
	cleanup_free char *helper = sibling_path("sbx-linux-sandbox", err);
	bool alone = strcmp(backend, "landlock") == 0;
	bool landlock = strncmp(backend, "landlock", strlen("landlock")) == 0;
	cleanup_free char *policy = make_policy(workspace, alone);
	cleanup_free char *directory = xstrdup(workspace);
	/* A bwrap of the system is looked for in PATH, as in a real run. */
	cleanup_free char *path =
	        xasprintf("PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin");
	char *envp[] = {path, NULL};
	char words[][12] = {"--policy", "--cwd", "--landlock", "--no-proc", "--", "--version"};
	char *argv[10], text[1024];
	size_t used = 0;
	int status;

	if (!helper)
		return -1;
	argv[used++] = helper;
	argv[used++] = words[0];
	argv[used++] = policy;
	argv[used++] = words[1];
	argv[used++] = directory;
	if (landlock || machine->outer_proc)
		argv[used++] = words[landlock ? 2 : 3];
	argv[used++] = words[4];
	/* A program that is certainly there, needs no library and does nothing. */
	argv[used++] = helper;
	argv[used++] = words[5];
	argv[used] = NULL;
	status = brief_run(helper, argv, envp, STDERR_FILENO, LIMIT_MS, text, sizeof(text));
	return status == 0 ? 0 : say_why(text, status, err);
}

int trial_run(const struct machine *machine, const char *backend, struct error *err)
{
	cleanup_free char *workspace = make_workspace(err);
	cleanup_free char *stub = NULL;
	int result;

	if (!workspace)
		return -1;
	result = run_helper(machine, backend, workspace, err);
	/* A helper that was killed leaves what the next run would have removed. */
	stub = path_join(workspace, ".git");
	rmdir(stub);
	rmdir(workspace);
	return result;
}
