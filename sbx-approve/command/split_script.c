#include "command/split_script.h"

#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at;
	struct script *script;
	char **words; /* of the command that is being read */
	size_t count, room;
	char *word; /* that is being read */
	size_t used, space;
};

/*
 * Bytes that mean themselves in an unquoted word, in bash, dash and zsh.  What
 * is missing expands, quotes, redirects, comments or is an operator somewhere;
 * bytes above 0x7f are blanks in some locales.
 */
static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_-./,:+@%=", c));
}

/* Words that a shell reads as grammar, or as a change of what follows. */
static const char *const reserved[] = {
        "if",        "then",    "else",    "elif",    "fi",     "do",      "done",
        "case",      "esac",    "while",   "until",   "for",    "in",      "select",
        "function",  "time",    "coproc",  "repeat",  "always", "foreach", "end",
        "nocorrect", "noglob",  "declare", "typeset", "local",  "export",  "readonly",
        "alias",     "integer", "float",   "-",       NULL,
};

/* Can this unquoted word name a command without being anything else? */
static bool names_command(const char *word)
{
	/* a=b assigns; %1 is a job; after -c, a script "-x" or "+x" is one more option. */
	return !strchr(word, '=') && !strchr("%-+", word[0]) && !word_among(word, reserved);
}

static void put(struct reader *r, char c)
{
	if (r->used + 1 >= r->space) {
		r->space = r->space ? r->space * 2 : 32;
		r->word = xrealloc_array(r->word, r->space, 1);
	}
	r->word[r->used++] = c;
}

/*
 * The inside of quotes, up to the closing one.  A control byte is opaque even
 * here: shells have used some of them as marks of their own.
 */
static bool read_quoted(struct reader *r, char quote)
{
	for (r->at++; *r->at != quote; r->at++) {
		unsigned char c = (unsigned char)*r->at;

		if (c == '\0' || c == 0x7f || (c < 0x20 && c != '\t' && c != '\n'))
			return false;
		if (quote == '"' && strchr("$`\\", *r->at))
			return false;
		put(r, *r->at);
	}
	r->at++;
	return true;
}

static void end_word(struct reader *r)
{
	if (r->count + 2 > r->room) {
		r->room = r->room ? r->room * 2 : 8;
		r->words = xrealloc_array(r->words, r->room, sizeof(*r->words));
	}
	r->words[r->count++] = xstrndup(r->word ? r->word : "", r->used);
	r->words[r->count] = NULL;
	r->used = 0;
}

static bool read_word(struct reader *r)
{
	bool quoted = false;

	if (*r->at == '=') /* zsh: the path of a command */
		return false;
	while (is_plain(*r->at) || *r->at == '\'' || *r->at == '"') {
		if (*r->at == '\'' || *r->at == '"') {
			quoted = true;
			if (!read_quoted(r, *r->at))
				return false;
		} else {
			put(r, *r->at++);
		}
	}
	end_word(r);
	return r->count > 1 || (!quoted && names_command(r->words[0]));
}

static void skip(struct reader *r, const char *bytes)
{
	while (*r->at && strchr(bytes, *r->at))
		r->at++;
}

static bool read_joint(struct reader *r, enum joint *joint)
{
	char c = *r->at;

	if (c == '\0') {
		*joint = JOINT_END;
		return true;
	}
	r->at++;
	if ((c == '&' || c == '|') && *r->at == c) {
		r->at++;
		*joint = c == '&' ? JOINT_AND : JOINT_OR;
	} else if (c == '|') {
		*joint = JOINT_PIPE;
	} else if (c == ';' || c == '\n') {
		*joint = JOINT_THEN;
	} else {
		return false;
	}
	/* A command may begin on a later line, but not after another operator. */
	skip(r, " \t\n");
	return true;
}

static void end_command(struct reader *r, enum joint joint)
{
	struct script *s = r->script;

	/* Grows by doubling: a script may have a hundred thousand commands. */
	if ((s->count & (s->count - 1)) == 0)
		s->segments = xrealloc_array(s->segments, s->count ? s->count * 2 : 1,
		                             sizeof(*s->segments));
	s->segments[s->count++] = (struct segment){.argv = r->words, .joint = joint};
	r->words = NULL;
	r->count = r->room = 0;
}

static bool read_command(struct reader *r, enum joint *joint)
{
	do {
		if (!is_plain(*r->at) && *r->at != '\'' && *r->at != '"')
			return false;
		if (!read_word(r))
			return false;
		skip(r, " \t");
	} while (*r->at && !strchr(";|&\n", *r->at));
	if (!read_joint(r, joint))
		return false;
	/* "a ;" and "a" with a line end are whole; "a &&" is not. */
	if (*r->at == '\0' && *joint == JOINT_THEN)
		*joint = JOINT_END;
	end_command(r, *joint);
	return true;
}

bool split(const char *text, struct script *script)
{
	struct reader r = {.at = text, .script = script};
	enum joint joint = JOINT_THEN;
	bool plain = true;

	*script = (struct script){0};
	skip(&r, " \t\n");
	while (plain && joint != JOINT_END)
		plain = read_command(&r, &joint);
	os_vector_free(r.words);
	free(r.word);
	if (!plain)
		script_free(script);
	return plain;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		os_vector_free(script->segments[i].argv);
	free(script->segments);
	*script = (struct script){0};
}
