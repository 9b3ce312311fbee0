#include "fs/path.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

char *path_normal(const char *path)
{
	char *out = xmalloc(strlen(path) + 2);
	size_t used = 0;

	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && path[0] == '.' && path[1] == '.') {
			while (used > 0 && out[--used] != '/')
				;
		} else if (len > 0 && !(len == 1 && path[0] == '.')) {
			out[used++] = '/';
			memcpy(out + used, path, len);
			used += len;
		}
		path += len;
	}
	if (used == 0)
		out[used++] = '/';
	out[used] = '\0';
	return out;
}

char *path_below(const char *directory, const char *name)
{
	size_t head = strlen(directory), tail = strlen(name);
	bool slash = head > 0 && directory[head - 1] != '/';
	char *path = xmalloc(head + tail + 2);

	memcpy(path, directory, head);
	path[head] = '/';
	memcpy(path + head + slash, name, tail + 1);
	return path;
}

char *path_join(const char *base, const char *path)
{
	size_t head = strlen(base), tail = strlen(path);
	cleanup_free char *joined = NULL;

	if (path[0] == '/')
		return path_normal(path);
	/* Every stage does this for every path: no formats. */
	joined = xmalloc(head + tail + 2);
	memcpy(joined, base, head);
	joined[head] = '/';
	memcpy(joined + head + 1, path, tail + 1);
	return path_normal(joined);
}

char *path_parent(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

bool path_is_normal(const char *path)
{
	if (path[0] != '/')
		return false;
	if (path[1] == '\0')
		return true;
	while (*path) {
		size_t len = strcspn(++path, "/");

		if (len == 0 || (len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
	}
	return true;
}

bool path_contains(const char *root, const char *path)
{
	size_t len = strlen(root);

	if (len == 1)
		return true;
	/* Most are told apart by where they end, before their common beginning is compared. */
	return strnlen(path, len) == len && (path[len] == '\0' || path[len] == '/') &&
	       memcmp(root, path, len) == 0;
}

size_t path_depth(const char *path)
{
	size_t depth = 0;

	if (path[1] == '\0')
		return 0;
	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

int path_compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	/* The separator sorts before every other byte, the end before it. */
	return (*a == '\0'  ? 0
	        : *a == '/' ? 1
	                    : (unsigned char)*a + 2) -
	       (*b == '\0'  ? 0
	        : *b == '/' ? 1
	                    : (unsigned char)*b + 2);
}

size_t path_position(const void *elements, size_t count, size_t size, const char *path)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *const *at = (const void *)((const char *)elements + middle * size);

		if (path_compare(*at, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool path_steps_back(const char *path)
{
	for (const char *p = path; (p = strstr(p, "/..")) != NULL; p++)
		if (p[3] == '/' || p[3] == '\0')
			return true;
	return false;
}

bool path_has(const char *path, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = path; (p = strchr(p, '/')) != NULL;) {
		p++;
		if (strncmp(p, name, len) == 0 && (p[len] == '/' || p[len] == '\0'))
			return true;
	}
	return false;
}
