#include "closed/git_ignored.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "closed/ignore_file.h"
#include "entries/carve_outs.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "git/pointer_file.h"
#include "repositories/git_settings.h"
#include "repositories/named_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX   400000   /* about a fifth of a second */
#define MATCHES_MAX 8192     /* each is a mount */
#define TRIES_MAX   20000000 /* of a pattern at a name: some seconds */
#define DEPTH_MAX   256      /* no real tree is as deep */
#define FILES_MAX   (DEPTH_MAX * 2 + 8)

static const char source[] = "what git ignores is decided here";

struct walk {
	struct workbench *bench;
	size_t names, matches, tries;
	const char *parts[DEPTH_MAX + 1]; /* of the path, from the top of the repository on */
	size_t depth;
	struct strings above;                /* those of the workspace itself */
	struct ignore_file files[FILES_MAX]; /* from the weakest to the strongest */
	size_t count;
	bool fold;
	ignored_found *found;
	void *context;
	struct error *err;
};

/* A directory while it is listed. */
struct place {
	struct walk *walk;
	const char *path;
	int fd;
	int status;
	bool hides; /* something in it, or below */
};

static int too_much(struct walk *walk, const char *path, const char *what)
{
	return error_set(walk->err, EXIT_INPUT, "ignored-bound",
	                 "--hide gitignored: \"%s\": %s; hide what matters by name", path, what);
}

/* Adds a file of patterns for all that comes below. */
static int read_file(struct walk *walk, int directory, const char *name, const char *path)
{
	struct ignore_file *file = &walk->files[walk->count];

	if (walk->count == FILES_MAX)
		return too_much(walk, path, "too many files of patterns");
	file->depth = walk->depth;
	if (ignore_file_read(file, directory, name, path, walk->err) < 0)
		return -1;
	for (size_t i = 0; i < file->count; i++)
		file->patterns[i].fold = walk->fold;
	walk->count++;
	return 0;
}

static void forget_files(struct walk *walk, size_t count)
{
	while (walk->count > count)
		ignore_file_free(&walk->files[--walk->count]);
}

/* The strongest file that says anything decides. */
static int judge(struct walk *walk, const char *path, bool directory, bool *ignored)
{
	enum ignored said = IGNORED_UNSAID;

	for (size_t i = walk->count; i-- > 0 && said == IGNORED_UNSAID;) {
		walk->tries += walk->files[i].count;
		if (walk->tries > TRIES_MAX)
			return too_much(walk, path, "too many patterns for so many files");
		said = ignore_file_says(&walk->files[i], walk->parts, walk->depth, directory);
	}
	*ignored = said == IGNORED_YES;
	return 0;
}

static int list_directory(struct place *up, const char *name, const char *path);

/* A link is what it leads to, which is judged by its own name. */
static int visit_one(struct place *place, const char *name, enum kind kind, const char *path)
{
	struct walk *walk = place->walk;
	bool directory = kind == KIND_DIRECTORY, ignored;
	struct stat st;

	if (kind == KIND_LINK)
		return 0;
	if (kind == KIND_UNKNOWN) {
		if (fstatat(place->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return errno == ENOENT ? 0 : error_system(walk->err, "\"%s\"", path);
		if (S_ISLNK(st.st_mode))
			return 0;
		directory = S_ISDIR(st.st_mode);
	}
	if (judge(walk, path, directory, &ignored) < 0)
		return -1;
	if (!ignored)
		return directory ? list_directory(place, name, path) : 0;
	if (++walk->matches > MATCHES_MAX)
		return too_much(walk, path, "more than 8192 files and directories");
	place->hides = true;
	walk->found(walk->context, path);
	return 0;
}

static bool visit(void *context, const char *name, enum kind kind)
{
	struct place *place = context;
	struct walk *walk = place->walk;
	cleanup_free char *path = path_join(place->path, name);

	if (strcmp(name, ".git") == 0)
		return true;
	if (++walk->names > NAMES_MAX)
		place->status = too_much(walk, path, "too many files to look at");
	else if (walk->depth == DEPTH_MAX)
		place->status = too_much(walk, path, "directories nested too deep");
	if (place->status < 0)
		return false;
	walk->parts[walk->depth++] = name;
	place->status = visit_one(place, name, kind, path);
	walk->depth--;
	return place->status == 0;
}

/*
 * The patterns of a directory: of a repository in it first, which can say what is
 * ignored but not what is not, since a command can make one; then its .gitignore.
 */
static int read_patterns(struct place *place, bool top)
{
	struct walk *walk = place->walk;
	cleanup_free char *exclude = path_join(place->path, ".git/info/exclude");
	cleanup_free char *ignore = path_join(place->path, ".gitignore");

	if (!top) {
		if (read_file(walk, place->fd, ".git/info/exclude", exclude) < 0)
			return -1;
		ignore_file_distrust(&walk->files[walk->count - 1]);
	}
	return read_file(walk, place->fd, ".gitignore", ignore);
}

static int list_names(struct place *place, bool top)
{
	struct walk *walk = place->walk;
	size_t before = walk->count;
	int status = read_patterns(place, top);

	if (status == 0 && listing(place->fd, visit, place) < 0)
		status = error_system(walk->err, "--hide gitignored: \"%s\"", place->path);
	if (status == 0)
		status = place->status;
	forget_files(walk, before);
	if (status == 0 && place->hides) {
		cleanup_free char *ignore = path_join(place->path, ".gitignore");

		status = protect_path(walk->bench, ignore, source, walk->err);
	}
	return status;
}

static int list_directory(struct place *up, const char *name, const char *path)
{
	cleanup_close int fd =
	        openat(up->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct place place = {.walk = up->walk, .path = path, .fd = fd};
	struct stat st;
	int why = errno;

	if (fd < 0) {
		/* Closed to us and somebody else's: closed to the command as well. */
		if (why == ENOENT || why == ENOTDIR || why == ELOOP ||
		    (why == EACCES && fstatat(up->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		     st.st_uid != geteuid()))
			return 0;
		return error_system(up->walk->err, "--hide gitignored: \"%s\"", path);
	}
	if (list_names(&place, false) < 0)
		return -1;
	up->hides |= place.hides;
	return 0;
}

/* The directories from the top of the repository down to the workspace, which git reads as well. */
static int begin_above(struct walk *walk, const char *top, const char *workspace)
{
	cleanup_free char *at = xstrdup(top);
	const char *rest = workspace + strlen(top);

	for (rest += strspn(rest, "/"); *rest; rest += strspn(rest, "/")) {
		cleanup_close int fd = open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		cleanup_free char *ignore = path_join(at, ".gitignore");
		size_t len = strcspn(rest, "/");
		char *name = xstrndup(rest, len);
		char *next = path_join(at, name);
		bool ignored = false;
		int status;

		strings_add(&walk->above, name);
		free(at);
		at = next;
		if (walk->depth == DEPTH_MAX)
			return too_much(walk, at, "directories nested too deep");
		status = fd < 0 ? error_system(walk->err, "\"%s\"", at)
		                : read_file(walk, fd, ".gitignore", ignore);
		walk->parts[walk->depth++] = name;
		if (status < 0 || judge(walk, at, true, &ignored) < 0 ||
		    protect_path(walk->bench, ignore, source, walk->err) < 0)
			return -1;
		if (ignored)
			return error_set(walk->err, EXIT_INPUT, "ignored-unknown",
			                 "--hide gitignored: git ignores \"%s\" itself", at);
		rest += len;
	}
	return 0;
}

/* A file that somebody's settings name; it may be a link, and may be missing. */
static int read_named(struct walk *walk, const char *path)
{
	cleanup_free char *real = path_canonical(path, walk->err);
	cleanup_free char *parent = real ? path_parent(real) : NULL;
	cleanup_close int fd =
	        parent ? open(parent, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

	if (!real)
		return -1;
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR
		               ? 0
		               : error_system(walk->err, "--hide gitignored: \"%s\"", path);
	if (protect_path(walk->bench, real, source, walk->err) < 0)
		return -1;
	return strcmp(real, "/dev/null") == 0 ? 0
	                                      : read_file(walk, fd, strrchr(real, '/') + 1, real);
}

/* Of the user and the machine: core.excludesFile, and where it is when nobody says. */
static int read_of_user(struct walk *walk, const char *top)
{
	struct git_settings global = {.bench = walk->bench};
	const char *home = getenv("HOME"), *named = getenv("XDG_CONFIG_HOME");
	cleanup_free char *usual = named && named[0] == '/' ? path_below(named, "git/ignore")
	                           : home && home[0] == '/' ? path_below(home, ".config/git/ignore")
	                                                    : NULL;
	int status = usual ? read_named(walk, usual) : 0;

	git_settings_read_global(&global);
	for (size_t i = 0; status == 0 && i < global.excludes.count; i++) {
		cleanup_free char *path = named_expand(global.excludes.items[i], top);

		if (path && path[0])
			status = read_named(walk, path);
	}
	git_settings_free(&global);
	return status;
}

/*
 * Of the repository.  A file that its own settings name is not read: it would turn
 * any file of the user's into patterns, and be guessed by what is hidden.
 */
static int read_of_repository(struct walk *walk, const struct repository *repository)
{
	struct git_settings own = {.bench = walk->bench};
	cleanup_close int fd = -1;
	cleanup_free char *exclude = NULL;
	bool named;

	if (!repository->root)
		return 0;
	if (!repository->common)
		return error_set(walk->err, EXIT_INPUT, "ignored-unknown",
		                 "--hide gitignored: \"%s\": its .git points elsewhere, and that "
		                 "does not point back",
		                 repository->root);
	git_settings_read(&own, repository->common, "config");
	if (own.has_own && repository->gitdir)
		git_settings_read(&own, repository->gitdir, "config.worktree");
	named = own.excludes.count > 0;
	walk->fold |= own.folds;
	git_settings_free(&own);
	if (named)
		return error_set(walk->err, EXIT_INPUT, "ignored-unknown",
		                 "--hide gitignored: core.excludesFile in the repository's own "
		                 "config is not believed; set it in your ~/.gitconfig");
	fd = open(repository->common, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_system(walk->err, "\"%s\"", repository->common);
	exclude = path_join(repository->common, "info/exclude");
	return read_file(walk, fd, "info/exclude", exclude);
}

static int walk_workspace(struct walk *walk, const char *workspace)
{
	const struct repository *repository = walk->bench->repository;
	const char *top = repository->root && path_contains(repository->root, workspace)
	                          ? repository->root
	                          : workspace;
	cleanup_close int fd = open(workspace, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct place place = {.walk = walk, .path = workspace, .fd = fd};

	if (fd < 0)
		return error_system(walk->err, "\"%s\"", workspace);
	if (read_of_user(walk, top) < 0 || read_of_repository(walk, repository) < 0 ||
	    begin_above(walk, top, workspace) < 0)
		return -1;
	return list_names(&place, strcmp(top, workspace) == 0);
}

int git_ignored(struct workbench *bench, ignored_found *found, void *context, struct error *err)
{
	struct walk *walk = xmalloc(sizeof(*walk));
	int status;

	*walk = (struct walk){.bench = bench, .found = found, .context = context, .err = err};
#ifdef __APPLE__
	walk->fold = true;
#endif
	status = walk_workspace(walk, bench->policy->workspace);
	forget_files(walk, 0);
	strings_free(&walk->above);
	free(walk);
	return status;
}
