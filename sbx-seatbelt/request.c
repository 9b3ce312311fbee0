#include "request.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "canonical.h"
#include "denied_names.h"
#include "document/approval.h"
#include "document/osstring.h"
#include "extensions.h"
#include "files.h"
#include "fs/path.h"
#include "policy/words.h"
#include "profile.h"
#include "proxy/proxied.h"

#include <stdlib.h>
#include <string.h>

/* What a profile is made from, gathered once from the document. */
struct request {
	struct permissions permissions; /* in the forms that the kernel compares */
	char **deny_globs;              /* NULL: none */
	struct extensions extensions;
	bool platform_defaults; /* what the system is made of can be read */
	bool repositories;      /* a ".git" that nobody saw is read-only as well */
	char *home;             /* of the command's environment, or NULL */
};

static int get_flag(const json_t *json, const char *name, bool *flag, struct error *err)
{
	const json_t *value = json_object_get(json, name);

	*flag = json_is_true(value);
	if (value && !json_is_null(value) && !json_is_boolean(value))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.%s: expected true or false", name);
	return 0;
}

static int get_globs(const json_t *json, char ***globs, struct error *err)
{
	const json_t *list = json_object_get(json, "deny_globs");

	if (!list || json_is_null(list))
		return 0;
	if (!json_is_array(list))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "permissions.deny_globs: expected a list");
	*globs = os_vector_get(list, "permissions.deny_globs", err);
	return *globs ? 0 : -1;
}

static int check_sockets(const struct permissions *permissions, struct error *err)
{
	for (char **p = permissions->unix_sockets; p && *p; p++) {
		if (!path_is_normal(*p))
			return error_set(
			        err, EXIT_INPUT, "bad-policy",
			        "permissions.unix_sockets: \"%s\": not a normalized absolute path",
			        *p);
		/* All sockets there are, by a slip. */
		if ((*p)[1] == '\0')
			return error_set(err, EXIT_INPUT, "bad-policy",
			                 "permissions.unix_sockets: \"/\": name the socket");
	}
	return 0;
}

static int get_home(const json_t *doc, char **home, struct error *err)
{
	const json_t *env = json_object_get(json_object_get(doc, "exec"), "env");
	const json_t *value;

	if (!json_is_object(env))
		env = json_object_get(json_object_get(doc, "command"), "env");
	/* Neither: the command gets this program's own. */
	if (!json_is_object(env)) {
		*home = getenv("HOME") ? xstrdup(getenv("HOME")) : NULL;
		return 0;
	}
	value = json_object_get(env, "HOME");
	if (!value)
		return 0;
	*home = os_string_get(value, "env.HOME", err);
	return *home ? 0 : -1;
}

static int get_request(json_t *doc, struct request *r, struct error *err)
{
	json_t *policy = json_object_get(doc, "policy");
	json_t *json = json_object_get(policy, "permissions");

	r->repositories = policy_mode(policy) == MODE_WORKSPACE_WRITE;
	if (permissions_get(json, &r->permissions, err) < 0)
		return -1;
	if (check_sockets(&r->permissions, err) < 0 ||
	    canonical_permissions(&r->permissions, err) < 0 ||
	    get_globs(json, &r->deny_globs, err) < 0 ||
	    get_flag(json, "platform_defaults", &r->platform_defaults, err) < 0 ||
	    extensions_get(json_object_get(json, "macos"), &r->extensions, err) < 0)
		return -1;
	return get_home(doc, &r->home, err);
}

static void write_network(enum network network, struct profile *p)
{
	static const char *const sections[] = {
	        [NETWORK_OFF] = sbpl_network_off,
	        [NETWORK_LOOPBACK] = sbpl_network_loopback,
	        [NETWORK_HOSTS] = sbpl_network_hosts,
	        [NETWORK_ON] = sbpl_network_on,
	};

	/* There is no port before there is a proxy: command.c lets it be put in. */
	if (network == NETWORK_HOSTS)
		profile_param(p, PROXY_PARAM, PROXY_PLACE ":0");
	fputs(sections[network], p->out);
}

/* Their parameters come last on the command line. */
static void write_sockets(char *const *sockets, struct profile *p)
{
	if (!sockets || !sockets[0])
		return;
	fputs(sbpl_unix_sockets, p->out);
	for (size_t i = 0; sockets[i]; i++) {
		cleanup_free char *name = xasprintf("UNIX_SOCKET_%zu", i);

		profile_param(p, name, sockets[i]);
		fprintf(p->out,
		        "(allow network-bind (local unix-socket (subpath (param \"%s\"))))\n"
		        "(allow network-outbound (remote unix-socket (subpath (param \"%s\"))))\n",
		        name, name);
	}
}

/* All sections, in their order; the profile is closed after it. */
static int write_profile(const struct request *r, struct profile *p, struct error *err)
{
	bool full_read = files_full_read(&r->permissions);

	if (profile_open(p, err) < 0)
		return -1;
	fputs(sbpl_base, p->out);
	files_write_read(&r->permissions, p);
	files_write_roots(&r->permissions, r->repositories, p);
	write_network(r->permissions.network, p);
	if (r->platform_defaults && !full_read)
		fputs(sbpl_platform_defaults, p->out);
	/* From here on the last word is "no"; sockets are no matter of files. */
	if (extensions_write(&r->extensions, full_read, r->home, p, err) < 0)
		return -1;
	files_write_hidden(&r->permissions, p);
	if (denied_names_write(r->deny_globs, &r->permissions, p, err) < 0)
		return -1;
	files_write_pins(&r->permissions, p);
	write_sockets(r->permissions.unix_sockets, p);
	return profile_close(p, err);
}

int profile_make(json_t *doc, struct profile *profile, struct error *err)
{
	struct request request = {0};
	int status = approval_check_wrap(doc, sandbox_names[SANDBOX_MACOS], err);

	if (status == 0)
		status = get_request(doc, &request, err);
	if (status == 0)
		status = write_profile(&request, profile, err);
	permissions_free(&request.permissions);
	os_vector_free(request.deny_globs);
	extensions_free(&request.extensions);
	free(request.home);
	return status;
}
