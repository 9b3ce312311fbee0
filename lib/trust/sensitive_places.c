#include "trust/sensitive_places.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "policy/protected_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char keys[] = "keys and passwords";
static const char runs[] = "runs later, outside of the sandbox";
static const char system_wide[] = "decides about the whole machine";

/* Without a leading slash: below the home directory.  Those with a dot come first. */
static const struct place {
	const char *path, *why;
} places[] = {
        {".ssh", keys},
        {".gnupg", keys},
        {".aws", keys},
        {".azure", keys},
        {".kube", keys},
        {".docker", keys},
        {".netrc", keys},
        {".password-store", keys},
        {".git-credentials", keys},
        {".npmrc", keys},
        {".pypirc", keys},
        {".cargo/credentials", keys},
        {".cargo/credentials.toml", keys},
        {".config/gcloud", keys},
        {".config/gh", keys},
        {".local/share/keyrings", keys},
        {".mozilla", keys},
        {".config/google-chrome", keys},
        {".config/chromium", keys},
        {".bashrc", runs},
        {".bash_profile", runs},
        {".bash_login", runs},
        {".bash_logout", runs},
        {".bash_aliases", runs},
        {".profile", runs},
        {".zshrc", runs},
        {".zshenv", runs},
        {".zprofile", runs},
        {".zlogin", runs},
        {".zlogout", runs},
        {".kshrc", runs},
        {".cshrc", runs},
        {".tcshrc", runs},
        {".login", runs},
        {".config/fish", runs},
        {".gitconfig", runs}, /* pagers, aliases, fsmonitor */
        {".config/git", runs},
        {".config/autostart", runs},
        {".config/systemd", runs},
        {".config/environment.d", runs},
        {".pam_environment", runs},
        {".xprofile", runs},
        {".xinitrc", runs},
        {".xsession", runs},
        {".xsessionrc", runs},
        {".local/share/applications", runs},
        {".local/share/systemd", runs},
        {".vimrc", runs},
        {".vim", runs},
        {".config/nvim", runs},
        {".emacs", runs},
        {".emacs.d", runs},
        {".config/emacs", runs},
        {".tmux.conf", runs},
        {".config/tmux", runs},
        {".gdbinit", runs},
        {".hgrc", runs},
        {".cargo/bin", runs},
        {".cargo/config.toml", runs},
        {".local/bin", runs},
        {"bin", runs},
        {"/etc/shadow", keys},
        {"/etc/gshadow", keys},
        {"/etc/ssh", keys},
        {"/etc/passwd", system_wide},
        {"/etc/group", system_wide},
        {"/etc/sudoers", system_wide},
        {"/etc/sudoers.d", system_wide},
        {"/etc/pam.d", system_wide},
        {"/etc/ld.so.preload", system_wide},
        {"/etc/ld.so.conf.d", system_wide},
        {"/etc/cron.d", system_wide},
        {"/etc/crontab", system_wide},
        {"/etc/systemd", system_wide},
        {"/etc/profile.d", system_wide},
        {"/boot", system_wide},
        {"/var/spool/cron", system_wide},
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static char *whole(const struct place *place, const char *home)
{
	if (place->path[0] == '/')
		return xstrdup(place->path);
	return home ? path_join(home, place->path) : NULL;
}

static const char *why_in(const char *home, const char *path)
{
	size_t len = home ? strlen(home) : 0;
	const char *below =
	        home && path_contains(home, path) && path[len] == '/' ? path + len + 1 : NULL;

	for (size_t i = 0; i < PLACES; i++) {
		const char *at = places[i].path[0] == '/' ? path : below;

		if (at && path_contains(places[i].path, at))
			return places[i].why;
	}
	return NULL;
}

/* Whatever $HOME says, a shell of this user starts in the registered one. */
const char *sensitive_path(const char *path)
{
	cleanup_free char *home = home_named();
	cleanup_free char *registered = home_registered();
	const char *why;

	if (inside_protected_name(path))
		return "a protected name: what is in it runs later, outside of the sandbox";
	if (inside_git_directory(path))
		return "a repository: what is in it runs later, outside of the sandbox";
	why = why_in(home, path);
	return why || !registered ? why : why_in(registered, path);
}

const char *sensitive_in_home(size_t wanted)
{
	return wanted < PLACES && places[wanted].path[0] == '.' ? places[wanted].path : NULL;
}

/* Whether anything below start can be below the directory. */
static bool may_hold(const char *directory, const char *start)
{
	return path_contains(directory, start) || path_contains(start, directory);
}

char *sensitive_below(const char *directory, unsigned wanted)
{
	cleanup_free char *home = home_named();
	cleanup_free char *registered = home_registered();
	bool two = registered && (!home || strcmp(home, registered) != 0);
	struct stat st;

	for (size_t i = 0; i < (two ? 2 : 1) * PLACES; i++) {
		const struct place *item = &places[i % PLACES];
		const char *start = item->path[0] == '/' ? "/" : i < PLACES ? home : registered;
		cleanup_free char *place = NULL;

		/* Those of the system are in the first round. */
		if (!start || (i >= PLACES && start[1] == '\0') || !may_hold(directory, start))
			continue;
		place = whole(item, start);
		if (place && path_contains(directory, place) && strcmp(directory, place) != 0 &&
		    lstat(place, &st) == 0 && wanted-- == 0)
			return keep_ptr(place);
	}
	return NULL;
}

char *sensitive_to_change(const char *path)
{
	const char *why = sensitive_path(path);
	cleanup_free char *below = why ? NULL : sensitive_below(path, 0);

	if (why)
		return xstrdup(why);
	return below ? xasprintf("holds %s: %s", below, sensitive_path(below)) : NULL;
}

const char *sensitive_inside(const char *directory)
{
	cleanup_free char *home = home_named();

	for (size_t i = 0; i < PLACES; i++) {
		cleanup_free char *place = whole(&places[i], home);

		if (place && path_contains(directory, place))
			return places[i].why;
	}
	return NULL;
}

const char *sensitive_socket(const char *path)
{
	static const struct {
		const char *name, *why;
	} known[] = {
	        {"docker.sock", "starts anything, as root, outside of the sandbox"},
	        {"podman.sock", "starts anything outside of the sandbox"},
	        {"containerd.sock", "starts anything, as root, outside of the sandbox"},
	        {"system_bus_socket", "reaches every system service"},
	        {"bus", "starts anything of the user's, outside of the sandbox"},
	        {"agent", "uses the user's keys"},
	        {"S.gpg-agent", "uses the user's keys"},
	        {"X0", "sees every key and window"},
	        {"X1", "sees every key and window"},
	};
	const char *name = strrchr(path, '/');
	const char *agent = getenv("SSH_AUTH_SOCK");

	if (agent && strcmp(agent, path) == 0)
		return "uses the user's keys";
	name = name ? name + 1 : path;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0 ||
		    (strcmp(known[i].name, "agent") == 0 && strncmp(name, "agent.", 6) == 0))
			return known[i].why;
	return NULL;
}
