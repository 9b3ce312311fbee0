#include "preview/kept.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/fold.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "base/strings.h"
#include "base/write_full.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "formats/write_all.h"
#include "fs/path.h"
#include "grant/grant.h"
#include "pipeline.h"
#include "policy/permissions.h"
#include "process/sibling.h"
#include "process/spawn.h"
#include "terminal/question_terminal.h"
#include "trust/kept_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* More than a person reads at a terminal; a file or a pipe gets all of it. */
#define DIFF_SHOWN (16UL << 20)

extern char **environ;

/* The helper has said on stderr what went wrong. */
static int said(int status, struct error *err)
{
	if (status == 0)
		return 0;
	*err = (struct error){.exit = status > 0 && status <= EXIT_SYSTEM ? status : EXIT_SYSTEM};
	return -1;
}

static pid_t start(const char *verb, const struct preview_state *state, char *const *paths, int in,
                   int out, struct error *err)
{
	static char voice[] = "sbx-run";
	cleanup_free char *path = sibling_path("sbx-linux-sandbox", err);
	struct strings words = {0};
	pid_t pid;

	if (!path)
		return -1;
	strings_add(&words, xstrdup(voice));
	strings_add(&words, xstrdup("--kept-previews"));
	strings_add(&words, xstrdup(verb));
	strings_add(&words, xstrdup(state->place));
	if (state->id[0])
		strings_add(&words, xstrdup(state->id));
	for (; paths && *paths; paths++)
		strings_add(&words, xstrdup(*paths));
	pid = spawn(path, words.items, environ, in, out, -1, err);
	strings_free(&words);
	return pid;
}

static int run(const char *verb, const struct preview_state *state, char *const *paths, int in,
               int out, struct error *err)
{
	pid_t pid = start(verb, state, paths, in, out, err);

	return pid < 0 ? -1 : said(spawn_wait(pid), err);
}

/* ---- what has changed -------------------------------------------------------------- */

/* What it prints; a list may be long. */
static char *printed(const char *verb, const struct preview_state *state, char *const *paths,
                     size_t most, struct error *err)
{
	cleanup_close int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cleanup_free char *text = NULL;
	int ends[2];
	size_t used = 0, room = 1 << 16;
	ssize_t n = 1;
	pid_t pid;

	if (null < 0 || pipe_open(ends, err) < 0)
		return NULL;
	pid = start(verb, state, paths, null, ends[1], err);
	close(ends[1]);
	text = xmalloc(room + 1);
	while (pid > 0 && used < most && n > 0) {
		if (used == room) {
			room *= 2;
			text = xrealloc_array(text, room + 1, 1);
		}
		n = read(ends[0], text + used,
		         room - used < most - used ? room - used : most - used);
		used += n > 0 ? (size_t)n : 0;
	}
	close(ends[0]);
	text[used] = '\0';
	/* One that was cut short is ended by it. */
	if (pid < 0 || (said(spawn_wait(pid), err) < 0 && used < most))
		return NULL;
	err->exit = 0;
	return keep_ptr(text);
}

json_t *kept_changes(const struct preview_state *state, struct error *err)
{
	cleanup_free char *text = printed("changes", state, NULL, 64UL << 20, err);
	json_t *all = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;

	if (text && !json_is_object(all)) {
		json_decref(all);
		all = NULL;
		error_set(err, EXIT_SYSTEM, "preview", "the changes of %s cannot be read",
		          state->id);
	}
	if (all)
		json_object_set_new(all, "id", json_string(state->id));
	return all;
}

static char **absolute(char *const *paths)
{
	cleanup_free char *base = getcwd(NULL, 0);
	struct strings all = {0};

	for (; *paths; paths++)
		strings_add(&all, path_join(base ? base : "/", *paths));
	return all.items ? all.items : xcalloc(1, sizeof(char *));
}

/* At a terminal it is read: what a command wrote moves no cursor there. */
static int show_diff(const struct preview_state *state, char *const *paths, int fd,
                     struct error *err)
{
	cleanup_free char *diff = printed("diff", state, paths, DIFF_SHOWN, err);
	cleanup_free char *text = NULL;
	size_t size = 0, len = diff ? strlen(diff) : 0;
	struct fold fold = {
	        .columns = fold_columns(fd), .end = "\n", .lines = true, .diff = tty_has_colours()};

	if (!diff)
		return -1;
	if (len > 0 && diff[len - 1] == '\n')
		diff[len - 1] = '\0';
	fold.out = open_memstream(&text, &size);
	if (!fold.out)
		return error_system(err, "memory");
	if (len > 0)
		fold_field(&fold, "| ", diff, 0, "");
	return fclose(fold.out) == 0 && write_all(fd, text, size) == 0
	               ? 0
	               : error_system(err, "writing");
}

int kept_diff(const struct preview_state *state, char *const *paths, int fd, struct error *err)
{
	cleanup_vector char **wanted = absolute(paths);

	if (fold_columns(fd) > 0)
		return show_diff(state, wanted, fd, err);
	return run("diff", state, wanted, -1, fd, err);
}

char *kept_diff_text(const struct preview_state *state, size_t most, struct error *err)
{
	return printed("diff", state, NULL, most, err);
}

/* ---- apply ---------------------------------------------------------------------------- */

/* The policy that the same options would give now, from the same directory. */
static json_t *policy_now(const struct arguments *a, const json_t *about, struct error *err)
{
	struct arguments again = {
	        .learned = -1, .audit = -1, .report_fd = a->report_fd, .verbose = a->verbose};
	cleanup_free char *from = os_string_get(json_object_get(about, "from"), "from", err);
	cleanup_vector char **words = os_vector_get(json_object_get(about, "words"), "words", err);
	char *none[] = {NULL};
	cleanup_free char *here = getcwd(NULL, 0);
	json_t *doc = NULL;

	if (!from || !words)
		return NULL;
	again.policy = words;
	while (words[again.policy_count])
		again.policy_count++;
	again.command = none;
	if (chdir(from) < 0) {
		error_system(err, "\"%s\", where the command was started", from);
		return NULL;
	}
	if (pipeline_policy(&again, &doc, err) < 0) {
		json_decref(doc);
		doc = NULL;
	}
	if (here && chdir(here) < 0)
		errno = 0;
	return doc;
}

/* What was given beyond the policy then does not stand in it. */
static void add_granted(struct permissions *now, const json_t *given)
{
	cleanup_grant struct grant grant = GRANT_NOTHING;
	struct error none = {0};

	if (!json_is_object(given) || grant_get(given, &grant, &none) < 0)
		return;
	for (char **path = grant.paths[GRANT_WRITE]; path && *path; path++)
		if (path_is_normal(*path) && !permissions_find(now, *path))
			permissions_add(now, *path, ACCESS_WRITE);
}

static json_t *both_policies(const struct arguments *a, const json_t *about, struct error *err)
{
	json_t *then = json_object_get(about, "permissions");
	cleanup_json json_t *doc = NULL;
	struct permissions now;
	json_t *json;

	/* Nobody but the document of that run knows more. */
	if (!json_is_array(json_object_get(about, "words")))
		return xjson(json_pack("{s:O,s:O}", "then", then, "now", then));
	doc = policy_now(a, about, err);
	if (!doc || permissions_get(json_object_get(json_object_get(doc, "policy"), "permissions"),
	                            &now, err) < 0)
		return NULL;
	add_granted(&now, json_object_get(about, "grant"));
	json = permissions_json(&now);
	permissions_free(&now);
	return xjson(json_pack("{s:O,s:o}", "then", then, "now", json));
}

int kept_apply(const struct preview_state *state, const struct arguments *a, char *const *paths,
               bool force, struct error *err)
{
	cleanup_json json_t *about = preview_about(state, err);
	cleanup_json json_t *policies = about ? both_policies(a, about, err) : NULL;
	cleanup_free char *text = policies ? xjson(json_text_dump(policies, JSON_COMPACT)) : NULL;
	cleanup_vector char **wanted = text ? absolute(paths) : NULL;
	int ends[2], status;
	pid_t pid;

	if (!wanted || pipe_open(ends, err) < 0)
		return -1;
	/* One that ends before it has read all has said why. */
	signal(SIGPIPE, SIG_IGN);
	pid = start(force ? "force" : "apply", state, wanted, ends[0], -1, err);
	close(ends[0]);
	status = pid < 0 ? -1 : write_full(ends[1], text, strlen(text));
	close(ends[1]);
	if (pid < 0)
		return -1;
	return said(spawn_wait(pid), err) < 0 || status < 0 ? -1 : 0;
}

int kept_discard(const struct preview_state *state, struct error *err)
{
	return run("discard", state, NULL, -1, -1, err);
}

/* A journal is there only for as long as an apply lasts. */
static bool is_there_a_journal(const char *directory)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	bool any = false;

	while (dir && !any && (entry = readdir(dir)) != NULL)
		any = entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return any;
}

void kept_recover(void)
{
	cleanup_free char *kept = kept_place();
	cleanup_free char *place = kept ? path_join(kept, "previews") : NULL;
	cleanup_free char *journals = place ? path_join(place, "journals") : NULL;
	struct preview_state state = {.lock = -1};
	struct error err = {0};

	if (!journals || !is_there_a_journal(journals) || !(state.place = previews_place(&err)))
		return;
	run("recover", &state, NULL, -1, -1, &err);
	preview_free(&state);
}

#define DAYS 30

static void expire(const char *id)
{
	struct preview_state state;
	struct error none = {0};
	struct stat st;

	if (preview_find(&state, id, &none) == 0 && lstat(state.path, &st) == 0 &&
	    time(NULL) - st.st_mtime > (time_t)DAYS * 86400)
		kept_discard(&state, &none);
	preview_free(&state);
}

void kept_expire(void)
{
	struct error none = {0};
	cleanup_free char *place = previews_place(&none);
	cleanup_vector char **all = place ? previews_list(place, &none) : NULL;

	for (char **id = all; id && *id; id++)
		expire(*id);
}
