/*
 * Which words is the launcher given, in Unicode?
 */
#include "launch.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/error.h"
#include "base/memory.h"
#include "windows/system.h"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>

/* The C runtime's own argv is in the code page, and expands wildcards. */
void launch_arguments(int *argc, char ***argv)
{
	int count = 0;
	WCHAR **wide = CommandLineToArgvW(GetCommandLineW(), &count);
	char **out;

	if (!wide || count < 1) {
		complain("CommandLineToArgvW: no arguments");
		exit(EXIT_SYSTEM);
	}
	out = xrealloc_array(NULL, (size_t)count + 1, sizeof(*out));
	for (int i = 0; i < count; i++)
		out[i] = system_text(wide[i]);
	out[count] = NULL;
	LocalFree(wide);
	*argc = count;
	*argv = out;
	/* Documents are bytes. */
	_setmode(_fileno(stdin), _O_BINARY);
	_setmode(_fileno(stdout), _O_BINARY);
	/* No box that waits for a click when a drive is empty or a DLL is missing. */
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
	/* Nothing is ever loaded from the current directory. */
	SetDllDirectoryW(L"");
}
