#include "access/file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "windows/token.h"

#include <string.h>
#include <wchar.h>

char *file_read(const WCHAR *path, size_t max, size_t *len, struct error *err)
{
	cleanup_handle HANDLE file =
	        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
	cleanup_free char *name = system_text(path);
	cleanup_free char *text = NULL;

	*len = 0;
	if (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_NOT_FOUND)
		return xstrdup("");
	if (file == INVALID_HANDLE_VALUE) {
		system_failed(err, "CreateFileW", name);
		return NULL;
	}
	text = xmalloc(max + 2);
	for (;;) {
		DWORD got = 0;

		/* One more than allowed shows that there is more. */
		if (!ReadFile(file, text + *len, (DWORD)(max + 1 - *len), &got, NULL)) {
			system_failed(err, "ReadFile", name);
			return NULL;
		}
		*len += got;
		if (got == 0 || *len > max)
			break;
	}
	if (*len > max) {
		error_set(err, EXIT_INPUT, "too-long", "\"%s\": larger than %lu bytes", name,
		          (unsigned long)max);
		return NULL;
	}
	text[*len] = '\0';
	return keep_ptr(text);
}

static int write_new(const WCHAR *path, const char *text, struct error *err)
{
	cleanup_local PSECURITY_DESCRIPTOR descriptor = token_private(false, err);
	SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes),
	                                  .lpSecurityDescriptor = descriptor};
	cleanup_handle HANDLE file = NULL;
	DWORD written;

	if (!descriptor)
		return -1;
	file = CreateFileW(path, GENERIC_WRITE, 0, &attributes, CREATE_ALWAYS, 0, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return system_failed(err, "CreateFileW", NULL);
	if (!WriteFile(file, text, (DWORD)strlen(text), &written, NULL) ||
	    written != strlen(text) || !FlushFileBuffers(file))
		return system_failed(err, "WriteFile", NULL);
	return 0;
}

int file_replace(const WCHAR *path, const char *text, struct error *err)
{
	size_t len = wcslen(path);
	cleanup_free WCHAR *other = xrealloc_array(NULL, len + 32, sizeof(*other));

	swprintf(other, len + 32, L"%ls.%lu", path, (unsigned long)GetCurrentProcessId());
	if (write_new(other, text, err) < 0)
		return -1;
	if (MoveFileExW(other, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
		return 0;
	system_failed(err, "MoveFileExW", NULL);
	DeleteFileW(other);
	return -1;
}
