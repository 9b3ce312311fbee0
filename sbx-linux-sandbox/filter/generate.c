/*
 * Prints every filter as C, in the order of seccomp_index().
 */
#include "filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void print_row(struct sock_filter row)
{
	printf("\t{%u, %u, %u, 0x%x},\n", row.code, row.jt, row.jf, row.k);
}

/*
 * Calls that are newer than these rules: nobody has thought about them, and
 * programs know how to do without.  Other conventions are left to the rest.
 */
#define LAST_KNOWN 469 /* file_setattr, Linux 6.17; the same on every architecture */
#define X32_BIT    0x40000000U

static unsigned print_unknown(uint32_t arch)
{
	const struct sock_filter rows[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 0, 4),
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 2, 0),
	        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	unsigned count = sizeof(rows) / sizeof(rows[0]);

	for (unsigned i = 0; i < count; i++)
		print_row(rows[i]);
	return count;
}

/*
 * libseccomp makes filters for other architectures of the calls that it knows,
 * and ours are newer.  So it is given the target's numbers as if they were this
 * machine's, and the one word that names the architecture is changed.  Nothing
 * else differs: both keep the low half of an argument first.
 */
static struct sock_filter for_target(struct sock_filter row, uint32_t arch)
{
	if (row.code == (BPF_JMP | BPF_JEQ | BPF_K) && row.k == seccomp_arch_native())
		row.k = arch;
	return row;
}

static unsigned print_filter(unsigned index, uint32_t arch)
{
	const struct seccomp_choice choice = seccomp_choice_at(index);
	int fd = memfd_create("filter", 0);
	int failed = fd < 0 ? -1 : filter_compile(&choice, arch, fd);
	struct sock_filter row;
	unsigned count;

	if (failed || lseek(fd, 0, SEEK_SET) < 0) {
		fprintf(stderr, "generate: filter %u: %s\n", index, strerror(-failed));
		exit(1);
	}
	printf("static struct sock_filter filter_%u[] = {\n", index);
	for (count = print_unknown(arch); read(fd, &row, sizeof(row)) == (ssize_t)sizeof(row);
	     count++)
		print_row(for_target(row, arch));
	printf("};\n");
	close(fd);
	return count;
}

/*
 * The same rules for engines that make their filter themselves, as the JSON of an
 * OCI bundle: without a watcher, in namespaces, not nested.
 */
static void print_for_engines(uint32_t arch)
{
	printf("#include \"engine/filter.h\"\n");
	printf("const char *const engine_filters[ENGINE_FILTERS] = {\n");
	for (unsigned i = 0; i < 8; i++) {
		struct seccomp_choice choice = {
		        .net = i & 1 ? NET_ON : NET_OFF,
		        .root = (i & 2) != 0,
		        .debugged = (i & 4) != 0,
		};

		printf("\t\"");
		filter_print_json(&choice, arch);
		printf("\",\n");
	}
	printf("};\n");
}

/* generate [--engines] [ARCH] */
int main(int argc, char **argv)
{
	unsigned counts[SECCOMP_CHOICES];
	uint32_t arch = seccomp_arch_native();
	bool engines = argc > 1 && strcmp(argv[1], "--engines") == 0;

	if (engines) {
		argc--;
		argv++;
	}
	if (argc > 1 && filter_target(argv[1], &arch) < 0) {
		fprintf(stderr, "generate: %s: no filters for it are made on this machine\n",
		        argv[1]);
		return 1;
	}
	if (engines) {
		print_for_engines(arch);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	printf("#include \"filter/choose_filter.h\"\n#include <stddef.h>\n");
	filter_print_rules(arch);
	for (unsigned i = 0; i < SECCOMP_CHOICES; i++) {
		const struct seccomp_choice choice = seccomp_choice_at(i);

		counts[i] = seccomp_choice_exists(&choice) ? print_filter(i, arch) : 0;
	}
	printf("const struct sock_fprog seccomp_filters[SECCOMP_CHOICES] = {\n");
	for (unsigned i = 0; i < SECCOMP_CHOICES; i++)
		if (counts[i])
			printf("\t{%u, filter_%u},\n", counts[i], i);
		else
			printf("\t{0, NULL},\n");
	printf("};\n");
	return fflush(stdout) == 0 ? 0 : 1;
}
