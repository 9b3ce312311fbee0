#include "codex/codex.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "codex/codex_policy.h"
#include "codex/codex_profile.h"
#include "codex/said.h"
#include "document/json_pool.h"
#include "document/options.h"
#include "process/sibling.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum codex_option {
	CODEX_POLICY_CWD,
	CODEX_COMMAND_CWD,
	CODEX_POLICY,
	CODEX_PROFILE,
	CODEX_LANDLOCK,
	CODEX_PROXY,
	CODEX_NO_PROC,
};

static const struct option codex_options[] = {
        {CODEX_POLICY_CWD, "sandbox-policy-cwd", 0, "DIR", "the workspace of the policy"},
        {CODEX_COMMAND_CWD, "command-cwd", 0, "DIR", "where the command runs; there by default"},
        {CODEX_POLICY, "sandbox-policy", 0, "JSON", "a policy of the older form"},
        {CODEX_PROFILE, "permission-profile", 0, "JSON", "a permission profile"},
        {CODEX_LANDLOCK, "use-legacy-landlock", 0, NULL, "means nothing here"},
        {CODEX_PROXY, "allow-network-for-proxy", 0, NULL, "refused: there is no such proxy"},
        {CODEX_NO_PROC, "no-proc", 0, NULL, "means nothing here: it is probed"},
        {0},
};

static const struct program program = {
        .name = "codex-linux-sandbox",
        .synopsis = "--sandbox-policy-cwd DIR --sandbox-policy JSON [options] -- COMMAND [ARG...]",
        .purpose = "Run a command as codex's helper would, in the sandbox of sbx-run.",
        .tables = {codex_options},
};

/* What was asked for. */
struct asked {
	const char *workspace, *cwd, *policy, *profile;
};

/* Of two policies neither is what was meant. */
static int once(const char **place, enum codex_option which, const char *value, struct error *err)
{
	if (*place)
		return error_set(err, EXIT_USAGE, "usage", "--%s: given more than once",
		                 codex_options[which].name);
	*place = value;
	return 0;
}

static int take(struct asked *asked, enum codex_option which, const char *value, struct error *err)
{
	switch (which) {
	case CODEX_POLICY_CWD:
		return once(&asked->workspace, which, value, err);
	case CODEX_COMMAND_CWD:
		return once(&asked->cwd, which, value, err);
	case CODEX_POLICY:
		return once(&asked->policy, which, value, err);
	case CODEX_PROFILE:
		return once(&asked->profile, which, value, err);
	case CODEX_PROXY:
		return error_set(err, EXIT_UNAVAILABLE, "proxy",
		                 "--allow-network-for-proxy: there is no such proxy here; list "
		                 "hosts with sbx-run --allow-host");
	case CODEX_LANDLOCK:
	case CODEX_NO_PROC:
		return 0;
	}
	return -1;
}

static int translate(struct strings *words, const struct asked *asked, struct error *err)
{
	const char *text = asked->profile ? asked->profile : asked->policy;
	json_error_t why;
	cleanup_json json_t *policy = text ? json_loads(text, JSON_REJECT_DUPLICATES, &why) : NULL;

	if (!text || (asked->policy && asked->profile))
		return error_set(err, EXIT_USAGE, "usage",
		                 "expected one of --sandbox-policy and --permission-profile");
	if (!policy)
		return error_set(err, EXIT_INPUT, "bad-policy", "the policy: %s at byte %d",
		                 why.text, why.position);
	said_option(words, "--ask-for-approval", "never");
	if (asked->workspace)
		said_option(words, "--cd", asked->workspace);
	return asked->profile ? codex_profile(words, policy, err)
	                      : codex_policy(words, policy, err);
}

/* The oldest form: the policy is the first word. */
static void take_oldest(struct asked *asked, int argc, char **argv)
{
	if (argc > 2 && argv[1][0] == '{' && strcmp(argv[2], "--") == 0)
		asked->policy = argv[1];
}

static void add_command(struct strings *words, const struct asked *asked, char **command)
{
	strings_add(words, xstrdup("--"));
	if (asked->cwd && !(asked->workspace && strcmp(asked->cwd, asked->workspace) == 0)) {
		strings_add(words, xstrdup("env"));
		strings_add(words, xasprintf("--chdir=%s", asked->cwd));
	}
	while (*command)
		strings_add(words, xstrdup(*command++));
}

static int read_options(struct asked *asked, int argc, char **argv, char ***command,
                        struct error *err)
{
	const struct option *found;
	struct options options;
	const char *value;

	take_oldest(asked, argc, argv);
	if (asked->policy) {
		*command = argv + 3;
		return 0;
	}
	options_begin(&options, &program, argc, argv);
	while ((found = options_next(&options, &value, err)) != NULL)
		if (take(asked, (enum codex_option)found->id, value, err) < 0)
			return -1;
	*command = argv + options.next;
	return err->exit ? -1 : 0;
}

int codex_main(int argc, char **argv)
{
	struct strings words = {0};
	struct asked asked = {0};
	struct error err = {0};
	char **command = NULL;
	cleanup_free char *run = sibling_path("sbx-run", &err);

	strings_add(&words, xstrdup("sbx-run"));
	if (run && read_options(&asked, argc, argv, &command, &err) == 0 && !command[0])
		error_set(&err, EXIT_USAGE, "usage", "no command (try --help)");
	if (!err.exit && translate(&words, &asked, &err) == 0) {
		add_command(&words, &asked, command);
		execv(run, words.items);
		error_system(&err, "\"%s\"", run);
	}
	complain("%s", err.message);
	return 125;
}
