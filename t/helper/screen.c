/*
 * What stands on the screen of a terminal?
 *
 *	screen TOLD SEEN KEYS WAIT -- COMMAND...
 *
 * runs the command in a pseudo-terminal whose kernel side is told to have TOLD
 * columns and whose screen has SEEN, types the keys, each when WAIT (or another, as
 * in "ONE|OTHER") has been written once more, and prints the rows as a person sees
 * them.  Strings for the terminal (ESC _ to ST) are not seen, nor are sequences; the
 * question "ESC [ ? 7 $ p" is answered, as over a slow line, when WAIT has been
 * written.
 */
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include <wchar.h>

#define LIMIT_MS 60000
#define STEP_MS  10

struct screen {
	int columns, column;
	mbstate_t state;
	enum { PLAIN, ESCAPE, SEQUENCE, STRING } mode;
	char sequence[16];
	char said[512]; /* answers, not sent yet */
};

/* What is for the terminal itself, of which nothing is seen. */
static int steers(struct screen *s, wchar_t c)
{
	size_t len = strlen(s->sequence);
	int number;

	if (c == 0x18 || c == 0x1b) {
		s->mode = c == 0x1b ? ESCAPE : PLAIN;
	} else if (s->mode == ESCAPE) {
		s->mode = c == L'[' ? SEQUENCE : wcschr(L"PX]^_", c) ? STRING : PLAIN;
		s->sequence[0] = '\0';
		/* The name of a set of characters is behind it. */
		if (c == L'(')
			s->mode = ESCAPE;
	} else if (s->mode == SEQUENCE) {
		if (len + 1 < sizeof(s->sequence))
			memcpy(s->sequence + len, (char[]){(char)c, '\0'}, 2);
		if (c >= 0x40 && c <= 0x7e)
			s->mode = PLAIN;
		if (c == L'p' && sscanf(s->sequence, "?%d$p", &number) == 1)
			sprintf(s->said + strlen(s->said) % 480, "\033[?%d;1$y", number);
	} else if (s->mode == STRING) {
		if (c == 0x07)
			s->mode = PLAIN;
	} else {
		return 0;
	}
	return 1;
}

/* A character is written where it fits; what does not fit is on the next row. */
static void put(struct screen *s, wchar_t c)
{
	int width = wcwidth(c);

	if (c == L'\n') {
		putwchar(L'\n');
		s->column = 0;
	}
	if (c == L'\n' || c == L'\r' || width < 0)
		return;
	if (s->column + width > s->columns) {
		putwchar(L'\n');
		s->column = 0;
	}
	putwchar(c);
	s->column += width;
}

static void show(struct screen *s, const char *bytes, size_t len)
{
	while (len > 0) {
		wchar_t c;
		size_t n = mbrtowc(&c, bytes, len, &s->state);

		if (n == (size_t)-2)
			return;
		if (n == (size_t)-1 || n == 0) {
			memset(&s->state, 0, sizeof(s->state));
			c = L'?';
			n = 1;
		}
		if (!steers(s, c))
			put(s, c);
		bytes += n;
		len -= n;
	}
}

static int count_one(const char *all, const char *wanted)
{
	int n = 0;

	while ((all = strstr(all, wanted)) != NULL) {
		all += strlen(wanted);
		n++;
	}
	return n;
}

/* How often one of the texts was written so far. */
static int count(const char *all, const char *wanted)
{
	char copy[256], *rest = copy, *one;
	int n = 0;

	snprintf(copy, sizeof(copy), "%s", wanted);
	while ((one = strsep(&rest, "|")) != NULL)
		n += count_one(all, one);
	return n;
}

/* All at once; a person is slower. */
static int answer(struct screen *s, int fd)
{
	size_t len = strlen(s->said);

	if (len == 0)
		return 0;
	if (write(fd, s->said, len) != (ssize_t)len)
		return -1;
	s->said[0] = '\0';
	return poll(NULL, 0, 300);
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 24};
	struct screen s = {0};
	char *all = NULL;
	size_t used = 0;
	int fd, end, typed = 0, waited = 0, status = 0;
	bool ended = false;
	pid_t child;

	if (argc < 7 || strcmp(argv[5], "--") != 0)
		return 2;
	setlocale(LC_ALL, "C.UTF-8");
	size.ws_col = (unsigned short)atoi(argv[1]);
	s.columns = atoi(argv[2]);
	/* Our own end of the far side: a command that redirects everything hangs up nobody. */
	if (openpty(&fd, &end, NULL, NULL, &size) < 0)
		return 2;
	child = fork();
	if (child == 0) {
		close(fd);
		login_tty(end);
		execvp(argv[6], argv + 6);
		_exit(127);
	}
	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		char bytes[4096];
		ssize_t n;

		if (poll(&p, 1, ended ? 0 : STEP_MS) == 0) {
			if (ended || (waited += STEP_MS) > LIMIT_MS)
				break;
			/* What it wrote since the look is still to be read. */
			ended = waitpid(child, &status, WNOHANG) != 0;
			continue;
		}
		n = read(fd, bytes, sizeof(bytes));
		if (n <= 0)
			break;
		show(&s, bytes, (size_t)n);
		all = realloc(all, used + (size_t)n + 1);
		if (!all)
			return 2;
		memcpy(all + used, bytes, (size_t)n);
		used += (size_t)n;
		all[used] = '\0';
		if (count(all, argv[4]) > 0 && answer(&s, fd) < 0)
			break;
		if (argv[3][typed] && count(all, argv[4]) > typed &&
		    write(fd, &argv[3][typed++], 1) != 1)
			break;
	}
	putwchar(L'\n');
	free(all);
	if (waited > LIMIT_MS)
		return 99;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
