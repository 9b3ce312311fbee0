/*
 * What the launcher does to its own caller's processes and handles, seen by
 * that caller.
 *
 *	driver codes LAUNCHER ARG... -- CHILD exit
 *		runs it with each of 0 to 255 and some of 32 bits behind it; prints
 *		those that did not come back, and how many did
 *	driver handles LAUNCHER ARG... -- CHILD write
 *		starts it with a pipe that can be inherited, whose number and a word
 *		stand behind; prints what comes out of the pipe
 *	driver kill MS COMMAND...
 *		starts it, ends that one process after MS, as the task manager does
 */
#include "windows/system.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/quote.h"

#include <shellapi.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static char *words[40];
static int word_count;

static HANDLE start(DWORD *code)
{
	STARTUPINFOW startup = {.cb = sizeof(startup)};
	PROCESS_INFORMATION process;
	struct error err = {0};
	cleanup_free char *line = quote_command(words, &err);
	cleanup_free WCHAR *wide = system_wide(line, &err), *path = system_wide(words[0], &err);

	if (!CreateProcessW(path, wide, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) {
		system_failed(&err, "CreateProcessW", words[0]);
		printf("%s\n", err.message);
		return NULL;
	}
	CloseHandle(process.hThread);
	if (code) {
		WaitForSingleObject(process.hProcess, INFINITE);
		GetExitCodeProcess(process.hProcess, code);
	}
	return process.hProcess;
}

static int codes(void)
{
	static const DWORD large[] = {256, 70000, 0x7fffffff, 0x80000000, 0xc0000005, 0xffffffff};
	int good = 0, all = 256 + (int)(sizeof(large) / sizeof(large[0]));

	for (int i = 0; i < all; i++) {
		DWORD wanted = i < 256 ? (DWORD)i : large[i - 256], got = 12345;
		cleanup_handle HANDLE process = NULL;

		words[word_count] = xasprintf("0x%lx", (unsigned long)wanted);
		process = start(&got);
		if (got == wanted)
			good++;
		else
			printf("wanted %lx got %lx\n", (unsigned long)wanted, (unsigned long)got);
		free(words[word_count]);
	}
	printf("%d of %d\n", good, all);
	return 0;
}

static int handles(void)
{
	SECURITY_ATTRIBUTES inherit = {.nLength = sizeof(inherit), .bInheritHandle = TRUE};
	HANDLE ends[2];
	char text[256];
	DWORD code, got = 0;

	if (!CreatePipe(&ends[0], &ends[1], &inherit, 0))
		return 1;
	SetHandleInformation(ends[0], HANDLE_FLAG_INHERIT, 0);
	words[word_count] = xasprintf("%llu", (unsigned long long)(ULONG_PTR)ends[1]);
	words[word_count + 1] = xstrdup("leaked");
	start(&code);
	CloseHandle(ends[1]);
	if (!ReadFile(ends[0], text, sizeof(text) - 1, &got, NULL))
		got = 0;
	text[got] = '\0';
	printf("%s\n", got ? text : "nothing");
	return 0;
}

int main(void)
{
	int argc;
	WCHAR **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
	cleanup_free char *what = argc > 2 ? system_text(argv[1]) : xstrdup("");
	int first = strcmp(what, "kill") == 0 ? 3 : 2;

	for (int i = first; i < argc && word_count < 36; i++)
		words[word_count++] = system_text(argv[i]);
	if (strcmp(what, "codes") == 0)
		return codes();
	if (strcmp(what, "handles") == 0)
		return handles();
	if (strcmp(what, "kill") == 0 && word_count > 0) {
		HANDLE process = start(NULL);

		Sleep(wcstoul(argv[2], NULL, 10));
		return TerminateProcess(process, 9) ? 0 : 1;
	}
	return 2;
}
