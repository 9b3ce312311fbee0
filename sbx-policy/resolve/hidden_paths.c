#include "resolve/hidden_paths.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "closed/git_ignored.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "sets/set_entries.h"
#include "typed/nearest_word.h"

#include <string.h>
#include <sys/stat.h>

#define SAID_MAX 3

/* In a home directory: what lets somebody else be you, or says what you did. */
static const char *const in_home[] = {
        ".ssh",   /* keys */
        ".gnupg", /* keys */
        ".aws",   /* cloud credentials, from here on */
        ".azure",
        ".kube",
        ".docker/config.json",
        ".config/gcloud",
        ".config/doctl",
        ".oci",
        ".terraform.d/credentials.tfrc.json",
        ".vault-token",
        ".netrc", /* registries and forges, from here on */
        ".git-credentials",
        ".config/git/credentials",
        ".config/gh",
        ".config/hub",
        ".config/glab-cli",
        ".npmrc",
        ".yarnrc.yml",
        ".pypirc",
        ".gem/credentials",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".m2/settings.xml",
        ".gradle/gradle.properties",
        ".composer/auth.json",
        ".config/composer/auth.json",
        ".pgpass", /* databases and stores, from here on */
        ".my.cnf",
        ".s3cfg",
        ".boto",
        ".config/rclone",
        ".config/hcloud",
        ".config/sops",
        ".password-store", /* password stores, from here on */
        ".local/share/keyrings",
        ".local/share/kwalletd",
        ".config/op",
        ".config/Bitwarden",
        ".config/keepassxc",
        "Library/Keychains",
        ".pki",
        ".mozilla", /* browser profiles, from here on */
        ".thunderbird",
        ".config/google-chrome",
        ".config/chromium",
        ".config/BraveSoftware",
        ".config/microsoft-edge",
        "Library/Application Support/Google/Chrome",
        "Library/Application Support/Firefox",
        ".bash_history", /* shell history, from here on */
        ".zsh_history",
        ".histfile",
        ".local/share/fish/fish_history",
        ".python_history",
        ".node_repl_history",
        ".psql_history",
        ".mysql_history",
        ".sqlite_history",
        ".rediscli_history",
        ".irb_history",
        ".lesshst",
        ".viminfo",
        ".codex/auth.json", /* tokens of agents, from here on */
        ".claude/.credentials.json",
        ".gemini/oauth_creds.json",
        ".config/github-copilot",
};

/* In the workspace, wherever they are. */
static const char *const in_workspace[] = {
        "**/.env", "**/.env.*", "**/*.pem", "**/*.p12", "**/*.pfx", "**/id_rsa", "**/id_ed25519",
};

/* Only what is there: a name that is missing tells nothing, and would need a stub. */
static int hide_in_home(struct workbench *bench, const char *source, struct error *err)
{
	cleanup_free char *home = home_named();

	for (size_t i = 0; home && i < sizeof(in_home) / sizeof(in_home[0]); i++) {
		cleanup_free char *path = path_join(home, in_home[i]);
		struct stat st;

		if (lstat(path, &st) == 0 && deny_path(bench, path, source, err) < 0)
			return -1;
	}
	return 0;
}

static int hide_secrets(struct workbench *bench, const char *source, struct error *err)
{
	if (hide_in_home(bench, source, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(in_workspace) / sizeof(in_workspace[0]); i++)
		if (deny_path(bench, in_workspace[i], source, err) < 0)
			return -1;
	return 0;
}

struct hiding {
	struct workbench *bench;
	const char *source;
};

/* What a person named stays as it was named: --add-dir build opens what git ignores. */
static void hide_ignored(void *context, const char *path)
{
	const struct hiding *hiding = context;
	const struct origin *origin = policy_origin(hiding->bench->policy, path);

	if (!origin || !origin->named || origin->access == ACCESS_NONE)
		policy_add(hiding->bench->policy, path, ACCESS_NONE, hiding->source, true);
}

/* "secret" is no file here, but nearly a preset: who meant that would have hidden nothing. */
static int check_preset(const struct workbench *bench, const char *what, const char *source,
                        struct error *err)
{
	struct nearest nearest = nearest_begin(what);
	cleanup_free char *path = path_join(bench->policy->workspace, what);
	struct stat st;

	nearest_try(&nearest, "secrets", strlen("secrets"));
	nearest_try(&nearest, "gitignored", strlen("gitignored"));
	if (!nearest.word || strpbrk(what, "/~*?[.") || lstat(path, &st) == 0)
		return 0;
	return error_set(err, EXIT_INPUT, "no-preset",
	                 "%s: \"%s\": no such file here; did you mean \"%s\"? (\"./%s\" is a file)",
	                 source, what, nearest.word, what);
}

static int hide(struct workbench *bench, const char *what, const char *source, struct error *err)
{
	struct hiding hiding = {bench, source};

	if (strcmp(what, "secrets") == 0)
		return hide_secrets(bench, source, err);
	if (strcmp(what, "gitignored") == 0)
		return git_ignored(bench, hide_ignored, &hiding, err);
	if (check_preset(bench, what, source, err) < 0)
		return -1;
	return deny_path(bench, what, source, err);
}

int hide_paths(struct workbench *bench, struct error *err)
{
	const struct root_list *hidden = &bench->policy->settings->hidden;
	const char *source = hidden->source ? hidden->source : "flag --hide";

	for (size_t i = 0; i < hidden->count; i++)
		if (hide(bench, hidden->paths[i], source, err) < 0)
			return -1;
	return 0;
}

void say_other_names(const struct permissions *permissions, struct notes *notes)
{
	size_t count = 0;

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		struct stat st;

		if (entry->access != ACCESS_NONE || lstat(entry->path, &st) < 0 ||
		    !S_ISREG(st.st_mode) || st.st_nlink < 2)
			continue;
		if (count++ < SAID_MAX)
			notes_add(notes,
			          "\"%s\": hidden, but the file has another name, a hard link, by "
			          "which it may be read",
			          entry->path);
	}
	if (count > SAID_MAX)
		notes_add(notes, "and %zu more hidden files have another name", count - SAID_MAX);
}
