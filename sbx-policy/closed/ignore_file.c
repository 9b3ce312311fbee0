#include "closed/ignore_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "git/pointer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void parse(struct ignore_file *file, const char *text)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of some editors */

	if (strncmp(text, mark, strlen(mark)) == 0)
		text += strlen(mark);
	while (*text) {
		size_t len = strcspn(text, "\n");
		struct ignore_pattern pattern;

		if (ignore_pattern_parse(&pattern, text, len))
			list_add(file->patterns, file->count, pattern);
		text += len + (text[len] == '\n');
	}
}

int ignore_file_read(struct ignore_file *file, int directory, const char *name, const char *path,
                     struct error *err)
{
	cleanup_free char *text = gitfile_text_at(directory, name);
	int why = errno;
	struct stat st;

	*file = (struct ignore_file){.depth = file->depth};
	/* A directory says nothing to git, and stands for a file that is missing (stubs). */
	if (!text &&
	    (why == ENOENT || why == ENOTDIR ||
	     (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))))
		return 0;
	/* git goes on after a NUL. */
	if (!text || fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (size_t)st.st_size != strlen(text))
		return error_set(err, EXIT_INPUT, "ignored-unknown",
		                 "--hide gitignored: \"%s\" cannot be read as git reads it (%s)",
		                 path,
		                 !text && why == ELOOP ? "a link"
		                 : !text && why        ? strerror(why)
		                                       : "not a plain text of up to 1 MiB");
	parse(file, text);
	return 0;
}

void ignore_file_free(struct ignore_file *file)
{
	for (size_t i = 0; i < file->count; i++)
		ignore_pattern_free(&file->patterns[i]);
	free(file->patterns);
	file->patterns = NULL;
	file->count = 0;
}

void ignore_file_distrust(struct ignore_file *file)
{
	size_t kept = 0;

	for (size_t i = 0; i < file->count; i++)
		if (file->patterns[i].negated)
			ignore_pattern_free(&file->patterns[i]);
		else
			file->patterns[kept++] = file->patterns[i];
	file->count = kept;
}

enum ignored ignore_file_says(const struct ignore_file *file, const char *const *names,
                              size_t count, bool directory)
{
	for (size_t i = file->count; i-- > 0;)
		if (ignore_pattern_matches(&file->patterns[i], names + file->depth,
		                           count - file->depth, directory))
			return file->patterns[i].negated ? IGNORED_NO : IGNORED_YES;
	return IGNORED_UNSAID;
}
