/*
 * Starts a child with random arguments, again and again, and compares what the
 * child read with what was written.
 *
 *	roundtrip SEED COUNT CHILD [LAUNCHER OPTION... --]
 *
 * With a launcher the arguments go through it.  Prints how many came back.
 *
 * wine's own start of a process ends with "internal error" about once in ten
 * thousand, before the child read anything: that is tried again, and said.
 */
#include "windows/system.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/quote.h"
#include "spelling/utf16.h"

#include <shellapi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static uint64_t seed;

static unsigned number(unsigned below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % below);
}

/* What has a meaning for somebody on the way, and a little of everything. */
static uint16_t random_unit(void)
{
	static const uint16_t special[] = {'\\',   '\\',   '"', '"',  ' ',  '\t',   '\'',   '^',
	                                   '%',    '!',    '&', '|',  '<',  '>',    '(',    ')',
	                                   '*',    '?',    '=', ';',  ',',  '/',    '-',    '\n',
	                                   '\r',   '~',    '`', '$',  0xe9, 0x20ac, 0xd800, 0xdc00,
	                                   0xfeff, 0xffff, 0x1, 0x7f, 0xa0};

	switch (number(4)) {
	case 0:
		return (uint16_t)('a' + number(26));
	case 1:
		return (uint16_t)(1 + number(0xffff));
	default:
		return special[number(sizeof(special) / sizeof(special[0]))];
	}
}

static char *random_word(void)
{
	size_t len = number(8) ? number(12) : number(300);
	uint16_t units[300];

	for (size_t i = 0; i < len; i++)
		units[i] = random_unit();
	return wide_text(units, len);
}

/* As "echo" prints it. */
static char *expected(char *const *words)
{
	char *out = xstrdup("");

	for (; *words; words++) {
		size_t count, used = strlen(out);
		cleanup_free uint16_t *units = wide_from(*words, &count);

		out = xrealloc_array(out, used + 4 * count + 8, 1);
		for (size_t i = 0; i < count; i++)
			used += (size_t)sprintf(out + used, "%04x", units[i]);
		strcpy(out + used, "\n");
	}
	out = xrealloc_array(out, strlen(out) + 8, 1);
	return strcat(out, "end\n");
}

/* The other reading of a line, for which no process is needed. */
static bool reads_back(const WCHAR *line, char *const *argv)
{
	int argc;
	WCHAR **read = CommandLineToArgvW(line, &argc);
	bool same = read != NULL;

	for (int i = 0; same && i < argc; i++) {
		cleanup_free char *word = system_text(read[i]);

		same = argv[i] && strcmp(argv[i], word) == 0;
	}
	same = same && !argv[argc];
	LocalFree(read);
	return same;
}

static bool start(const WCHAR *path, WCHAR *line, STARTUPINFOW *startup,
                  PROCESS_INFORMATION *process)
{
	for (int tries = 1;; tries++) {
		if (CreateProcessW(path, line, NULL, NULL, TRUE, 0, NULL, NULL, startup, process))
			return true;
		if (GetLastError() != ERROR_INTERNAL_ERROR || tries == 3)
			return false;
		printf("wine could not start a process: once more\n");
	}
}

static char *run(const char *program, char *const *argv)
{
	SECURITY_ATTRIBUTES inherit = {.nLength = sizeof(inherit), .bInheritHandle = TRUE};
	STARTUPINFOW startup = {.cb = sizeof(startup), .dwFlags = STARTF_USESTDHANDLES};
	PROCESS_INFORMATION process;
	struct error err = {0};
	cleanup_free char *line = quote_command(argv, &err);
	cleanup_free WCHAR *wide = system_wide(line, &err), *path = system_wide(program, &err);
	char *out = xmalloc(1 << 20);
	HANDLE ends[2];
	DWORD got, used = 0;

	if (!CreatePipe(&ends[0], &ends[1], &inherit, 0))
		return NULL;
	SetHandleInformation(ends[0], HANDLE_FLAG_INHERIT, 0);
	startup.hStdOutput = ends[1];
	startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
	startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
	if (!reads_back(wide, argv))
		return xstrdup("CommandLineToArgvW reads it differently");
	if (!start(path, wide, &startup, &process)) {
		system_failed(&err, "CreateProcessW", NULL);
		return xstrdup(err.message);
	}
	CloseHandle(ends[1]);
	while (ReadFile(ends[0], out + used, (1 << 20) - 1 - used, &got, NULL) && got > 0)
		used += got;
	out[used] = '\0';
	WaitForSingleObject(process.hProcess, INFINITE);
	CloseHandle(process.hProcess);
	CloseHandle(process.hThread);
	CloseHandle(ends[0]);
	return out;
}

int main(void)
{
	int argc;
	WCHAR **wide = CommandLineToArgvW(GetCommandLineW(), &argc);
	char *fixed[32], *child;
	unsigned long count, good = 0;
	int words = 0;

	if (argc < 4 || argc > 24)
		return 2;
	seed = wcstoull(wide[1], NULL, 10) * 2654435761U + 88172645463325252U;
	count = wcstoul(wide[2], NULL, 10);
	child = system_text(wide[3]);
	for (int i = 4; i < argc; i++)
		fixed[words++] = system_text(wide[i]);
	fixed[words++] = child;
	for (unsigned long i = 0; i < count; i++) {
		char *argv[64] = {0}, *wanted, *got;
		unsigned random = number(7);

		memcpy(argv, fixed, (size_t)words * sizeof(*argv));
		for (unsigned k = 0; k < random; k++)
			argv[(unsigned)words + k] = random_word();
		wanted = expected(argv + words);
		got = run(fixed[0], argv);
		if (got && strcmp(got, wanted) == 0)
			good++;
		else
			printf("number %lu: wanted %s got %s\n", i, wanted, got ? got : "nothing");
		for (unsigned k = 0; k < random; k++)
			free(argv[(unsigned)words + k]);
		free(wanted);
		free(got);
	}
	printf("%lu of %lu\n", good, count);
	return good == count ? 0 : 1;
}
