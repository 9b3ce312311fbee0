#include "linux/mount_table.h"

#include <stddef.h>
#include <string.h>

/* Blanks, tabs, newlines and backslashes are written as \ooo. */
static void unescape(char *s)
{
	char *out = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*out++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

/* 36 35 98:0 /root /mount/point options [optional...] - type source options */
char *mountinfo_point(char *line, char **type)
{
	char *field = line;

	for (int i = 0; i < 4; i++) {
		field = strchr(field, ' ');
		if (!field)
			return NULL;
		field++;
	}
	*type = strstr(field, " - ");
	if (!*type)
		return NULL;
	*type += 3;
	(*type)[strcspn(*type, " ")] = '\0';
	field[strcspn(field, " ")] = '\0';
	unescape(field);
	return field;
}
