#include "document/journal.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "base/write_full.h"
#include "document/json_pool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* As many files as there can be, with long names. */
#define JOURNAL_MAX (256UL << 20)

int journal_begin(struct journal *journal, int directory, struct error *err)
{
	struct timespec now = {0};

	*journal = (struct journal){.directory = directory, .fd = -1};
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(journal->name, sizeof(journal->name), "%ld-%lld-%ld", (long)getpid(),
	         (long long)now.tv_sec, now.tv_nsec);
	journal->fd = openat(directory, journal->name,
	                     O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	if (journal->fd < 0 || flock(journal->fd, LOCK_EX | LOCK_NB) < 0)
		return error_system(err, "the journal of what is changed");
	return 0;
}

int journal_add(const struct journal *journal, const json_t *line, struct error *err)
{
	cleanup_free char *text = xjson(json_text_dump(line, JSON_COMPACT));
	cleanup_free char *whole = xasprintf("%s\n", text);

	if (write_full(journal->fd, whole, strlen(whole)) < 0)
		return error_system(err, "the journal of what is changed");
	return 0;
}

void journal_end(struct journal *journal)
{
	if (journal->fd < 0)
		return;
	unlinkat(journal->directory, journal->name, 0);
	close(journal->fd);
	journal->fd = -1;
}

/* Lines up to the first that is not whole: what it says was not done. */
static json_t *read_lines(int fd, bool *done)
{
	json_t *lines = xjson(json_array());
	struct stat st;
	cleanup_free char *text = NULL;
	ssize_t n;

	*done = false;
	if (fstat(fd, &st) < 0 || (size_t)st.st_size > JOURNAL_MAX)
		return lines;
	text = xmalloc((size_t)st.st_size + 1);
	n = read_full(fd, text, (size_t)st.st_size);
	text[n > 0 ? n : 0] = '\0';
	for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		json_t *line = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES, NULL);

		if (!line)
			break;
		*done |= json_object_get(line, "done") != NULL;
		json_array_append_new(lines, line);
	}
	return lines;
}

static void recover_one(int directory, const char *name, journal_undo *undo)
{
	cleanup_close int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_json json_t *lines = NULL;
	struct stat st;
	bool done;

	/* Only our own, and not of a writer that still works. */
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 022) || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	lines = read_lines(fd, &done);
	if (undo(lines, done))
		unlinkat(directory, name, 0);
}

void journal_recover(int directory, journal_undo *undo)
{
	int again = dup(directory);
	DIR *dir = again < 0 ? NULL : fdopendir(again);
	const struct dirent *entry;

	if (!dir) {
		if (again >= 0)
			close(again);
		return;
	}
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			recover_one(directory, entry->d_name, undo);
	closedir(dir);
}
