#include "windows/executable.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/quote.h"
#include "variables.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum {
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127,
};

static bool is_drive(const char *name)
{
	return ((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z') && name[1] == ':';
}

static bool is_absolute(const char *name)
{
	return (is_drive(name) && (name[2] == '\\' || name[2] == '/')) ||
	       ((name[0] == '\\' || name[0] == '/') && name[1] == name[0]);
}

/* As the system will read it: without "..", trailing dots and spaces. */
static char *full_path(const char *path, struct error *err)
{
	cleanup_free WCHAR *wide = system_wide(path, err);
	cleanup_free WCHAR *full = NULL;
	DWORD len;

	if (!wide)
		return NULL;
	len = GetFullPathNameW(wide, 0, NULL, NULL);
	full = xrealloc_array(NULL, (size_t)len + 1, sizeof(*full));
	if (len == 0 || GetFullPathNameW(wide, len, full, NULL) >= len) {
		system_failed(err, "GetFullPathNameW", path);
		return NULL;
	}
	return system_text(full);
}

static bool is_file(const char *path)
{
	struct error ignored = {0};
	cleanup_free WCHAR *wide = system_wide(path, &ignored);
	DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;

	return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static bool has_extension(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strpbrk(dot, "\\/");
}

/* The name itself if it has an extension, else with each of PATHEXT. */
static char *with_extension(const char *path, const char *extensions)
{
	struct error ignored = {0};

	if (has_extension(path) && is_file(path))
		return full_path(path, &ignored);
	while (extensions && *extensions) {
		size_t len = strcspn(extensions, ";");
		cleanup_free char *longer = xasprintf("%s%.*s", path, (int)len, extensions);

		if (len > 1 && extensions[0] == '.' && is_file(longer))
			return full_path(longer, &ignored);
		extensions += len + (extensions[len] == ';');
	}
	return NULL;
}

static char *along_path(const char *name, const char *path, const char *extensions)
{
	while (path && *path) {
		size_t len = strcspn(path, ";");
		cleanup_free char *folder = xstrndup(path, len);
		cleanup_free char *joined = xasprintf("%s\\%s", folder, name);
		char *found;

		/* A relative entry would be the workspace, which the command writes. */
		found = is_absolute(folder) ? with_extension(joined, extensions) : NULL;
		if (found)
			return found;
		path += len + (path[len] == ';');
	}
	return NULL;
}

static char *find(const char *name, char *const *env, const char *cwd, struct error *err)
{
	const char *extensions = variables_get(env, "PATHEXT");
	cleanup_free char *joined = NULL;
	char *found;

	/* "x.txt:y.bat" is a stream; "C:x" counts from a directory nobody knows. */
	if (strchr(is_drive(name) ? name + 2 : name, ':') ||
	    (is_drive(name) && !is_absolute(name)) || name[0] == '\0') {
		error_set(err, NOT_FOUND, "not-found", "%s: not a name of a command", name);
		return NULL;
	}
	extensions = extensions ? extensions : ".COM;.EXE;.BAT;.CMD";
	if (!strpbrk(name, "\\/")) {
		found = along_path(name, variables_get(env, "PATH"), extensions);
	} else {
		joined = is_absolute(name)        ? xstrdup(name)
		         : strchr("\\/", name[0]) ? xasprintf("%.2s%s", cwd, name)
		                                  : xasprintf("%s\\%s", cwd, name);
		found = with_extension(joined, extensions);
	}
	if (!found)
		error_set(err, NOT_FOUND, "not-found", "%s: command not found", name);
	return found;
}

static bool is_batch(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcasecmp(dot, ".bat") == 0 || strcasecmp(dot, ".cmd") == 0);
}

/* The system's own, whatever COMSPEC says. */
static char *cmd_path(struct error *err)
{
	WCHAR folder[MAX_PATH];
	UINT len = GetSystemDirectoryW(folder, MAX_PATH);
	cleanup_free char *text = NULL;

	if (len == 0 || len >= MAX_PATH) {
		system_failed(err, "GetSystemDirectoryW", NULL);
		return NULL;
	}
	text = system_text(folder);
	return xasprintf("%s\\cmd.exe", text);
}

int executable_find(struct executable *executable, char *const *argv, char *const *env,
                    const char *cwd, struct error *err)
{
	cleanup_free char *found = find(argv[0], env, cwd, err);

	*executable = (struct executable){0};
	if (!found)
		return -1;
	if (is_batch(found)) {
		executable->path = cmd_path(err);
		if (executable->path)
			executable->line = quote_batch(executable->path, found, argv + 1, err);
	} else {
		executable->path = keep_ptr(found);
		executable->line = quote_command(argv, err);
	}
	if (executable->line)
		return 0;
	executable_free(executable);
	err->exit = NOT_EXECUTABLE;
	return -1;
}

void executable_free(struct executable *executable)
{
	free(executable->path);
	free(executable->line);
	*executable = (struct executable){0};
}
