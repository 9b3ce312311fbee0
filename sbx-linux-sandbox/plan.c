#include "plan.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "kept/case_alias.h"
#include "outer/reopened_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static json_t *mounts_json(const struct mounts *mounts)
{
	json_t *array = xjson(json_array());

	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount *m = &mounts->items[i];
		bool seen = m->overlay || (m->copied && m->kind == MOUNT_LINK);

		if (mount_shows_source(m) && !m->passing)
			json_array_append_new(array,
			                      xjson(json_pack("[o,I,I,b]", os_string(m->path),
			                                      (json_int_t)(seen ? 0 : m->dev),
			                                      (json_int_t)(seen ? 0 : m->ino),
			                                      m->kind == MOUNT_WRITE ||
			                                              m->kind == MOUNT_DEVICE)));
	}
	return array;
}

static json_t *numbers_json(const int *numbers, size_t count)
{
	json_t *array = xjson(json_array());

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_integer(numbers[i]));
	return array;
}

int plan_write(int fd, const struct request *request, const struct mounts *mounts,
               const struct plan_extras *extras, struct error *err)
{
	cleanup_json json_t *plan = xjson(json_pack(
	        "{s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:b,s:i,s:o,s:o,s:I,s:I,s:I,s:I}", "argv",
	        os_vector(request->argv), "env", os_vector(environ), "cwd", os_string(request->cwd),
	        "permissions", permissions_json(permissions_inside(request)), "mounts",
	        mounts_json(mounts), "aliases", alias_json(&request->permissions, request->tmp),
	        "filter", (int)seccomp_index(extras->filter), "foreground", extras->foreground,
	        "stderr_fd", extras->stderr_fd, "keep_fds",
	        numbers_json(request->keep_fds, request->keep_count), "reopen",
	        reopen_json(request), "mark", (json_int_t)extras->mark, "nofile",
	        (json_int_t)extras->nofile, "processes", (json_int_t)extras->processes, "file_size",
	        (json_int_t)request->limits.most[LIMIT_FILES]));

	if (extras->ground)
		json_object_set_new(plan, "ground", permissions_json(extras->ground));
	/* json_dumpfd() would make a system call per token. */
	cleanup_free char *text = xjson(json_text_dump(plan, JSON_COMPACT));
	size_t len = strlen(text);

	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno != EINTR)
			return error_system(err, "writing the plan");
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int read_mounts(const json_t *array, struct plan *plan, struct error *err)
{
	plan->mounts = xrealloc_array(NULL, json_array_size(array) + 1, sizeof(*plan->mounts));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *row = json_array_get(array, i);
		char *path = os_string_get(json_array_get(row, 0), "plan.mounts", err);

		if (!path)
			return -1;
		plan->mounts[plan->mount_count++] = (struct expectation){
		        .path = path,
		        .dev = (dev_t)json_integer_value(json_array_get(row, 1)),
		        .ino = (ino_t)json_integer_value(json_array_get(row, 2)),
		        .writable = json_is_true(json_array_get(row, 3)),
		};
	}
	return 0;
}

static int read_members(const json_t *json, struct plan *plan, struct error *err)
{
	const json_t *keep = json_object_get(json, "keep_fds");
	const json_t *filter = json_object_get(json, "filter");
	const json_t *ground = json_object_get(json, "ground");

	/* A list that is missing would be one of nothing to check. */
	if (!json_is_integer(filter) || !json_is_integer(json_object_get(json, "processes")) ||
	    !json_is_integer(json_object_get(json, "file_size")) || !json_is_array(keep) ||
	    !json_is_array(json_object_get(json, "mounts")) ||
	    !json_is_array(json_object_get(json, "aliases")) ||
	    !json_is_array(json_object_get(json, "reopen")))
		return error_set(err, EXIT_SYSTEM, "system", "the plan is damaged");
	plan->argv = os_vector_get(json_object_get(json, "argv"), "plan.argv", err);
	plan->env =
	        plan->argv ? os_vector_get(json_object_get(json, "env"), "plan.env", err) : NULL;
	plan->cwd = plan->env ? os_string_get(json_object_get(json, "cwd"), "plan.cwd", err) : NULL;
	if (!plan->cwd ||
	    permissions_get(json_object_get(json, "permissions"), &plan->permissions, err) < 0)
		return -1;
	plan->filter = seccomp_choice_at((unsigned)json_integer_value(filter));
	if (plan->filter.brokered && permissions_get(ground, &plan->ground, err) < 0)
		return -1;
	plan->foreground = json_is_true(json_object_get(json, "foreground"));
	plan->stderr_fd = (int)json_integer_value(json_object_get(json, "stderr_fd"));
	plan->mark = (uint64_t)json_integer_value(json_object_get(json, "mark"));
	plan->aliases = json_incref(json_object_get(json, "aliases"));
	plan->reopen = json_incref(json_object_get(json, "reopen"));
	plan->processes = json_integer_value(json_object_get(json, "processes"));
	plan->file_size = json_integer_value(json_object_get(json, "file_size"));
	plan->nofile = (unsigned long)json_integer_value(json_object_get(json, "nofile"));
	plan->keep_fds = xrealloc_array(NULL, json_array_size(keep) + 1, sizeof(int));
	for (size_t i = 0; i < json_array_size(keep); i++)
		plan->keep_fds[plan->keep_count++] =
		        (int)json_integer_value(json_array_get(keep, i));
	return read_mounts(json_object_get(json, "mounts"), plan, err);
}

int plan_read(int fd, struct plan *plan, struct error *err)
{
	cleanup_json json_t *json = NULL;
	struct stat st;
	void *text;

	memset(plan, 0, sizeof(*plan));
	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return error_set(err, EXIT_SYSTEM, "system", "the plan is missing");
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		return error_system(err, "reading the plan");
	json = json_loadb(text, (size_t)st.st_size, 0, NULL);
	munmap(text, (size_t)st.st_size);
	if (!json)
		return error_set(err, EXIT_SYSTEM, "system", "the plan is damaged");
	return read_members(json, plan, err);
}
