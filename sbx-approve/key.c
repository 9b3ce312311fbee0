#include "key.h"

#include "cleanup.h"
#include "memory.h"
#include "osstring.h"
#include "text.h"

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
