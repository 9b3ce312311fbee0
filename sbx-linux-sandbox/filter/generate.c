/*
 * Prints every filter as C, in the order of seccomp_index().
 */
#include "filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned print_filter(unsigned index)
{
	const struct seccomp_choice choice = seccomp_choice_at(index);
	int fd = memfd_create("filter", 0);
	int failed = fd < 0 ? -1 : filter_compile(&choice, fd);
	struct sock_filter row;
	unsigned count = 0;

	if (failed || lseek(fd, 0, SEEK_SET) < 0) {
		fprintf(stderr, "generate: filter %u: %s\n", index, strerror(-failed));
		exit(1);
	}
	printf("static struct sock_filter filter_%u[] = {\n", index);
	for (; read(fd, &row, sizeof(row)) == (ssize_t)sizeof(row); count++)
		printf("\t{%u, %u, %u, 0x%x},\n", row.code, row.jt, row.jf, row.k);
	printf("};\n");
	close(fd);
	return count;
}

int main(void)
{
	unsigned counts[SECCOMP_CHOICES];

	printf("#include \"seccomp.h\"\n");
	filter_print_rules();
	for (unsigned i = 0; i < SECCOMP_CHOICES; i++)
		counts[i] = print_filter(i);
	printf("const struct sock_fprog seccomp_filters[SECCOMP_CHOICES] = {\n");
	for (unsigned i = 0; i < SECCOMP_CHOICES; i++)
		printf("\t{%u, filter_%u},\n", counts[i], i);
	printf("};\n");
	return fflush(stdout) == 0 ? 0 : 1;
}
