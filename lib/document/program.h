/*
 * What does a program say of itself?  Its options as tables, and words for --help.
 */
#ifndef SBX_DOCUMENT_PROGRAM_H
#define SBX_DOCUMENT_PROGRAM_H

struct option {
	int id;               /* what a program switches on */
	const char *name;     /* without the dashes; "": a heading; NULL ends a table */
	char letter;          /* 0: none */
	const char *argument; /* what --help calls it; NULL: takes none */
	const char *help;
};

/* What a program says of itself; `tables` are NULL-terminated lists. */
struct program {
	const char *name;
	const char *synopsis; /* after the name */
	const char *purpose;
	const struct option *tables[4]; /* NULL-terminated */
	const char *notes;              /* at the end of --help; or NULL */
};

/* A line between the options of --help. */
#define OPTIONS_HEADING(text)                                                                      \
	{                                                                                          \
		.name = "", .help = (text)                                                         \
	}

#endif
