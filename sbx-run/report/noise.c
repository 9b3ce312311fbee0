#include "report/noise.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/home_directory.h"
#include "fs/path.h"

#include <fnmatch.h>
#include <string.h>

/* A pattern that begins with "~/" is of the home directory. */
static const struct noise {
	const char *member, *pattern; /* `*` matches no "/" */
	bool success;                 /* only of a command that succeeds */
} noises[] = {
        {"path", "/proc/*/coredump_filter", false},   /* Java, for itself, at every start */
        {"path", "/proc/*/oom_score_adj", false},     /* browsers and servers, for children */
        {"path", "/proc/*/oom_adj", false},           /* the same, where that is refused */
        {"path", "/proc/*/task/*/comm", false},       /* names of threads */
        {"path", "/proc/*/comm", false},              /* the same */
        {"path", "/proc/sys/*/*", true},              /* servers that tune the machine */
        {"path", "/sys/*/*/*/*", true},               /* the same */
        {"path", "~/.*_history", false},              /* of shells and interpreters */
        {"path", "~/.*_history-*", false},            /* the same, while it is written */
        {"path", "~/.*_history.*", false},            /* the same */
        {"path", "~/.viminf*", false},                /* the same of vim */
        {"path", "~/.lesshst*", false},               /* the same of less */
        {"path", "~/.wget-hsts", false},              /* what wget met before */
        {"path", "~/.config/configstore", false},     /* update notifiers */
        {"path", "~/.config/configstore/*", false},   /* the same */
        {"path", "~/.npm/_update-notifier-*", false}, /* the same of npm */
        {"path", "/dev/*", true},                     /* looking for devices */
        {"path", "/dev/*/*", true},                   /* the same */
        {"path", "*/.git/index.lock", true},          /* git status and diff: optional */
        {"path", "*/objects/[0-9a-f]*/*", true},      /* links of a local clone, copied instead */
        {"address", "224.0.0.251:5353", false},       /* multicast DNS */
        {"address", "[[]ff02::fb[]]:5353", false},    /* the same */
        {"address", "239.255.255.250:1900", false},   /* looking for devices */
        {"address", "[[]ff02::c[]]:1900", false},     /* the same */
};

static bool fits(const char *pattern, const char *text)
{
	cleanup_free char *home = pattern[0] == '~' ? home_named() : NULL;

	if (pattern[0] != '~')
		return fnmatch(pattern, text, pattern[0] == '*' ? 0 : FNM_PATHNAME) == 0;
	return home && path_contains(home, text) &&
	       fnmatch(pattern + 1, text + strlen(home), FNM_PATHNAME) == 0;
}

static bool is_listed(const json_t *denial, bool success)
{
	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++) {
		const json_t *value = json_object_get(denial, noises[i].member);
		struct error none = {0};
		cleanup_free char *text = value && noises[i].success == success
		                                  ? os_string_get(value, noises[i].member, &none)
		                                  : NULL;

		if (text && fits(noises[i].pattern, text))
			return true;
	}
	return false;
}

bool is_noise(const json_t *denial)
{
	return is_listed(denial, false);
}

bool is_noise_of_success(const json_t *denial)
{
	return is_listed(denial, true);
}
