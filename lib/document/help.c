#include "document/help.h"

#include <stdio.h>
#include <string.h>

#define WIDTH   80
#define HELP_AT 27 /* where the words about an option begin */

/* The words from here on, each line after the first at the same column. */
static void words(const char *text, int column)
{
	int at = column;

	while (*text) {
		int len = (int)strcspn(text, " ");

		if (at > column && at + 1 + len >= WIDTH)
			at = printf("\n%*s", column, "") - 1;
		else if (at > column)
			at += printf(" ");
		at += printf("%.*s", len, text);
		text += len;
		text += strspn(text, " ");
	}
	printf("\n");
}

static void row(const struct option *option)
{
	char left[64];
	int used;

	if (!*option->name) {
		printf("\n%s\n", option->help);
		return;
	}
	snprintf(left, sizeof(left), "%c%c%s --%s%s%s", option->letter ? '-' : ' ',
	         option->letter ? option->letter : ' ', option->letter ? "," : " ", option->name,
	         option->argument ? " " : "", option->argument ? option->argument : "");
	used = printf("  %s", left);
	if (used + 2 > HELP_AT)
		printf("\n%*s", HELP_AT, "");
	else
		printf("%*s", HELP_AT - used, "");
	words(option->help, HELP_AT);
}

void help_print(const struct program *program, const struct option *standard)
{
	printf("usage: %s %s\n\n%s\n", program->name, program->synopsis, program->purpose);
	if (program->tables[0] && *program->tables[0]->name)
		printf("\n");
	for (const struct option *const *table = program->tables; *table; table++)
		for (const struct option *o = *table; o->name; o++)
			row(o);
	for (const struct option *o = standard; o->name; o++)
		row(o);
	if (program->notes)
		printf("\n%s\n", program->notes);
}
