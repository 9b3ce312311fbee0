#include "preview/show_changes.h"

#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "formats/write_all.h"
#include "fs/path.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *word(const json_t *item, const char *member)
{
	const char *s = json_string_value(json_object_get(item, member));

	return s ? s : "";
}

static char *name_of(const json_t *value, const char *directory)
{
	struct error none = {0};
	cleanup_free char *path = os_string_get(value, "path", &none);
	const char *name = path ? path : "?";

	if (path && directory && path_contains(directory, path) && strcmp(directory, path) != 0)
		name += strlen(directory) + (directory[1] != '\0');
	return fold_shown(name);
}

static char *size_of(const json_t *item)
{
	const json_t *new = json_object_get(item, "size"), *old = json_object_get(item, "old_size");
	const char *binary = json_is_true(json_object_get(item, "binary")) ? ", binary" : "";

	if (new &&old && json_integer_value(new) != json_integer_value(old))
		return xasprintf(" (%lld to %lld bytes%s)", (long long)json_integer_value(old),
		                 (long long)json_integer_value(new), binary);
	if (new || old)
		return xasprintf(" (%lld bytes%s)", (long long)json_integer_value(new ? new : old),
		                 binary);
	return xstrdup("");
}

static char *detail(const json_t *item, const char *directory)
{
	cleanup_free char *size = size_of(item);
	cleanup_free char *from = json_object_get(item, "from")
	                                  ? name_of(json_object_get(item, "from"), directory)
	                                  : NULL;
	cleanup_free char *target = json_object_get(item, "target")
	                                    ? name_of(json_object_get(item, "target"), NULL)
	                                    : NULL;
	bool mode = *word(item, "old_mode") != '\0';
	bool type = *word(item, "old_type") != '\0';
	const char *warning = word(item, "warning");

	return xasprintf("%s%s%s%s%s%s%s%s%s%s%s%s%s%s", size, target ? " to " : "",
	                 target ? target : "", from ? " from " : "", from ? from : "",
	                 mode ? " mode " : "", mode ? word(item, "old_mode") : "",
	                 mode ? " to " : "", mode ? word(item, "mode") : "", type ? " was a " : "",
	                 type ? word(item, "old_type") : "", *warning ? "  !! " : "", warning,
	                 *word(item, "conflict") ? "  !! changed on the host meanwhile" : "");
}

/* The sign of a directory, and what is special otherwise. */
static const char *sign(const json_t *item)
{
	const char *type = word(item, "type");

	return strcmp(type, "directory") == 0 ? "/"
	       : strcmp(type, "link") == 0    ? " (link)"
	       : strcmp(type, "file") == 0    ? ""
	       : strcmp(type, "fifo") == 0    ? " (fifo)"
	                                      : " (socket)";
}

/*
 * What is below a directory that came or went as a whole is not told one by one, unless
 * there is more to say about it.
 */
static bool is_below(const json_t *item, const json_t *whole)
{
	struct error none = {0};
	cleanup_free char *path = os_string_get(json_object_get(item, "path"), "path", &none);
	cleanup_free char *top =
	        whole ? os_string_get(json_object_get(whole, "path"), "path", &none) : NULL;

	return path && top && path_contains(top, path) &&
	       strcmp(word(item, "kind"), word(whole, "kind")) == 0;
}

static bool is_whole(const json_t *item)
{
	const char *kind = word(item, "kind");

	return strcmp(word(item, "type"), "directory") == 0 &&
	       (strcmp(kind, "added") == 0 || strcmp(kind, "deleted") == 0);
}

static bool is_special(const json_t *item)
{
	return *word(item, "warning") || *word(item, "conflict");
}

/* A name of the command's choice begins no row of its own. */
static void show(const json_t *item, size_t below, const char *directory, const struct fold *fold)
{
	cleanup_free char *name = name_of(json_object_get(item, "path"), directory);
	cleanup_free char *more = detail(item, directory);
	cleanup_free char *head = xasprintf("  %-8s ", word(item, "kind"));
	cleanup_free char *count = below > 0 ? xasprintf(" with %zu in it", below) : xstrdup("");
	cleanup_free char *text = xasprintf("%s%s%s%s", name, sign(item), more, count);

	fold_ready(fold, head, text);
}

/* What is to be shown of a list, and what had no room. */
struct shown {
	const json_t *list;
	const char *directory;
	const struct fold *fold;
	size_t most, rows, left;
	json_t *reasons; /* of warnings: how many each has */
};

/* Of each reason as many as of what has none: one kind does not hide another. */
static bool has_room(struct shown *s, const json_t *item)
{
	const char *why = word(item, "warning");
	json_int_t before = json_integer_value(json_object_get(s->reasons, why));

	if (!*why) {
		s->left += s->rows >= s->most;
		return s->rows++ < s->most;
	}
	json_object_set_new(s->reasons, why, json_integer(before + 1));
	return (size_t)before < s->most;
}

/* A directory that came or went, how much is in it, and what of that is special. */
static size_t show_whole(struct shown *s, size_t i)
{
	const json_t *whole = json_array_get(s->list, i), *item;
	size_t end = i + 1, below = 0;
	bool room = has_room(s, whole);

	for (; (item = json_array_get(s->list, end)) && is_below(item, whole); end++)
		below++;
	if (room)
		show(whole, below, s->directory, s->fold);
	else
		s->left += below;
	for (size_t k = i + 1; k < end; k++) {
		item = json_array_get(s->list, k);
		if (is_special(item) && has_room(s, item))
			show(item, 0, s->directory, s->fold);
	}
	return end;
}

static void show_left(const struct shown *s, bool cut)
{
	const char *why;
	json_t *count;

	json_object_foreach (s->reasons, why, count)
		if ((size_t)json_integer_value(count) > s->most)
			fprintf(s->fold->out, "  and %lld more  !! %s\n",
			        (long long)json_integer_value(count) - (long long)s->most, why);
	if (s->left > 0 || cut)
		fprintf(s->fold->out, "  and %zu more%s\n", s->left, cut ? ", and others" : "");
}

void show_changes(const json_t *changes, const char *directory, size_t most, int fd)
{
	cleanup_json json_t *reasons = xjson(json_object());
	cleanup_free char *text = NULL;
	size_t size = 0;
	struct fold fold = {
	        .out = open_memstream(&text, &size), .columns = fold_columns(fd), .end = "\n"};
	struct shown s = {.list = json_object_get(changes, "list"),
	                  .directory = directory,
	                  .fold = &fold,
	                  .most = most,
	                  .reasons = reasons};

	if (!fold.out)
		return;
	for (size_t i = 0; i < json_array_size(s.list);) {
		const json_t *item = json_array_get(s.list, i);

		if (is_whole(item)) {
			i = show_whole(&s, i);
			continue;
		}
		if (has_room(&s, item))
			show(item, 0, directory, &fold);
		i++;
	}
	show_left(&s, json_is_true(json_object_get(changes, "cut")));
	if (fclose(fold.out) == 0)
		write_all(fd, text, size);
}

char *count_changes(const json_t *changes)
{
	static const char *const kinds[] = {"added", "changed", "deleted"};
	cleanup_free char *parts = xstrdup("");
	long long all = 0, warned;

	for (size_t i = 0; i < 3; i++) {
		long long n = json_integer_value(json_object_get(changes, kinds[i]));
		cleanup_free char *before = parts;

		all += n;
		parts = n ? xasprintf("%s%s%lld %s", before, *before ? ", " : "", n, kinds[i])
		          : keep_ptr(before);
	}
	warned = json_integer_value(json_object_get(changes, "warned"));
	if (warned > 0)
		return xasprintf("%lld change%s (%s; %lld to look at: !!)", all,
		                 all == 1 ? "" : "s", parts, warned);
	return xasprintf("%lld change%s (%s)", all, all == 1 ? "" : "s", parts);
}
