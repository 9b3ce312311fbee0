#include "program/trusted_approver.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/only_ours.h"
#include "fs/path.h"
#include "policy/loads_code.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* What ends a word, for a shell or in a list such as PYTHONPATH. */
static const char separators[] = " \t\n\"'`;&|()<>{}=:,";
static const char name_letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static void append(char **text, const char *more, size_t len)
{
	char *longer = xasprintf("%s%.*s", *text, (int)len, more);

	free(*text);
	*text = longer;
}

/* $NAME, ${NAME} and a leading "~/", as a shell would put them in. */
static char *expanded(const char *word, size_t len)
{
	const char *home = getenv("HOME"), *end = word + len;
	char *out = xstrdup("");

	if (len > 1 && word[0] == '~' && word[1] == '/' && home) {
		append(&out, home, strlen(home));
		word++;
	}
	while (word < end) {
		size_t plain = strcspn(word, "$");
		bool braced;
		size_t name;
		cleanup_free char *variable = NULL;
		const char *value;

		if (plain >= (size_t)(end - word))
			plain = (size_t)(end - word);
		append(&out, word, plain);
		word += plain;
		if (word == end)
			break;
		braced = word[1] == '{';
		word += 1 + braced;
		name = strspn(word, name_letters);
		variable = xstrndup(word, name);
		value = getenv(variable);
		if (value)
			append(&out, value, strlen(value));
		word += name + (braced && word[name] == '}');
	}
	return out;
}

/* True when the word is the name of something that the command could write. */
static bool names_reachable(const struct could_write *w, const char *word, size_t len)
{
	cleanup_free char *text = expanded(word, len);
	cleanup_free char *here = NULL;
	cleanup_free char *path = NULL;
	cleanup_free char *real = NULL;

	/* It starts in "/": only what looks like a file is worth a word. */
	if (!text[0] || !strpbrk(text, "/.") || strspn(text, ".") == strlen(text))
		return false;
	here = text[0] == '/' ? NULL : getcwd(NULL, 0);
	path = text[0] == '/' ? xstrdup(text) : here ? xasprintf("%s/%s", here, text) : NULL;
	real = path ? realpath(path, NULL) : NULL;
	return real && could_write(w, real);
}

/*
 * The first word of a text that names something in the command's reach, or
 * NULL.  A text is taken as a whole, as its blanks cut it, with quotes or
 * without, and as every separator cuts it: what a shell, an interpreter's -c or
 * a list makes of it is not known here.  What only output goes to is no matter.
 */
static char *reachable_word(const struct could_write *w, const char *text)
{
	if (names_reachable(w, text, strlen(text)))
		return xstrdup(text);
	for (const char *p = text; *p; p++) {
		size_t len = strcspn(p, separators);
		const char *before = p;

		if (strchr("\"'", *p)) {
			size_t inner = strcspn(p + 1, (char[]){*p, '\0'});

			if (p[1 + inner] && names_reachable(w, p + 1, inner))
				return xstrndup(p + 1, inner);
		}
		while (before > text && strchr(" \t", before[-1]))
			before--;
		if (len > 0 && !(before > text && before[-1] == '>') && names_reachable(w, p, len))
			return xstrndup(p, len);
		p += len;
		if (!*p)
			break;
	}
	return NULL;
}

/* A directory of PATH where the command could not put a program. */
static bool is_good_directory(const struct could_write *w, const char *name)
{
	struct error none = {0};
	cleanup_free char *real = name[0] == '/' ? realpath(name, NULL) : NULL;
	cleanup_close int fd = -1;

	if (!real || could_write(w, real))
		return false;
	fd = only_ours_open(real, O_PATH | O_DIRECTORY, &none);
	return fd >= 0;
}

static char *good_path(const struct could_write *w, const char *value)
{
	char *out = xstrdup("PATH=");
	bool any = false;

	for (const char *p = value;; p++) {
		size_t len = strcspn(p, ":");
		cleanup_free char *name = xstrndup(p, len);

		if (len > 0 && is_good_directory(w, name)) {
			append(&out, ":", any);
			append(&out, name, len);
			any = true;
		}
		p += len;
		if (!*p)
			break;
	}
	if (!any)
		append(&out, "/usr/bin:/bin", 13);
	return out;
}

/*
 * The caller's environment, without what would load code of the command's: a
 * shell looks programs up in PATH, a python its modules in PYTHONPATH.
 */
static char **good_environment(const struct could_write *w)
{
	size_t count = 0, used = 0;
	char **out;

	while (environ[count])
		count++;
	out = xrealloc_array(NULL, count + 1, sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		size_t len = strcspn(environ[i], "=");
		const char *value = environ[i][len] ? environ[i] + len + 1 : "";
		cleanup_free char *bad = NULL;

		if (len == 4 && strncmp(environ[i], "PATH", 4) == 0) {
			out[used++] = w->held ? good_path(w, value) : xstrdup(environ[i]);
			continue;
		}
		if (loader_variable(environ[i], len))
			bad = reachable_word(w, value);
		if (!bad)
			out[used++] = xstrdup(environ[i]);
	}
	out[used] = NULL;
	return out;
}

static int judge_words(const struct could_write *w, const char *what, char *const *words,
                       struct error *err)
{
	for (size_t i = 1; w->held && words[0] && words[i]; i++) {
		cleanup_free char *bad = reachable_word(w, words[i]);

		if (bad)
			return error_set(err, EXIT_INPUT, "not-trusted",
			                 "%s: \"%s\": the command could write it; not executed",
			                 what, bad);
	}
	return 0;
}

int asked_words(struct asked *asked, const char *what, char *const *words, const json_t *doc,
                struct error *err)
{
	struct could_write w;
	size_t count = 0;
	int status;

	*asked = (struct asked){.program = {.fd = -1}};
	status = could_write_get(&w, doc, err);
	if (status == 0)
		status = trusted_program_open(&asked->program, what, words[0], &w, err);
	if (status == 0)
		status = judge_words(&w, what, words, err);
	if (status == 0) {
		while (words[count])
			count++;
		asked->argv = xrealloc_array(NULL, count + 1, sizeof(*asked->argv));
		for (size_t i = 0; i < count; i++)
			asked->argv[i] = xstrdup(words[i]);
		asked->argv[count] = NULL;
		asked->env = good_environment(&w);
	}
	could_write_free(&w);
	return status;
}

int asked_line(struct asked *asked, const char *what, const char *line, const json_t *doc,
               struct error *err)
{
	cleanup_free char *here = getcwd(NULL, 0);
	cleanup_free char *path = line[0] == '/' ? xstrdup(line)
	                          : here         ? xasprintf("%s/%s", here, line)
	                                         : NULL;
	char shell[] = "/bin/sh", option[] = "-c";
	cleanup_free char *text = xstrdup(line);
	char *const program[] = {path, NULL};
	char *const words[] = {shell, option, text, NULL};
	struct stat st;

	if (strchr(line, '/') && path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		return asked_words(asked, what, program, doc, err);
	return asked_words(asked, what, words, doc, err);
}

void asked_free(struct asked *asked)
{
	trusted_program_close(&asked->program);
	os_vector_free(asked->argv);
	os_vector_free(asked->env);
	*asked = (struct asked){.program = {.fd = -1}};
}
