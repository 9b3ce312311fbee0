#include "changes/record.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "changes", fresh[] = "changes.new";

/* Of a directory only that it is one: what is in it has notes of its own. */
static json_t *identity(const struct change *c)
{
	const struct stat *st = &c->was;

	if (!c->had)
		return json_null();
	if (S_ISDIR(st->st_mode))
		return xjson(json_pack("[I]", (json_int_t)(st->st_mode & S_IFMT)));
	return xjson(json_pack("[I,I,I,I,I,I,I,I]", (json_int_t)st->st_mode, (json_int_t)st->st_dev,
	                       (json_int_t)st->st_ino, (json_int_t)st->st_size,
	                       (json_int_t)st->st_mtim.tv_sec, (json_int_t)st->st_mtim.tv_nsec,
	                       (json_int_t)st->st_ctim.tv_sec, (json_int_t)st->st_ctim.tv_nsec));
}

/* By the clock of the file system: this file was made right before the command began. */
static int began(const struct state *state, size_t root, struct timespec *out)
{
	struct stat st;

	if (fstatat(state->roots[root].fd, "root", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	*out = st.st_mtim;
	return 0;
}

static bool is_after(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Paths have any bytes; keys have not. */
static char *key_of(const struct change *c)
{
	cleanup_json json_t *path = os_string(c->path);

	return xjson(json_text_dump(path, JSON_COMPACT | JSON_ENCODE_ANY));
}

/* PATH: [identity, was it changed while the command ran] */
static json_t *take_note(const struct state *state, const struct changes *changes)
{
	json_t *note = xjson(json_object());

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *c = &changes->items[i];
		struct timespec start = {0};
		bool during = c->had && !S_ISDIR(c->was.st_mode) &&
		              began(state, c->root, &start) == 0 &&
		              is_after(&c->was.st_ctim, &start);

		cleanup_free char *key = key_of(c);

		json_object_set_new(note, key, xjson(json_pack("[o,b]", identity(c), during)));
	}
	return note;
}

static int write_note(const struct state *state, const json_t *note, struct error *err)
{
	cleanup_free char *text = xjson(json_text_dump(note, JSON_COMPACT));
	cleanup_close int fd = openat(state->fd, fresh,
	                              O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	size_t len = strlen(text);

	for (size_t at = 0; fd >= 0 && at < len;) {
		ssize_t n = write(fd, text + at, len - at);

		if (n < 0 && errno != EINTR)
			return error_system(err, "\"%s/%s\"", state->path, fresh);
		at += n > 0 ? (size_t)n : 0;
	}
	if (fd < 0 || renameat(state->fd, fresh, state->fd, name) < 0)
		return error_system(err, "\"%s/%s\"", state->path, name);
	return 0;
}

/* NULL: there is none yet; with err when it cannot be read. */
static json_t *read_note(const struct state *state, struct error *err)
{
	cleanup_close int fd = openat(state->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(keep_fd(&fd), "r");
	json_t *note;

	if (!file) {
		if (errno != ENOENT)
			error_system(err, "\"%s/%s\"", state->path, name);
		return NULL;
	}
	note = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
	fclose(file);
	if (!json_is_object(note)) {
		json_decref(note);
		note = NULL;
		error_set(err, EXIT_INPUT, "preview", "\"%s/%s\": damaged", state->path, name);
	}
	return note;
}

static const char *judge(const struct change *c, const json_t *row)
{
	cleanup_json json_t *now = identity(c);

	if (c->kind == CHANGE_SAME)
		return NULL;
	if (!row)
		return "it came or changed on the host after the command ended";
	if (json_is_true(json_array_get(row, 1)))
		return "it was changed on the host while the command ran";
	return json_equal(now, json_array_get(row, 0))
	               ? NULL
	               : "it was changed on the host after the command ended";
}

int record_compare(const struct state *state, struct changes *changes, struct error *err)
{
	cleanup_json json_t *note = read_note(state, err);

	if (!note && err->exit)
		return -1;
	if (!note) {
		note = take_note(state, changes);
		if (write_note(state, note, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < changes->count; i++) {
		cleanup_free char *key = key_of(&changes->items[i]);

		changes->items[i].conflict = judge(&changes->items[i], json_object_get(note, key));
	}
	return 0;
}
