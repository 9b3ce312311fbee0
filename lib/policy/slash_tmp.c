#include "policy/slash_tmp.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *look_up(void)
{
	cleanup_free char *tmp = realpath("/tmp", NULL);
	struct stat st;

	if (!tmp || path_depth(tmp) == 0 || stat(tmp, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	return keep_ptr(tmp);
}

/* Every entry of a policy asks for it. */
char *slash_tmp(void)
{
	static char *known;

	if (!known)
		known = look_up();
	return known ? xstrdup(known) : NULL;
}

bool tmp_is_private(const json_t *policy)
{
	const char *word = json_string_value(json_object_get(policy, "tmp"));

	return word && strcmp(word, "private") == 0;
}

bool tmp_decides(const struct permissions *permissions, const char *tmp, const char *path)
{
	const struct entry *entry;

	return path_contains(tmp, path) &&
	       permissions_resolve(permissions, path, &entry) == ACCESS_WRITE &&
	       strcmp(entry->path, tmp) == 0;
}

/* Somebody's own directory, as a sandbox around us has made it: it is private already. */
static bool is_own(const char *tmp)
{
	struct stat st;

	return stat(tmp, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
}

bool tmp_is_lost(const json_t *policy)
{
	cleanup_free char *tmp = tmp_is_private(policy) ? slash_tmp() : NULL;

	return tmp_is_private(policy) && !(tmp && is_own(tmp));
}

static void place_name(char *name, size_t size)
{
	snprintf(name, size, ".sbx-%lu", (unsigned long)geteuid());
}

bool is_tmp_place(const char *name)
{
	char usual[32];
	size_t len;

	place_name(usual, sizeof(usual));
	len = strlen(usual);
	return strncmp(name, usual, len) == 0 && (name[len] == '\0' || name[len] == '-');
}

char *tmp_place(void)
{
	cleanup_free char *tmp = slash_tmp();
	char name[32];

	place_name(name, sizeof(name));
	return tmp ? path_join(tmp, name) : NULL;
}

bool inside_tmp_place(const char *path)
{
	cleanup_free char *tmp = slash_tmp();
	cleanup_free char *name = NULL;

	if (!tmp || !path_contains(tmp, path) || strcmp(tmp, path) == 0)
		return false;
	path += strlen(tmp) + 1;
	name = xstrndup(path, strcspn(path, "/"));
	return is_tmp_place(name);
}
