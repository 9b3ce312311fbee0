/*
 * Does a program of Windows read from its command line what was written into
 * it?  Checked with readings of our own: the rules that Microsoft documents
 * for CommandLineToArgvW(), and those of the C runtime since 2008.
 */
#include "../../sbx-wintoken/spelling/quote.c"
#include "../../sbx-wintoken/spelling/utf16.c"

#include "document/osstring.h"
#include "tap.h"

#include <stdint.h>

static char *first_word(const char **line)
{
	const char *at = *line;
	const char *end = *at == '"' ? strchr(at + 1, '"') : at + strcspn(at, " \t");
	char *word = xstrndup(at + (*at == '"'), (size_t)(end - at) - (*at == '"'));

	*line = end + (*end == '"');
	return word;
}

/* `doubled`: within quotes, two of them are one; in the other reading they end it. */
static char *next_word(const char **line, bool doubled)
{
	const char *at = *line;
	char *word = xmalloc(strlen(at) + 1), *p = word;
	bool quoted = false;

	while (*at && (quoted || (*at != ' ' && *at != '\t'))) {
		size_t slashes = strspn(at, "\\");

		at += slashes;
		if (*at != '"') {
			memset(p, '\\', slashes);
			p += slashes;
			if (slashes == 0)
				*p++ = *at++;
			continue;
		}
		memset(p, '\\', slashes / 2);
		p += slashes / 2;
		if (slashes % 2) {
			*p++ = '"';
		} else if (doubled && quoted && at[1] == '"') {
			*p++ = '"';
			at++;
		} else {
			quoted = !quoted;
		}
		at++;
	}
	*p = '\0';
	*line = at;
	return word;
}

static bool reads_as(const char *line, char *const *argv, bool doubled)
{
	bool same = true;

	for (size_t i = 0; argv[i] && same; i++) {
		char *word = i ? next_word(&line, doubled) : first_word(&line);

		same = strcmp(word, argv[i]) == 0;
		free(word);
		line += strspn(line, " \t");
	}
	return same && *line == '\0';
}

static uint64_t seed = 88172645463325252U;

static unsigned number(unsigned below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % below);
}

static char *random_word(void)
{
	static const char *const pieces[] = {"\\", "\\\\", "\"", " ",        "\t", "a", "'", "^",
	                                     "%",  "\n",   "*",  "\xc3\xa9", "",   "/", "-", "=b"};
	char word[128] = "";

	for (unsigned n = number(12); n > 0; n--)
		strcat(word, pieces[number(sizeof(pieces) / sizeof(pieces[0]))]);
	return xstrdup(word);
}

static void check_random(void)
{
	int bad = 0;

	for (int i = 0; i < 100000; i++) {
		char *argv[8] = {xstrdup("C:\\a b\\x.exe")};
		unsigned words = 1 + number(6);
		struct error err = {0};
		char *line;

		for (unsigned k = 1; k <= words; k++)
			argv[k] = random_word();
		line = quote_command(argv, &err);
		bad += !line || !reads_as(line, argv, false) || !reads_as(line, argv, true);
		free(line);
		for (unsigned k = 0; k <= words; k++)
			free(argv[k]);
	}
	check(bad == 0, "100 000 random commands, both readings", bad ? "some differ" : NULL);
	{
		/* The control: without the doubling of backslashes it would be noticed. */
		char program[] = "x", word[] = "a b\\";
		char *argv[] = {program, word, NULL};

		check(!reads_as("\"x\" \"a b\\\"", argv, false), "control: a wrong line", NULL);
	}
}

static char *command_of(const char *a, const char *b, struct error *err)
{
	char *argv[] = {xstrdup("p.exe"), xstrdup(a), b ? xstrdup(b) : NULL, NULL};
	char *line = quote_command(argv, err);

	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	return line;
}

static void check_known(void)
{
	static const struct {
		const char *a, *b, *wanted;
	} known[] = {
	        {"a", "b", "\"p.exe\" a b"},
	        {"", "b", "\"p.exe\" \"\" b"},
	        {"a b", "c\\", "\"p.exe\" \"a b\" c\\"},
	        {"a b\\", "c", "\"p.exe\" \"a b\\\\\" c"},
	        {"a\"b", "\\\"", "\"p.exe\" \"a\\\"b\" \"\\\\\\\"\""},
	        {"\\\\server\\x", "-", "\"p.exe\" \\\\server\\x -"},
	};
	struct error err = {0};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char *line = command_of(known[i].a, known[i].b, &err);

		check(line && strcmp(line, known[i].wanted) == 0, known[i].wanted, line);
		free(line);
	}
}

static void check_refused(void)
{
	char quote[] = "p\".exe", batch[] = "C:\\a b\\x.bat", long_word[40000];
	char *argv[] = {quote, NULL};
	static const char *const bad[] = {"a\"b", "%PATH%", "50%", "a\nb", "a\rb", "!x!", "\x1b"};
	static const char *const good[] = {"a b", "a&b", "a|b>c<d", "^",
	                                   "(x)", "a\\", "",        "\xc3\xa9"};
	struct error err = {0};

	check(!quote_command(argv, &err), "a quote in the command's own name", NULL);
	memset(long_word, 'x', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	check(!command_of(long_word, NULL, &err) && strstr(err.message, "characters"),
	      "more than Windows takes", err.message);
	check(!command_of("\xff", NULL, &err), "bytes that are not Unicode", NULL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *arguments[] = {xstrdup(bad[i]), NULL};

		check(!quote_batch("cmd", batch, arguments, &err),
		      "an argument that cmd.exe would interpret", arguments[0]);
		free(arguments[0]);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char *arguments[] = {xstrdup(good[i]), NULL};
		char *line = quote_batch("cmd", batch, arguments, &err);
		char *wanted = xasprintf(
		        "\"cmd\" /d /e:on /v:off /s /c \"\"C:\\a b\\x.bat\" \"%s\"\"", good[i]);

		check(line && strcmp(line, wanted) == 0, wanted, line);
		free(arguments[0]);
		free(line);
		free(wanted);
	}
}

static void check_wide(void)
{
	static const uint16_t units[] = {'a', 0xe9, 0x20ac, 0xd83d, 0xde00, 0xdc00, 'b', 0xd800};
	size_t len = sizeof(units) / sizeof(units[0]), back_len = 0;
	char *text = wide_text(units, len);
	uint16_t *back = wide_from(text, &back_len);
	int bad = 0;

	check(back && back_len == len && memcmp(back, units, sizeof(units)) == 0,
	      "halves of pairs survive", text);
	free(text);
	free(back);
	for (int i = 0; i < 100000; i++) {
		uint16_t some[16];

		len = number(16);
		for (size_t k = 0; k < len; k++)
			some[k] =
			        (uint16_t)(number(3) ? 0xd7f0 + number(0x830) : 1 + number(0xffff));
		text = wide_text(some, len);
		back = wide_from(text, &back_len);
		bad += !back || back_len != len || memcmp(back, some, len * sizeof(*some)) != 0;
		free(text);
		free(back);
	}
	check(bad == 0, "100 000 random UTF-16 strings", NULL);
	check(!wide_from("\xff", &len) && !wide_from("\xc0\x80", &len) &&
	              !wide_from("\xe2\x82", &len),
	      "what is no text", NULL);
}

int main(void)
{
	check_known();
	check_random();
	check_refused();
	check_wide();
	return finish();
}
