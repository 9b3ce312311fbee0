/*
 * Fuzzing what the Linux helper is asked: its arguments, separated by NUL, and
 * above all the policy among them.  What begins with "{" is a policy alone.
 *
 * What must hold: nothing crashes or leaks; what is accepted has a command, an
 * absolute directory, and only absolute paths in its permissions; what is not
 * has an error.
 */
#include "request.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "must.h"

#include <string.h>

enum { WORDS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xmalloc(size + 1);
	char name[] = "sbx-linux-sandbox", policy[] = "--policy", cwd[] = "--cwd", root[] = "/";
	char end[] = "--", command[] = "true";
	char *argv[WORDS + 1] = {name, policy, text, cwd, root, end, command};
	struct request request = {0};
	struct error err = {0};
	int argc = 7;

	memcpy(text, data, size);
	text[size] = '\0';
	if (!size || data[0] != '{') {
		argc = 1;
		for (size_t at = 0; at < size && argc < WORDS; at += strlen(text + at) + 1)
			argv[argc++] = text + at;
		/* These print and end. */
		for (int i = 1; i < argc; i++)
			if (argv[i][0] == '-' && (strstr(argv[i], "he") || strstr(argv[i], "ve") ||
			                          strpbrk(argv[i], "hV")))
				return 0;
		argv[argc] = NULL;
	}
	if (request_parse(argc, argv, &request, &err) < 0) {
		must(err.exit && err.message[0]);
	} else {
		must(request.argv[0] && request.cwd[0] == '/');
		for (size_t i = 0; i < request.permissions.count; i++)
			must(request.permissions.entries[i].path[0] == '/');
	}
	request_free(&request);
	return 0;
}
