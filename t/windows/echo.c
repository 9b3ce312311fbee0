/*
 * Writes its arguments, as the C runtime read them, in hexadecimal UTF-16, one
 * a line.  It needs two libraries only: wine starts it ten thousand times.
 */
#include <windows.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

int __wgetmainargs(int *argc, wchar_t ***argv, wchar_t ***env, int wildcards, int *startup);

int main(void)
{
	static char out[1 << 20];
	wchar_t **argv, **env;
	int argc, startup = 0;
	DWORD used = 0, written;

	__wgetmainargs(&argc, &argv, &env, 0, &startup);
	for (int i = 1; i < argc; i++) {
		for (const wchar_t *p = argv[i]; *p && used < sizeof(out) - 16; p++)
			used += (DWORD)sprintf(out + used, "%04x", (unsigned)*p);
		out[used++] = '\n';
	}
	memcpy(out + used, "end\n", 4);
	return WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), out, used + 4, &written, NULL) ? 0 : 1;
}
