#include "engine/engine.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "engine/engine_lost.h"
#include "engine/output.h"
#include "fs/path.h"
#include "policy/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where --output was not said: nothing must be found there by accident. */
#define NO_PLACE "/nonexistent"

json_t *engine_text(const char *bytes, const char *what, struct error *err)
{
	json_t *text = json_string(bytes);

	if (!text)
		error_set(err, EXIT_UNAVAILABLE, "not-utf8",
		          "%s: \"%s\": is not UTF-8, and this platform has no form for it", what,
		          bytes);
	return text;
}

json_t *engine_texts(char *const *vector, const char *what, struct error *err)
{
	cleanup_json json_t *list = xjson(json_array());

	for (; *vector; vector++) {
		json_t *text = engine_text(*vector, what, err);

		if (!text)
			return NULL;
		json_array_append_new(list, text);
	}
	return json_incref(list);
}

bool engine_has_internet(const struct engine_run *run)
{
	return run->wrap->permissions.network != NETWORK_OFF;
}

bool engine_is_debugged(const struct engine_run *run)
{
	return json_is_true(json_object_get(json_object_get(run->wrap->policy, "sbx"), "debug"));
}

void engine_name(struct engine_run *run, const json_t *content)
{
	cleanup_free char *text =
	        xjson(json_text_dump(content, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY));
	char digest[SHA256_TEXT_SIZE];

	sha256_text(text, strlen(text), digest);
	snprintf(run->name, sizeof(run->name), "sbx-%.16s", strchr(digest, ':') + 1);
}

/* How each is started from the directory of --output. */
static json_t *start_argv(const struct engine_run *run, struct error *err)
{
	const char *platform = run->wrap->options->platform;
	const char *at = run->wrap->options->output;
	cleanup_free char *file = NULL;
	json_t *where;

	if (strcmp(platform, "oci") == 0)
		file = xstrdup(at ? at : NO_PLACE);
	else
		file = xasprintf("%s/%s%s", at ? at : NO_PLACE,
		                 strcmp(platform, "systemd") == 0 ? run->name : "manifests",
		                 strcmp(platform, "systemd") == 0 ? ".service" : ".json");
	where = engine_text(file, "--output", err);
	if (!where)
		return NULL;
	if (strcmp(platform, "oci") == 0)
		return xjson(json_pack("[s,s,s,o,s]", "crun", "run", "--bundle", where, run->name));
	if (strcmp(platform, "kubernetes") == 0)
		return xjson(json_pack("[s,s,s,o]", "kubectl", "create", "-f", where));
	json_decref(where);
	return xjson(json_pack("[s,s,s]", "systemctl", "start", run->name));
}

/* Of the engine's own program: the command's variables are in what it reads. */
static json_t *start_environment(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *home = getenv("HOME");
	json_t *env = xjson(json_object());

	json_object_set_new(
	        env, "PATH",
	        json_string("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
	if (runtime)
		json_object_set_new(env, "XDG_RUNTIME_DIR", os_string(runtime));
	if (home)
		json_object_set_new(env, "HOME", os_string(home));
	return env;
}

static json_t *make(struct engine_run *run, struct error *err)
{
	static const struct {
		enum sandbox_type type;
		json_t *(*members)(struct engine_run *run, struct error *err);
	} makers[] = {
	        {SANDBOX_OCI, oci_members},
	        {SANDBOX_KUBERNETES, kubernetes_members},
	        {SANDBOX_SYSTEMD, systemd_members},
	};
	cleanup_json json_t *exec = NULL, *start = NULL;
	json_t *argv;

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (makers[i].type == run->wrap->type)
			exec = makers[i].members(run, err);
	argv = exec ? start_argv(run, err) : NULL;
	if (!argv)
		return NULL;
	start = xjson(json_pack("{s:o,s:s,s:o,s:n,s:s,s:s}", "argv", argv, "cwd", "/", "env",
	                        start_environment(), "arg0", "sandbox",
	                        sandbox_names[run->wrap->type], "windows_sandbox_level",
	                        "disabled"));
	json_object_update(start, exec);
	return json_incref(start);
}

/*
 * What was lost is looked up again: since sbx-select a name may be gone, and the
 * document may have come by another way.
 */
static int check_lost(const json_t *doc, const struct engine_asked *asked, struct error *err)
{
	cleanup_json json_t *lost = engine_lost(asked);

	if (engine_fits(asked, err) < 0 ||
	    engine_lost_check(doc, json_object_get(json_object_get(doc, "sandbox"), "lost"), err) <
	            0)
		return -1;
	return engine_lost_check(doc, lost, err);
}

static char *directory_around(const char *at)
{
	cleanup_free char *copy = xstrdup(at);
	size_t len = strlen(copy);
	char *slash;

	while (len > 1 && copy[len - 1] == '/')
		copy[--len] = '\0';
	slash = strrchr(copy, '/');
	if (slash)
		slash[slash == copy] = '\0';
	return realpath(slash ? copy : ".", NULL);
}

/* What an engine reads says what is held, also the next time: not where the command writes. */
static int check_output(const char *at, const struct places *places, struct error *err)
{
	cleanup_free char *around = directory_around(at);
	bool writable = false;

	if (!around)
		return error_system(err, "--output: the directory around \"%s\"", at);
	/* What lies in another place comes after it. */
	for (size_t i = 0; i < places->count; i++)
		if (path_contains(places->items[i].path, around))
			writable = places->items[i].kind == PLACE_WRITE;
	return writable ? error_set(err, EXIT_USAGE, "usage",
	                            "--output: \"%s\": the command can write there, and change "
	                            "what is started the next time; name a place in no "
	                            "writable root",
	                            at)
	                : 0;
}

json_t *engine_exec(const json_t *doc, const struct wrap *wrap, char *const *env, struct error *err)
{
	struct places places;
	struct engine_run run = {.wrap = wrap, .places = &places, .env = env};
	const struct engine_asked asked = {.platform = wrap->options->platform,
	                                   .policy = wrap->policy,
	                                   .permissions = &wrap->permissions,
	                                   .places = &places,
	                                   .timeout_ms = wrap->command.timeout_ms};
	cleanup_json json_t *exec = NULL;

	if (places_plan(wrap->policy, &wrap->permissions, &places, err) < 0)
		return NULL;
	if (check_lost(doc, &asked, err) == 0 &&
	    (!wrap->options->output || check_output(wrap->options->output, &places, err) == 0))
		exec = make(&run, err);
	places_free(&places);
	if (exec && wrap->options->output && output_write(wrap->options->output, exec, err) < 0)
		return NULL;
	return json_incref(exec);
}
