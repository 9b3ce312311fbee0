#include "changes/diff.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "changes/line_diff.h"
#include "changes/same_content.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is longer is no text that a person reads. */
#define TEXT_MAX (8L << 20)
/* The host's file is left as it is, also if its owner closed it. */
#define OPEN_HOST (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

struct one {
	const struct state *state;
	const struct change *change;
	FILE *out;
};

/* As git quotes names: C strings, where something in them would mislead. */
static void print_name(FILE *out, const char *side, const char *name)
{
	bool plain = true;

	for (const char *s = name; *s; s++)
		plain &= (unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f && *s != '"' &&
		         *s != '\\';
	if (plain) {
		fprintf(out, "%s%s", side, name);
		return;
	}
	fprintf(out, "\"%s", side);
	for (const char *s = name; *s; s++)
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if ((unsigned char)*s < ' ' || (unsigned char)*s >= 0x7f)
			fprintf(out, "\\%03o", (unsigned char)*s);
		else
			fputc(*s, out);
	fputc('"', out);
}

static const char *relative(const struct state *state, const struct change *c)
{
	return below_upper(state, c);
}

static void print_line(const struct one *o, const char *word, const char *side, const char *name)
{
	fputs(word, o->out);
	print_name(o->out, side, name);
	fputc('\n', o->out);
}

/* The mode as git has it: of what may be executed or not, and of links. */
static unsigned git_mode(const struct stat *st)
{
	return S_ISLNK(st->st_mode) ? 0120000 : st->st_mode & S_IXUSR ? 0100755 : 0100644;
}

static bool is_text_kind(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISLNK(st->st_mode);
}

static int open_side(const struct one *o, bool new, int *parent, char **name)
{
	const struct state_root *root = &o->state->roots[o->change->root];
	const struct change *of = !new && o->change->from ? o->change->from : o->change;
	cleanup_free char *path = xstrdup(relative(o->state, of));
	char *slash = strrchr(path, '/');

	*name = xstrdup(slash ? slash + 1 : path);
	if (slash)
		*slash = '\0';
	*parent = path_open_beneath(new ? root->upper : root->host, slash ? path : ".",
	                            O_PATH | O_DIRECTORY | O_NOFOLLOW);
	return *parent < 0 ? -1 : 0;
}

/* NULL: it is no text, or cannot be read; *len is its length. */
static char *read_side(const struct one *o, bool new, size_t *len)
{
	const struct stat *st = new ? &o->change->now : &o->change->was;
	cleanup_free char *name = NULL;
	cleanup_close int parent = -1, fd = -1;
	char *text = NULL;
	ssize_t n = -1;

	*len = 0;
	if (!(new ? o->change->has : o->change->had) || !is_text_kind(st))
		return xstrdup("");
	if (open_side(o, new, &parent, &name) < 0 || st->st_size > TEXT_MAX)
		return NULL;
	text = xmalloc((size_t)st->st_size + 2);
	if (S_ISLNK(st->st_mode)) {
		n = readlinkat(parent, name, text, (size_t)st->st_size + 1);
	} else if ((fd = new ? open_to_read(parent, name) : openat(parent, name, OPEN_HOST)) >= 0) {
		n = read_full(fd, text, (size_t)st->st_size);
	}
	if (n < 0 || memchr(text, '\0', (size_t)n)) {
		free(text);
		return NULL;
	}
	*len = (size_t)n;
	return text;
}

static void print_texts(const struct one *o)
{
	const char *name = relative(o->state, o->change);
	size_t old_len, new_len;
	cleanup_free char *old = read_side(o, false, &old_len);
	cleanup_free char *new = read_side(o, true, &new_len);
	bool added = !o->change->had || !is_text_kind(&o->change->was);
	bool gone = !o->change->has || !is_text_kind(&o->change->now);
	struct text a = {old, old_len}, b = {new, new_len};

	if (old && new &&old_len == new_len && memcmp(old, new, old_len) == 0)
		return;
	if (!old || !new) {
		fputs("Binary files ", o->out);
		print_name(o->out, added ? "" : "a/", added ? "/dev/null" : name);
		fputs(" and ", o->out);
		print_name(o->out, gone ? "" : "b/", gone ? "/dev/null" : name);
		fputs(" differ\n", o->out);
		return;
	}
	print_line(o, "--- ", added ? "" : "a/", added ? "/dev/null" : name);
	print_line(o, "+++ ", gone ? "" : "b/", gone ? "/dev/null" : name);
	line_diff(&a, &b, o->out);
}

static void print_modes(const struct one *o)
{
	const struct change *c = o->change;

	if (c->kind == CHANGE_ADDED)
		fprintf(o->out, "new file mode %06o\n", git_mode(&c->now));
	else if (c->kind == CHANGE_DELETED)
		fprintf(o->out, "deleted file mode %06o\n", git_mode(&c->was));
	else if (git_mode(&c->was) != git_mode(&c->now))
		fprintf(o->out, "old mode %06o\nnew mode %06o\n", git_mode(&c->was),
		        git_mode(&c->now));
	else if ((c->was.st_mode & 07777) != (c->now.st_mode & 07777))
		fprintf(o->out, "# mode %04o is %04o now\n", c->was.st_mode & 07777,
		        c->now.st_mode & 07777);
}

static void print_head(const struct one *o, const char *name)
{
	const char *old = o->change->from ? relative(o->state, o->change->from) : name;

	fputs("diff --git ", o->out);
	print_name(o->out, "a/", old);
	fputc(' ', o->out);
	print_name(o->out, "b/", name);
	fputc('\n', o->out);
}

static void print_change(const struct one *o)
{
	const struct change *c = o->change;
	const char *name = relative(o->state, c);
	mode_t mode = c->has ? c->now.st_mode : c->was.st_mode;

	if (!S_ISREG(mode) && !S_ISLNK(mode)) {
		fprintf(o->out, "# %s: ", change_names[c->kind]);
		print_name(o->out, "", name);
		fputs(S_ISDIR(mode) ? "/\n" : " (no file)\n", o->out);
		return;
	}
	print_head(o, name);
	if (c->from) {
		print_line(o, "similarity index 100%\nrename from ", "",
		           relative(o->state, c->from));
		print_line(o, "rename to ", "", name);
		return;
	}
	print_modes(o);
	print_texts(o);
}

/* Another kind of file: the old one is deleted, and the new one added. */
static void print_types(const struct one *o)
{
	struct change gone = *o->change, come = *o->change;
	const struct one first = {o->state, &gone, o->out}, second = {o->state, &come, o->out};

	gone.kind = CHANGE_DELETED;
	gone.has = false;
	come.kind = CHANGE_ADDED;
	come.had = false;
	print_change(&first);
	print_change(&second);
}

static bool is_asked_for(char *const *paths, const char *path)
{
	bool any = *paths != NULL;

	for (; *paths; paths++)
		if (path_contains(*paths, path))
			return true;
	return !any;
}

/* A terminal reads no commands out of a file. */
static int clean_to_terminal(char *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		char *end = memchr(text + at, '\n', size - at);
		size_t len = end ? (size_t)(end - text) - at : size - at;
		cleanup_free char *line = xstrndup(text + at, len);

		for (char *word = line, *tab; word; word = tab) {
			cleanup_free char *clean = NULL;

			tab = strchr(word, '\t');
			if (tab)
				*tab++ = '\0';
			clean = text_clean(word);
			if (fputs(clean, stdout) < 0 || (tab && fputc('\t', stdout) < 0))
				return -1;
		}
		if (fputc('\n', stdout) < 0)
			return -1;
		at += len + 1;
	}
	return 0;
}

int changes_diff(const struct state *state, const struct changes *changes, char *const *paths,
                 struct error *err)
{
	cleanup_free char *text = NULL;
	size_t size = 0, root = SIZE_MAX;
	bool terminal = isatty(STDOUT_FILENO);
	FILE *out = terminal ? open_memstream(&text, &size) : stdout;

	for (size_t i = 0; out && i < changes->count; i++) {
		const struct change *c = &changes->items[i];
		const struct one one = {state, c, out};

		if (!change_is_told(c) || !is_asked_for(paths, c->path))
			continue;
		if (c->root != root && state->count > 1)
			print_line(&one, "# in ", "", state->roots[c->root].lower);
		root = c->root;
		if (c->kind == CHANGE_TYPE)
			print_types(&one);
		else
			print_change(&one);
	}
	if (!out || (terminal && (fclose(out) != 0 || clean_to_terminal(text, size) < 0)) ||
	    fflush(stdout) != 0)
		return error_system(err, "writing");
	return 0;
}
