#include "session/cache_key.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "document/json_pool.h"
#include "document/osstring.h"

#include <string.h>

/* Appending in place: a command may have a hundred thousand words. */
static char *quoted_words(const char *prefix, char *const *words)
{
	size_t used = strlen(prefix), room = used + 1;
	char *out = xmalloc(room);

	memcpy(out, prefix, used + 1);
	for (size_t i = 0; words[i]; i++) {
		cleanup_free char *word = text_quote(words[i]);
		size_t len = strlen(word);

		if (used + len + 2 > room) {
			room = (used + len + 2) * 2;
			out = xrealloc_array(out, room, 1);
		}
		if (i > 0)
			out[used++] = ' ';
		memcpy(out + used, word, len + 1);
		used += len;
	}
	return out;
}

char *approval_key(const json_t *doc, const struct command *command, struct error *err)
{
	const json_t *files = json_object_get(json_object_get(doc, "command"), "files");
	cleanup_vector char **paths = NULL;

	if (strcmp(command->tool, "patch") != 0)
		return quoted_words("exec:", command->argv);
	paths = os_vector_get(files, "command.files", err);
	if (!paths)
		return NULL;
	if (!paths[0]) {
		error_set(err, EXIT_INPUT, "bad-document",
		          "command.files: a patch has to name the files it changes");
		return NULL;
	}
	return quoted_words("patch:", paths);
}

/* The parts of a policy that decide what a run can do. */
static json_t *policy_bind(const json_t *policy)
{
	static const char *const parts[] = {"approval_policy",
	                                    "sandbox_policy",
	                                    "permissions",
	                                    "shell_environment_policy",
	                                    "tmp",
	                                    "loopback",
	                                    "granular",
	                                    "allowed_hosts",
	                                    "requirements",
	                                    "sbx"};
	json_t *bind = xjson(json_object());

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_t *part = json_object_get(policy, parts[i]);

		if (part)
			json_object_set(bind, parts[i], part);
	}
	return bind;
}

/* Its text may be long, and is bound once for each file. */
static json_t *patch_digest(const json_t *patch)
{
	cleanup_free char *text = xjson(json_text_dump(patch, JSON_COMPACT | JSON_ENCODE_ANY));
	char digest[SHA256_TEXT_SIZE];

	sha256_text(text, strlen(text), digest);
	return xjson(json_string(digest));
}

static json_t *one_bind(const json_t *doc, const char *key, bool outside, const char *want)
{
	const json_t *command = json_object_get(doc, "command");
	json_t *env = json_object_get(command, "env");
	json_t *bind = xjson(json_pack("{s:o,s:O,s:b,s:o}", "key", os_string(key), "cwd",
	                               json_object_get(command, "cwd"), "outside", outside,
	                               "policy", policy_bind(json_object_get(doc, "policy"))));

	/* A yes to what was denied is none to leave the sandbox. */
	json_object_set_new(bind, "want", json_string(want));
	/* The files of a patch say what changes, its words what runs. */
	json_object_set(bind, "argv", json_object_get(command, "argv"));
	if (json_object_get(command, "patch"))
		json_object_set_new(bind, "patch", patch_digest(json_object_get(command, "patch")));
	if (json_is_object(env))
		json_object_set(bind, "env", env);
	return bind;
}

json_t *approval_binds(const json_t *doc, const struct command *command, bool outside,
                       const char *want)
{
	const json_t *files = json_object_get(json_object_get(doc, "command"), "files");
	json_t *binds = xjson(json_array());
	struct error ignored;

	if (strcmp(command->tool, "patch") != 0) {
		cleanup_free char *key = quoted_words("exec:", command->argv);

		json_array_append_new(binds, one_bind(doc, key, outside, want));
		return binds;
	}
	for (size_t i = 0; i < json_array_size(files); i++) {
		cleanup_free char *path =
		        os_string_get(json_array_get(files, i), "command.files", &ignored);
		char *const words[] = {path, NULL};
		cleanup_free char *key = path ? quoted_words("patch:", words) : NULL;

		if (key)
			json_array_append_new(binds, one_bind(doc, key, outside, want));
	}
	return binds;
}

json_t *host_binds(const json_t *doc, const char *key)
{
	json_t *bind = one_bind(doc, key, false, "host");

	json_object_del(bind, "argv");
	json_object_del(bind, "env");
	json_object_del(bind, "patch");
	return xjson(json_pack("[o]", bind));
}
