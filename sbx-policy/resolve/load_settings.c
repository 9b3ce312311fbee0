#include "resolve/load_settings.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config_file.h"
#include "config/environment_filters.h"
#include "config/environment_modes.h"
#include "managed/managed_file.h"
#include "managed/requirements.h"
#include "config/workspace.h"
#include "fs/path.h"
#include "policy/words.h"
#include "project/project_file.h"
#include "project/project_trust.h"
#include "sets/chosen_names.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A name, so that no profile is a path out of the directory. */
static bool is_plain(const char *name)
{
	return name[0] && name[0] != '.' && strlen(name) < 200 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
	               strlen(name);
}

static int read_profile(struct config *config, const char *name, const char *home,
                        struct notes *notes, struct error *err)
{
	bool found;

	if (!name)
		return 0;
	found = config_merge_table(config, config, "profiles", name, LAYER_PROFILE);
	if (home && is_plain(name)) {
		cleanup_free char *file = xasprintf("%s.config.toml", name);
		int got = file_read_own(home, file, LAYER_PROFILE, config, notes, err);

		if (got < 0)
			return -1;
		found |= got > 0;
	}
	if (!found)
		return chosen_unknown("profile", name, config, err);
	return 0;
}

static void put_word(const struct config *config, struct setting *setting, const char *const *words,
                     const char *key, struct notes *notes)
{
	struct from from;
	const json_t *value = config_get(config, &from, key);
	int index;

	if (!value)
		return;
	index = word_index(words, json_string_value(value));
	/* A person who asked for something else should know. */
	if (from.layer == LAYER_MANAGED && setting->layer == LAYER_FLAG && setting->value != index)
		notes_add(notes, "%s: \"%s\" by %s; %s is ignored", key, words[index], from.source,
		          setting->source);
	setting_put(setting, index, from.layer, from.source);
}

/* A table says which questions of on-request may be asked; see policy.granular. */
static void put_approval(const struct config *config, struct setting *setting, struct notes *notes)
{
	struct from from;

	if (json_is_object(config_get(config, &from, "approval_policy")))
		setting_put(setting, ASK_ON_REQUEST, from.layer, from.source);
	else
		put_word(config, setting, approval_names, "approval_policy", notes);
}

static void put_truth(const struct config *config, struct setting *setting, const char *table,
                      const char *key)
{
	struct from from;
	const json_t *value = config_get(config, &from, table, key);

	if (value)
		setting_put(setting, json_is_true(value), from.layer, from.source);
}

/* A relative one is below the workspace, wherever the file lies. */
static char *root_path(const char *path, const char *workspace, const char *source,
                       struct error *err)
{
	const char *home = getenv("HOME");

	if (strncmp(path, "~/", 2) != 0)
		return path[0] == '/' ? xstrdup(path) : path_join(workspace, path);
	if (home && home[0] == '/')
		return path_join(home, path + 2);
	error_set(err, EXIT_INPUT, "bad-config", "%s: \"%s\": HOME is not set", source, path);
	return NULL;
}

static int put_roots(const struct config *config, const char *workspace, struct root_list *roots,
                     struct error *err)
{
	struct from from;
	const json_t *list = config_get(config, &from, "sandbox_workspace_write", "writable_roots");

	if (!list)
		return 0;
	roots->layer = from.layer;
	roots->source = from.source;
	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *path = root_path(json_string_value(json_array_get(list, i)),
		                                    workspace, from.source, err);

		if (!path)
			return -1;
		root_list_add(roots, path);
	}
	return 0;
}

/* The set of whoever chose none, nor a mode, is the administrator's to choose. */
static const json_t *chosen_set(const struct settings *settings, struct from *from)
{
	const json_t *value = config_get(settings->config, from, "default_permissions");

	if (value || settings->set.name || settings->mode.layer != LAYER_DEFAULT)
		return value;
	return config_get(settings->config, from, "requirements", "default_permissions");
}

/* The mode, or a permission set: whichever layer spoke last. */
static int choose(struct settings *settings, struct error *err)
{
	static const char *const built_in[] = {":read-only", ":workspace", ":danger-full-access",
	                                       NULL};
	struct from from;
	const json_t *value = chosen_set(settings, &from);
	int mode;

	if (value && from.layer >= settings->set.layer) {
		settings->set.name = json_string_value(value);
		settings->set.layer = from.layer;
		settings->set.source = from.source;
	}
	if (!settings->set.name)
		return 0;
	if (settings->mode.layer == settings->set.layer && settings->set.layer < LAYER_FLAG)
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "%s: default_permissions: conflicts with sandbox_mode (%s); "
		                 "remove one of them",
		                 settings->set.source, settings->mode.source);
	if (settings->mode.layer > settings->set.layer) {
		settings->set.name = NULL;
		return 0;
	}
	mode = word_index(built_in, settings->set.name);
	if (mode >= 0) {
		setting_put(&settings->mode, mode, settings->set.layer, settings->set.source);
		settings->mode.built_in = true;
		settings->set.name = NULL;
	} else {
		setting_put(&settings->mode, MODE_WORKSPACE_WRITE, settings->set.layer,
		            settings->set.source);
	}
	return 0;
}

/* A set says all of it by itself: [sandbox_workspace_write] is about the mode of that name. */
static void forget_mode_table(struct settings *settings)
{
	struct setting none = {.source = settings->mode.source};

	settings->network_access = settings->exclude_tmpdir = settings->exclude_slash_tmp = none;
	root_list_free(&settings->writable_roots);
}

/* What was chosen with the trust, where anything can be hidden. */
static void put_hidden(struct settings *settings)
{
	struct from from;
	const json_t *what =
	        config_get(settings->config, &from, "projects", settings->trust.path, "sbx_hide");

	if (!what || mode_width(settings->mode.value) > mode_width(MODE_WORKSPACE_WRITE))
		return;
	if (settings->hidden.count == 0)
		settings->hidden.source = from.source;
	root_list_add(&settings->hidden, json_string_value(what));
}

/* What --remember wrote down. */
static int put_kept(struct settings *settings, const char *project, struct error *err)
{
	struct from from;
	const json_t *list = config_get(settings->config, &from, "projects", project, "sbx_write");

	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *path = root_path(json_string_value(json_array_get(list, i)),
		                                    project, from.source, err);

		if (!path)
			return -1;
		settings->kept.layer = from.layer;
		settings->kept.source = from.source;
		root_list_add(&settings->kept, path);
	}
	return 0;
}

static int fill(struct settings *settings, const char *workspace, const char *project,
                struct notes *notes, struct error *err)
{
	const struct config *config = settings->config;
	struct from from;
	struct from tmp_from;
	const json_t *bwrap = config_get(config, &from, "sbx", "bwrap");
	const json_t *tmp = config_get(config, &tmp_from, "sbx", "tmp");

	/* Built-in defaults by trust; every other layer speaks later. */
	if (settings->trust.level == TRUST_TRUSTED)
		setting_put(&settings->mode, MODE_WORKSPACE_WRITE, LAYER_DEFAULT,
		            "default when trusted");
	put_word(config, &settings->mode, mode_names, "sandbox_mode", notes);
	put_approval(config, &settings->approval, notes);
	put_truth(config, &settings->network_access, "sandbox_workspace_write", "network_access");
	put_truth(config, &settings->exclude_tmpdir, "sandbox_workspace_write",
	          "exclude_tmpdir_env_var");
	put_truth(config, &settings->exclude_slash_tmp, "sandbox_workspace_write",
	          "exclude_slash_tmp");
	put_truth(config, &settings->nested, "sbx", "nested");
	if (bwrap)
		setting_put(&settings->bwrap, word_index(bwrap_names, json_string_value(bwrap)),
		            from.layer, from.source);
	if (tmp)
		setting_put(&settings->tmp, word_index(tmp_names, json_string_value(tmp)),
		            tmp_from.layer, tmp_from.source);
	if (filters_agree(config, err) < 0 ||
	    put_roots(config, workspace, &settings->writable_roots, err) < 0 ||
	    put_kept(settings, project, err) < 0 || choose(settings, err) < 0)
		return -1;
	if (settings->mode.built_in)
		forget_mode_table(settings);
	put_hidden(settings);
	return 0;
}

/* What the flags say; the layers below them come later and lose. */
static void take_flags(struct settings *settings, const struct request *request)
{
	static const char automatic[] = "flag --full-auto";

	*settings = request->flags;
	root_list_copy(&settings->added, &request->flags.added);
	root_list_copy(&settings->narrowed, &request->flags.narrowed);
	root_list_copy(&settings->presets, &request->flags.presets);
	root_list_copy(&settings->hidden, &request->flags.hidden);
	root_list_copy(&settings->hosts, &request->flags.hosts);
	/* Nobody tries out what may change nothing. */
	if (settings->preview && settings->mode.layer < LAYER_FLAG && !settings->set.name)
		setting_put(&settings->mode, MODE_WORKSPACE_WRITE, LAYER_FLAG, "flag --preview");
	if (!request->full_auto)
		return;
	setting_put(&settings->mode, MODE_WORKSPACE_WRITE, LAYER_FLAG, automatic);
	setting_put(&settings->approval, word_index(approval_names, "never"), LAYER_FLAG,
	            automatic);
}

static int find_place(struct loaded *loaded, const struct request *request, struct error *err)
{
	loaded->workspace = workspace_find(request->directory, err);
	if (request->refused.exit) {
		*err = request->refused;
		return -1;
	}
	if (!loaded->workspace)
		return -1;
	repository_find(&loaded->repository, loaded->workspace);
	if (settings_home_check(loaded->workspace, err) < 0)
		return -1;
	return loaded->repository.root ? settings_home_check(loaded->repository.root, err) : 0;
}

/* By option, else as the files say. */
static const char *profile_of(const struct request *request, const struct config *config)
{
	return request->profile ? request->profile
	                        : json_string_value(config_get(config, NULL, "profile"));
}

/* The layers between the user's file, which is there, and the flags. */
static int read_layers(struct loaded *loaded, const struct request *request, const char *home,
                       struct notes *notes, struct error *err)
{
	struct trust *trust = &loaded->settings.trust;
	struct config *config = &loaded->config;
	struct config managed, decisions;
	int status;

	config_begin(&managed);
	config_begin(&decisions);
	status = managed_read(&managed, notes, err);
	if (status == 0) {
		/* A project has no say in who trusts it. */
		config_merge_key(&decisions, config, "projects");
		config_merge_key(&decisions, &request->overrides, "projects");
		config_merge_key(&decisions, &managed, "projects");
		trust_find(trust, &decisions, &loaded->repository, loaded->workspace);
		status = project_read(config, trust, &loaded->repository, loaded->workspace, home,
		                      notes, err);
	}
	if (status == 0)
		status = read_profile(config, profile_of(request, config), home, notes, err);
	if (status == 0) {
		config_merge(config, &request->overrides);
		status = managed_merge(config, &managed, err);
		/* The decision may stand in any of the layers: its words live in the merged one. */
		trust_find(trust, config, &loaded->repository, loaded->workspace);
	}
	config_free(&managed);
	config_free(&decisions);
	return status;
}

int settings_load(struct loaded *loaded, const struct request *request, struct notes *notes,
                  struct error *err)
{
	struct settings *settings = &loaded->settings;
	cleanup_free char *home = settings_home();

	take_flags(settings, request);
	config_begin(&loaded->config);
	settings->config = &loaded->config;
	if (find_place(loaded, request, err) < 0)
		return -1;
	if (system_read(&loaded->config, notes, err) < 0 ||
	    (home &&
	     file_read_own(home, "config.toml", LAYER_USER, &loaded->config, notes, err) < 0))
		return -1;
	if (read_layers(loaded, request, home, notes, err) < 0 ||
	    fill(settings, loaded->workspace, trust_key(&loaded->repository, loaded->workspace),
	         notes, err) < 0 ||
	    environment_narrow(settings, notes, err) < 0 ||
	    settings_require(settings, notes, err) < 0)
		return -1;
	return settings_agree(settings, err);
}

void loaded_free(struct loaded *loaded)
{
	settings_free(&loaded->settings);
	config_free(&loaded->config);
	repository_free(&loaded->repository);
	free(loaded->workspace);
}
