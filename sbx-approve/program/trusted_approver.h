/*
 * Which program is asked, and may it be trusted with the question?
 *
 * Approvers and assessors run outside of any sandbox, after the command has
 * run: neither they nor what they are made of may be the command's to write.
 */
#ifndef SBX_APPROVE_ASK_TRUSTED_APPROVER_H
#define SBX_APPROVE_ASK_TRUSTED_APPROVER_H

#include "trust/trusted_program.h"

struct asked {
	struct trusted_program program;
	char **argv; /* for the program itself */
	char **env;
};

/*
 * A command line: the path of a program, else a text for the shell.  `what` is
 * the option or key that names it, doc whose question it is.  Refused are
 * programs that trusted_program_open() refuses, and words that name a file
 * which the command could write, such as a script of its workspace.
 */
int asked_line(struct asked *asked, const char *what, const char *line, const json_t *doc,
               struct error *err);

/* The same of words; the first is an absolute path. */
int asked_words(struct asked *asked, const char *what, char *const *words, const json_t *doc,
                struct error *err);
void asked_free(struct asked *asked);

#endif
