#include "repositories/states_in_git.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "git/git_config.h"
#include "git/pointer_file.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STATE_MAX (256 << 20)

static size_t state_count(void)
{
	size_t count = 0;

	while (git_state(count))
		count++;
	return count;
}

static int open_state(const struct git_part *part, const char *name, struct stat *st)
{
	cleanup_close int fd =
	        path_open_beneath(part->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, st) < 0 || !S_ISREG(st->st_mode))
		return -1;
	return keep_fd(&fd);
}

static bool read_state(int fd, const struct stat *st, off_t limit, struct git_text *text)
{
	ssize_t used;

	if (st->st_size > limit)
		return false;
	text->bytes = xmalloc((size_t)st->st_size + 1);
	used = read_full(fd, text->bytes, (size_t)st->st_size);
	text->size = used < 0 ? 0 : (size_t)used;
	text->bytes[text->size] = '\0';
	return used >= 0;
}

/* A file with a date of before the run was not touched; the date of its change cannot be set. */
void states_remember(struct git_part *part)
{
	part->states = xrealloc_array(NULL, state_count(), sizeof(*part->states));
	for (size_t i = 0; i < state_count(); i++) {
		struct state_found *found = &part->states[i];
		struct stat st;
		cleanup_close int fd = open_state(part, git_state(i)->name, &st);

		*found = (struct state_found){.exists = fd >= 0};
		if (fd < 0)
			continue;
		found->inode = st.st_ino;
		found->changed = st.st_ctim;
		read_state(fd, &st, 1 << 16, &found->text);
	}
}

static bool is_object_format(void *context, const char *section, const char *key)
{
	(void)context;
	return strcmp(section, "extensions") == 0 && strcmp(key, "objectformat") == 0;
}

static void take_format(void *context, const char *section, const char *key, const char *value)
{
	size_t *size = context;

	(void)section;
	(void)key;
	*size = strcmp(value, "sha256") == 0 ? 32 : 20;
}

/*
 * As the repository's settings say, which the command could not write.  A linked
 * worktree has them elsewhere: git takes no notice of a "config" in its directory.
 */
static size_t hash_size(const struct git_part *part)
{
	size_t size = 20;
	const struct gitconfig_reader reader = {is_object_format, take_format, &size};
	struct gitfile file;
	cleanup_free char *common = NULL;

	if (gitfile_common(&file, part->path) == 0) {
		common = path_join(part->path, file.exact);
		gitfile_free(&file);
	}
	gitconfig_read(common ? common : part->path, &reader);
	return size;
}

static void judge_state(const struct git_part *part, const struct git_state *state,
                        const char *name, const struct state_found *before)
{
	char aside[NAME_MAX + 1];
	struct git_text text = {0};
	struct stat st;
	cleanup_close int fd = open_state(part, name, &st);
	bool harmful;

	if (fd < 0 || (before && before->exists && before->inode == st.st_ino &&
	               memcmp(&before->changed, &st.st_ctim, sizeof(st.st_ctim)) == 0))
		return;
	harmful = !read_state(fd, &st, STATE_MAX, &text) ||
	          state->is_harmful(&text, before && before->text.bytes ? &before->text : NULL,
	                            hash_size(part));
	free(text.bytes);
	if (!harmful)
		return;
	if (put_aside_below(part->fd, name, aside) == 0)
		complain("\"%s/%s\": the command changed it, and %s: it was renamed to %s",
		         part->path, name, state->why, aside);
	else
		complain("\"%s/%s\": the command changed it, and %s: remove it before you use git "
		         "there (renaming it: %s)",
		         part->path, name, state->why, strerror(errno));
}

struct shared {
	const struct git_part *part;
	const struct git_state *state;
};

/* sharedindex.HASH holds a part of the index. */
static bool judge_shared(void *context, const char *name, enum kind kind)
{
	const struct shared *shared = context;

	if (strncmp(name, "sharedindex.", 12) == 0 && kind != KIND_DIRECTORY &&
	    !strstr(name, ".sbx-"))
		judge_state(shared->part, shared->state, name, NULL);
	return true;
}

void states_judge(const struct git_part *part)
{
	const struct git_state *state;

	for (size_t i = 0; part->states && (state = git_state(i)) != NULL; i++) {
		judge_state(part, state, state->name, &part->states[i]);
		if (strcmp(state->name, "index") == 0) {
			cleanup_close int fd = git_directory_open(part->fd, ".");
			struct shared shared = {part, state};

			if (fd < 0 || listing(fd, judge_shared, &shared) < 0)
				complain("\"%s\": %s", part->path, strerror(errno));
		}
	}
}

void states_free(struct git_part *part)
{
	for (size_t i = 0; part->states && i < state_count(); i++)
		free(part->states[i].text.bytes);
	free(part->states);
}
