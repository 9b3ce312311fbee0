/*
 * Fuzzing what a patch makes of a file: a patch, a NUL, and the file.
 *
 * What must hold: nothing crashes or leaks, and what comes out ends with a line
 * end unless it is empty.
 */
#include "patch/change.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "must.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xstrndup((const char *)data, size);
	size_t len = strlen(text), rest = size > len ? size - len - 1 : 0;
	struct content old = {.text = xmalloc(rest + 1), .len = rest};
	struct patch_text patch;
	struct error err = {0};

	memcpy(old.text, data + (size - rest), rest);
	if (patch_read(text, len, &patch, &err) == 0) {
		for (size_t i = 0; i < patch.count; i++) {
			struct content out = {0};
			struct error why = {0};

			if (patch.files[i].kind != PATCH_UPDATE || patch.files[i].count == 0)
				continue;
			if (change_update(&patch.files[i], &old, &out, &why) == 0)
				must(out.len == 0 || strchr("\r\n", out.text[out.len - 1]));
			free(out.text);
		}
		patch_free(&patch);
	}
	free(old.text);
	return 0;
}
