/*
 * Which file does a command's name mean, and how is it executed?
 *
 * As a shell would, in two steps: what needs memory before fork() or vfork(),
 * what needs none after it.
 */
#ifndef SBX_PROCESS_FIND_COMMAND_H
#define SBX_PROCESS_FIND_COMMAND_H

struct search {
	char **candidates;   /* paths to try, in order */
	const char **script; /* the arguments behind a shell, for a script without "#!" */
};

/* With the PATH of env, not ours; relative entries count from the cwd. */
void search_begin(struct search *search, const char *name, char *const *argv, char *const *env);
void search_free(struct search *search);

/*
 * Executes the first candidate that can be.  Returns only on failure, with
 * the errno that a person should read: ENOENT when no candidate exists, even
 * if some directory of PATH cannot be looked into, and ELIBACC when one does
 * but not the program that it needs in order to start.
 */
int search_execute(const struct search *search, char *const *argv, char *const *env);

#endif
