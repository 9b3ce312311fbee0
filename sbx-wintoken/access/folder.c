#include "access/folder.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/winpath.h"
#include "windows/token.h"

#include <string.h>
#include <wchar.h>

static bool is_missing(DWORD code)
{
	return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
}

/* What the system calls the thing that is open, in its one form. */
static int check_name(HANDLE handle, const char *path, struct error *err)
{
	DWORD room = 32768, len;
	cleanup_free WCHAR *wide = xrealloc_array(NULL, room, sizeof(*wide));
	cleanup_free char *text = NULL;
	struct winpath real = {0}, wanted = {0};
	struct error why = {0};
	int status = 0;

	len = GetFinalPathNameByHandleW(handle, wide, room, FILE_NAME_NORMALIZED);
	if (len == 0 || len >= room)
		return system_failed(err, "GetFinalPathNameByHandleW", path);
	text = system_text(wide);
	if (winpath_get(text, &real, &why) < 0 || winpath_get(path, &wanted, &why) < 0)
		status = error_set(err, EXIT_INPUT, "bad-path", "\"%s\": %s", path, why.message);
	else if (strcmp(real.key, wanted.key) != 0)
		status = error_set(err, EXIT_INPUT, "bad-path",
		                   "\"%s\": resolves to \"%s\": name that in the policy", path,
		                   real.path);
	winpath_free(&real);
	winpath_free(&wanted);
	return status;
}

HANDLE folder_pin(const char *path, bool *directory, bool *missing, struct error *err)
{
	cleanup_free WCHAR *wide = system_path(path, err);
	BY_HANDLE_FILE_INFORMATION information;
	cleanup_handle HANDLE handle = NULL;
	HANDLE out;

	*missing = false;
	if (!wide)
		return NULL;
	/*
	 * Reading data is what makes the sharing count: without
	 * FILE_SHARE_DELETE the name stays where it is.
	 */
	handle = CreateFileW(wide, FILE_READ_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL | WRITE_DAC,
	                     FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
	                     FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (handle == INVALID_HANDLE_VALUE) {
		*missing = is_missing(GetLastError());
		system_failed(err, "CreateFileW", path);
		return NULL;
	}
	if (!GetFileInformationByHandle(handle, &information)) {
		system_failed(err, "GetFileInformationByHandle", path);
		return NULL;
	}
	if (information.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) {
		error_set(err, EXIT_INPUT, "bad-path",
		          "\"%s\": a link or junction: name what it resolves to", path);
		return NULL;
	}
	if (check_name(handle, path, err) < 0)
		return NULL;
	*directory = information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
	out = handle;
	handle = NULL;
	return out;
}

static char *parent(const char *path)
{
	const char *last = strrchr(path, '\\');

	/* "C:\" is above "C:\x", and nothing is above "C:\". */
	if (!last || last[1] == '\0')
		return NULL;
	return xstrndup(path, (size_t)(last - path) + (last > path && last[-1] == ':'));
}

static bool exists(const char *path)
{
	struct error ignored = {0};
	cleanup_free WCHAR *wide = system_path(path, &ignored);

	return wide && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

static int make(const char *path, PSECURITY_DESCRIPTOR descriptor, struct error *err)
{
	SECURITY_ATTRIBUTES attributes = {.nLength = sizeof(attributes),
	                                  .lpSecurityDescriptor = descriptor};
	cleanup_free WCHAR *wide = system_path(path, err);

	if (!wide)
		return -1;
	if (!CreateDirectoryW(wide, descriptor ? &attributes : NULL) &&
	    GetLastError() != ERROR_ALREADY_EXISTS)
		return system_failed(err, "CreateDirectoryW", path);
	return 0;
}

int folder_make_private(const char *path, struct error *err)
{
	cleanup_local PSECURITY_DESCRIPTOR descriptor = NULL;
	cleanup_free char *above = parent(path);

	if (exists(path))
		return 0;
	if (above && folder_make_private(above, err) < 0)
		return -1;
	descriptor = token_private(true, err);
	return descriptor ? make(path, descriptor, err) : -1;
}

char *folder_next_missing(const char *path)
{
	cleanup_free char *at = NULL, *above = NULL;

	if (exists(path))
		return NULL;
	at = xstrdup(path);
	while ((above = parent(at)) != NULL && !exists(above)) {
		free(at);
		at = keep_ptr(above);
	}
	return keep_ptr(at);
}

int folder_make(const char *path, struct error *err)
{
	return make(path, NULL, err);
}
