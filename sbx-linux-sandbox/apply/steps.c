#include "apply/steps.h"

#include "apply/same_files.h"
#include "apply/stage.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More would take minutes; then the whole file system is written at once. */
#define SYNCED_MAX 64

struct planning {
	const struct state *state;
	const struct changes *changes;
	char *const *stages;
	struct steps *steps;
	const size_t *same; /* by change: whose file it is another name of; NO_OTHER */
	ino_t *made;        /* by change: what is N.new, or a link to it; 0: nothing */
};

struct step *steps_add(struct steps *steps, struct step step)
{
	if (steps->count == steps->room) {
		steps->room = steps->room ? steps->room * 2 : 64;
		steps->items = xrealloc_array(steps->items, steps->room, sizeof(*steps->items));
	}
	steps->items[steps->count] = step;
	return &steps->items[steps->count++];
}

void steps_free(struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		step_free(&steps->items[i]);
	free(steps->items);
	*steps = (struct steps){0};
}

static struct step *add(struct planning *p, size_t i, enum step_kind kind)
{
	const struct change *c = &p->changes->items[i];
	struct step step = {.kind = kind,
	                    .path = xstrdup(c->path),
	                    .stage = xstrdup(p->stages[c->root]),
	                    .number = i,
	                    .old = c->had ? c->was.st_ino : 0};

	return steps_add(p->steps, step);
}

/* The file by another name keeps its place, and this name gets that one. */
static bool is_linked(const struct planning *p, size_t i)
{
	const struct change *c = &p->changes->items[i];
	const struct change *of = p->same[i] == NO_OTHER ? NULL : &p->changes->items[p->same[i]];

	return of && file_stays(of) && (!c->had || c->was.st_ino != of->was.st_ino);
}

static int failed(struct error *err, const struct change *c)
{
	return error_set(err, EXIT_INPUT, "preview", "\"%s\": %s; nothing was changed", c->path,
	                 strerror(errno));
}

static int stage_one(struct planning *p, size_t i, struct error *err)
{
	const struct change *c = &p->changes->items[i];
	cleanup_close int stage = open_without_links(p->stages[c->root]);
	long like = p->same[i] != NO_OTHER && p->made[p->same[i]] ? (long)p->same[i] : -1;
	char name[STAGE_NAME_MAX];
	struct stat st;

	if (stage < 0 || stage_make(stage, p->state, c, i, like) < 0 ||
	    fstatat(stage, stage_new(i, name), &st, AT_SYMLINK_NOFOLLOW) < 0)
		return failed(err, c);
	p->made[i] = st.st_ino;
	return 0;
}

static void add_meta(struct planning *p, size_t i, mode_t more, ino_t new)
{
	const struct change *c = &p->changes->items[i];
	struct step *step = add(p, i, STEP_META);

	step->now = c->now;
	step->was = (struct stat){0};
	if (new)
		step->old = new;
	else
		step->was = c->was;
	if (!more)
		return;
	step->now = c->was;
	step->now.st_mode |= more;
}

/* A directory that its owner closed is opened for as long as something is done in it. */
static void loosen(struct planning *p)
{
	for (size_t i = 0; i < p->changes->count; i++) {
		const struct change *c = &p->changes->items[i];

		if (c->had && S_ISDIR(c->was.st_mode) && (c->was.st_mode & S_IRWXU) != S_IRWXU)
			add_meta(p, i, S_IRWXU, 0);
	}
}

/* Another name of a file that keeps its place needs that place. */
static void add_link(struct planning *p, size_t i, size_t of)
{
	const struct change *to = &p->changes->items[of];
	struct step *step = add(p, i, STEP_LINK);

	free(step->stage);
	step->stage = xstrdup(to->path);
	step->old = to->was.st_ino;
}

static int add_new(struct planning *p, size_t i, struct error *err)
{
	const struct change *c = &p->changes->items[i];
	struct step *step;

	if (is_linked(p, i)) {
		add_link(p, i, p->same[i]);
		return 0;
	}
	if (!change_makes(c) && c->kind != CHANGE_CONTENT)
		return 0;
	if (stage_one(p, i, err) < 0)
		return -1;
	step = add(p, i, change_makes(c) ? STEP_IN : STEP_SWAP);
	step->new = p->made[i];
	if (step->kind == STEP_SWAP)
		step->was = c->was;
	return 0;
}

/* What a new file is was settled in its stage; a directory has had things put into it. */
static void add_last(struct planning *p, size_t i)
{
	const struct change *c = &p->changes->items[i];

	if (is_linked(p, i))
		return;
	if (change_makes(c) && S_ISDIR(c->now.st_mode))
		add_meta(p, i, 0, p->made[i]);
	else if (c->kind == CHANGE_MODE || c->kind == CHANGE_TIMES ||
	         (c->kind == CHANGE_SAME && S_ISDIR(c->now.st_mode)))
		add_meta(p, i, 0, 0);
}

static int synchronize(const struct planning *p, struct error *err)
{
	for (size_t i = 0; i < p->state->count; i++) {
		cleanup_close int fd = open(p->stages[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		char name[STAGE_NAME_MAX];

		if (fd < 0)
			return error_system(err, "\"%s\"", p->stages[i]);
		if (p->steps->count > SYNCED_MAX && syncfs(fd) < 0)
			return error_system(err, "\"%s\"", p->stages[i]);
		for (size_t k = 0; p->steps->count <= SYNCED_MAX && k < p->steps->count; k++) {
			const struct step *step = &p->steps->items[k];
			cleanup_close int file = -1;

			if (strcmp(step->stage, p->stages[i]) != 0 || !step->new ||
			    !S_ISREG(p->changes->items[step->number].now.st_mode))
				continue;
			file = openat(fd, stage_new(step->number, name),
			              O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
			if (file >= 0 && fsync(file) < 0)
				return error_system(err, "\"%s\"", step->path);
		}
	}
	return 0;
}

int steps_plan(const struct state *state, const struct changes *changes, char *const *stages,
               struct steps *steps, struct error *err)
{
	cleanup_free size_t *same = same_files(changes);
	cleanup_free ino_t *made = xcalloc(changes->count + 1, sizeof(*made));
	struct planning p = {.state = state,
	                     .changes = changes,
	                     .stages = stages,
	                     .steps = steps,
	                     .same = same,
	                     .made = made};

	loosen(&p);
	for (size_t i = changes->count; i-- > 0;)
		if (change_removes(&changes->items[i]) ||
		    (is_linked(&p, i) && changes->items[i].had))
			add(&p, i, STEP_OUT)->was = changes->items[i].was;
	for (size_t i = 0; i < changes->count; i++)
		if (add_new(&p, i, err) < 0)
			return -1;
	for (size_t i = changes->count; i-- > 0;)
		add_last(&p, i);
	return synchronize(&p, err);
}

int steps_do(const struct steps *steps, struct error *err)
{
	for (size_t i = 0; i < steps->count; i++)
		if (step_do(&steps->items[i], err) < 0)
			return -1;
	return 0;
}

enum undone steps_undo(const struct steps *steps)
{
	enum undone worst = UNDONE;

	for (size_t i = steps->count; i-- > 0;) {
		enum undone undone = step_undo(&steps->items[i]);

		worst = undone > worst ? undone : worst;
	}
	/* Times and modes of directories last, children first: as they were planned. */
	for (size_t i = 0; i < steps->count; i++)
		step_restore(&steps->items[i]);
	return worst;
}
