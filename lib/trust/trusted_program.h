/*
 * May this program be executed by us, outside of any sandbox?
 *
 * Approvers, assessors, replaced stages and the system's bubblewrap: each is
 * the user's or the machine's own word, and none may be the command's.
 */
#ifndef SBX_TRUST_TRUSTED_PROGRAM_H
#define SBX_TRUST_TRUSTED_PROGRAM_H

#include "trust/could_write.h"

#include <sys/stat.h>

struct trusted_program {
	int fd;         /* what is executed: the file, or the interpreter of a script */
	char *place;    /* the path to execute it by */
	struct stat st; /* of the file that was named */
	char *path;     /* canonical, of the file that was named */
	char *script;   /* the interpreter as the script names it, or NULL */
	char *option;   /* the word behind that, or NULL */
};

/*
 * Opens the program that an absolute path leads to, and judges what it opened:
 * a regular file that can be executed; it, the directories above it and the
 * links on the way belong to this user or root, others cannot write them, and
 * neither could the command (w).  A second name in a directory that the command
 * writes would undo that: a file of the user's own has one name only.
 * The interpreter of a script is judged alike.  -1 with err, in which `what`
 * is the option or key that named the program.
 */
int trusted_program_open(struct trusted_program *program, const char *what, const char *path,
                         const struct could_write *w, struct error *err);
void trusted_program_close(struct trusted_program *program);

/*
 * The words to execute it with, where argv are those for the program itself:
 * a script gets its interpreter's in front, as the kernel does it.  To be
 * freed, not what is in it.
 *
 * Programs are executed by their fd, so that what was judged is what runs.  A
 * script is read by its interpreter, and by its path: scripts find what belongs
 * to them next to $0, and the path was judged to be nobody else's to change.
 */
char **trusted_program_argv(const struct trusted_program *program, char *const *argv);

#endif
