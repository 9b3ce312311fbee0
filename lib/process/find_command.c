#include "process/find_command.h"

#include "base/memory.h"
#include "base/strings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variable(char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

static char **list_candidates(const char *name, const char *path)
{
	struct strings list = {0};

	for (const char *p = path;; p++) {
		size_t len = strcspn(p, ":");

		strings_add(&list, len ? xasprintf("%.*s/%s", (int)len, p, name)
		                       : xasprintf("./%s", name));
		p += len;
		if (!*p)
			return list.items;
	}
}

void search_begin(struct search *search, const char *name, char *const *argv, char *const *env)
{
	const char *path = variable(env, "PATH");
	size_t count = 0;

	while (argv[count])
		count++;
	if (strchr(name, '/')) {
		search->candidates = xrealloc_array(NULL, 2, sizeof(char *));
		search->candidates[0] = xstrdup(name);
		search->candidates[1] = NULL;
	} else {
		search->candidates = list_candidates(name, path ? path : "/bin:/usr/bin");
	}
	search->script = xrealloc_array(NULL, count + 2, sizeof(char *));
	search->script[0] = "sh";
	for (size_t i = 0; i <= count; i++)
		search->script[i + 1] = argv[i];
}

void search_free(struct search *search)
{
	for (size_t i = 0; search->candidates[i]; i++)
		free(search->candidates[i]);
	free(search->candidates);
	free(search->script);
}

int search_execute(const struct search *search, char *const *argv, char *const *env)
{
	int found = ENOENT;

	for (size_t i = 0; search->candidates[i]; i++) {
		const char *path = search->candidates[i];

		execve(path, argv, env);
		if (errno == ENOEXEC) {
			/* What shells and execvp() do with it. */
			search->script[1] = path;
			execve("/bin/sh", (char **)(void *)search->script, env);
			return ENOEXEC;
		}
		/* A directory that cannot be searched does not hold the command. */
		if (errno == EACCES && (search->candidates[1] == NULL || access(path, F_OK) == 0))
			found = EACCES;
		else if (errno == ENOENT && access(path, F_OK) == 0)
			found = ELIBACC;
		else if (errno != EACCES && errno != ENOENT && errno != ENOTDIR)
			return errno;
	}
	return found;
}
