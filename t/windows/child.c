/*
 * A command for the launcher to run: does one thing, and says what it sees.
 *
 *	exit N              ends with N
 *	env                 the environment, one variable a line
 *	cwd                 the current directory
 *	job                 is it in a job
 *	write HANDLE WORD   writes into a handle by its number
 *	beat FILE           adds a byte to a file every 20 ms, for a minute
 *	spawn WORD...       starts itself with the words, waits for the first byte
 *	                    that the file of "beat" has, and ends
 *	sleep MS
 *	copy                stdin to stdout, "err" to stderr
 */
#include "windows/system.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "windows/environment_block.h"
#include "spelling/quote.h"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int environment(void)
{
	struct error err = {0};
	char **env = block_read(&err);

	for (; env && *env; env++)
		printf("%s\n", *env);
	return 0;
}

static int directory(void)
{
	WCHAR here[32768];

	GetCurrentDirectoryW(32768, here);
	printf("%s\n", system_text(here));
	return 0;
}

static int job(void)
{
	BOOL inside = FALSE;

	if (!IsProcessInJob(GetCurrentProcess(), NULL, &inside))
		return 1;
	printf("job %d\n", inside);
	return 0;
}

static int write_to(const WCHAR *handle, const WCHAR *word)
{
	cleanup_free char *text = system_text(word);
	DWORD written;

	return WriteFile((HANDLE)(ULONG_PTR)wcstoull(handle, NULL, 10), text, (DWORD)strlen(text),
	                 &written, NULL)
	               ? 0
	               : 1;
}

static int beat(const WCHAR *file)
{
	for (int i = 0; i < 3000; i++) {
		FILE *out = _wfopen(file, L"ab");

		if (!out)
			return 1;
		fputc('x', out);
		fclose(out);
		Sleep(20);
	}
	return 0;
}

static int spawn(int argc, WCHAR **argv)
{
	STARTUPINFOW startup = {.cb = sizeof(startup)};
	PROCESS_INFORMATION process;
	char *words[16] = {0};
	struct error err = {0};
	WCHAR self[MAX_PATH];

	GetModuleFileNameW(NULL, self, MAX_PATH);
	words[0] = system_text(self);
	for (int i = 2; i < argc && i < 15; i++)
		words[i - 1] = system_text(argv[i]);
	if (!CreateProcessW(self, system_wide(quote_command(words, &err), &err), NULL, NULL, FALSE,
	                    0, NULL, NULL, &startup, &process))
		return 1;
	for (int i = 0; i < 500; i++) {
		WIN32_FILE_ATTRIBUTE_DATA data;

		if (argc > 3 && GetFileAttributesExW(argv[3], GetFileExInfoStandard, &data) &&
		    data.nFileSizeLow > 0)
			break;
		Sleep(20);
	}
	return 0;
}

static int copy(void)
{
	int c;

	while ((c = getchar()) != EOF)
		putchar(c);
	fprintf(stderr, "err\n");
	return 0;
}

int main(void)
{
	int argc;
	WCHAR **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
	cleanup_free char *what = argc > 1 ? system_text(argv[1]) : xstrdup("");

	_setmode(0, _O_BINARY);
	_setmode(1, _O_BINARY);
	_setmode(2, _O_BINARY);
	if (strcmp(what, "exit") == 0 && argc > 2)
		ExitProcess(wcstoul(argv[2], NULL, 0));
	if (strcmp(what, "env") == 0)
		return environment();
	if (strcmp(what, "cwd") == 0)
		return directory();
	if (strcmp(what, "job") == 0)
		return job();
	if (strcmp(what, "write") == 0 && argc > 3)
		return write_to(argv[2], argv[3]);
	if (strcmp(what, "beat") == 0 && argc > 2)
		return beat(argv[2]);
	if (strcmp(what, "spawn") == 0)
		return spawn(argc, argv);
	if (strcmp(what, "sleep") == 0 && argc > 2)
		Sleep(wcstoul(argv[2], NULL, 10));
	if (strcmp(what, "copy") == 0)
		return copy();
	return 0;
}
