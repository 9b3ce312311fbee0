#include "answer/patch_member.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "document/osstring.h"
#include "patches/patch_text.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* As far as it may be, and one byte more, so that what is too long is seen to be. */
static char *read_text(int fd, size_t *len)
{
	char *text = xmalloc(PATCH_BYTES_MAX + 1);
	ssize_t n = read_full(fd, text, PATCH_BYTES_MAX + 1);

	*len = n < 0 ? 0 : (size_t)n;
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

static int add(json_t *command, const char *text, size_t len, const char *cwd, struct error *err)
{
	struct patch_text patch;
	cleanup_vector char **names = NULL;

	if (patch_read(text, len, &patch, err) < 0)
		return -1;
	names = patch_names(&patch, cwd);
	patch_free(&patch);
	if (!names[0])
		return error_set(err, EXIT_INPUT, "bad-patch", "the patch changes no file");
	json_object_set_new(command, "files", os_vector(names));
	json_object_set_new(command, "patch", os_bytes(text, len));
	return 0;
}

int patch_take(json_t *doc, const char *file, const char *cwd, struct error *err)
{
	bool given = strcmp(file, "-") == 0;
	cleanup_close int fd = given ? -1 : open(file, O_RDONLY | O_CLOEXEC);
	cleanup_free char *text = NULL;
	size_t len;

	if (!given && fd < 0)
		return error_system(err, "\"%s\"", file);
	text = read_text(given ? STDIN_FILENO : fd, &len);
	if (!text)
		return error_system(err, "reading the patch");
	return add(json_object_get(doc, "command"), text, len, cwd, err);
}
