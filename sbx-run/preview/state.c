#include "preview/state.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "base/write_full.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "grant/effective.h"
#include "trust/kept_place.h"

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

static bool is_id(const char *name)
{
	return strlen(name) == PREVIEW_ID_SIZE - 1 &&
	       strspn(name, "0123456789abcdef") == PREVIEW_ID_SIZE - 1;
}

char *previews_place(struct error *err)
{
	cleanup_free char *kept = kept_place();
	cleanup_free char *named = kept ? path_join(kept, "previews") : NULL;
	cleanup_free char *place = NULL;
	struct stat st;

	if (!kept) {
		error_set(err, EXIT_INPUT, "no-home", "HOME is not set: no preview can be kept");
		return NULL;
	}
	if (kept_make(kept) < 0 || (mkdir(named, 0700) < 0 && errno != EEXIST) ||
	    lstat(named, &st) < 0) {
		error_system(err, "\"%s\"", named);
		return NULL;
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077)) {
		error_set(err, EXIT_INPUT, "bad-place",
		          "\"%s\": not a directory of yours that is closed to others", named);
		return NULL;
	}
	place = realpath(named, NULL);
	if (!place)
		error_system(err, "\"%s\"", named);
	return keep_ptr(place);
}

/* ---- a new one --------------------------------------------------------------------- */

static int fresh_id(char id[PREVIEW_ID_SIZE], struct error *err)
{
	cleanup_close int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	unsigned char chance[4];

	if (fd < 0 || read(fd, chance, sizeof(chance)) != (ssize_t)sizeof(chance))
		return error_system(err, "/dev/urandom");
	snprintf(id, PREVIEW_ID_SIZE, "%02x%02x%02x%02x", chance[0], chance[1], chance[2],
	         chance[3]);
	return 0;
}

static json_t *words_of(const struct arguments *a)
{
	return a->exec || a->policy_count == 0 ? json_null() : os_vector(a->policy);
}

static json_t *about(const json_t *doc, const struct arguments *a, struct error *err)
{
	const json_t *command = json_object_get(doc, "command");
	const json_t *approval = json_object_get(doc, "approval");
	cleanup_json json_t *policy = effective_policy(doc, err);
	cleanup_free char *here = getcwd(NULL, 0);

	if (!policy)
		return NULL;
	return xjson(json_pack("{s:O,s:O,s:O,s:O*,s:O*,s:o,s:o,s:I}", "argv",
	                       json_object_get(command, "argv"), "cwd",
	                       json_object_get(command, "cwd"), "permissions",
	                       json_object_get(policy, "permissions"), "workspace",
	                       json_object_get(policy, "workspace"), "grant",
	                       json_object_get(approval, "grant"), "words", words_of(a), "from",
	                       os_string(here ? here : "/"), "time", (json_int_t)time(NULL)));
}

static int write_about(const struct preview_state *state, const json_t *doc,
                       const struct arguments *a, struct error *err)
{
	cleanup_json json_t *all = about(doc, a, err);
	cleanup_free char *text = all ? xjson(json_text_dump(all, JSON_COMPACT)) : NULL;
	cleanup_free char *path = path_join(state->path, "about");
	cleanup_close int fd = -1;

	if (!text)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 || write_full(fd, text, strlen(text)) < 0 ? error_system(err, "\"%s\"", path)
	                                                        : 0;
}

static int expect_room(const char *place, struct error *err)
{
	cleanup_vector char **all = previews_list(place, err);
	size_t count = 0;

	while (all && all[count])
		count++;
	if (!all)
		return -1;
	return count < PREVIEWS_MAX
	               ? 0
	               : error_set(err, EXIT_UNAVAILABLE, "preview",
	                           "--preview: %d previews are kept already; sbx-run --changes "
	                           "lists them, --discard ID forgets one",
	                           PREVIEWS_MAX);
}

int preview_begin(struct preview_state *state, const json_t *doc, const struct arguments *a,
                  struct error *err)
{
	*state = (struct preview_state){.lock = -1, .place = previews_place(err)};
	if (!state->place || expect_room(state->place, err) < 0 || fresh_id(state->id, err) < 0)
		return -1;
	state->path = path_join(state->place, state->id);
	if (mkdir(state->path, 0700) < 0)
		return error_system(err, "\"%s\"", state->path);
	state->lock = open(state->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (state->lock < 0 || flock(state->lock, LOCK_SH | LOCK_NB) < 0)
		return error_system(err, "\"%s\"", state->path);
	return write_about(state, doc, a, err);
}

void preview_unlock(struct preview_state *state)
{
	if (state->lock >= 0)
		close(state->lock);
	state->lock = -1;
}

void preview_free(struct preview_state *state)
{
	if (!state->place)
		return;
	preview_unlock(state);
	free(state->place);
	free(state->path);
	*state = (struct preview_state){.lock = -1};
}

/* ---- those that are there -------------------------------------------------------------- */

static bool collect(void *context, const char *name, enum kind kind)
{
	if (may_be_directory(kind) && is_id(name))
		strings_add(context, xstrdup(name));
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **previews_list(const char *place, struct error *err)
{
	cleanup_close int fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct strings names = {0};

	if (fd < 0 || listing(fd, collect, &names) < 0) {
		error_system(err, "\"%s\"", place);
		strings_free(&names);
		return NULL;
	}
	if (names.count == 0)
		return xcalloc(1, sizeof(char *));
	qsort(names.items, names.count, sizeof(*names.items), by_name);
	return names.items;
}

int preview_find(struct preview_state *state, const char *id, struct error *err)
{
	cleanup_vector char **all = NULL;
	size_t found = 0;

	*state = (struct preview_state){.lock = -1, .place = previews_place(err)};
	all = state->place ? previews_list(state->place, err) : NULL;
	if (!all)
		return -1;
	for (char **name = all; *name; name++)
		if (*id && strncmp(*name, id, strlen(id)) == 0) {
			snprintf(state->id, sizeof(state->id), "%s", *name);
			found++;
		}
	if (found != 1)
		return error_set(
		        err, EXIT_INPUT, "no-preview",
		        found ? "\"%s\": more than one preview begins with that"
		              : "\"%s\": there is no such preview; sbx-run --changes lists "
		                "them",
		        id);
	state->path = path_join(state->place, state->id);
	return 0;
}

json_t *preview_about(const struct preview_state *state, struct error *err)
{
	cleanup_free char *path = path_join(state->path, "about");
	cleanup_close int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(keep_fd(&fd), "r");
	json_t *all = file ? json_loadf(file, JSON_REJECT_DUPLICATES, NULL) : NULL;

	if (file)
		fclose(file);
	if (!json_is_object(all)) {
		json_decref(all);
		error_set(err, EXIT_INPUT, "preview",
		          "the preview %s was ended before it began; --discard %s forgets it",
		          state->id, state->id);
		return NULL;
	}
	return all;
}
