#include "names/name_servers.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS_MAX 20000

static void take_option(struct name_servers *servers, const char *word)
{
	if (strncmp(word, "ndots:", 6) != 0)
		return;
	free(servers->ndots);
	servers->ndots = xasprintf("options %s\n", word);
}

/* Names alone: what else could stand there would be copied to the inside. */
static void take_search(struct name_servers *servers, char **rest)
{
	char name[HOST_NAME_MAX_LENGTH + 1];

	free(servers->search);
	servers->search = xstrdup("");
	for (char *word; (word = strtok_r(NULL, " \t\r\n", rest)) != NULL;) {
		char *longer;

		if (host_name_normal(word, strlen(word), name) != NULL)
			continue;
		longer = xasprintf("%s%s%s", servers->search, servers->search[0] ? " " : "", name);
		free(servers->search);
		servers->search = longer;
	}
}

static void take_line(struct name_servers *servers, char *line)
{
	char *rest, *word = strtok_r(line, " \t\r\n", &rest);

	if (!word)
		return;
	if (strcmp(word, "nameserver") == 0 && servers->count < NAME_SERVERS) {
		word = strtok_r(NULL, " \t\r\n", &rest);
		if (word && host_address_parse(word, &servers->servers[servers->count]))
			servers->count++;
	} else if (strcmp(word, "search") == 0 || strcmp(word, "domain") == 0) {
		take_search(servers, &rest);
	} else if (strcmp(word, "options") == 0) {
		while ((word = strtok_r(NULL, " \t\r\n", &rest)) != NULL)
			take_option(servers, word);
	}
}

static void take_host(struct name_servers *servers, char *line)
{
	char *rest, *word = strtok_r(line, " \t\r\n", &rest);
	struct known_host host = {.name = ""};

	if (!word || !host_address_parse(word, &host.address))
		return;
	while ((word = strtok_r(NULL, " \t\r\n", &rest)) != NULL) {
		if (servers->host_count == HOSTS_MAX ||
		    host_name_normal(word, strlen(word), host.name) != NULL)
			continue;
		servers->hosts = xrealloc_array(servers->hosts, servers->host_count + 1,
		                                sizeof(*servers->hosts));
		servers->hosts[servers->host_count++] = host;
	}
}

static void read_lines(const char *path, struct name_servers *servers,
                       void (*take)(struct name_servers *, char *))
{
	FILE *file = fopen(path, "re");
	char line[1024];

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "#;")] = '\0';
		take(servers, line);
	}
	if (file)
		fclose(file);
}

void name_servers_read(struct name_servers *servers)
{
	*servers = (struct name_servers){.search = xstrdup(""), .ndots = xstrdup("")};
	read_lines("/etc/resolv.conf", servers, take_line);
	read_lines("/etc/hosts", servers, take_host);
	/* As every resolver has it. */
	if (servers->count == 0 && host_address_parse("127.0.0.1", &servers->servers[0]))
		servers->count = 1;
}

void name_servers_free(struct name_servers *servers)
{
	free(servers->search);
	free(servers->ndots);
	free(servers->hosts);
	*servers = (struct name_servers){0};
}
