#include "caches/kept_caches.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "caches/tree_size.h"
#include "document/stage.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "tmp/private_tmp.h"
#include "tmp/stale_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 600000

struct kept {
	int place, fd;
	char name[NAME_MAX + 1], workspace[PATH_MAX];
	struct stat st; /* its time is that of the last use */
	bool in_use;
};

static bool collect(void *context, const char *name, enum kind kind)
{
	if (may_be_directory(kind))
		strings_add(context, xstrdup(name));
	return true;
}

/* False: none of ours. */
static bool look(struct kept *kept, const char *name)
{
	ssize_t n;

	kept->fd = openat(kept->place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (kept->fd < 0 || private_directory(kept->fd) < 0 || fstat(kept->fd, &kept->st) < 0)
		return false;
	n = readlinkat(kept->fd, "workspace", kept->workspace, sizeof(kept->workspace) - 1);
	kept->workspace[n > 0 ? n : 0] = '\0';
	snprintf(kept->name, sizeof(kept->name), "%s", name);
	kept->in_use = flock(kept->fd, LOCK_EX | LOCK_NB) < 0;
	return n > 0;
}

static const char *size_text(long long bytes, char text[32])
{
	static const char units[] = "KMGT";
	double size = (double)bytes / 1024;
	int unit = 0;

	for (; size >= 1024 && units[unit + 1]; unit++)
		size /= 1024;
	snprintf(text, 32, size < 10 && unit > 0 ? "%.1f%c" : "%.0f%c", size, units[unit]);
	return text;
}

static void print(const struct kept *kept, const char *what)
{
	char size[32], day[32] = "";
	struct tm tm;
	cleanup_free char *workspace = text_clean(kept->workspace);
	long long bytes = tree_size(kept->fd, now_ms() + PATIENCE_MS);

	if (localtime_r(&kept->st.st_mtime, &tm))
		strftime(day, sizeof(day), "%Y-%m-%d %H:%M", &tm);
	printf("%8s  %s  %-8s  %s\n", size_text(bytes, size), day, what, workspace);
}

static int remove_kept(const struct kept *kept)
{
	cleanup_free char *other = tree_take_away(kept->place, kept->name);

	if (!other) {
		complain("\"%s\": %s", kept->workspace, strerror(errno));
		return 1;
	}
	tree_remove(kept->place, other, now_ms() + PATIENCE_MS);
	return 0;
}

static const char *state_of(const struct kept *kept)
{
	return kept->in_use                                           ? "in use"
	       : access(kept->workspace, F_OK) < 0 && errno == ENOENT ? "no dir"
	                                                              : "kept";
}

static bool is_wanted(char **words, const char *workspace)
{
	if (!words[0] || strcmp(words[0], "--all") == 0)
		return words[0];
	for (char **word = words + 1; *word; word++)
		if (strcmp(*word, workspace) == 0)
			return true;
	return false;
}

static int handle(int place, const char *name, char **words)
{
	struct kept kept = {.place = place, .fd = -1};
	cleanup_close int fd = -1;
	bool ours = look(&kept, name), wanted = ours && is_wanted(words, kept.workspace);

	fd = kept.fd;
	if (tree_is_taken_away(name) && words[0])
		tree_remove(place, name, now_ms() + PATIENCE_MS);
	else if (ours && !words[0] && (kept.in_use || flock(fd, LOCK_UN) == 0))
		print(&kept, state_of(&kept));
	else if (wanted)
		print(&kept, kept.in_use ? "in use" : "removed");
	if (!wanted || tree_is_taken_away(name))
		return 0;
	return kept.in_use ? 1 : remove_kept(&kept);
}

/* -1: there is none. */
static int open_place(const char *kept)
{
	cleanup_free char *path = path_join(kept, "caches");
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && private_directory(fd) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int kept_caches_main(char **words)
{
	cleanup_close int place = words[0] ? open_place(words[0]) : -1;
	struct strings names = {0};
	struct error err = {0};
	int status = 0;

	if (place < 0 && words[0] && errno == ENOENT)
		return 0;
	if (place < 0 || listing(place, collect, &names) < 0) {
		error_system(&err, "reading what is kept in \"%s\"", words[0] ? words[0] : "");
		return stage_fail(&err);
	}
	for (size_t i = 0; i < names.count; i++)
		status |= handle(place, names.items[i], words + 1);
	strings_free(&names);
	return fflush(stdout) == 0 ? status : 5;
}
