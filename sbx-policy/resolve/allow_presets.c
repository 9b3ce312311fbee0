#include "resolve/allow_presets.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "typed/nearest_word.h"
#include "fs/followed_path.h"
#include "grant/presets.h"
#include "hosts/host_rule.h"
#include "network/tool_hosts.h"

#include <string.h>

struct apply {
	struct workbench *bench;
	const char *source;
	size_t granted; /* write entries of the preset */
};

/* One path of a preset, where it leads to. */
static void add(void *context, const struct preset_path *found)
{
	struct apply *apply = context;
	struct error why = {0};
	struct trail trail;

	if (trail_follow(&trail, found->base, found->path[0] ? found->path : ".", &why) == 0) {
		if (found->access == ACCESS_READ) {
			for (size_t i = 0; i < trail.count; i++)
				bench_pin(apply->bench, trail.links[i], apply->source);
			policy_add(apply->bench->policy, trail.target, ACCESS_READ, apply->source,
			           true);
		} else if (!trail.stopped || found->new) {
			policy_add(apply->bench->policy, trail.target, ACCESS_WRITE, apply->source,
			           true);
			if (found->bare)
				root_list_add(&apply->bench->bare, trail.target);
			apply->granted++;
		}
	}
	trail_free(&trail);
}

/* The option for what is no preset, or NULL: paths, hosts and networks have their own. */
static const char *other_option(const char *name)
{
	return strchr(name, '/') || name[0] == '~'                        ? "--add-dir"
	       : strchr(name, '.') || strncmp(name, "host:", 5) == 0      ? "--allow-host"
	       : strcmp(name, "network") == 0 || strcmp(name, "net") == 0 ? "--network"
	       : strcmp(name, "tmp") == 0                                 ? "--tmp shared"
	                                                                  : NULL;
}

/* "npm" is a part of "cache:npm"; otherwise what is spelled nearly like it. */
static const char *preset_like(const char *name)
{
	struct nearest nearest = nearest_begin(name);
	const char *other;

	for (size_t i = 0; (other = preset_name(i)) != NULL; i++) {
		const char *colon = strchr(other, ':');

		if (colon && strcmp(colon + 1, name) == 0)
			return other;
		nearest_try(&nearest, other, strlen(other));
	}
	return nearest.word;
}

static int unknown(const char *name, struct error *err)
{
	const char *option = other_option(name);
	const char *like = preset_like(name);

	if (option)
		return error_set(err, EXIT_INPUT, "no-preset",
		                 "preset \"%s\": no such preset; did you mean %s?", name, option);
	return error_set(err, EXIT_INPUT, "no-preset", "preset \"%s\": no such preset%s%s%s", name,
	                 like ? "; did you mean \"" : "; sbx-policy(1) lists them",
	                 like ? like : "", like ? "\"?" : "");
}

static bool known(const char *name)
{
	const char *other;

	for (size_t i = 0; (other = preset_name(i)) != NULL; i++)
		if (strcmp(other, name) == 0)
			return true;
	return preset_is_device(name);
}

/* Its settings are what "git" keeps closed: with them, the other says nothing more. */
static bool is_within_another(const struct workbench *bench, const char *name)
{
	return strcmp(name, "git") == 0 && bench_has_preset(bench, "git:config");
}

static int apply_one(struct workbench *bench, const char *name, const char *source,
                     struct error *err)
{
	struct preset_place place = {bench->policy->workspace, bench->repository, bench->notes};
	struct apply apply = {.bench = bench, .source = bench_word(bench, source)};

	/* Hosts are there already. */
	if (is_tool_hosts(name))
		return 0;
	if (!known(name))
		return unknown(name, err);
	if (is_within_another(bench, name))
		return 0;
	if (preset_expand(name, &place, add, &apply, err) < 0)
		return -1;
	if (strcmp(name, "git:config") == 0)
		notes_add(bench->notes,
		          "--allow git:config: settings of git name programs, which it runs "
		          "outside of the sandbox; look at .git/config afterwards");
	if (strcmp(name, "debug") == 0)
		bench->policy->debug = true;
	else if (preset_kept(name))
		notes_add(bench->notes, "--allow %s: nothing was added: %s", name,
		          preset_kept(name));
	else if (apply.granted == 0)
		notes_add(bench->notes, "--allow %s: nothing of it exists here; nothing was added",
		          name);
	return 0;
}

int presets_apply(struct workbench *bench, struct error *err)
{
	const struct root_list *names = &bench->policy->settings->presets;
	struct from from = {0};
	const json_t *list = config_get(&bench->policy->set, &from, "allow");

	for (size_t i = 0; i < names->count; i++) {
		cleanup_free char *source = xasprintf("flag --allow %.40s", names->paths[i]);

		if (apply_one(bench, names->paths[i], source, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		cleanup_free char *source = xasprintf("%s: allow %.40s", from.source, name);

		if (apply_one(bench, name, source, err) < 0)
			return -1;
	}
	return 0;
}
