#include "broker/links.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than this many files are not remembered, nor looked at. */
#define FILES_MAX 200000

/* A link that is made outside meanwhile is seen by its time; not more often than this. */
#define AGAIN_S 1

void links_begin(struct links *links, const struct permissions *policy)
{
	*links = (struct links){.policy = policy};
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(*((struct links *)NULL)->files));
}

static void remember(struct links *links, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || (st->st_nlink < 2 && !links->every))
		return;
	if (links->count == FILES_MAX) {
		links->too_many = true;
		return;
	}
	if ((links->count & (links->count + 1023)) % 1024 == 0)
		links->files =
		        xrealloc_array(links->files, links->count + 1024, sizeof(*links->files));
	/* Compared as bytes. */
	memset(&links->files[links->count], 0, sizeof(*links->files));
	links->files[links->count].dev = st->st_dev;
	links->files[links->count++].ino = st->st_ino;
}

static void look_below(struct links *links, const char *path, size_t *looked)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;

	while (directory && !links->too_many && (entry = readdir(directory)) != NULL) {
		cleanup_free char *below = NULL;
		struct stat st;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		below = path_below(path, entry->d_name);
		if (permissions_resolve(links->policy, below, NULL) == ACCESS_WRITE ||
		    lstat(below, &st) < 0)
			continue;
		if (++*looked > FILES_MAX)
			links->too_many = true;
		else if (S_ISDIR(st.st_mode))
			look_below(links, below, looked);
		else
			remember(links, &st);
	}
	if (directory)
		closedir(directory);
}

/* Only what lies in a writable place can have been linked to from there by a command. */
static bool is_carved_out(const struct permissions *policy, const struct entry *entry)
{
	cleanup_free char *parent = path_parent(entry->path);

	return entry->access != ACCESS_WRITE && entry->path[1] &&
	       permissions_resolve(policy, parent, NULL) == ACCESS_WRITE;
}

static void find(struct links *links)
{
	size_t looked = 0;

	free(links->files);
	*links = (struct links){.policy = links->policy, .every = links->every};
	clock_gettime(CLOCK_REALTIME_COARSE, &links->found);
	for (size_t i = 0; i < links->policy->count; i++) {
		const struct entry *entry = &links->policy->entries[i];
		struct stat st;

		if (!is_carved_out(links->policy, entry) || lstat(entry->path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			look_below(links, entry->path, &looked);
		else
			remember(links, &st);
	}
	if (links->count)
		qsort(links->files, links->count, sizeof(*links->files), compare);
}

/* A new name changes the time of the file. */
static bool is_newer(const struct links *links, const struct stat *st)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return links->found.tv_sec == 0 || (st->st_ctim.tv_sec >= links->found.tv_sec &&
	                                    now.tv_sec - links->found.tv_sec > AGAIN_S);
}

bool links_protect(struct links *links, const struct stat *st, bool lost)
{
	struct links key = {0};
	bool more = lost && !links->every;

	if (!S_ISREG(st->st_mode) || (st->st_nlink < 2 && !lost))
		return false;
	links->every |= lost;
	if (more || is_newer(links, st))
		find(links);
	if (links->too_many)
		return true;
	if (links->count == 0)
		return false;
	key.files = xmalloc(sizeof(*key.files));
	memset(key.files, 0, sizeof(*key.files));
	key.files->dev = st->st_dev;
	key.files->ino = st->st_ino;
	key.count = bsearch(key.files, links->files, links->count, sizeof(*links->files),
	                    compare) != NULL;
	free(key.files);
	return key.count != 0;
}
