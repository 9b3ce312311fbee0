/*
 * Fuzzing the reader of documents.
 *
 * What must hold: nothing crashes or leaks; the fast reader takes nothing that
 * jansson refuses, and reads it the same; what is written is what jansson
 * writes, and reads back the same; a command that was taken has words and an
 * absolute directory.
 */
#include "base/cleanup.h"
#include "document/document.h"
#include "document/json_text.h"
#include "must.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* NUL in a key is refused by jansson and by us. */
static void compare_readers(const char *text, size_t len)
{
	cleanup_json json_t *fast = NULL;
	cleanup_json json_t *slow = NULL;
	struct json_buffer buffer = {0};
	size_t used = 0;
	bool compact = false;
	char *written;

	if (json_text_read(text, len, &fast, &used, &compact) != JSON_TEXT_READ)
		return;
	must(used <= len);
	slow = json_loadb(text, used, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
	must(slow && json_equal(fast, slow));
	written = json_dumps(slow, JSON_COMPACT | JSON_ENSURE_ASCII * 0);
	must(written && json_text_write(fast, &buffer) == 0);
	must(buffer.used == strlen(written) && memcmp(buffer.text, written, buffer.used) == 0);
	must(!compact || (buffer.used == used && memcmp(buffer.text, text, used) == 0));
	free(written);
	free(buffer.text);
}

static void take_command(const json_t *doc)
{
	struct command command = {0};
	struct error err = {0};

	document_error(doc);
	command_unknown_member(doc);
	if (command_get(doc, &command, &err) == 0)
		must(command.argv[0] && command.cwd[0] == '/');
	else
		must(err.exit && err.message[0]);
	command_free(&command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct document_stream *stream;
	struct error err = {0};
	json_t *doc = NULL;
	int got;

	compare_readers((const char *)data, size);
	if (fd < 0)
		fd = memfd_create("documents", MFD_CLOEXEC);
	must(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size &&
	     lseek(fd, 0, SEEK_SET) == 0);
	stream = document_stream_open(fd);
	while ((got = document_read(stream, &doc, &err)) > 0) {
		take_command(doc);
		json_decref(doc);
		doc = NULL;
	}
	must(got == 0 || (err.exit == EXIT_INPUT && err.message[0]));
	document_stream_close(stream);
	return 0;
}
