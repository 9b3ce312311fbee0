/*
 * What does a file of git's settings say, and which words of a command line
 * could be paths?
 */
#include "git/git_config.c"
#include "repositories/shell_words.c"
#include "tap.h"

#include <stdio.h>
#include <string.h>

struct heard {
	char text[1024];
};

static void hear(struct heard *heard, const char *a, const char *b, const char *c)
{
	size_t used = strlen(heard->text);

	snprintf(heard->text + used, sizeof(heard->text) - used, "%s%s%s", a, b, c);
}

static bool wanted(void *context, const char *section, const char *key)
{
	(void)context;
	(void)section;
	return strncmp(key, "not", 3) != 0;
}

static void value(void *context, const char *section, const char *key, const char *text)
{
	hear(context, section, ".", key);
	hear(context, "=", text, ";");
}

static const struct {
	const char *what, *text, *heard;
} settings[] = {
        {"as git writes it", "[core]\n\thooksPath = a b\n", "core.hookspath=a b;"},
        {"case", "[CORE]\nHooksPATH=A\n", "core.hookspath=A;"},
        {"on the line of the header", "[a] x = 1\n", "a.x=1;"},
        {"a subsection", "[a \"b c\"]\nx=1\n", "a.x=1;"},
        {"a bracket in one", "[a \"b]c\"] x=1\n", "a.x=1;"},
        {"a quote in one", "[a \"b\\\"]c\"] x=1\n", "a.x=1;"},
        {"an old one", "[a.b]\nx=1\n", "a.x=1;"},
        {"quotes", "[a]\nx = \" b \" c \n", "a.x= b  c;"},
        {"escapes", "[a]\nx = \\\"b\\\\c\\t\n", "a.x=\"b\\c\t;"},
        {"comments", "[a]\nx = b # c\ny = d ; e\nz = \"#f\"\n", "a.x=b;a.y=d;a.z=#f;"},
        {"a value on two lines", "[a]\nx = b \\\n c\ny=1\n", "a.x=b  c;a.y=1;"},
        {"on two lines of another system", "[a]\r\nx = b\\\r\nc\r\ny=1\r\n", "a.x=bc;a.y=1;"},
        {"a comment has one line", "[a]\n# b \\\nx = 1\n", "a.x=1;"},
        {"behind a value as well", "[a]\nx = 1 ; b \\\ny = 2\n", "a.x=1;a.y=2;"},
        {"one that nobody wants", "[a]\nnot = b \\\nx = 1\ny = 2\n", "a.y=2;"},
        {"... in quotes", "[a]\nnot = \"b # \\\nx = 1\"\ny = 2\n", "a.y=2;"},
        {"no value", "[a]\nx\ny = 2\n", "a.y=2;"},
        {"an empty one", "[a]\nx =\ny = 2\n", "a.x=;a.y=2;"},
        {"no line end", "[a]\nx = b", "a.x=b;"},
        {"a backslash at the end", "[a]\nx = b\\", "a.x=b;"},
        {"a mark of UTF-8", "\xef\xbb\xbf[a]\nx = b\n", "a.x=b;"},
        {"junk", "?\n[a\nx = 1\n]\n", "a.x=1;"},
        {"nothing", "", ""},
};

static void word(void *context, const char *text, bool command)
{
	hear(context, command ? "!" : "", text, ",");
}

static const struct {
	const char *line, *heard;
} lines[] = {
        {"less -R", "!less,-R,"},
        {"  ./a\tb ", "!./a,b,"},
        {"'a b'/c", "!a b/c,!a,b/c,"},
        {"\"a\\\"b\" c\\ d", "!a\"b,c d,!c,d,"},
        {"a;b|c&&d", "!a,!b,!c,!d,"},
        {"a >b <c", "!a,b,c,"},
        {"sh -c 'x/y z'", "!sh,-c,x/y z,!x/y,z,"},
        {"X=1 a/b", "!X=1,1,!a/b,"},
        {"a --b=c/d", "!a,--b=c/d,c/d,"},
        {"exec a/b", "!exec,!a/b,"},
        {"f() { a/b; }; f", "!f,!{,!a/b,!},!f,"},
        {"`a/b` $(c/d)", "!a/b,!$,!c/d,"},
        {"'open", "!open,"},
        {"end\\", "!end\\,"},
        {"", ""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		struct heard heard = {0};

		gitconfig_parse(settings[i].text,
		                &(struct gitconfig_reader){wanted, value, &heard});
		check(strcmp(heard.text, settings[i].heard) == 0, settings[i].what, heard.text);
	}
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct heard heard = {0};

		shell_words(lines[i].line, word, &heard);
		check(strcmp(heard.text, lines[i].heard) == 0, lines[i].line, heard.text);
	}
	return finish();
}
