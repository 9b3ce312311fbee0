#include "patch/writer.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/effective.h"
#include "linux/confine.h"
#include "patch/beside.h"
#include "patch/commit.h"
#include "patch/plan.h"
#include "patches/patch.h"
#include "patches/patch_text.h"
#include "policy/permissions.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writing {
	char **files; /* that may be written, as the document names them; freed entries are NULL */
	size_t count;
	char *text; /* of the patch */
	size_t len;
	int from, to, done;
	struct journal journal;
};

bool patch_is_ours(const json_t *doc)
{
	return patch_program(json_object_get(doc, "command")) != NULL;
}

/* Why a file cannot be written, or NULL. */
static const char *refusal(const struct permissions *permissions, const char *tmp,
                           char *const *files, const char *file)
{
	struct stat st;

	if (!path_is_normal(file))
		return "not a normalized path";
	if (tmp && tmp_decides(permissions, tmp, file))
		return "lies in the private /tmp of the sandbox; --tmp shared names the host's";
	/* That is nothing to write, and the confined half says so. */
	if (lstat(file, &st) == 0 && S_ISDIR(st.st_mode))
		return NULL;
	return patch_may_change(files, permissions, file)
	               ? NULL
	               : "is protected or outside the writable roots";
}

/* In the sandbox a patch writes nothing; what any other command could, its writer may. */
static json_t *as_command(json_t *doc)
{
	static const char *const parts[][2] = {{"command", "tool"}, {"approval", "permissions"}};
	json_t *copy = xjson(json_copy(doc));

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_t *part = xjson(json_copy(json_object_get(doc, parts[i][0])));

		json_object_del(part, parts[i][1]);
		json_object_set_new(copy, parts[i][0], part);
	}
	return copy;
}

/* All of them: a patch is applied as a whole. */
static int judge(json_t *doc, const struct wrapped *wrapped, char *const *files, struct error *err)
{
	cleanup_json json_t *given = as_command(doc);
	cleanup_json json_t *policy = effective_policy(given, err);
	cleanup_free char *tmp = policy && tmp_is_private(policy) ? slash_tmp() : NULL;
	struct permissions permissions;
	int status = 0;

	if (!policy ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return -1;
	for (char *const *file = files; wrapped->confined && status == 0 && *file; file++) {
		const char *why = refusal(&permissions, tmp, files, *file);

		if (why)
			status = error_set(err, EXIT_DENIED, "patch", "\"%s\": %s", *file, why);
	}
	permissions_free(&permissions);
	return status;
}

/* The nearest directory of each file that is there: what is made is made below it. */
static char **directories_of(char *const *files)
{
	size_t count = 0;
	char **out;

	while (files[count])
		count++;
	out = xrealloc_array(NULL, count + 1, sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		char *parent = path_parent(files[i]);
		int fd;

		while ((fd = beside_open(parent)) < 0 && errno == ENOENT) {
			char *above = path_parent(parent);

			free(parent);
			parent = above;
		}
		if (fd >= 0)
			close(fd);
		out[i] = parent;
	}
	out[count] = NULL;
	return out;
}

/* Each file once, and none that is not the document's. */
static bool is_named(struct writing *w, const char *path)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->files[i] && strcmp(w->files[i], path) == 0) {
			free(w->files[i]);
			w->files[i] = NULL;
			return true;
		}
	return false;
}

static int receive_path(int from, uint32_t len, char path[PLAN_PATH_MAX + 1], struct error *err)
{
	if (len > PLAN_PATH_MAX || plan_receive(from, path, len) < 0)
		return error_set(err, EXIT_INPUT, "patch",
		                 "the list of changes was cut short; nothing was changed");
	path[len] = '\0';
	return 0;
}

static int take(struct writing *w, struct commit *commit, struct plan_head *head, struct error *err)
{
	char path[PLAN_PATH_MAX + 1], mode_of[PLAN_PATH_MAX + 1];
	const char *was = head->existed ? head->was : NULL;

	head->was[sizeof(head->was) - 1] = '\0';
	if (receive_path(w->from, head->path_len, path, err) < 0 ||
	    receive_path(w->from, head->mode_len, mode_of, err) < 0)
		return -1;
	if (!path_is_normal(path) || !is_named(w, path))
		return error_set(err, EXIT_DENIED, "patch",
		                 "\"%s\": not among the files that were approved; nothing was "
		                 "changed",
		                 path);
	if (head->kind == PLAN_DELETE)
		return commit_delete(commit, path, was, err);
	return commit_write(commit, path, was,
	                    head->mode_len && path_is_normal(mode_of) ? mode_of : NULL, w->from,
	                    head->len, err);
}

static int take_all(struct writing *w, struct commit *commit, struct error *err)
{
	struct plan_head head;

	for (;;) {
		if (plan_receive(w->from, &head, sizeof(head)) < 0)
			return error_set(err, EXIT_INPUT, "patch",
			                 "the list of changes was cut short; nothing was "
			                 "changed");
		if (head.kind == PLAN_END)
			return commit_all(commit, err);
		if (head.kind > PLAN_END)
			return error_set(err, EXIT_INPUT, "patch", "not a valid change");
		if (take(w, commit, &head, err) < 0)
			return -1;
	}
}

/* Nobody writes any more: what is asked for after a failure is heard and forgotten. */
static void answer(const struct writing *w, const struct error *err)
{
	plan_send_text(w->to, err->message, err->exit ? strlen(err->message) : 0);
}

/* The process itself. */
static int write_patch(struct writing *w)
{
	cleanup_vector char **directories = directories_of(w->files);
	struct commit commit = {.journal = &w->journal};
	struct error err = {0};
	int status = plan_send_text(w->to, w->text, w->len) < 0
	                     ? error_system(&err, "handing the patch over")
	                     : confine_to(directories, NULL, w->journal.directory,
	                                  CONFINED_TO_FILES, &err);

	if (status == 0)
		status = take_all(w, &commit, &err);
	commit_free(&commit);
	journal_end(&w->journal);
	if (status == 0 && write(w->done, "", 1) != 1)
		status = error_system(&err, "reporting that the patch is applied");
	answer(w, &err);
	return status < 0;
}

/* The journal first: without one nothing is begun. */
static int prepare(struct writing *w, struct error *err)
{
	int directory = commit_directory(err);

	if (directory < 0)
		return -1;
	commit_recover(directory);
	return journal_begin(&w->journal, directory, err);
}

static int fork_writer(struct patch_writer *writer, struct writing *w, struct error *err)
{
	int down[2], up[2], done[2];

	if (pipe_open(down, err) < 0 || pipe_open(up, err) < 0 || pipe_open(done, err) < 0)
		return -1;
	writer->in = down[0];
	writer->out = up[1];
	writer->done = done[0];
	writer->pid = fork();
	if (writer->pid == 0) {
		/* It ends with the confined half, whatever ends that; it is not ended before. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		close(writer->in);
		close(writer->out);
		close(writer->done);
		w->from = up[0];
		w->to = down[1];
		w->done = done[1];
		_exit(prepare(w, err) < 0 ? (answer(w, err), 1) : write_patch(w));
	}
	close(down[1]);
	close(up[0]);
	close(done[1]);
	return writer->pid < 0 ? error_system(err, "starting the writer of the patch") : 0;
}

/* The words of the command are the last; nothing of the document decides what stands there. */
static int replace_command(struct patch_writer *writer, const json_t *doc, struct wrapped *wrapped,
                           struct error *err)
{
	size_t words = json_array_size(json_object_get(json_object_get(doc, "command"), "argv"));
	cleanup_free char *self = sibling_path("sbx-run", err);
	size_t count = 0;

	while (wrapped->argv[count])
		count++;
	if (!self)
		return -1;
	if (count < words)
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "exec.argv: does not end with the command");
	while (words-- > 0)
		free(wrapped->argv[--count]);
	snprintf(writer->word, sizeof(writer->word), "%d", writer->out);
	wrapped->argv = xrealloc_array(wrapped->argv, count + 4, sizeof(char *));
	wrapped->argv[count++] = keep_ptr(self);
	wrapped->argv[count++] = xstrdup("--apply-patch-inside");
	wrapped->argv[count++] = xstrdup(writer->word);
	wrapped->argv[count] = NULL;
	return 0;
}

int patch_writer_start(struct patch_writer *writer, json_t *doc, struct wrapped *wrapped,
                       struct error *err)
{
	const json_t *command = json_object_get(doc, "command");
	struct writing w = {.journal = {.directory = -1, .fd = -1}};
	cleanup_vector char **files = NULL;
	cleanup_free char *text = NULL;
	int status;

	*writer = (struct patch_writer){.in = -1, .out = -1, .done = -1};
	if (!patch_is_ours(doc))
		return 0;
	text = os_string_get(patch_program(command), "command.patch", err);
	files = text ? patch_paths(doc, err) : NULL;
	if (!files || judge(doc, wrapped, files, err) < 0)
		return -1;
	w.files = files;
	while (files[w.count])
		w.count++;
	w.text = text;
	w.len = strlen(text);
	status = fork_writer(writer, &w, err);
	return status < 0 ? -1 : replace_command(writer, doc, wrapped, err);
}

void patch_writer_started(struct patch_writer *writer)
{
	if (writer->pid <= 0)
		return;
	close(writer->in);
	close(writer->out);
	writer->in = writer->out = -1;
}

/* It says so itself: its status may have been taken with that of the command's processes. */
static bool is_applied(struct patch_writer *writer)
{
	char byte;
	ssize_t n;

	do {
		n = read(writer->done, &byte, 1);
	} while (n < 0 && errno == EINTR);
	close(writer->done);
	writer->done = -1;
	return n == 1;
}

bool patch_writer_finish(struct patch_writer *writer)
{
	struct error none = {0};
	bool applied;
	int directory, status;

	if (writer->pid <= 0)
		return false;
	if (writer->in >= 0)
		patch_writer_started(writer);
	applied = is_applied(writer);
	status = spawn_wait(writer->pid);
	writer->pid = 0;
	if (applied || (status >= 0 && status < 128))
		return applied;
	directory = commit_directory(&none);
	if (directory < 0)
		return false;
	commit_recover(directory);
	close(directory);
	return false;
}
