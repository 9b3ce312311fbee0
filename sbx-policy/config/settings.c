#include "config/settings.h"

#include "base/memory.h"
#include "policy/words.h"

#include <string.h>

/* external-sandbox is a promise about the surroundings, which no file can make. */
const char *const config_mode_names[] = {"read-only", "workspace-write", "danger-full-access",
                                         NULL};
const char *const trust_names[] = {"unknown", "untrusted", "trusted", NULL};
const char *const content_names[] = {"none", "unseen", "changed", "seen", NULL};
const char *const tmp_names[] = {"private", "shared", NULL};
const char *const bwrap_names[] = {"auto", "vendored", "system", NULL};

void settings_default(struct settings *settings)
{
	const struct setting off = {.layer = LAYER_DEFAULT, .source = "default"};

	*settings = (struct settings){
	        .mode = {.value = MODE_READ_ONLY, .source = "default"},
	        .approval = {.value = ASK_ON_REQUEST, .source = "default"},
	        .network = {.value = NETWORK_UNSET, .source = "default"},
	        .bwrap = off,
	        .nested = off,
	        .tmp = {.value = TMP_PRIVATE, .source = "default"},
	        .network_access = off,
	        .exclude_tmpdir = off,
	        .exclude_slash_tmp = off,
	        .writable_roots = {.source = "default"},
	        .added = {.layer = LAYER_FLAG, .source = "flag --add-dir"},
	        .narrowed = {.layer = LAYER_FLAG, .source = "flag --narrow"},
	        .hosts = {.layer = LAYER_FLAG, .source = "flag --allow-host"},
	        .presets = {.layer = LAYER_FLAG, .source = "flag --allow"},
	        .set = {.source = "default"},
	        .trust = {.source = "default"},
	};
}

void settings_free(struct settings *settings)
{
	root_list_free(&settings->writable_roots);
	root_list_free(&settings->kept);
	root_list_free(&settings->added);
	root_list_free(&settings->narrowed);
	root_list_free(&settings->presets);
	root_list_free(&settings->hidden);
	root_list_free(&settings->hosts);
	free(settings->trust.path);
	free(settings->trust.config);
	free(settings->trust.rules);
}

void setting_put(struct setting *setting, int value, enum layer layer, const char *source)
{
	if (layer >= setting->layer)
		*setting = (struct setting){.value = value, .layer = layer, .source = source};
}

bool settings_preview(const struct settings *settings)
{
	return settings->preview || settings->approval.value == ASK_ON_CHANGE;
}

void root_list_add(struct root_list *list, const char *path)
{
	list_add(list->paths, list->count, xstrdup(path));
}

void root_list_copy(struct root_list *list, const struct root_list *from)
{
	*list = (struct root_list){.layer = from->layer, .source = from->source};
	for (size_t i = 0; i < from->count; i++)
		root_list_add(list, from->paths[i]);
}

void root_list_free(struct root_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	list->paths = NULL;
	list->count = 0;
}
