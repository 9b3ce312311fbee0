/*
 * Which directories may Everyone write?
 */
#include "launch.h"

#include "access/acl.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "spelling/winpath.h"
#include "windows/system.h"
#include "variables.h"

#include <aclapi.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Where a directory that everybody may write is likely, and how much is looked at. */
static const char *const usual[] = {"SYSTEMDRIVE", "PUBLIC",      "PROGRAMDATA",
                                    "TEMP",        "USERPROFILE", "SYSTEMROOT"};
#define DIRECTORIES_MAX 20000
#define DEPTH_MAX       4

struct look {
	size_t seen;
	bool cut; /* there was more than we may look at */
};

static void print(json_t *line)
{
	cleanup_free char *text = xjson(json_text_dump(line, JSON_COMPACT));

	printf("%s\n", text);
	json_decref(line);
}

static void look_at(const WCHAR *path, struct look *look, int depth);

static void look_below(const WCHAR *path, struct look *look, int depth)
{
	size_t len = wcslen(path);
	cleanup_free WCHAR *pattern = xrealloc_array(NULL, len + 3, sizeof(*pattern));
	WIN32_FIND_DATAW found;
	HANDLE search;

	swprintf(pattern, len + 3, L"%ls\\*", path);
	search = FindFirstFileW(pattern, &found);
	if (search == INVALID_HANDLE_VALUE)
		return;
	do {
		cleanup_free WCHAR *child = NULL;

		/* What a link leads to is found where it is. */
		if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) ||
		    found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ||
		    wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0)
			continue;
		child = xrealloc_array(NULL, len + wcslen(found.cFileName) + 2, sizeof(*child));
		swprintf(child, len + wcslen(found.cFileName) + 2, L"%ls\\%ls", path,
		         found.cFileName);
		look_at(child, look, depth + 1);
	} while (!look->cut && FindNextFileW(search, &found));
	FindClose(search);
}

static void look_at(const WCHAR *path, struct look *look, int depth)
{
	cleanup_local PSECURITY_DESCRIPTOR descriptor = NULL;
	cleanup_free WCHAR *name = wcsdup(path);
	PACL list = NULL;

	if (look->seen++ >= DIRECTORIES_MAX) {
		look->cut = true;
		return;
	}
	if (name &&
	    GetNamedSecurityInfoW(name, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL,
	                          &list, NULL, &descriptor) == ERROR_SUCCESS &&
	    acl_open_to_everyone(list)) {
		cleanup_free char *text = system_text(path);
		json_t *shown = json_string(strncmp(text, "\\\\?\\", 4) == 0 ? text + 4 : text);

		print(xjson(json_pack("{s:o,s:s}", "path", shown ? shown : json_null(), "why",
		                      list ? "Everyone may write" : "no access list")));
	}
	if (depth < DEPTH_MAX)
		look_below(path, look, depth);
}

static int look_from(const char *place, struct look *look, struct error *err)
{
	cleanup_free char *top = xasprintf("%s\\", place);
	cleanup_free WCHAR *wide = NULL;
	struct winpath path = {0};
	size_t len;

	/* "C:" of SYSTEMDRIVE means the drive's top. */
	if (winpath_get(strlen(place) == 2 ? top : place, &path, err) < 0)
		return -1;
	wide = system_path(path.path, err);
	winpath_free(&path);
	if (!wide)
		return -1;
	len = wcslen(wide);
	if (wide[len - 1] == L'\\')
		wide[len - 1] = L'\0';
	look_at(wide, look, 0);
	return 0;
}

static void look_where_usual(struct look *look)
{
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		cleanup_free char *place = own_variable(usual[i]);
		struct error ignored = {0};

		/* A variable that is odd or missing names no place. */
		if (place)
			look_from(place, look, &ignored);
	}
}

int audit(char *const *places)
{
	struct look look = {0};
	struct error err = {0};

	if (!*places)
		look_where_usual(&look);
	for (; *places && err.exit == 0; places++)
		look_from(*places, &look, &err);
	if (err.exit) {
		complain("%s", err.message);
		return err.exit;
	}
	print(xjson(json_pack("{s:I,s:b,s:i}", "directories", (json_int_t)look.seen, "complete",
	                      !look.cut, "depth", DEPTH_MAX)));
	return 0;
}
