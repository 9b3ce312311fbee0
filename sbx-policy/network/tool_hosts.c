#include "network/tool_hosts.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "hosts/host_rule.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX_BYTES 1048576

/* "$NAME": a variable with a URL; "~/" and "/": a file, or a pattern of files. */
static const struct tool {
	const char *name, *ask;
	const char *places[10];
} tools[] = {
        {"npm",
         "npm config get registry",
         {"$NPM_CONFIG_REGISTRY", "$npm_config_registry", "~/.npmrc", "/etc/npmrc",
          "/usr/etc/npmrc", "/usr/local/etc/npmrc", "~/.yarnrc.yml", "~/.config/pnpm/rc"}},
        {"pip",
         "pip config get global.index-url",
         {"$PIP_INDEX_URL", "$PIP_EXTRA_INDEX_URL", "$UV_INDEX_URL", "$UV_DEFAULT_INDEX",
          "/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf", "~/.config/uv/uv.toml"}},
        {"cargo", "cargo config get", {"~/.cargo/config.toml", "~/.cargo/config"}},
        {"go", "go env GOPROXY", {"$GOPROXY", "~/.config/go/env"}},
        {"maven", "mvn help:effective-settings", {"~/.m2/settings.xml", "/etc/maven/settings.xml"}},
        {"gem", "gem sources", {"~/.gemrc", "/etc/gemrc", "~/.bundle/config"}},
        {"apt",
         "apt-get indextargets --format '$(SITE)'",
         {"/etc/apt/sources.list", "/etc/apt/sources.list.d/*.list",
          "/etc/apt/sources.list.d/*.sources"}},
        {"git", "git remote -v", {NULL}},
};

/* The port that a URL means without one. */
static const struct {
	const char *scheme;
	unsigned port;
} schemes[] = {
        {"https", 443}, {"http", 80}, {"ssh", 22}, {"git", 9418}, {"ftp", 21}, {"git+ssh", 22},
};

struct looking {
	tool_host_found *found;
	void *context;
	const char *source;
	size_t count;
};

static unsigned port_of(const char *scheme, size_t len)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strlen(schemes[i].scheme) == len &&
		    strncmp(schemes[i].scheme, scheme, len) == 0)
			return schemes[i].port;
	return 0;
}

static void take(struct looking *l, const char *host, size_t len, unsigned port)
{
	bool named = len > 0 && (host[0] == '[' ? memchr(host, ']', len) && host[len - 1] != ']'
	                                        : memchr(host, ':', len) != NULL);
	cleanup_free char *text =
	        named ? xstrndup(host, len) : xasprintf("%.*s:%u", (int)len, host, port);
	struct host_rule rule;
	struct error ignored = {0};

	/* A line that we do not understand opens nothing. */
	if (host_rule_parse(text, &rule, &ignored) < 0 || rule.deny ||
	    (rule.kind != HOST_NAME && rule.kind != HOST_NETWORK))
		return;
	l->found(l->context, text, l->source);
	l->count++;
}

/* Every SCHEME://[USER@]HOST[:PORT] in it. */
static void take_urls(struct looking *l, const char *text)
{
	for (const char *at = text; (at = strstr(at, "://")) != NULL; at += 3) {
		const char *begin = at, *host = at + 3, *user;
		size_t len = strcspn(host, "/ \t\r\n\"'<>,|?#;\\");
		unsigned port;

		while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '+'))
			begin--;
		/* cargo's "sparse+https", pip's "git+https": what is behind the sign counts. */
		port = port_of(begin, (size_t)(at - begin));
		for (const char *sign = begin; !port && sign < at; sign++)
			if (*sign == '+')
				port = port_of(sign + 1, (size_t)(at - sign - 1));
		while ((user = memchr(host, '@', len)) != NULL) {
			len -= (size_t)(user + 1 - host);
			host = user + 1;
		}
		if (port)
			take(l, host, len, port);
	}
}

/* A comment's address is nobody's setting. */
static void take_line(struct looking *l, char *line)
{
	const char *text = line + strspn(line, " \t");

	if (text[0] != '#' && text[0] != ';' && strncmp(text, "<!--", 4) != 0)
		take_urls(l, text);
}

static void take_file(struct looking *l, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[4096];
	size_t left = FILE_MAX_BYTES;

	l->source = path;
	while (file && left > sizeof(line) && fgets(line, sizeof(line), file)) {
		left -= strlen(line);
		take_line(l, line);
	}
	if (file)
		fclose(file);
}

static void take_files(struct looking *l, const char *pattern)
{
	glob_t all = {0};

	if (glob(pattern, 0, NULL, &all) == 0)
		for (size_t i = 0; i < all.gl_pathc; i++)
			take_file(l, all.gl_pathv[i]);
	globfree(&all);
}

static void take_place(struct looking *l, const char *place)
{
	cleanup_free char *home = place[0] == '~' ? home_named() : NULL;
	cleanup_free char *path = home ? path_join(home, place + 2) : NULL;

	l->source = place;
	if (place[0] == '$' && getenv(place + 1))
		take_urls(l, getenv(place + 1));
	else if (place[0] == '/')
		take_files(l, place);
	else if (path)
		take_file(l, path);
}

/* ---- remotes of the repository ---------------------------------------------- */

static bool is_remote(void *context, const char *section, const char *key)
{
	(void)context;
	return strcmp(section, "remote") == 0 &&
	       (strcmp(key, "url") == 0 || strcmp(key, "pushurl") == 0);
}

/* "https://..." or "user@host:path". */
static void take_remote(void *context, const char *section, const char *key, const char *value)
{
	struct looking *l = context;
	const char *colon = strchr(value, ':'), *at = strchr(value, '@');

	(void)section;
	(void)key;
	if (strstr(value, "://"))
		take_urls(l, value);
	else if (colon && value[0] != '/' && value[0] != '.' &&
	         !memchr(value, '/', (size_t)(colon - value)))
		take(l, at && at < colon ? at + 1 : value,
		     (size_t)(colon - (at && at < colon ? at + 1 : value)), 22);
}

static void take_remotes(struct looking *l, const struct repository *repository)
{
	const struct gitconfig_reader reader = {
	        .wanted = is_remote, .value = take_remote, .context = l};

	l->source = "the remotes of the repository";
	/* One that cannot be read names nobody. */
	if (repository->common && gitconfig_read(repository->common, &reader) < 0)
		errno = 0;
}

/* ---- a tool ------------------------------------------------------------------- */

bool is_tool_hosts(const char *preset)
{
	return strncmp(preset, TOOL_HOSTS_PREFIX, strlen(TOOL_HOSTS_PREFIX)) == 0;
}

static const struct tool *tool_of(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

int tool_hosts_find(const char *preset, const struct repository *repository, tool_host_found *found,
                    void *context, struct error *err)
{
	const struct tool *tool = tool_of(preset + strlen(TOOL_HOSTS_PREFIX));
	struct looking l = {.found = found, .context = context};

	if (!tool)
		return error_set(err, EXIT_INPUT, "no-preset",
		                 "preset \"%s\": no such tool, and no [hosts.%s] in the "
		                 "configuration",
		                 preset, preset + strlen(TOOL_HOSTS_PREFIX));
	for (size_t i = 0; i < sizeof(tool->places) / sizeof(tool->places[0]) && tool->places[i];
	     i++)
		take_place(&l, tool->places[i]);
	if (!tool->places[0])
		take_remotes(&l, repository);
	if (l.count == 0)
		return error_set(err, EXIT_INPUT, "no-hosts",
		                 "preset \"%s\": no setting names a host; \"%s\" says which, for "
		                 "--allow-host",
		                 preset, tool->ask);
	return 0;
}
