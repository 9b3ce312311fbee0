#include "patch/inside.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "base/write_full.h"
#include "fs/path.h"
#include "patch/beside.h"
#include "patch/change.h"
#include "patch/plan.h"
#include "patches/patch_text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file as the patch has left it so far. */
struct state {
	char *path;
	const char *mode_of; /* a path, or NULL */
	struct content now;
	bool exists, existed;
	char was[SHA256_TEXT_SIZE];
};

struct inside {
	const struct patch_text *patch;
	char *cwd;
	struct state *states;
	size_t count;
};

/* What is wrong with an existing file, or NULL. */
static const char *fault(int fd, struct stat *st)
{
	if (fd < 0)
		return errno == ELOOP     ? "a symbolic link is in the way"
		       : errno == ENOTDIR ? "a symbolic link or a file is in the way"
		       : errno == ENXIO   ? "is not a regular file"
		                          : strerror(errno);
	if (fstat(fd, st) < 0)
		return strerror(errno);
	if (S_ISDIR(st->st_mode))
		return "is a directory";
	return S_ISREG(st->st_mode) ? NULL : "is not a regular file";
}

static int read_content(int fd, const struct stat *st, struct content *out)
{
	size_t room = (size_t)st->st_size + 1;
	ssize_t n;

	out->text = xmalloc(room);
	n = read_full(fd, out->text, room);
	if (n < 0 || (size_t)n == room) {
		errno = n < 0 ? errno : EAGAIN; /* it grows while it is read */
		return -1;
	}
	out->len = (size_t)n;
	return 0;
}

/* What is there now; a file that is not there is no failure. */
static int load(struct state *state, const char *name, struct error *err)
{
	cleanup_free char *directory = path_parent(state->path);
	cleanup_close int parent = beside_open(directory);
	/* O_NONBLOCK: a fifo in its place must not hold us up. */
	cleanup_close int fd =
	        parent < 0 ? -1
	                   : openat(parent, strrchr(state->path, '/') + 1,
	                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	const char *why;

	if (fd < 0 && errno == ENOENT)
		return 0;
	why = fault(fd, &st);
	if (!why && read_content(fd, &st, &state->now) < 0)
		why = strerror(errno);
	if (why)
		return error_set(err, EXIT_INPUT, "bad-patch", "%s: %s", name, why);
	state->exists = state->existed = true;
	sha256_text(state->now.text, state->now.len, state->was);
	return 0;
}

/* The state of a name of the patch; NULL: it cannot be had. */
static struct state *state_of(struct inside *in, const char *name, struct error *err)
{
	cleanup_free char *path = path_join(in->cwd, name);
	struct state *state;

	for (size_t i = 0; i < in->count; i++) {
		state = &in->states[i];
		if (strcmp(state->path, path) == 0)
			return state;
		if (state->exists &&
		    (path_contains(state->path, path) || path_contains(path, state->path))) {
			error_set(err, EXIT_INPUT, "bad-patch",
			          "%s: one file of the patch lies below another", name);
			return NULL;
		}
	}
	state = &in->states[in->count++];
	*state = (struct state){.path = keep_ptr(path)};
	return load(state, name, err) < 0 ? NULL : state;
}

static void set_content(struct state *state, struct content content)
{
	free(state->now.text);
	state->now = content;
	state->exists = true;
}

static void set_missing(struct state *state)
{
	free(state->now.text);
	state->now = (struct content){0};
	state->exists = false;
}

static int update(struct inside *in, const struct patch_file *file, struct state *state,
                  struct error *err)
{
	struct content content = {0};
	struct state *target = state;

	if (file->count > 0 && change_update(file, &state->now, &content, err) < 0)
		return -1;
	if (file->moved && !(target = state_of(in, file->moved, err)))
		return free(content.text), -1;
	if (file->count == 0) {
		content = state->now;
		state->now = (struct content){0};
	}
	set_content(target, content);
	if (target != state) {
		target->mode_of = state->path;
		set_missing(state);
	}
	return 0;
}

static int take(struct inside *in, const struct patch_file *file, struct error *err)
{
	struct state *state = state_of(in, file->name, err);
	struct content content;

	if (!state)
		return -1;
	if (file->kind == PATCH_ADD) {
		change_add(file, &content);
		set_content(state, content);
		return 0;
	}
	if (!state->exists)
		return error_set(err, EXIT_INPUT, "bad-patch", "%s: no such file", file->name);
	if (file->kind == PATCH_UPDATE)
		return update(in, file, state, err);
	set_missing(state);
	return 0;
}

static int ask(int fd, const struct state *state)
{
	struct plan_head head = {.kind = state->exists ? PLAN_WRITE : PLAN_DELETE,
	                         .path_len = (uint32_t)strlen(state->path),
	                         .mode_len = state->mode_of ? (uint32_t)strlen(state->mode_of) : 0,
	                         .existed = state->existed,
	                         .len = state->now.len};

	memcpy(head.was, state->was, sizeof(head.was));
	if (write_full(fd, &head, sizeof(head)) < 0 ||
	    write_full(fd, state->path, head.path_len) < 0 ||
	    (head.mode_len && write_full(fd, state->mode_of, head.mode_len) < 0))
		return -1;
	return write_full(fd, state->now.text, state->now.len);
}

/* Everything is asked for, and the answer heard: an empty one is a yes. */
static int ask_all(const struct inside *in, int fd, struct error *err)
{
	struct plan_head end = {.kind = PLAN_END};
	cleanup_free char *answer = NULL;
	size_t len;

	for (size_t i = 0; i < in->count; i++)
		if ((in->states[i].exists || in->states[i].existed) && ask(fd, &in->states[i]) < 0)
			break; /* it has said why by then */
	if (write_full(fd, &end, sizeof(end)) < 0 && errno != EPIPE)
		return error_system(err, "asking for the changes");
	answer = plan_receive_text(STDIN_FILENO, &len, 1 << 16);
	if (!answer)
		return error_set(err, EXIT_SYSTEM, "system",
		                 "whoever makes the changes has ended; nothing was changed");
	return len == 0 ? 0 : error_set(err, EXIT_SYSTEM, "patch", "%s", answer);
}

static void tell(const struct patch_text *patch, enum patch_kind kind, char letter)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_file *file = &patch->files[i];
		cleanup_free char *name = text_clean(file->moved ? file->moved : file->name);

		if (file->kind == kind)
			printf("%c %s\n", letter, name);
	}
}

static int work(struct inside *in, int fd, struct error *err)
{
	in->cwd = getcwd(NULL, 0);
	if (!in->cwd)
		return error_system(err, "the working directory");
	in->states = xrealloc_array(NULL, 2 * in->patch->count + 1, sizeof(*in->states));
	for (size_t i = 0; i < in->patch->count; i++)
		if (take(in, &in->patch->files[i], err) < 0)
			return -1;
	if (ask_all(in, fd, err) < 0)
		return -1;
	printf("Success. Updated the following files:\n");
	tell(in->patch, PATCH_ADD, 'A');
	tell(in->patch, PATCH_UPDATE, 'M');
	tell(in->patch, PATCH_DELETE, 'D');
	return fflush(stdout) == 0 ? 0 : error_system(err, "writing");
}

int patch_inside(int fd)
{
	size_t len;
	cleanup_free char *text = plan_receive_text(STDIN_FILENO, &len, PATCH_BYTES_MAX);
	struct patch_text patch = {0};
	struct inside in = {.patch = &patch};
	struct error err = {0};
	int status = -1;

	program_name = "apply_patch";
	signal(SIGPIPE, SIG_IGN);
	if (!text)
		error_system(&err, "reading the patch");
	else if (patch_read(text, len, &patch, &err) == 0)
		status = work(&in, fd, &err);
	if (status < 0)
		complain("%s", err.message);
	for (size_t i = 0; i < in.count; i++) {
		free(in.states[i].path);
		free(in.states[i].now.text);
	}
	free(in.states);
	free(in.cwd);
	patch_free(&patch);
	return status < 0;
}
