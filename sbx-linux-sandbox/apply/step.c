#include "apply/step.h"

#include "apply/stage.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "fs/directory_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

/* Both ends of a step, open. */
struct place {
	int parent, stage;
	const char *name;
	char new[STAGE_NAME_MAX], old[STAGE_NAME_MAX];
};

static int open_place(const struct step *s, struct place *p)
{
	cleanup_free char *parent = path_parent(s->path);

	p->name = strrchr(s->path, '/') + 1;
	stage_new(s->number, p->new);
	stage_old(s->number, p->old);
	p->parent = open_without_links(parent);
	p->stage = p->parent < 0 || s->kind == STEP_META || s->kind == STEP_LINK
	                   ? -1
	                   : open_without_links(s->stage);
	return p->parent < 0 ? -1 : 0;
}

static void close_place(const struct place *p)
{
	int saved = errno;

	if (p->parent >= 0)
		close(p->parent);
	if (p->stage >= 0)
		close(p->stage);
	errno = saved;
}

static ino_t inode(int parent, const char *name)
{
	struct stat st;

	return parent >= 0 && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_ino : 0;
}

/* The file of the plan, and as it was then: who writes into it leaves its number as it is. */
static bool is_as_planned(const struct step *s, int parent, const char *name)
{
	struct stat st;

	return fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == s->old &&
	       (!S_ISREG(s->was.st_mode) ||
	        (st.st_size == s->was.st_size && st.st_mtim.tv_sec == s->was.st_mtim.tv_sec &&
	         st.st_mtim.tv_nsec == s->was.st_mtim.tv_nsec));
}

static int move(int from, const char *name, int to, const char *other, unsigned flags)
{
	if (syscall(SYS_renameat2, from, name, to, other, flags) == 0)
		return 0;
	if ((errno != EINVAL && errno != ENOSYS) || flags != RENAME_NOREPLACE)
		return -1;
	if (inode(to, other)) {
		errno = EEXIST;
		return -1;
	}
	return renameat(from, name, to, other);
}

static bool end_at_once(void *context, const char *name, enum kind kind)
{
	(void)context, (void)name, (void)kind;
	return false;
}

/* What somebody else put there meanwhile is not ours to take away. */
static int expect_empty(int parent, const char *name)
{
	cleanup_close int fd =
	        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	if (listing(fd, end_at_once, NULL) == 0)
		return 0;
	errno = ENOTEMPTY;
	return -1;
}

static int is_stale(void)
{
	errno = ESTALE;
	return -1;
}

static int do_out(const struct step *s, const struct place *p)
{
	struct stat st;

	if (!is_as_planned(s, p->parent, p->name))
		return is_stale();
	if (move(p->parent, p->name, p->stage, p->old, RENAME_NOREPLACE) < 0)
		return -1;
	if (!is_as_planned(s, p->stage, p->old))
		return is_stale();
	return fstatat(p->stage, p->old, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)
	               ? expect_empty(p->stage, p->old)
	               : 0;
}

static int do_swap(const struct step *s, const struct place *p)
{
	if (!is_as_planned(s, p->parent, p->name))
		return is_stale();
	if (move(p->stage, p->new, p->parent, p->name, RENAME_EXCHANGE) == 0)
		return is_as_planned(s, p->stage, p->new) ? 0 : is_stale();
	if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
		return -1;
	if (move(p->parent, p->name, p->stage, p->old, RENAME_NOREPLACE) < 0)
		return -1;
	if (!is_as_planned(s, p->stage, p->old))
		return is_stale();
	return move(p->stage, p->new, p->parent, p->name, RENAME_NOREPLACE);
}

static int do_link(const struct step *s, const struct place *p)
{
	cleanup_free char *other = path_parent(s->stage);
	cleanup_close int from = open_without_links(other);
	const char *name = strrchr(s->stage, '/') + 1;

	if (from < 0 || inode(from, name) != s->old)
		return is_stale();
	return linkat(from, name, p->parent, p->name, 0);
}

static int set_meta(const struct place *p, ino_t wanted, const struct stat *st, mode_t more)
{
	const struct timespec times[2] = {st->st_atim, st->st_mtim};
	const char *name = *p->name ? p->name : ".";
	cleanup_close int fd = openat(p->parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat now;

	if (fd < 0 || fstat(fd, &now) < 0)
		return -1;
	if (wanted && now.st_ino != wanted)
		return is_stale();
	if (!S_ISLNK(now.st_mode) && (now.st_mode & 07777) != ((st->st_mode | more) & 07777) &&
	    fd_chmod(fd, (st->st_mode | more) & 07777) < 0)
		return -1;
	return utimensat(p->parent, name, times, AT_SYMLINK_NOFOLLOW);
}

static int perform(const struct step *s, const struct place *p)
{
	switch (s->kind) {
	case STEP_OUT:
		return do_out(s, p);
	case STEP_IN:
		return move(p->stage, p->new, p->parent, p->name, RENAME_NOREPLACE);
	case STEP_SWAP:
		return do_swap(s, p);
	case STEP_LINK:
		return do_link(s, p);
	case STEP_META:
		return set_meta(p, s->old, &s->now, 0);
	case STEPS:
		break;
	}
	errno = EINVAL;
	return -1;
}

static const char *why(int number)
{
	return number == ESTALE || number == EEXIST || number == ENOENT || number == ENOTEMPTY
	               ? "it was changed on the host meanwhile"
	       : number == ELOOP || number == ENOTDIR ? "a symbolic link or a file is in the way"
	                                              : strerror(number);
}

int step_do(const struct step *s, struct error *err)
{
	struct place p;
	int status = open_place(s, &p) < 0 ? -1 : perform(s, &p);

	close_place(&p);
	return status < 0 ? error_set(err, EXIT_INPUT, "preview", "\"%s\": %s; nothing was changed",
	                              s->path, why(errno))
	                  : 0;
}

/* ---- and back ------------------------------------------------------------------ */

static enum undone is_left(const struct step *s, const char *name)
{
	bool taken = errno == EEXIST;

	complain("\"%s\": what it was is in \"%s\", called %s: %s", s->path, s->stage, name,
	         strerror(errno));
	return taken ? UNDONE_BUT_LEFT : NOT_UNDONE;
}

/* What is there by that name came from its place: what it should be, or what was there instead. */
static enum undone undo_out(const struct step *s, const struct place *p)
{
	if (!inode(p->stage, p->old) ||
	    move(p->stage, p->old, p->parent, p->name, RENAME_NOREPLACE) == 0)
		return UNDONE;
	return is_left(s, p->old);
}

static enum undone undo_in(const struct step *s, const struct place *p)
{
	struct stat st;

	if (fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_ino != s->new ||
	    unlinkat(p->parent, p->name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) == 0)
		return UNDONE;
	/* What somebody put into a new directory meanwhile keeps it. */
	return errno == ENOTEMPTY ? UNDONE : NOT_UNDONE;
}

static enum undone undo_swap(const struct step *s, const struct place *p)
{
	ino_t staged = inode(p->stage, p->new), now = inode(p->parent, p->name);

	/* They have changed places. */
	if (staged && staged != s->new) {
		if (now != s->new) {
			errno = EEXIST;
			return is_left(s, p->new);
		}
		return move(p->stage, p->new, p->parent, p->name, RENAME_EXCHANGE) == 0
		               ? UNDONE
		               : is_left(s, p->new);
	}
	if (inode(p->stage, p->old) && now == s->new)
		unlinkat(p->parent, p->name, 0);
	return undo_out(s, p);
}

static enum undone undo_link(const struct step *s, const struct place *p)
{
	return inode(p->parent, p->name) != s->old || unlinkat(p->parent, p->name, 0) == 0
	               ? UNDONE
	               : NOT_UNDONE;
}

static enum undone undo(const struct step *s, const struct place *p)
{
	switch (s->kind) {
	case STEP_OUT:
		return undo_out(s, p);
	case STEP_IN:
		return undo_in(s, p);
	case STEP_SWAP:
		return undo_swap(s, p);
	case STEP_LINK:
		return undo_link(s, p);
	case STEP_META:
		if (S_ISDIR(s->was.st_mode))
			set_meta(p, s->old, &s->was, S_IRWXU);
		return UNDONE;
	case STEPS:
		break;
	}
	return UNDONE;
}

enum undone step_undo(const struct step *s)
{
	struct place p;
	enum undone status;

	/* The directory that it would be in was never made: a file or a link is still there. */
	if (open_place(s, &p) < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? UNDONE : NOT_UNDONE;
	status = undo(s, &p);
	close_place(&p);
	return status;
}

void step_restore(const struct step *s)
{
	struct place p;

	/* A file that is back in its place has kept what it was, or has what was written since. */
	if (!s->was.st_mode || (s->kind != STEP_META && !S_ISDIR(s->was.st_mode)) ||
	    open_place(s, &p) < 0)
		return;
	set_meta(&p, s->old, &s->was, 0);
	close_place(&p);
}

/* ---- in the journal --------------------------------------------------------------- */

static const char *const names[STEPS] = {
        [STEP_OUT] = "out",   [STEP_IN] = "in",     [STEP_SWAP] = "swap",
        [STEP_LINK] = "link", [STEP_META] = "meta",
};

json_t *step_json(const struct step *s)
{
	const struct stat *w = &s->was;

	return xjson(json_pack("{s:s,s:o,s:o,s:I,s:I,s:I,s:[I,I,I,I,I]}", "do", names[s->kind],
	                       "path", os_string(s->path), "stage",
	                       s->stage ? os_string(s->stage) : json_null(), "number",
	                       (json_int_t)s->number, "old", (json_int_t)s->old, "new",
	                       (json_int_t)s->new, "was", (json_int_t)w->st_mode,
	                       (json_int_t)w->st_atim.tv_sec, (json_int_t)w->st_atim.tv_nsec,
	                       (json_int_t)w->st_mtim.tv_sec, (json_int_t)w->st_mtim.tv_nsec));
}

static long long number(const json_t *list, size_t i)
{
	return json_integer_value(json_array_get(list, i));
}

int step_get(const json_t *json, struct step *s)
{
	const json_t *was = json_object_get(json, "was"), *stage = json_object_get(json, "stage");
	int kind = 0;
	struct error none = {0};
	const char *word = json_string_value(json_object_get(json, "do"));

	while (kind < STEPS && word && strcmp(names[kind], word) != 0)
		kind++;
	if (!word || kind == STEPS)
		return -1;
	*s = (struct step){.kind = (enum step_kind)kind,
	                   .path = os_string_get(json_object_get(json, "path"), "path", &none),
	                   .number = (size_t)json_integer_value(json_object_get(json, "number")),
	                   .old = (ino_t)json_integer_value(json_object_get(json, "old")),
	                   .new = (ino_t)json_integer_value(json_object_get(json, "new"))};
	if (!json_is_null(stage))
		s->stage = os_string_get(stage, "stage", &none);
	s->was.st_mode = (mode_t)number(was, 0);
	s->was.st_atim = (struct timespec){(time_t)number(was, 1), (long)number(was, 2)};
	s->was.st_mtim = (struct timespec){(time_t)number(was, 3), (long)number(was, 4)};
	if (!none.exit && path_is_normal(s->path))
		return 0;
	step_free(s);
	return -1;
}

void step_free(struct step *s)
{
	free(s->path);
	free(s->stage);
	*s = (struct step){0};
}
