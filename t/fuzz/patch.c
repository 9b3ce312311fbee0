/*
 * Fuzzing the reader of patches.
 *
 * What must hold: nothing crashes or leaks; every line points into the text and
 * has a mark; no name has a step back, one that is not absolute lies below the
 * working directory, and an update changes something.
 */
#include "patches/patch_text.h"

#include "base/cleanup.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "must.h"

#include <string.h>

static void look_at(const struct patch_change *change, const char *text, size_t size)
{
	for (size_t i = 0; i < change->count; i++) {
		const struct patch_line *line = &change->lines[i];

		must(line->mark && strchr(" -+", line->mark));
		must(line->text >= text && line->text + line->len <= text + size);
		must(!memchr(line->text, '\n', line->len));
	}
}

static void look_at_name(const char *name)
{
	cleanup_free char *path = *name == '/' ? NULL : path_join("/ws", name);

	must(!path || (path_is_normal(path) && strncmp(path, "/ws/", 4) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly these bytes: what reads beyond them is seen. */
	const char *text = (const char *)data;
	struct patch_text patch;
	struct error err = {0};
	cleanup_vector char **names = NULL;

	if (patch_read(text, size, &patch, &err) < 0) {
		must(err.exit == EXIT_INPUT && patch.count == 0);
		return 0;
	}
	names = patch_names(&patch, "/ws");
	for (size_t i = 0; names[i]; i++)
		must(path_is_normal(names[i]));
	for (size_t i = 0; i < patch.count; i++) {
		const struct patch_file *file = &patch.files[i];

		must(file->kind != PATCH_UPDATE || file->count > 0 || file->moved);
		must(file->kind != PATCH_ADD || file->count == 1);
		look_at_name(file->name);
		if (file->moved)
			look_at_name(file->moved);
		for (size_t k = 0; k < file->count; k++)
			look_at(&file->changes[k], text, size);
	}
	patch_free(&patch);
	return 0;
}
