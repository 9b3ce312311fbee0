#include "offline.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "policy/words.h"

/* Nobody listens on the discard port, so that a connection fails at once. */
#define DEAD_PROXY "http://127.0.0.1:9"

static const struct {
	const char *name, *value; /* for: */
} offline[] = {
        {"HTTP_PROXY", DEAD_PROXY},              /* curl, git, pip, npm, go, ... */
        {"HTTPS_PROXY", DEAD_PROXY},             /* the same */
        {"ALL_PROXY", DEAD_PROXY},               /* curl, git */
        {"FTP_PROXY", DEAD_PROXY},               /* wget */
        {"GIT_HTTP_PROXY", DEAD_PROXY},          /* git */
        {"NO_PROXY", "localhost,127.0.0.1,::1"}, /* servers of the command's own */
        {"PIP_NO_INDEX", "1"},                   /* pip: no package index */
        {"PIP_DISABLE_PIP_VERSION_CHECK", "1"},  /* pip: no question about itself */
        {"UV_OFFLINE", "1"},                     /* uv */
        {"NPM_CONFIG_OFFLINE", "true"},          /* npm, pnpm */
        {"YARN_ENABLE_NETWORK", "false"},        /* yarn */
        {"CARGO_NET_OFFLINE", "true"},           /* cargo */
        {"GOPROXY", "off"},                      /* go */
        {"GIT_SSH_COMMAND", "cmd /c exit 1"},    /* git over ssh */
        {"GIT_ALLOW_PROTOCOL", "file"},          /* git: no other transport */
        {"CODEX_SANDBOX_NETWORK_DISABLED", "1"},
};

/* Unless the caller has one: Windows has no less. */
static const struct {
	const char *name, *value;
} defaults[] = {
        {"PAGER", "more.com"},
        {"GIT_PAGER", "more.com"},
        {"LESS", ""},
};

/* curl and wget honour the proxies; these do not. */
static const char *const tools[] = {"ssh", "scp", "sftp", "telnet", "ftp"};

/* The kinds of file that need no compiler, in the order of PATHEXT. */
static const char *const extensions[] = {".bat", ".cmd"};

json_t *offline_environment(enum network network, const char *stub_directory)
{
	json_t *set = xjson(json_object()), *more = xjson(json_object());
	json_t *first = xjson(json_array()), *pathext = xjson(json_array());

	json_object_set_new(set, "SBX_SANDBOX", json_string(sandbox_names[SANDBOX_WINDOWS]));
	for (size_t i = 0; network != NETWORK_ON && i < sizeof(offline) / sizeof(offline[0]); i++)
		json_object_set_new(set, offline[i].name, json_string(offline[i].value));
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		json_object_set_new(more, defaults[i].name, json_string(defaults[i].value));
	if (network != NETWORK_ON) {
		json_array_append_new(first, xjson(json_string(stub_directory)));
		json_array_append_new(pathext, xjson(json_string(".BAT")));
		json_array_append_new(pathext, xjson(json_string(".CMD")));
	}
	return xjson(json_pack("{s:o,s:o,s:[s],s:o,s:o,s:{s:s}}", "set", set, "default", more,
	                       "remove", "SBX_SESSION", "path_first", first, "pathext_first",
	                       pathext, "replace", "/dev/null", "NUL"));
}

json_t *offline_stubs(enum network network)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; network != NETWORK_ON && i < sizeof(tools) / sizeof(tools[0]); i++)
		for (size_t e = 0; e < sizeof(extensions) / sizeof(extensions[0]); e++) {
			cleanup_free char *name = xasprintf("%s%s", tools[i], extensions[e]);
			cleanup_free char *text =
			        xasprintf("@echo %s: the network is off in this sandbox 1>&2\r\n"
			                  "@exit /b 1\r\n",
			                  tools[i]);

			json_array_append_new(
			        list, xjson(json_pack("{s:s,s:s}", "name", name, "text", text)));
		}
	return list;
}
