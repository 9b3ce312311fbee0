#include "fs/casefold.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

char *in_other_letters(const char *path)
{
	char *other = xstrdup(path);
	bool changed = false;

	for (char *at = strrchr(other, '/'); at && *at; at++) {
		unsigned char byte = (unsigned char)*at;

		if (byte < 128 && isalpha(byte)) {
			*at = (char)(byte ^ 0x20);
			changed = true;
		}
	}
	if (changed)
		return other;
	free(other);
	return NULL;
}

/* What cannot be listed does not list it. */
static bool is_listed(const char *directory, const char *name)
{
	DIR *listed = opendir(directory);
	const struct dirent *entry;
	bool found = false;

	while (listed && !found && (entry = readdir(listed)) != NULL)
		found = strcmp(entry->d_name, name) == 0;
	if (listed)
		closedir(listed);
	return found;
}

bool is_other_spelling(const char *path)
{
	cleanup_free char *parent = path_parent(path);
	struct stat st;

	if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return false;
	return !is_listed(parent, strrchr(path, '/') + 1);
}

/* The first name with letters decides: 1, 0, or -1 when there is none. */
static int names_tell(const char *directory)
{
	DIR *listed = opendir(directory);
	const struct dirent *entry;
	int told = -1;

	while (listed && told < 0 && (entry = readdir(listed)) != NULL) {
		cleanup_free char *path = path_join(directory, entry->d_name);
		cleanup_free char *other = in_other_letters(path);

		if (other)
			told = is_other_spelling(other);
	}
	if (listed)
		closedir(listed);
	return told;
}

bool ignores_case(const char *directory)
{
	cleanup_free char *other = NULL;
	int told = names_tell(directory);

	if (told >= 0)
		return told;
	other = in_other_letters(directory);
	return other && is_other_spelling(other);
}
