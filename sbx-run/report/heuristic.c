#include "report/heuristic.h"

#include <signal.h>
#include <string.h>
#include <strings.h>

static const char *const words[] = {
        "operation not permitted", /* EPERM: seccomp, Seatbelt */
        "permission denied",       /* EACCES: Landlock */
        "eacces",                  /* what programs say that name the error itself */
        "read-only file system",   /* EROFS: mounts */
        "seccomp",
        "sandbox",
        "landlock",
        "failed to write file", /* what patch tools say */
};

/* Codes that programs use for other failures; words above still count. */
static const int other_failures[] = {
        2,   /* wrong usage */
        126, /* not executable */
        127, /* not found */
};

static bool contains(const struct stream *stream, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= stream->size; i++)
		if ((stream->data[i] | 0x20) == word[0] &&
		    strncasecmp(stream->data + i, word, len) == 0)
			return true;
	return false;
}

/* ERROR_ACCESS_DENIED, which many programs of Windows end with. */
#define WINDOWS_DENIED 5

static bool looks_denied_on_windows(const struct capture *capture, int exit_code)
{
	return exit_code == WINDOWS_DENIED || contains(&capture->err, "access is denied") ||
	       contains(&capture->out, "access is denied");
}

bool looks_denied(const struct capture *capture, int exit_code, bool windows)
{
	if (exit_code == 0)
		return false;
	if (windows && looks_denied_on_windows(capture, exit_code))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (contains(&capture->err, words[i]) || contains(&capture->out, words[i]))
			return true;
	for (size_t i = 0; i < sizeof(other_failures) / sizeof(other_failures[0]); i++)
		if (exit_code == other_failures[i])
			return false;
	/* Killed by a seccomp filter. */
	return exit_code == 128 + SIGSYS;
}
