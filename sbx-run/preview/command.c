#include "preview/command.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/stage.h"
#include "preview/kept.h"
#include "preview/show_changes.h"
#include "report/result.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* As a person typed it. */
static char *command_of(const json_t *about)
{
	const json_t *argv = json_object_get(about, "argv");
	cleanup_free char *line = xstrdup("");
	struct error none = {0};

	for (size_t i = 0; i < json_array_size(argv); i++) {
		cleanup_free char *word = os_string_get(json_array_get(argv, i), "argv", &none);
		cleanup_free char *quoted = text_quote(word ? word : "?");
		cleanup_free char *before = line;

		line = xasprintf("%s%s%s", before, *before ? " " : "", quoted);
	}
	return fold_shown(line);
}

static bool is_running(const struct preview_state *state)
{
	cleanup_close int fd = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static void list_one(const struct fold *fold, const struct preview_state *state)
{
	struct error none = {0};
	cleanup_json json_t *about = preview_about(state, &none);
	cleanup_free char *place =
	        about ? os_string_get(json_object_get(about, "cwd"), "cwd", &none) : NULL;
	cleanup_free char *shown = fold_shown(place ? place : "?");
	cleanup_free char *command = command_of(about);
	cleanup_free char *text = xasprintf("%s  %s", shown, command), *head = NULL;
	time_t when = (time_t)json_integer_value(json_object_get(about, "time"));
	char day[32] = "";
	struct tm tm;

	if (about && localtime_r(&when, &tm))
		strftime(day, sizeof(day), "%Y-%m-%d %H:%M", &tm);
	head = xasprintf("%s  %-16s  %-7s  ", state->id, day,
	                 is_running(state) ? "running"
	                 : about           ? "kept"
	                                   : "damaged");
	fold_ready(fold, head, text);
}

static int list_all(struct error *err)
{
	cleanup_free char *place = previews_place(err);
	cleanup_vector char **all = place ? previews_list(place, err) : NULL;
	struct fold fold = {.out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n"};

	if (!all)
		return -1;
	for (char **id = all; *id; id++) {
		struct preview_state state;
		struct error none = {0};

		if (preview_find(&state, *id, &none) == 0)
			list_one(&fold, &state);
		preview_free(&state);
	}
	return fflush(stdout) == 0 ? 0 : error_system(err, "writing");
}

static int print_changes(const struct preview_state *state, const struct arguments *a,
                         struct error *err)
{
	cleanup_json json_t *changes = kept_changes(state, err);
	cleanup_json json_t *about = changes ? preview_about(state, err) : NULL;
	cleanup_free char *place =
	        about ? os_string_get(json_object_get(about, "cwd"), "cwd", err) : NULL;

	if (!place)
		return -1;
	if (a->json)
		return document_write(changes, stdout, err);
	show_changes(changes, place, SIZE_MAX, STDOUT_FILENO);
	return 0;
}

static int changes(const struct arguments *a, struct error *err)
{
	struct preview_state state = {.lock = -1};
	int status;

	if (!a->command[0])
		return list_all(err);
	status = preview_find(&state, a->command[0], err);
	if (status == 0)
		status = a->diff ? kept_diff(&state, a->command + 1, STDOUT_FILENO, err)
		                 : print_changes(&state, a, err);
	preview_free(&state);
	return status;
}

static int with(const char *id, const struct arguments *a, struct error *err)
{
	struct preview_state state;
	int status = preview_find(&state, id, err);

	if (status == 0)
		status = a->apply ? kept_apply(&state, a, a->command, a->force, err)
		                  : kept_discard(&state, err);
	preview_free(&state);
	return status;
}

int preview_command(const struct arguments *a)
{
	const char *id = a->apply ? a->apply : a->discard;
	struct error err = {0};
	int status;

	if (!id && !a->changes)
		return -1;
	status = id ? with(id, a, &err) : changes(a, &err);
	if (status == 0)
		return 0;
	/* The helper has said why. */
	if (!*err.message)
		return run_status(err.exit);
	return run_status(stage_fail(&err));
}
