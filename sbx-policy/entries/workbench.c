#include "entries/workbench.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void later(struct later_list *list, const char *path, const char *source)
{
	list_add(list->items, list->count, (struct later){xstrdup(path), source});
}

static void later_free(struct later_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].path);
	free(list->items);
}

bool bench_writable(const struct workbench *bench, const char *path)
{
	return permissions_resolve(&bench->policy->permissions, path, NULL) == ACCESS_WRITE;
}

bool bench_is_private(const struct workbench *bench, const char *path)
{
	return bench->private_tmp &&
	       tmp_decides(&bench->policy->permissions, bench->private_tmp, path);
}

void bench_missing(struct workbench *bench, const char *path, const char *source)
{
	later(&bench->missing, path, source);
}

void bench_pin(struct workbench *bench, const char *path, const char *source)
{
	later(&bench->pins, path, source);
}

void bench_pin_links(struct workbench *bench, const char *path, const char *source)
{
	cleanup_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	struct error none = {0};
	struct trail trail;

	if (path[0] != '/' && !(here && here[0] == '/'))
		return;
	trail_follow(&trail, here ? here : "/", path, &none);
	for (size_t i = 0; i < trail.count; i++)
		bench_pin(bench, trail.links[i], source);
	trail_free(&trail);
}

const char *bench_word(struct workbench *bench, const char *word)
{
	for (size_t i = 0; i < bench->policy->words.count; i++)
		if (strcmp(bench->policy->words.paths[i], word) == 0)
			return bench->policy->words.paths[i];
	root_list_add(&bench->policy->words, word);
	return bench->policy->words.paths[bench->policy->words.count - 1];
}

void bench_judge(struct workbench *bench)
{
	for (size_t i = 0; i < bench->pins.count; i++) {
		const struct later *item = &bench->pins.items[i];

		if (bench_writable(bench, item->path) && !bench_is_private(bench, item->path))
			policy_add(bench->policy, item->path, ACCESS_READ, item->source, false);
	}
	for (size_t i = 0; i < bench->missing.count; i++) {
		const struct later *item = &bench->missing.items[i];
		cleanup_free char *parent = path_parent(item->path);

		/* What lies in a protected name that is missing cannot be made, either. */
		if (!bench_writable(bench, item->path) || inside_protected_name(parent)) {
			notes_add(bench->notes, "%s: \"%s\": does not exist; not made writable",
			          item->source, item->path);
			continue;
		}
		policy_add(bench->policy, item->path, ACCESS_WRITE, item->source, true);
		/* A protected name below would have to be made, and this with it. */
		root_list_add(&bench->bare, item->path);
	}
}

/* Whoever makes it begins in the nearest directory that is there. */
static bool can_be_made(const struct workbench *bench, const char *path)
{
	cleanup_free char *above = path_parent(path);

	while (access(above, F_OK) < 0 && above[1]) {
		char *next = path_parent(above);

		free(above);
		above = next;
	}
	return bench_writable(bench, above);
}

void bench_judge_again(struct workbench *bench)
{
	for (size_t i = 0; i < bench->missing.count; i++) {
		const struct later *item = &bench->missing.items[i];

		if (!bench_writable(bench, item->path) || can_be_made(bench, item->path))
			continue;
		policy_withdraw(bench->policy, item->path);
		notes_add(bench->notes, "%s: \"%s\": does not exist; not made writable",
		          item->source, item->path);
	}
}

void bench_missed(struct workbench *bench, int number)
{
	if (error_is_ours(number))
		bench->failed = number;
}

void bench_free(struct workbench *bench)
{
	free(bench->private_tmp);
	later_free(&bench->missing);
	later_free(&bench->pins);
	root_list_free(&bench->workspaces);
	root_list_free(&bench->temporary);
	root_list_free(&bench->narrowed);
	root_list_free(&bench->bare);
	root_list_free(&bench->configured);
}

bool bench_has_preset(const struct workbench *bench, const char *name)
{
	const struct root_list *names = &bench->policy->settings->presets;

	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->paths[i], name) == 0)
			return true;
	return false;
}
