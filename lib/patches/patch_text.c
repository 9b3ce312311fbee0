#include "patches/patch_text.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at, *end; /* of what is left */
	unsigned line;        /* number of the line that was read last */
	bool crlf;            /* every line of the patch ends so: that is no part of it */
	struct error *err;
};

/* A line, or a part of one. */
struct piece {
	const char *text;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct piece trimmed(struct piece piece)
{
	while (piece.len > 0 && is_blank(piece.text[0])) {
		piece.text++;
		piece.len--;
	}
	while (piece.len > 0 && is_blank(piece.text[piece.len - 1]))
		piece.len--;
	return piece;
}

static bool is(struct piece piece, const char *word)
{
	return piece.len == strlen(word) && memcmp(piece.text, word, piece.len) == 0;
}

/* What follows the word, without blanks. */
static bool follows(struct piece piece, const char *word, struct piece *rest)
{
	size_t len = strlen(word);

	if (piece.len < len || memcmp(piece.text, word, len) != 0)
		return false;
	*rest = trimmed((struct piece){piece.text + len, piece.len - len});
	return true;
}

static int wrong(const struct reader *r, const char *what)
{
	return error_set(r->err, EXIT_INPUT, "bad-patch", "the patch, line %u: %s", r->line, what);
}

/* The next line without reading it; false at the end. */
static bool peek(const struct reader *r, struct piece *line)
{
	const char *newline;

	if (r->at == r->end)
		return false;
	newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	*line = (struct piece){r->at, (size_t)((newline ? newline : r->end) - r->at)};
	if (r->crlf && line->len > 0 && line->text[line->len - 1] == '\r')
		line->len--;
	return true;
}

static bool next(struct reader *r, struct piece *line)
{
	const char *newline;

	if (!peek(r, line))
		return false;
	newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	r->at = newline ? newline + 1 : r->end;
	r->line++;
	return true;
}

/* Room for one more; doubled, since a patch may have millions of lines. */
static void *grown(void *list, size_t count, size_t size)
{
	if (count & (count - 1))
		return list;
	return xrealloc_array(list, count ? count * 2 : 1, size);
}

/* "./a//b" is "a/b"; NULL: it is no name of a file that a patch may have. */
static char *name_of(struct piece piece)
{
	cleanup_free char *given = xstrndup(piece.text, piece.len);
	char *out, *to;

	if (piece.len == 0 || given[piece.len - 1] == '/')
		return NULL; /* a directory */
	to = out = xmalloc(piece.len + 2);
	for (const char *from = given; *from;) {
		size_t len = strcspn(from, "/");
		bool dots = len == 2 && strncmp(from, "..", 2) == 0;

		if (dots || (!from[len] && len == 1 && *from == '.')) {
			free(out);
			return NULL;
		}
		if (len > 0 && !(len == 1 && *from == '.')) {
			if (to > out || *given == '/')
				*to++ = '/';
			memcpy(to, from, len);
			to += len;
		}
		from += len + (from[len] == '/');
	}
	*to = '\0';
	if (to > out)
		return out;
	free(out);
	return NULL;
}

static int read_name(const struct reader *r, struct piece piece, char **name)
{
	*name = name_of(piece);
	return *name ? 0 : wrong(r, "expected the name of a file, without \"..\"");
}

static struct patch_change *add_change(struct patch_file *file)
{
	file->changes = grown(file->changes, file->count, sizeof(*file->changes));
	file->changes[file->count] = (struct patch_change){0};
	return &file->changes[file->count++];
}

static void add_line(struct patch_change *change, char mark, struct piece text)
{
	change->lines = grown(change->lines, change->count, sizeof(*change->lines));
	change->lines[change->count++] = (struct patch_line){mark, text.text, text.len};
}

/* "@@" or "@@ CONTEXT". */
static bool is_context(struct piece line, struct piece *context)
{
	struct piece all = trimmed(line);

	if (is(all, "@@")) {
		*context = (struct piece){0};
		return true;
	}
	if (all.len < 3 || memcmp(all.text, "@@ ", 3) != 0)
		return false;
	*context = (struct piece){all.text + 3, all.len - 3};
	return true;
}

static bool is_marker(struct piece line)
{
	struct piece all = trimmed(line);

	return all.len >= 4 && memcmp(all.text, "*** ", 4) == 0;
}

static int read_added(struct reader *r, struct patch_file *file)
{
	struct patch_change *change = add_change(file);
	struct piece line;

	while (peek(r, &line) && line.len > 0 && line.text[0] == '+') {
		next(r, &line);
		add_line(change, '+', (struct piece){line.text + 1, line.len - 1});
	}
	return 0;
}

/* A line of a change: its mark, or nothing at all for an empty line of the file. */
static int read_changed(struct reader *r, struct patch_change *change)
{
	struct piece line;

	next(r, &line);
	if (line.len == 0) {
		add_line(change, ' ', line);
		return 0;
	}
	if (!strchr(" -+", line.text[0]))
		return wrong(r, "expected a line that begins with \" \", \"-\", \"+\" or \"@@\"");
	add_line(change, line.text[0], (struct piece){line.text + 1, line.len - 1});
	return 0;
}

/* The lines up to the next change or marker. */
static int read_lines(struct reader *r, struct patch_change *change)
{
	struct piece line, context;

	while (peek(r, &line)) {
		/* A line of the file has its blank before it: only then is it no marker. */
		if (line.len > 0 && line.text[0] != ' ' && is(trimmed(line), "*** End of File")) {
			next(r, &line);
			change->at_end = true;
			return 0;
		}
		if ((line.len > 0 && line.text[0] == '@' && is_context(line, &context)) ||
		    (line.len > 0 && line.text[0] == '*' && is_marker(line)))
			return 0;
		/* Only a marker that somebody indented looks like this. */
		if (is(trimmed(line), "*** End Patch") && trimmed(line).text + 13 == r->end)
			return 0;
		if (read_changed(r, change) < 0)
			return -1;
	}
	return 0;
}

/* "@@ class A" before "@@ f()": where to look for the next context, and no change itself. */
static bool narrows(const struct reader *r, const struct patch_change *change)
{
	struct piece line, context;

	return change->context.text && !change->at_end && peek(r, &line) && line.len > 0 &&
	       line.text[0] == '@' && is_context(line, &context);
}

static int read_changes(struct reader *r, struct patch_file *file)
{
	struct piece line, context = {0};

	while (peek(r, &line) && !is_marker(line)) {
		struct patch_change *change;

		if (is_context(line, &context) && line.text[0] != ' ')
			next(r, &line);
		else if (file->count > 0)
			return next(r, &line), wrong(r, "expected \"@@\" or \"*** \"");
		change = add_change(file);
		change->context = (struct patch_line){' ', context.text, context.len};
		if (read_lines(r, change) < 0)
			return -1;
		if (change->count == 0 && !narrows(r, change))
			return wrong(r, "a change without lines");
	}
	if (file->count == 0 && !file->moved)
		return wrong(r, "an update without changes");
	return 0;
}

static int read_update(struct reader *r, struct patch_file *file)
{
	struct piece line, rest;

	if (peek(r, &line) && follows(trimmed(line), "*** Move to:", &rest)) {
		next(r, &line);
		if (read_name(r, rest, &file->moved) < 0)
			return -1;
	}
	return read_changes(r, file);
}

static int read_file(struct reader *r, struct patch_text *patch)
{
	static const struct {
		const char *marker;
		enum patch_kind kind;
	} kinds[] = {
	        {"*** Add File:", PATCH_ADD},
	        {"*** Delete File:", PATCH_DELETE},
	        {"*** Update File:", PATCH_UPDATE},
	};
	struct patch_file *file;
	struct piece line, rest = {0};
	size_t i = 0;

	next(r, &line);
	while (i < 3 && !follows(trimmed(line), kinds[i].marker, &rest))
		i++;
	if (i == 3)
		return wrong(r, "expected \"*** Add File: \", \"*** Delete File: \" or "
		                "\"*** Update File: \" and a name");
	if (patch->count == PATCH_FILES_MAX)
		return wrong(r, "too many files");
	patch->files = grown(patch->files, patch->count, sizeof(*patch->files));
	file = &patch->files[patch->count++];
	*file = (struct patch_file){.kind = kinds[i].kind};
	if (read_name(r, rest, &file->name) < 0)
		return -1;
	return file->kind == PATCH_ADD      ? read_added(r, file)
	       : file->kind == PATCH_UPDATE ? read_update(r, file)
	                                    : 0;
}

/* <<EOF, <<'EOF' or <<"EOF", and EOF as the last line. */
static struct piece without_here_document(struct piece text)
{
	const char *newline = memchr(text.text, '\n', text.len), *end = text.text + text.len;
	struct piece whole = text, first, last, word;

	if (!newline || text.len < 3 || memcmp(text.text, "<<", 2) != 0)
		return text;
	first = trimmed((struct piece){text.text + 2, (size_t)(newline - text.text) - 2});
	word = first;
	if (word.len > 2 && (word.text[0] == '\'' || word.text[0] == '"') &&
	    word.text[word.len - 1] == word.text[0])
		word = (struct piece){word.text + 1, word.len - 2};
	while (text.len > 0 && text.text[text.len - 1] != '\n')
		text.len--;
	last = (struct piece){text.text + text.len, (size_t)(end - text.text) - text.len};
	if (word.len == 0 || last.len != word.len || memcmp(last.text, word.text, word.len) != 0 ||
	    text.len <= (size_t)(newline + 1 - text.text))
		return whole;
	return trimmed((struct piece){newline + 1, text.len - (size_t)(newline + 1 - text.text)});
}

/* A caller that has several environments has chosen this one by the time that it calls. */
static int read_environment(struct reader *r)
{
	struct piece line, rest;

	if (!peek(r, &line) || !follows(trimmed(line), "*** Environment ID:", &rest))
		return 0;
	next(r, &line);
	return rest.len > 0 ? 0 : wrong(r, "expected the name of an environment");
}

static int read_all(struct reader *r, struct patch_text *patch)
{
	struct piece line = {0};

	if (!next(r, &line))
		return error_set(r->err, EXIT_INPUT, "bad-patch", "the patch is empty");
	if (!is(trimmed(line), "*** Begin Patch"))
		return wrong(r, "the first line must be \"*** Begin Patch\"");
	if (read_environment(r) < 0)
		return -1;
	for (;;) {
		if (!peek(r, &line))
			return wrong(r, "the last line must be \"*** End Patch\"");
		if (is(trimmed(line), "*** End Patch"))
			break;
		if (read_file(r, patch) < 0)
			return -1;
	}
	next(r, &line);
	return r->at == r->end ? 0 : wrong(r, "something follows \"*** End Patch\"");
}

int patch_read(const char *text, size_t len, struct patch_text *patch, struct error *err)
{
	struct piece all = trimmed((struct piece){text, len});
	struct reader r = {.err = err};
	const char *newline;
	int status;

	*patch = (struct patch_text){0};
	if (len > PATCH_BYTES_MAX)
		return error_set(err, EXIT_INPUT, "bad-patch", "the patch has more than %lu bytes",
		                 PATCH_BYTES_MAX);
	if (memchr(text, '\0', len))
		return error_set(err, EXIT_INPUT, "bad-patch", "the patch has a NUL in it");
	all = without_here_document(all);
	newline = all.len ? memchr(all.text, '\n', all.len) : NULL;
	r.crlf = newline && newline > all.text && newline[-1] == '\r';
	r.at = all.text;
	r.end = all.text + all.len;
	status = read_all(&r, patch);
	if (status < 0)
		patch_free(patch);
	return status;
}

void patch_free(struct patch_text *patch)
{
	for (size_t i = 0; i < patch->count; i++) {
		struct patch_file *file = &patch->files[i];

		for (size_t k = 0; k < file->count; k++)
			free(file->changes[k].lines);
		free(file->changes);
		free(file->name);
		free(file->moved);
	}
	free(patch->files);
	*patch = (struct patch_text){0};
}

static void add_name(char **names, size_t *count, const char *cwd, const char *name)
{
	char *path = *name == '/' ? xstrdup(name) : path_join(cwd, name);

	for (size_t i = 0; i < *count; i++)
		if (strcmp(names[i], path) == 0) {
			free(path);
			return;
		}
	names[(*count)++] = path;
	names[*count] = NULL;
}

char **patch_names(const struct patch_text *patch, const char *cwd)
{
	char **names = xrealloc_array(NULL, 2 * patch->count + 1, sizeof(*names));
	size_t count = 0;

	names[0] = NULL;
	for (size_t i = 0; i < patch->count; i++) {
		add_name(names, &count, cwd, patch->files[i].name);
		if (patch->files[i].moved)
			add_name(names, &count, cwd, patch->files[i].moved);
	}
	return names;
}
