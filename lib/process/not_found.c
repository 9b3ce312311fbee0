#include "process/not_found.h"

#include "base/memory.h"
#include "base/strings.h"

#include <errno.h>
#include <string.h>

/* What a shell does itself, and no program does for it. */
static const char *const builtins[] = {".",      "alias", "cd",      "eval",  "exec",
                                       "export", "popd",  "pushd",   "set",   "source",
                                       "ulimit", "umask", "unalias", "unset", NULL};

bool not_found(int number)
{
	return number == ENOENT || number == ENOTDIR || number == ELIBACC;
}

/* NAME=VALUE in front of a command, as a shell takes it. */
static bool is_assignment(const char *word)
{
	size_t len =
	        strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");

	return len > 0 && word[len] == '=' && !(word[0] >= '0' && word[0] <= '9');
}

char *not_found_words(const char *program, int number)
{
	if (number == ELIBACC)
		return xstrdup(
		        "the file is there, but the interpreter or loader that it names is not");
	if (is_assignment(program))
		return xasprintf("command not found; to set a variable: --env %s", program);
	if (strchr(program, ' ') && program[0] != '/' && program[0] != '.')
		return xstrdup("command not found; it is one word in quotes: leave the quotes out, "
		               "or use sh -c");
	if (strchr(program, '/'))
		return xstrdup("no such file");
	if (word_among(program, builtins))
		return xasprintf("command not found; it is a builtin of the shell: sh -c '%s ...'",
		                 program);
	return xstrdup("command not found");
}
