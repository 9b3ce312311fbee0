#include "patch/patch_command.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "patches/patch_text.h"

#include <string.h>
#include <unistd.h>

static bool is_called(const char *arg0, const char *name)
{
	const char *slash = strrchr(arg0, '/');

	return strcmp(slash ? slash + 1 : arg0, name) == 0;
}

/* As codex names the tool; the second is how models spell it. */
static bool is_called_patch(const char *arg0)
{
	return is_called(arg0, "apply_patch") || is_called(arg0, "applypatch");
}

int patch_words(int *argc, char ***argv)
{
	static char option[] = "--apply-patch", end[] = "--";
	static char *words[5];
	int first = *argc > 1 && strcmp((*argv)[1], "--codex-run-as-apply-patch") == 0 ? 2 : 1;

	if (*argc < 1 || (first == 1 && !is_called_patch((*argv)[0])))
		return 0;
	/* Line ends are kept anyway. */
	if (*argc > first && strcmp((*argv)[first], "--preserve-crlf") == 0)
		first++;
	if (*argc - first > 1) {
		complain("expected one patch, or none and a patch on stdin");
		return 2;
	}
	words[0] = (*argv)[0];
	words[1] = option;
	words[2] = end;
	words[3] = *argc > first ? (*argv)[first] : NULL;
	*argc = words[3] ? 4 : 3;
	*argv = words;
	return 0;
}

static int read_stdin(struct arguments *a)
{
	/* One byte more, so that what is too long is seen to be. */
	char *text = xmalloc(PATCH_BYTES_MAX + 1);
	ssize_t n = read_full(STDIN_FILENO, text, PATCH_BYTES_MAX + 1);

	a->input = text;
	a->input_len = n < 0 ? 0 : (size_t)n;
	return n < 0 ? -1 : 0;
}

int patch_prepare(struct arguments *a, bool by_name)
{
	static char name[] = "apply_patch";
	static char *command[] = {name, NULL};
	struct patch_text patch = {0};
	struct error err = {0};
	size_t count;

	if (a->command[0]) {
		a->input_len = strlen(a->command[0]);
		a->input = xstrndup(a->command[0], a->input_len);
	} else if (read_stdin(a) < 0) {
		error_system(&err, "reading the patch");
	}
	a->command = command;
	if (!err.exit && a->input_len == 0) {
		complain("expected a patch, as an operand or on stdin");
		return by_name ? 2 : 125;
	}
	if (err.exit || patch_read(a->input, a->input_len, &patch, &err) < 0) {
		complain("%s", err.message);
		return 1;
	}
	count = patch.count;
	patch_free(&patch);
	if (count == 0) {
		complain("No files were modified.");
		return 1;
	}
	arguments_pass(a, "--tool", "patch");
	arguments_pass(a, "--patch", "-");
	return 0;
}
