#include "rules/rulefile.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/only_ours.h"
#include "policy/words.h"
#include "rules/read_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX (1U << 20)

/* Which files there are, and where each ends, is part of what was looked at. */
static void digest_file(struct sha256 *sha, const char *path, const char *text, size_t len)
{
	cleanup_free char *head = xasprintf("%s/%zu", strrchr(path, '/') + 1, len);

	sha256_add(sha, head, strlen(head) + 1);
	sha256_add(sha, text, len);
}

static bool is_learned(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strcmp(slash ? slash + 1 : path, LEARNED_NAME) == 0;
}

/* Rules are text of a few kilobytes; a device or a pipe would never end. */
static int read_file(struct rules *rules, const char *path, struct sha256 *sha, struct error *err)
{
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	cleanup_free char *text = NULL;
	size_t first = rules->count;
	ssize_t used;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > (off_t)FILE_MAX)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: not a file of at most %u bytes",
		                 path, FILE_MAX);
	text = xmalloc(FILE_MAX + 1);
	used = read_full(fd, text, FILE_MAX + 1);
	if (used < 0)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: %s", path, strerror(errno));
	if (used > (ssize_t)FILE_MAX)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: larger than %u bytes", path,
		                 FILE_MAX);
	if (sha)
		digest_file(sha, path, text, (size_t)used);
	if (rules_add(rules, text, (size_t)used, path, err) < 0)
		return -1;
	if (is_learned(path))
		rules_narrow(rules, first, true);
	return 0;
}

int rules_add_file(struct rules *rules, const char *path, struct error *err)
{
	return read_file(rules, path, NULL, err);
}

static int is_rules_file(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 6 && entry->d_name[0] != '.' && strcmp(entry->d_name + len - 6, ".rules") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* 1: there is none; what is there and no directory hides rules from us. */
static int no_directory(const char *path, struct error *err)
{
	struct stat st;

	if (errno != ENOENT && errno != ENOTDIR)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: %s", path, strerror(errno));
	if (stat(path, &st) == 0)
		return error_set(err, EXIT_INPUT, "bad-rules", "%s: not a directory", path);
	return 1;
}

static int read_entry(struct rules *rules, const char *directory, const char *name,
                      struct sha256 *sha, bool by_root, struct error *err)
{
	cleanup_free char *file = xasprintf("%s/%s", directory, name);

	if (by_root) {
		cleanup_close int fd = only_ours_open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK, err);

		if (fd < 0)
			return -1;
	}
	return read_file(rules, file, sha, err);
}

static int read_entries(struct rules *rules, const char *path, struct sha256 *sha, bool by_root,
                        struct error *err)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_rules_file, by_bytes);
	int status = 0;

	if (count < 0)
		return no_directory(path, err) < 0 ? -1 : 0;
	for (int i = 0; i < count; i++) {
		if (status == 0)
			status = read_entry(rules, path, entries[i]->d_name, sha, by_root, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

int rules_read_directory(struct rules *rules, const char *path, struct sha256 *sha,
                         struct error *err)
{
	return read_entries(rules, path, sha, false, err);
}

int rules_add_directory(struct rules *rules, const char *path, struct error *err)
{
	return rules_read_directory(rules, path, NULL, err);
}

int rules_add_system(struct rules *rules, struct error *err)
{
	/* Fixed when it is compiled: whoever could name another would be rid of it. */
	return read_entries(rules, "/etc/codex/rules", NULL, true, err);
}

bool within_reach(const json_t *policy, const struct permissions *permissions, const char *path)
{
	int mode = policy_mode(policy);

	/* With the other modes there is no sandbox that could be asking for itself. */
	if (mode != MODE_READ_ONLY && mode != MODE_WORKSPACE_WRITE)
		return false;
	return permissions_resolve(permissions, path, NULL) == ACCESS_WRITE;
}
