#include "project/remember.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config_file.h"
#include "config/workspace.h"
#include "document/json_list.h"
#include "fs/path.h"
#include "git/repository.h"
#include "project/project_trust.h"
#include "project/replace_file.h"
#include "project/toml_edit.h"
#include "toml/toml.h"
#include "trust/settings_home.h"

#include <string.h>

struct memory {
	const char *project;
	bool forget;
	json_t *write, *hosts; /* what to add, or to take out */
};

/* What the list is to be: the old one, with or without the others. */
static json_t *changed(const json_t *old, const json_t *others, bool forget)
{
	json_t *out = xjson(json_array());

	for (size_t i = 0; i < json_array_size(old); i++) {
		json_t *item = json_array_get(old, i);

		if (json_is_string(item) && !(forget && json_list_has(others, item)))
			json_array_append(out, item);
	}
	for (size_t i = 0; !forget && i < json_array_size(others); i++)
		if (!json_list_has(out, json_array_get(others, i)))
			json_array_append(out, json_array_get(others, i));
	return out;
}

static char *edit_list(const struct memory *memory, const char *key, const json_t *others,
                       const char *name, const char *text, struct error *err)
{
	const char *const path[] = {"projects", memory->project, key, NULL};
	cleanup_json json_t *root = toml_read(text, strlen(text), name, err);
	cleanup_json json_t *list = NULL;
	const json_t *old;

	if (!root)
		return NULL;
	if (json_array_size(others) == 0)
		return xstrdup(text);
	old = json_object_get(json_object_get(json_object_get(root, "projects"), memory->project),
	                      key);
	list = changed(old, others, memory->forget);
	return toml_edit_list(name, text, strlen(text), path, list, err);
}

static char *edit(void *context, const char *name, const char *text, size_t len, struct error *err)
{
	const struct memory *memory = context;
	cleanup_free char *first = NULL;

	(void)len; /* without a NUL: replace_file() has looked */
	first = edit_list(memory, "sbx_write", memory->write, name, text, err);
	return first ? edit_list(memory, "hosts", memory->hosts, name, first, err) : NULL;
}

/* Directories as they are now: a link that is turned later means nothing here. */
static int collect(struct memory *memory, const struct request *request, struct error *err)
{
	for (size_t i = 0; i < request->flags.added.count; i++) {
		const char *named = request->flags.added.paths[i];
		cleanup_free char *path = memory->forget && named[0] == '/'
		                                  ? xstrdup(named)
		                                  : directory_canonical(named, "--add-dir", err);

		if (!path)
			return -1;
		if (path_depth(path) == 0)
			return error_set(err, EXIT_INPUT, "bad-root",
			                 "--add-dir: \"/\": the whole file system");
		if (json_array_append_new(memory->write, json_string(path)) < 0)
			return error_set(err, EXIT_INPUT, "bad-root",
			                 "--add-dir: \"%s\": a file of settings cannot name it",
			                 path);
	}
	for (size_t i = 0; i < request->flags.hosts.count; i++)
		json_array_append_new(memory->hosts,
		                      xjson(json_string(request->flags.hosts.paths[i])));
	if (json_array_size(memory->write) + json_array_size(memory->hosts) == 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--remember and --forget need --add-dir or --allow-host");
	return 0;
}

static void print(FILE *out, const struct memory *memory, const char *what, const json_t *list)
{
	cleanup_free char *project = text_clean(memory->project);

	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *one = text_clean(json_string_value(json_array_get(list, i)));

		fprintf(out, "%s: %s %s %s\n", project, memory->forget ? "no longer may" : "may",
		        what, one);
	}
}

int remember(const char *directory, const struct request *request, FILE *out, struct error *err)
{
	cleanup_free char *place = workspace_find(directory, err);
	cleanup_free char *home = settings_home();
	cleanup_free char *file = home ? path_join(home, "config.toml") : NULL;
	cleanup_json json_t *write = xjson(json_array()), *hosts = xjson(json_array());
	struct repository repository = {0};
	struct memory memory = {
	        .forget = request->question == QUESTION_FORGET, .write = write, .hosts = hosts};
	int status;

	if (!place)
		return -1;
	if (!file)
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "neither CODEX_HOME nor HOME names a directory");
	repository_find(&repository, place);
	memory.project = trust_key(&repository, place);
	status = collect(&memory, request, err);
	if (status == 0)
		status = settings_home_check(memory.project, err);
	if (status == 0)
		status = replace_file(file, edit, &memory, err);
	if (status == 0) {
		print(out, &memory, "write", write);
		print(out, &memory, "reach", hosts);
	}
	repository_free(&repository);
	return status == 0 && fflush(out) == EOF ? error_system(err, "writing") : status;
}
