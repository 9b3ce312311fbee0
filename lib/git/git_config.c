#include "git/git_config.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "git/pointer_file.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Longer than every name that means something; a longer one is cut and means nothing. */
#define NAME_SIZE 64

struct parser {
	const char *at;
	char section[NAME_SIZE];
};

/* Of ASCII, as git has it in every locale; it is asked of every byte. */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

/* The letters of a name, in lower case; everything behind a dot is a subsection. */
static void take_name(struct parser *p, char *name)
{
	size_t used = 0;

	for (; is_letter(*p->at) || (*p->at >= '0' && *p->at <= '9') || *p->at == '-'; p->at++)
		if (used < NAME_SIZE - 1)
			name[used++] = (char)(is_letter(*p->at) ? *p->at | 0x20 : *p->at);
	name[used] = '\0';
}

static void skip_line(struct parser *p)
{
	p->at += strcspn(p->at, "\n");
}

/* [section], [section.sub] or [section "sub"], in which a bracket may stand. */
static void take_header(struct parser *p)
{
	bool quoted = false;

	p->at++;
	take_name(p, p->section);
	for (; *p->at && *p->at != '\n' && (quoted || *p->at != ']'); p->at++) {
		if (*p->at == '"')
			quoted = !quoted;
		else if (*p->at == '\\' && p->at[1] && p->at[1] != '\n')
			p->at++;
	}
	if (*p->at == ']')
		p->at++;
}

/* What a backslash and this letter mean. */
static char escaped(char letter)
{
	return (char)(letter == 't' ? '\t' : letter == 'b' ? '\b' : letter == 'n' ? '\n' : letter);
}

static bool at_line_end(const char *at)
{
	return *at == '\0' || *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* A backslash goes on with the next line, or stands for itself and the next letter. */
static const char *skip_escape(const char *at, char *out, size_t *used)
{
	at++;
	if (at[0] == '\r' && at[1] == '\n')
		return at + 1;
	if (*at && *at != '\n')
		out[(*used)++] = escaped(*at);
	return *at ? at : at - 1;
}

/* Without quotes, escapes, comments and the blanks at the ends. */
static char *take_value(struct parser *p)
{
	const char *at = p->at + strspn(p->at, " \t");
	char *out = xmalloc(strlen(at) + 1);
	size_t used = 0, kept = 0;
	bool quoted = false;

	for (; !at_line_end(at); at++) {
		if (!quoted && (*at == '#' || *at == ';'))
			break;
		if (*at == '"') {
			quoted = !quoted;
			kept = used;
		} else if (*at == '\\') {
			at = skip_escape(at, out, &used);
			kept = used;
		} else {
			out[used++] = *at;
			if (quoted || !isspace((unsigned char)*at))
				kept = used;
		}
	}
	p->at = at;
	skip_line(p);
	out[kept] = '\0';
	return out;
}

/* The end of a value that nobody wants: only a backslash takes it over the end of a line. */
static void skip_value(struct parser *p)
{
	bool quoted = false;

	for (char c; (c = *p->at) != '\0' && c != '\n'; p->at++) {
		if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '#' || c == ';'))
			break;
		else if (c == '\\' && p->at[1])
			p->at += p->at[1] == '\r' && p->at[2] == '\n' ? 2 : 1;
	}
	skip_line(p);
}

static void take_setting(struct parser *p, const struct gitconfig_reader *reader)
{
	cleanup_free char *value = NULL;
	char key[NAME_SIZE];

	take_name(p, key);
	skip_blanks(p);
	if (*p->at != '=') {
		skip_line(p);
		return;
	}
	p->at++;
	if (!reader->wanted(reader->context, p->section, key)) {
		skip_value(p);
		return;
	}
	value = take_value(p);
	reader->value(reader->context, p->section, key, value);
}

void gitconfig_parse(const char *text, const struct gitconfig_reader *reader)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8: git passes over it */
	struct parser p = {.at = text};

	if (strncmp(text, mark, strlen(mark)) == 0)
		p.at += strlen(mark);
	for (;;) {
		while (isspace((unsigned char)*p.at))
			p.at++;
		if (*p.at == '\0')
			return;
		if (*p.at == '[')
			take_header(&p);
		else if (is_letter(*p.at))
			take_setting(&p, reader);
		else
			skip_line(&p);
	}
}

int gitconfig_read(const char *gitdir, const struct gitconfig_reader *reader)
{
	cleanup_free char *text = gitfile_text(gitdir, "config");

	if (!text)
		return -1;
	gitconfig_parse(text, reader);
	return 0;
}
