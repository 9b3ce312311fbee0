#include "changes/state.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/path.h"
#include "tmp/private_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static char *read_name(int at)
{
	cleanup_close int fd = openat(at, "root", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char text[PATH_MAX];
	ssize_t n = fd < 0 ? -1 : read_full(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return NULL;
	text[n] = '\0';
	return (size_t)n == strlen(text) && path_is_normal(text) ? xstrdup(text) : NULL;
}

static int open_root(struct state_root *root, struct error *err)
{
	cleanup_close int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	root->lower = read_name(root->fd);
	if (!root->lower)
		return error_set(err, EXIT_INPUT, "preview", "the preview is damaged");
	root->upper = openat(root->fd, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (root->upper < 0)
		return error_system(err, "the preview of \"%s\"", root->lower);
	root->host = top < 0 ? -1
	                     : path_open_beneath(top, root->lower + 1,
	                                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	return root->host < 0 ? error_system(err, "\"%s\"", root->lower) : 0;
}

static int open_roots(struct state *state, struct error *err)
{
	for (unsigned i = 0;; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "%u", i);
		fd = openat(state->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT)
			return 0;
		if (fd < 0)
			return error_system(err, "\"%s/%s\"", state->path, name);
		list_add(state->roots, state->count,
		         (struct state_root){.fd = fd, .upper = -1, .host = -1});
		if (open_root(&state->roots[i], err) < 0)
			return -1;
	}
}

int state_open(const char *path, struct state *state, struct error *err)
{
	*state = (struct state){.path = xstrdup(path)};
	state->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (state->fd < 0 || private_directory(state->fd) < 0)
		return error_system(err, "\"%s\"", path);
	if (flock(state->fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK
		               ? error_set(err, EXIT_SYSTEM, "locked",
		                           "the command of this preview still runs, or somebody "
		                           "applies it")
		               : error_system(err, "\"%s\"", path);
	return open_roots(state, err);
}

void state_close(struct state *state)
{
	for (size_t i = 0; i < state->count; i++) {
		const int fds[] = {state->roots[i].fd, state->roots[i].upper, state->roots[i].host};

		for (size_t k = 0; k < 3; k++)
			if (fds[k] >= 0)
				close(fds[k]);
		free(state->roots[i].lower);
	}
	free(state->roots);
	free(state->path);
	if (state->fd >= 0)
		close(state->fd);
	*state = (struct state){.fd = -1};
}
