#include "codex/codex_profile.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "codex/said.h"
#include "document/json_pool.h"

#include <stdbool.h>
#include <string.h>

/* The set that a profile becomes. */
#define SET "codex-linux-sandbox"

/* The key of a set for a special path; NULL: one that nobody knows, and that gives nothing. */
static const char *special_key(const json_t *kind)
{
	static const char *const special[][2] = {
	        {"root", ":root"},
	        {"minimal", ":minimal"},
	        {"project_roots", ":workspace_roots"},
	        {"current_working_directory", ":workspace_roots"},
	        {"tmpdir", ":tmpdir"},
	        {"slash_tmp", ":slash_tmp"},
	};

	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (said_is(kind, special[i][0]))
			return special[i][1];
	return NULL;
}

/* An entry's place: a key of a set, and what is below it.  A key of NULL gives nothing. */
struct place {
	const char *key, *below;
};

static int place_of(const json_t *path, struct place *place, struct error *err)
{
	static const char option[] = "--permission-profile";
	const json_t *value = json_object_get(path, "value");
	const json_t *below = json_object_get(value, "subpath");

	*place = (struct place){.below = "."};
	if (said_is(json_object_get(path, "type"), "path")) {
		place->key = json_string_value(json_object_get(path, "path"));
		/* A word of ours with a colon is none of codex's paths. */
		return place->key && *place->key == '/'
		               ? 0
		               : said_wrong(err, option, "path", "an absolute path");
	}
	if (said_is(json_object_get(path, "type"), "glob_pattern")) {
		place->key = json_string_value(json_object_get(path, "pattern"));
		if (!place->key || !*place->key || *place->key == ':')
			return said_wrong(err, option, "pattern", "a pattern");
		/* Any other is about the workspace. */
		if (*place->key != '/' && *place->key != '~') {
			place->below = place->key;
			place->key = ":workspace_roots";
		}
		return 0;
	}
	if (!said_is(json_object_get(path, "type"), "special"))
		return said_wrong(err, option, "path.type", "path, glob_pattern or special");
	place->key = special_key(json_object_get(value, "kind"));
	if (said_nothing(below))
		return 0;
	place->below = json_string_value(below);
	if (!place->below || !*place->below)
		return said_wrong(err, option, "subpath", "a path");
	return !place->key || strcmp(place->key, ":workspace_roots") == 0
	               ? 0
	               : error_set(err, EXIT_INPUT, "bad-policy",
	                           "%s: \"%s\": only the workspace has a subpath", option,
	                           place->key);
}

/* One place twice: to be closed wins, then to be written.  As with every entry, in no order. */
static json_t *stronger(json_t *one, json_t *other)
{
	static const char *const order[] = {"deny", "none", "write", "read"};

	for (size_t i = 0; one && i < sizeof(order) / sizeof(order[0]); i++)
		if (said_is(one, order[i]) || said_is(other, order[i]))
			return said_is(one, order[i]) ? one : other;
	return other;
}

/* Into table[key][below]. */
static int entry(json_t *table, json_t *given, struct error *err)
{
	static const char *const known[] = {"path", "access", "missing_path_behavior", NULL};
	static const char *const words[] = {"read", "write", "deny", "none", NULL};
	json_t *access = json_object_get(given, "access");
	struct place place;
	json_t *parts;

	if (said_only(given, "--permission-profile: entries", known, err) < 0 ||
	    place_of(json_object_get(given, "path"), &place, err) < 0)
		return -1;
	if (!json_is_string(access) || !word_among(json_string_value(access), words))
		return said_wrong(err, "--permission-profile", "access", "read, write or deny");
	/* What is not understood opens nothing, and must not fail to close anything. */
	if (!place.key && !said_is(access, "read") && !said_is(access, "write"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: an unknown special path is to be closed");
	if (!place.key) {
		complain("--permission-profile: an unknown special path, ignored");
		return 0;
	}
	parts = json_object_get(table, place.key);
	if (!parts) {
		parts = xjson(json_object());
		json_object_set_new(table, place.key, parts);
	}
	json_object_set(parts, place.below, stronger(json_object_get(parts, place.below), access));
	return 0;
}

/* permissions.SET.filesystem.KEY[.BELOW] = ACCESS; only the workspace has paths below it. */
static void set_entries(struct strings *words, json_t *table)
{
	const char *key, *below;
	json_t *parts, *access;

	json_object_foreach (table, key, parts) {
		cleanup_json json_t *name = xjson(json_string(key));
		cleanup_free char *quoted = xjson(json_text_dump(name, JSON_ENCODE_ANY));

		json_object_foreach (parts, below, access) {
			cleanup_json json_t *sub = xjson(json_string(below));
			cleanup_free char *inner = xjson(json_text_dump(sub, JSON_ENCODE_ANY));
			cleanup_free char *whole =
			        strcmp(key, ":workspace_roots") == 0
			                ? xasprintf("permissions." SET ".filesystem.%s.%s", quoted,
			                            inner)
			                : xasprintf("permissions." SET ".filesystem.%s", quoted);

			said_config(words, whole, access);
		}
	}
}

/* What a profile says about files, as a set. */
static int files_of(struct strings *words, json_t *files, struct error *err)
{
	static const char *const known[] = {"type", "entries", "glob_scan_max_depth", NULL};
	const json_t *depth = json_object_get(files, "glob_scan_max_depth");
	const json_t *entries = json_object_get(files, "entries");
	cleanup_json json_t *table = xjson(json_object());
	size_t i;
	json_t *given;

	if (!said_is(json_object_get(files, "type"), "restricted"))
		return said_wrong(err, "--permission-profile", "file_system",
		                  "restricted or unrestricted");
	if (said_only(files, "--permission-profile: file_system", known, err) < 0)
		return -1;
	if (!said_nothing(depth) && !json_is_integer(depth))
		return said_wrong(err, "--permission-profile", "glob_scan_max_depth", "a number");
	if (!said_nothing(entries) && !json_is_array(entries))
		return said_wrong(err, "--permission-profile", "entries", "a list");
	/* A set without an entry is one, too. */
	said_option(words, "--config", "permissions." SET ".description=\"codex-linux-sandbox\"");
	if (json_is_integer(depth))
		said_config(words, "permissions." SET ".filesystem.glob_scan_max_depth", depth);
	json_array_foreach (entries, i, given)
		if (entry(table, given, err) < 0)
			return -1;
	set_entries(words, table);
	return 0;
}

static int managed(struct strings *words, json_t *profile, struct error *err)
{
	json_t *files = json_object_get(profile, "file_system");
	const json_t *network = json_object_get(profile, "network");

	if (!said_nothing(network) && !said_is(network, "enabled") &&
	    !said_is(network, "restricted"))
		return said_wrong(err, "--permission-profile", "network", "restricted or enabled");
	said_option(words, "--permissions", SET);
	said_option(words, "--network", said_is(network, "enabled") ? "on" : "loopback");
	if (!said_is(json_object_get(files, "type"), "unrestricted"))
		return files_of(words, files, err);
	said_option(words, "--config", "permissions." SET ".filesystem.\":root\"=\"write\"");
	return 0;
}

int codex_profile(struct strings *words, json_t *profile, struct error *err)
{
	static const char *const known[] = {"type", "file_system", "network", NULL};
	const json_t *type = json_object_get(profile, "type");

	if (said_only(profile, "--permission-profile", known, err) < 0)
		return -1;
	if (said_is(type, "managed"))
		return managed(words, profile, err);
	if (!said_is(type, "disabled") && !said_is(type, "external"))
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "--permission-profile: type: expected managed, disabled or "
		                 "external");
	said_option(words, "--sandbox",
	            said_is(type, "disabled") ? "danger-full-access" : "external-sandbox");
	return 0;
}
