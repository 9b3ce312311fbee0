#include "request.h"

#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "document/options.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "linux/landlock_fit.h"
#include "policy/own_loopback.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define POLICY_MAX (64L << 20)

enum helper_option {
	OPTION_POLICY,
	OPTION_POLICY_FD,
	OPTION_CWD,
	OPTION_NO_PROC,
	OPTION_NO_SYSTEM_BWRAP,
	OPTION_LANDLOCK,
	OPTION_REPORT_FD,
	OPTION_REFUSE_SOCKETS,
	OPTION_KEEP_FD,
	OPTION_ASK_HOSTS,
	OPTION_PREVIEW_IN,
	OPTION_PRINT_ARGS,
};

static const struct option helper_options[] = {
        {OPTION_POLICY, "policy", 0, "JSON",
         "permissions to enforce: {\"permissions\":{...},\"sbx\":{...}}"},
        {OPTION_POLICY_FD, "policy-fd", 0, "N",
         "the same from a file of any length, which is closed then"},
        {OPTION_CWD, "cwd", 0, "DIR", "the command's working directory"},
        {OPTION_NO_PROC, "no-proc", 0, NULL, "do not mount a fresh /proc"},
        {OPTION_NO_SYSTEM_BWRAP, "no-system-bwrap", 0, NULL,
         "the system's bubblewrap is not current: only if ours fails"},
        {OPTION_LANDLOCK, "landlock", 0, NULL, "no mounts: Landlock and seccomp alone"},
        {OPTION_REPORT_FD, "report-fd", 0, "N",
         "write events as JSON lines there; its end ends the command"},
        {OPTION_REFUSE_SOCKETS, "refuse-sockets", 0, NULL,
         "with the network off, refuse them also where a report could name their addresses"},
        {OPTION_KEEP_FD, "keep-fd", 0, "N", "leave this fd open for the command; may be repeated"},
        {OPTION_ASK_HOSTS, "ask-hosts", 0, "HOW",
         "ask on the report fd about hosts that are not listed; the command meanwhile is "
         "running or held"},
        {OPTION_PREVIEW_IN, "preview", 0, "DIR",
         "with a policy that is previewed: what is written is kept in DIR"},
        {OPTION_PRINT_ARGS, "print-args", 0, NULL,
         "print bubblewrap's arguments, NUL-separated, and end"},
        {0},
};

static const struct program program = {
        .name = "sbx-linux-sandbox",
        .synopsis = "--policy JSON --cwd DIR [options] -- COMMAND [ARG...]",
        .purpose = "Run a command confined by bubblewrap, Landlock and seccomp.",
        .tables = {helper_options},
        .notes =
                "Status: the command's own; 125 the sandbox failed, 126 the command is not\n"
                "executable, 127 it was not found, 128+N it died by signal N.\n"
                "\n"
                "  sbx-linux-sandbox --cwd / --policy '{\"permissions\":{\"fs\":[{\"path\":\"/\",\n"
                "      \"access\":\"read\"}],\"network\":\"off\"},\"sbx\":{}}' -- ls\n"
                "  sbx-linux-sandbox --cwd . --policy-fd 3 -- make 3<policy.json\n"
                "\n"
                "More in sbx-linux-sandbox(1).",
};

static int parse_fd(const char *text, int *out, struct error *err)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < 3 || n > INT_MAX || fcntl((int)n, F_GETFD) < 0)
		return error_set(err, EXIT_USAGE, "usage", "\"%s\": not an open fd above 2", text);
	*out = (int)n;
	return 0;
}

/* One of the words, by its place; absent is the first; -1. */
static int parse_word(const json_t *settings, const char *member, const char *const words[3],
                      struct error *err)
{
	const json_t *word = json_object_get(settings, member);

	if (!word)
		return 0;
	for (int i = 0; json_is_string(word) && i < 3; i++)
		if (strcmp(json_string_value(word), words[i]) == 0)
			return i;
	return error_set(err, EXIT_INPUT, "bad-policy", "sbx.%s: expected %s, %s or %s", member,
	                 words[0], words[1], words[2]);
}

static int parse_server_names(const json_t *settings, struct request *request, struct error *err)
{
	const json_t *word = json_object_get(json_object_get(settings, "network"), "sni");
	const char *text = json_string_value(word);

	request->any_server_name = text && strcmp(text, "off") == 0;
	return !word || request->any_server_name || (text && strcmp(text, "check") == 0)
	               ? 0
	               : error_set(err, EXIT_INPUT, "bad-policy",
	                           "sbx.network.sni: expected check or off");
}

/* "4G" */
static int parse_caches_max(const json_t *settings, struct request *request, struct error *err)
{
	const json_t *word = json_object_get(json_object_get(settings, "caches"), "max");
	const char *text = json_string_value(word);
	int64_t most = CACHES_MAX;

	if (word && (!text || size_parse(text, &most) < 0 || most < 1024))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "sbx.caches.max: expected a size such as \"4G\"");
	request->caches_max = most;
	return 0;
}

static int parse_settings(const json_t *settings, struct request *request, struct error *err)
{
	static const char *const bwraps[] = {"auto", "system", "vendored"};
	static const char *const observes[] = {"auto", "on", "off"};
	const json_t *nested = json_object_get(settings, "nested");
	int bwrap = parse_word(settings, "bwrap", bwraps, err);
	int observe = bwrap < 0 ? -1 : parse_word(settings, "observe", observes, err);

	if (observe < 0 || parse_server_names(settings, request, err) < 0 ||
	    parse_caches_max(settings, request, err) < 0)
		return -1;
	if (nested && !json_is_boolean(nested))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "sbx.nested: expected true or false");
	request->nested = json_is_true(nested);
	request->unprotected = protected_may_be_lost(settings);
	request->debugged = json_is_true(json_object_get(settings, "debug"));
	request->bwrap = (enum bwrap_choice)bwrap;
	request->observe = (enum observe_choice)observe;
	return 0;
}

/* The host's unless the policy says otherwise, and then never silently. */
static int parse_tmp(const json_t *policy, struct request *request, struct error *err)
{
	const struct entry *entry;

	if (!tmp_is_private(policy))
		return 0;
	if (request->landlock)
		return error_set(err, EXIT_UNAVAILABLE, "private-tmp",
		                 "a private /tmp needs mounts, not Landlock; --tmp shared "
		                 "uses the host's");
	request->workspace = os_string_get(json_object_get(policy, "workspace"), "workspace", err);
	if (!request->workspace)
		return -1;
	request->tmp = slash_tmp();
	entry = request->tmp ? permissions_find(&request->permissions, request->tmp) : NULL;
	if (!entry || entry->access != ACCESS_WRITE || !path_is_normal(request->workspace))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "tmp: \"private\", and no writable /tmp in the policy");
	return 0;
}

/* Where something below it has an entry, the directory is on the way to that. */
static bool is_passage(const struct permissions *permissions, const char *path)
{
	for (size_t i = 0; i < permissions->count; i++)
		if (path_contains(path, permissions->entries[i].path) &&
		    strcmp(path, permissions->entries[i].path) != 0)
			return true;
	return false;
}

static int parse_passing(const json_t *policy, struct request *request, struct error *err)
{
	const json_t *passing = json_object_get(policy, "passing");
	size_t kept = 0;

	if (!passing || request->landlock)
		return 0;
	request->passing = os_vector_get(passing, "passing", err);
	if (!request->passing ||
	    permissions_get(json_object_get(policy, "permissions"), &request->explained, err) < 0)
		return -1;
	for (char **path = request->passing; *path; path++) {
		const struct entry *entry = permissions_find(&request->permissions, *path);

		if (entry && entry->access == ACCESS_READ &&
		    !is_passage(&request->explained, *path)) {
			permissions_remove(&request->permissions, *path);
			request->passing[kept++] = *path;
		} else {
			free(*path);
		}
	}
	request->passing[kept] = NULL;
	return 0;
}

static int parse_cache(const json_t *item, const char *home, struct cache *cache, struct error *err)
{
	cache->path = os_string_get(json_object_get(item, "path"), "caches.path", err);
	cache->keep = cache->path ? os_vector_get(json_object_get(item, "keep"), "caches.keep", err)
	                          : NULL;
	if (!cache->keep)
		return -1;
	if (!path_is_normal(cache->path) || !path_contains(home, cache->path) ||
	    strcmp(home, cache->path) == 0)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "caches: \"%s\": not in the home directory", cache->path);
	for (char **name = cache->keep; *name; name++)
		if (!**name || strchr(*name, '/') || **name == '.')
			return error_set(err, EXIT_INPUT, "bad-policy", "caches: keep: \"%s\"",
			                 *name);
	return 0;
}

/* Only mounts can show a copy; and where others mount as they like, none is kept apart. */
static int parse_caches(const json_t *policy, struct request *request, struct error *err)
{
	const json_t *caches = json_object_get(policy, "caches");
	size_t i;
	json_t *item;

	if (!caches || request->landlock || request->nested)
		return 0;
	request->kept = os_string_get(json_object_get(policy, "kept"), "kept", err);
	request->home =
	        request->kept ? os_string_get(json_object_get(policy, "home"), "home", err) : NULL;
	if (!request->home)
		return -1;
	if (!request->workspace)
		request->workspace =
		        os_string_get(json_object_get(policy, "workspace"), "workspace", err);
	if (!request->workspace || !path_is_normal(request->kept) ||
	    !path_is_normal(request->home) || !json_is_array(caches))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "caches: without a workspace or a place");
	request->caches = xrealloc_array(NULL, json_array_size(caches) + 1, sizeof(struct cache));
	json_array_foreach (caches, i, item) {
		request->caches[request->cache_count++] = (struct cache){0};
		if (parse_cache(item, request->home, &request->caches[i], err) < 0)
			return -1;
	}
	return 0;
}

const struct permissions *permissions_inside(const struct request *request)
{
	return request->inside.count ? &request->inside : &request->permissions;
}

/* A network that runs share is one of a workspace. */
static int parse_network(const json_t *policy, struct request *request, struct error *err)
{
	request->loopback_optional =
	        request->permissions.network == NETWORK_LOOPBACK && loopback_is_optional(policy);
	if (!request->permissions.network_name || request->workspace)
		return 0;
	request->workspace = os_string_get(json_object_get(policy, "workspace"), "workspace", err);
	return request->workspace ? 0 : -1;
}

/* Never silently without: whoever says one half means both. */
static int parse_preview(const json_t *policy, struct request *request, struct error *err)
{
	bool asked = json_is_true(json_object_get(policy, "preview"));

	if (!asked && !request->preview)
		return 0;
	if (!asked || !request->preview || request->preview[0] != '/')
		return error_set(err, EXIT_INPUT, "preview",
		                 "--preview: the policy and the caller do not agree about it");
	if (request->landlock)
		return error_set(err, EXIT_UNAVAILABLE, "preview",
		                 "--preview: only mounts can show a copy, and there are none here");
	if (request->nested || request->bwrap == BWRAP_SYSTEM)
		return error_set(err, EXIT_UNAVAILABLE, "preview",
		                 "--preview: cannot be combined with %s",
		                 request->nested ? "sbx.nested" : "sbx.bwrap = \"system\"");
	request->bwrap = BWRAP_VENDORED;
	return 0;
}

static int parse_policy(const char *text, struct request *request, struct error *err)
{
	json_error_t why;
	cleanup_json json_t *policy = json_loads(text, JSON_REJECT_DUPLICATES, &why);

	if (!policy)
		return error_set(err, EXIT_INPUT, "bad-policy", "--policy: %s at byte %d", why.text,
		                 why.position);
	if (permissions_get(json_object_get(policy, "permissions"), &request->permissions, err) < 0)
		return -1;
	if (limits_get(json_object_get(policy, "limits"), &request->limits, err) < 0 ||
	    parse_tmp(policy, request, err) < 0 || parse_passing(policy, request, err) < 0 ||
	    parse_network(policy, request, err) < 0)
		return -1;
	return parse_settings(json_object_get(policy, "sbx"), request, err) < 0 ||
	                       parse_preview(policy, request, err) < 0
	               ? -1
	               : parse_caches(policy, request, err);
}

static int keep_fd_open(struct request *request, const char *value, struct error *err)
{
	int fd;

	if (parse_fd(value, &fd, err) < 0)
		return -1;
	list_add(request->keep_fds, request->keep_count, fd);
	return 0;
}

static int parse_ask(const char *value, enum ask_hosts *ask, struct error *err)
{
	if (strcmp(value, "running") != 0 && strcmp(value, "held") != 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--ask-hosts: \"%s\": expected running or held", value);
	*ask = strcmp(value, "held") == 0 ? ASK_HOSTS_HELD : ASK_HOSTS_RUNNING;
	return 0;
}

/* An argument has a limit of the system's. */
static char *policy_read(const char *number, struct error *err)
{
	cleanup_close int fd = -1;
	cleanup_free char *text = NULL;
	struct stat st;

	if (parse_fd(number, &fd, err) < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > POLICY_MAX) {
		error_set(err, EXIT_INPUT, "bad-policy",
		          "--policy-fd: not a file of at most %ld bytes", POLICY_MAX);
		return NULL;
	}
	text = xrealloc_array(NULL, (size_t)st.st_size + 1, 1);
	if (read_full(fd, text, (size_t)st.st_size) != st.st_size) {
		error_system(err, "reading the policy");
		return NULL;
	}
	text[st.st_size] = '\0';
	return keep_ptr(text);
}

static int take(struct request *request, enum helper_option which, const char *value, char **policy,
                struct error *err)
{
	switch (which) {
	case OPTION_POLICY:
		free(*policy);
		*policy = xstrdup(value);
		return 0;
	case OPTION_POLICY_FD:
		free(*policy);
		*policy = policy_read(value, err);
		return *policy ? 0 : -1;
	case OPTION_CWD:
		free(request->cwd);
		request->cwd = xstrdup(value);
		return 0;
	case OPTION_NO_PROC:
		request->no_proc = true;
		return 0;
	case OPTION_NO_SYSTEM_BWRAP:
		request->no_system_bwrap = true;
		return 0;
	case OPTION_LANDLOCK:
		request->landlock = true;
		return 0;
	case OPTION_REPORT_FD:
		return parse_fd(value, &request->report_fd, err);
	case OPTION_REFUSE_SOCKETS:
		request->refuse_sockets = true;
		return 0;
	case OPTION_KEEP_FD:
		return keep_fd_open(request, value, err);
	case OPTION_ASK_HOSTS:
		return parse_ask(value, &request->ask, err);
	case OPTION_PREVIEW_IN:
		free(request->preview);
		request->preview = xstrdup(value);
		return 0;
	case OPTION_PRINT_ARGS:
		request->print_args = true;
		return 0;
	}
	return -1;
}

int request_parse(int argc, char **argv, struct request *request, struct error *err)
{
	struct options options;
	const struct option *found;
	cleanup_free char *policy = NULL;
	const char *value;

	*request = (struct request){.report_fd = -1};
	options_begin(&options, &program, argc, argv);
	while ((found = options_next(&options, &value, err)) != NULL)
		if (take(request, (enum helper_option)found->id, value, &policy, err) < 0)
			return -1;
	if (err->exit)
		return -1;
	if (options.next >= argc)
		return error_set(err, EXIT_USAGE, "usage", "no command (try --help)");
	request->argv = argv + options.next;
	if (!policy)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--policy or --policy-fd is missing (try --help)");
	if (!request->cwd || request->cwd[0] != '/')
		return error_set(err, EXIT_USAGE, "usage", "--cwd needs an absolute path");
	return parse_policy(policy, request, err);
}

void request_free(struct request *request)
{
	permissions_free(&request->permissions);
	free(request->cwd);
	free(request->preview);
	free(request->tmp);
	free(request->workspace);
	free(request->kept);
	free(request->home);
	for (size_t i = 0; i < request->cache_count; i++) {
		free(request->caches[i].path);
		os_vector_free(request->caches[i].keep);
	}
	free(request->caches);
	permissions_free(&request->inside);
	os_vector_free(request->passing);
	permissions_free(&request->explained);
	free(request->keep_fds);
}
