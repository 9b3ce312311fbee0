#include "git/pointer_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/path.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* git's own limit for a pointer file.  A lower one here would let a longer file through. */
#define FILE_MAX (1 << 20)

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

char *gitfile_text(const char *directory, const char *name)
{
	cleanup_close int dir = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return dir < 0 ? NULL : gitfile_text_at(dir, name);
}

char *gitfile_text_at(int dir, const char *name)
{
	/* O_NONBLOCK: a fifo in its place must not hold us up. */
	cleanup_close int fd =
	        path_open_beneath(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	cleanup_free char *text = NULL;
	ssize_t used;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	errno = 0;
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return NULL;
	text = xmalloc((size_t)st.st_size + 1);
	used = read_full(fd, text, (size_t)st.st_size);
	if (used < 0)
		return NULL;
	/* git, too, sees only what comes before a NUL. */
	text[used] = '\0';
	return keep_ptr(text);
}

static char *trim(const char *s)
{
	size_t len;

	while (isspace((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len > 0 && isspace((unsigned char)s[len - 1]))
		len--;
	return xstrndup(s, len);
}

static char *cut_line_ends(const char *s)
{
	size_t len = strlen(s);

	while (len > 0 && (s[len - 1] == '\n' || s[len - 1] == '\r'))
		len--;
	return xstrndup(s, len);
}

int gitfile_pointer(struct gitfile *file, const char *path)
{
	cleanup_free char *directory = path_parent(path);
	cleanup_free char *text = gitfile_text(directory, strrchr(path, '/') + 1);
	cleanup_free char *key = NULL;
	char *colon = text ? strchr(text, ':') : NULL;

	if (text)
		errno = 0;
	if (!colon)
		return -1;
	*colon = '\0';
	key = trim(text);
	if (strcmp(key, "gitdir") != 0)
		return -1;
	file->exact = cut_line_ends(colon + 1 + (colon[1] == ' '));
	file->trimmed = trim(colon + 1);
	return 0;
}

int gitfile_common(struct gitfile *file, const char *gitdir)
{
	cleanup_free char *text = gitfile_text(gitdir, "commondir");

	if (!text)
		return -1;
	file->exact = cut_line_ends(text);
	file->trimmed = trim(text);
	return 0;
}

void gitfile_free(struct gitfile *file)
{
	free(file->exact);
	free(file->trimmed);
}
