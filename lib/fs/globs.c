#include "fs/globs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MATCHES_MAX 8192   /* each is a mount */
#define NAMES_MAX   400000 /* about a fifth of a second */

bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* One character of a component against [...]; *next is behind it. */
static bool class_matches(const char *p, const char *end, unsigned char c, const char **next)
{
	const char *at = p + 1;
	bool negated = at < end && (*at == '!' || *at == '^');
	bool found = false, first = true;

	at += negated;
	for (; at < end && (first || *at != ']'); first = false) {
		unsigned char low = (unsigned char)*at++, high = low;

		if (at + 1 < end && *at == '-' && at[1] != ']') {
			high = (unsigned char)at[1];
			at += 2;
		}
		found |= c >= low && c <= high;
	}
	if (at >= end) {
		*next = p + 1;
		return c == '[';
	}
	*next = at + 1;
	return found != negated;
}

static bool component_matches(const char *p, const char *end, const char *name, size_t len)
{
	const char *star = NULL;
	size_t at = 0, retry = 0;

	/* One star to come back to is enough; no recursion on the attacker's names. */
	while (at < len || p < end) {
		const char *next = p + 1;

		if (p < end && *p == '*') {
			star = ++p;
			retry = at;
			continue;
		}
		if (p < end && at < len &&
		    (*p == '?' || (*p == '[' ? class_matches(p, end, (unsigned char)name[at], &next)
		                             : *p == name[at]))) {
			p = next;
			at++;
			continue;
		}
		if (!star || retry >= len)
			return false;
		p = star;
		at = ++retry;
	}
	return true;
}

/* The components of a pattern. */
struct pattern {
	const char **starts;
	size_t *lengths;
	size_t count;
};

static void split(struct pattern *pattern, const char *text)
{
	*pattern = (struct pattern){0};
	for (text += strspn(text, "/"); *text; text += strspn(text, "/")) {
		size_t len = strcspn(text, "/");

		pattern->starts = xrealloc_array(pattern->starts, pattern->count + 1,
		                                 sizeof(*pattern->starts));
		pattern->lengths = xrealloc_array(pattern->lengths, pattern->count + 1,
		                                  sizeof(*pattern->lengths));
		pattern->starts[pattern->count] = text;
		pattern->lengths[pattern->count++] = len;
		text += len;
	}
}

static void split_free(struct pattern *pattern)
{
	free(pattern->starts);
	free(pattern->lengths);
}

static bool is_double_star(const struct pattern *pattern, size_t i)
{
	return pattern->lengths[i] == 2 && strncmp(pattern->starts[i], "**", 2) == 0;
}

/*
 * The states of a match: `states[i]` says that the first i components of the
 * pattern can have been used up.  Kept as a set, so that "**" twice does not
 * cost a search of its own for each way to share the directories out.
 */
static void close_over(const struct pattern *pattern, bool *states)
{
	for (size_t i = 0; i < pattern->count; i++)
		if (states[i] && is_double_star(pattern, i))
			states[i + 1] = true;
}

static void step(const struct pattern *pattern, const bool *from, bool *to, const char *name,
                 size_t len)
{
	memset(to, 0, pattern->count + 1);
	for (size_t i = 0; i < pattern->count; i++) {
		if (!from[i])
			continue;
		if (is_double_star(pattern, i))
			to[i] = true;
		else if (component_matches(pattern->starts[i],
		                           pattern->starts[i] + pattern->lengths[i], name, len))
			to[i + 1] = true;
	}
	close_over(pattern, to);
}

static bool any(const struct pattern *pattern, const bool *states)
{
	for (size_t i = 0; i <= pattern->count; i++)
		if (states[i])
			return true;
	return false;
}

bool glob_covers(const char *text, const char *path)
{
	struct pattern pattern;
	cleanup_free bool *states = NULL;
	cleanup_free bool *next = NULL;
	bool matched = false;

	split(&pattern, text);
	states = xmalloc(pattern.count + 1);
	next = xmalloc(pattern.count + 1);
	memset(states, 0, pattern.count + 1);
	states[0] = true;
	close_over(&pattern, states);
	for (const char *p = path + strspn(path, "/"); *p && !matched; p += strspn(p, "/")) {
		size_t len = strcspn(p, "/");
		bool *swap = states;

		step(&pattern, states, next, p, len);
		states = next;
		next = swap;
		matched = states[pattern.count];
		p += len;
	}
	split_free(&pattern);
	return matched;
}

struct search {
	struct pattern pattern;
	const char *text; /* of the pattern, for errors */
	size_t depth_max;
	size_t names, matches;
	glob_found *found;
	void *context;
	struct error *err;
};

struct level {
	struct search *search;
	const char *path;
	int fd;
	const bool *states;
	size_t depth;
	int status;
};

static int too_much(const struct search *search, const char *what)
{
	return error_set(search->err, EXIT_INPUT, "glob-bound",
	                 "\"%s\": %s; name a narrower pattern or set glob_scan_max_depth",
	                 search->text, what);
}

static int search_directory(struct search *search, int parent, const char *name, const char *path,
                            const bool *states, size_t depth);

static bool visit(void *context, const char *name, enum kind kind)
{
	struct level *level = context;
	struct search *search = level->search;
	cleanup_free bool *states = xmalloc(search->pattern.count + 1);
	cleanup_free char *path = NULL;

	if (++search->names > NAMES_MAX) {
		level->status = too_much(search, "too many files to search");
		return false;
	}
	step(&search->pattern, level->states, states, name, strlen(name));
	if (!any(&search->pattern, states))
		return true;
	path = level->path[1] ? xasprintf("%s/%s", level->path, name) : xasprintf("/%s", name);
	if (states[search->pattern.count]) {
		if (++search->matches > MATCHES_MAX) {
			level->status = too_much(search, "more than 8192 matches");
			return false;
		}
		search->found(search->context, path);
		return true;
	}
	if (!may_be_directory(kind) || (search->depth_max && level->depth >= search->depth_max))
		return true;
	level->status = search_directory(search, level->fd, name, path, states, level->depth + 1);
	return level->status == 0;
}

static int search_directory(struct search *search, int parent, const char *name, const char *path,
                            const bool *states, size_t depth)
{
	cleanup_close int fd =
	        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct level level = {search, path, fd, states, depth, 0};
	struct stat st;

	/* Recursion ends here: no real tree is as deep. */
	if (depth > 256)
		return too_much(search, "directories nested too deep");
	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
			return 0;
		/* Closed to us and somebody else's: closed to the command as well. */
		if (errno == EACCES && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_uid != geteuid())
			return 0;
		return error_system(search->err, "searching \"%s\" for \"%s\"", path, search->text);
	}
	if (listing(fd, visit, &level) < 0 && level.status == 0)
		return error_system(search->err, "searching \"%s\"", path);
	return level.status;
}

int glob_expand(const char *text, size_t depth, glob_found *found, void *context, struct error *err)
{
	struct search search = {
	        .text = text, .depth_max = depth, .found = found, .context = context, .err = err};
	cleanup_free char *prefix = xstrdup(text);
	cleanup_free bool *states = NULL;
	size_t fixed;
	int status;

	/* The directory before the first component with a wildcard. */
	*strpbrk(prefix, "*?[") = '\0';
	*(strrchr(prefix, '/') + (strrchr(prefix, '/') == prefix)) = '\0';
	if (prefix[1] == '\0' && depth == 0)
		return too_much(&search, "would search the whole file system");
	split(&search.pattern, text);
	fixed = path_depth(prefix);
	states = xmalloc(search.pattern.count + 1);
	memset(states, 0, search.pattern.count + 1);
	states[fixed] = true;
	close_over(&search.pattern, states);
	status = search_directory(&search, AT_FDCWD, prefix, prefix, states, 1);
	split_free(&search.pattern);
	return status;
}
