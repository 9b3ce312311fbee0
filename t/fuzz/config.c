/*
 * Fuzzing what sbx-policy makes of a configuration file.  The first byte says
 * what the rest is: "E" an edit of a file, "G" a pattern and a path with a
 * newline between them, "S" a permission set on paths that do not exist, any
 * other a file of each layer.
 *
 * What must hold: nothing crashes or leaks; only known keys get through, and
 * from a project none that names programs or trusts directories; an edited
 * file means the same but for the edit; a pattern covers what is below what it
 * covers.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "config/keys.h"
#include "fs/globs.h"
#include "must.h"
#include "project/toml_edit.h"
#include "sets/permission_sets.h"
#include "sets/set_entries.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void read_layer(const char *text, size_t len, enum layer layer, struct config *config)
{
	struct toml_document document = {0};
	struct layer_text source = {layer, "file", &document};
	struct notes notes = {0};
	struct error err = {0};

	if (toml_read_document(text, len, "file", NULL, &document, &err) < 0)
		return;
	if (keys_take(&source, document.root, config, &notes, &err) < 0)
		must(err.exit == EXIT_INPUT && err.message[0]);
	toml_document_free(&document);
	notes_free(&notes);
}

static void fuzz_layers(const char *text, size_t len)
{
	struct config project, user, merged;
	const char *name;
	json_t *profile;

	config_begin(&project);
	config_begin(&user);
	config_begin(&merged);
	read_layer(text, len, LAYER_PROJECT, &project);
	read_layer(text, len, LAYER_USER, &user);
	must(!json_object_get(json_object_get(project.values, "sbx"), "approver"));
	must(!json_object_get(json_object_get(project.values, "sbx"), "assessor"));
	must(!config_get(&project, NULL, "shell_environment_policy", "set", "LD_PRELOAD"));
	must(!json_object_get(user.values, "requirements") ||
	     json_object_size(json_object_get(user.values, "requirements")) == 0);
	json_object_foreach (json_object_get(project.values, "projects"), name, profile)
		must(!json_object_get(profile, "trust_level"));
	json_object_foreach (json_object_get(project.values, "profiles"), name, profile) {
		must(!json_object_get(profile, "projects"));
		must(!json_object_get(json_object_get(profile, "sbx"), "approver"));
		config_merge_table(&merged, &project, "profiles", name, LAYER_PROFILE);
	}
	config_merge(&merged, &user);
	config_merge(&merged, &project);
	config_free(&project);
	config_free(&user);
	config_free(&merged);
}

static void fuzz_edit(const char *text, size_t len)
{
	static const char *const path[] = {"projects", "/a b", "trust_level", NULL};
	struct error err = {0};
	cleanup_free char *once = toml_edit("file", text, len, path, "trusted", &err);
	cleanup_free char *twice = NULL;

	if (!once)
		return;
	twice = toml_edit("file", once, strlen(once), path, "trusted", &err);
	must(twice && strcmp(once, twice) == 0);
}

static void fuzz_glob(char *text)
{
	char *path = strchr(text, '\n');
	cleanup_free char *below = NULL;

	if (!path || text[0] != '/' || path[1] != '/')
		return;
	*path++ = '\0';
	below = xasprintf("%s/x", path);
	if (glob_covers(text, path))
		must(glob_covers(text, below));
}

static void fuzz_set(const char *text, size_t len)
{
	struct config config;
	struct settings settings;
	struct policy policy = {0};
	struct notes notes = {0};
	struct workbench bench = {.policy = &policy, .notes = &notes};
	struct error err = {0};

	config_begin(&config);
	settings_default(&settings);
	read_layer(text, len, LAYER_USER, &config);
	settings.config = &config;
	settings.set.name = "x";
	settings.mode.value = MODE_WORKSPACE_WRITE;
	policy.settings = &settings;
	policy.workspace = xstrdup("/nonexistent/ws");
	policy.deny_globs = xjson(json_array());
	config_begin(&policy.set);
	root_list_add(&bench.workspaces, policy.workspace);
	if (set_find(&config, "x", &policy.set, &err) == 0) {
		set_apply(&bench, &err);
		for (size_t i = 0; i < policy.permissions.count; i++)
			must(policy.permissions.entries[i].path[0] == '/');
	}
	bench_free(&bench);
	policy_free(&policy);
	notes_free(&notes);
	settings_free(&settings);
	config_free(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xmalloc(size + 1);

	if (size == 0)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	/* Files with a NUL are refused before they get here. */
	if (strlen(text) != size - 1)
		return 0;
	switch (data[0]) {
	case 'E':
		fuzz_edit(text, size - 1);
		break;
	case 'G':
		fuzz_glob(text);
		break;
	case 'S':
		fuzz_set(text, size - 1);
		break;
	default:
		fuzz_layers(text, size - 1);
		break;
	}
	return 0;
}
