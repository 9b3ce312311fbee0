#include "windows/system.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/utf16.h"

#include <stdbool.h>
#include <wchar.h>

int system_failed_with(struct error *err, DWORD code, const char *api, const char *what)
{
	cleanup_local WCHAR *message = NULL;
	cleanup_free char *text = NULL;
	DWORD len;

	/* In English where it is there: messages are searched for and reported. */
	len = FormatMessageW(FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM |
	                             FORMAT_MESSAGE_IGNORE_INSERTS,
	                     NULL, code, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US),
	                     (WCHAR *)(void *)&message, 0, NULL);
	if (len == 0)
		len = FormatMessageW(FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM |
		                             FORMAT_MESSAGE_IGNORE_INSERTS,
		                     NULL, code, 0, (WCHAR *)(void *)&message, 0, NULL);
	while (len > 0 && (message[len - 1] <= L' ' || message[len - 1] == L'.'))
		message[--len] = L'\0';
	text = len ? system_text(message) : xstrdup("unknown error");
	return error_set(err, EXIT_SYSTEM, "system", "%s: %s%s%s (error %lu)", api,
	                 what ? what : "", what ? ": " : "", text, (unsigned long)code);
}

int system_failed(struct error *err, const char *api, const char *what)
{
	return system_failed_with(err, GetLastError(), api, what);
}

WCHAR *system_wide(const char *text, struct error *err)
{
	size_t count;
	uint16_t *wide = wide_from(text, &count);

	if (!wide)
		error_set(err, EXIT_INPUT, "bad-string", "\"%s\": not valid Unicode", text);
	return (WCHAR *)wide;
}

WCHAR *system_path(const char *path, struct error *err)
{
	bool network = path[0] == '\\';
	cleanup_free char *literal =
	        xasprintf("\\\\?\\%s%s", network ? "UNC" : "", network ? path + 1 : path);

	return system_wide(literal, err);
}

char *system_text(const WCHAR *wide)
{
	return wide_text((const uint16_t *)wide, wcslen(wide));
}
