/*
 * What does every file here need of the system?
 *
 * Its header with the version that this is written for, names in its own form,
 * and errors with its own words.
 */
#ifndef SBX_WINTOKEN_SYSTEM_H
#define SBX_WINTOKEN_SYSTEM_H

#include "base/error.h"

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0a00
#endif
#include <windows.h>

static inline void cleanup_handle_(HANDLE *handle)
{
	if (*handle && *handle != INVALID_HANDLE_VALUE)
		CloseHandle(*handle);
}
#define cleanup_handle __attribute__((cleanup(cleanup_handle_)))

static inline void cleanup_local_(void *p)
{
	LocalFree(*(void **)p);
}
#define cleanup_local __attribute__((cleanup(cleanup_local_)))

/* EXIT_SYSTEM, "API: what: message of GetLastError() (number)"; -1. */
int system_failed(struct error *err, const char *api, const char *what);
int system_failed_with(struct error *err, DWORD code, const char *api, const char *what);

/* Text for the API; NULL with err when it is not Unicode. */
WCHAR *system_wide(const char *text, struct error *err);

/* The same of a path in its one form, of any length: \\?\C:\... */
WCHAR *system_path(const char *path, struct error *err);

/* And back. */
char *system_text(const WCHAR *wide);

#endif
