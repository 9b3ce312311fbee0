/*
 * Does every compiled filter say what the table of rules says?
 *
 * The filters are run here as the kernel runs them, all of them, on every call
 * with arguments that meet the tests of the rules and miss them by a bit.
 */
/* anyone */
#include "filter/filter_rule.c"
#include "filter/choose_filter.h"
#include "tap.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* FILTERS_FOR_ARM64: those of a cross-build, which are data here. */
#if defined(__x86_64__) && !defined(FILTERS_FOR_ARM64)
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif
#define LAST_KNOWN 469
#define X32_BIT    0x40000000

/* How many answers were wrong, of how many. */
static void agree(long wrong, long tried, const char *what)
{
	char line[160], count[40];

	snprintf(line, sizeof(line), "%s (%ld tried)", what, tried);
	snprintf(count, sizeof(count), "%ld wrong", wrong);
	check(wrong == 0 && tried > 0, line, count);
}

/* What libseccomp and we use of the language; anything else ends the test. */
static uint32_t answer(const struct sock_fprog *filter, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (unsigned at = 0; at < filter->len; at++) {
		const struct sock_filter *row = &filter->filter[at];
		bool taken;

		switch (row->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + row->k, sizeof(a));
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= row->k;
			continue;
		case BPF_RET | BPF_K:
			return row->k;
		case BPF_JMP | BPF_JA:
			at += row->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			taken = a == row->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			taken = a >= row->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			taken = a > row->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			taken = (a & row->k) != 0;
			break;
		default:
			printf("Bail out! unknown instruction %u\n", row->code);
			_exit(1);
		}
		at += taken ? row->jt : row->jf;
	}
	printf("Bail out! a filter without an end\n");
	_exit(1);
}

static const struct rule *first_rule(const struct seccomp_choice *choice,
                                     const struct seccomp_data *data)
{
	uint64_t arguments[6];

	memcpy(arguments, data->args, sizeof(arguments));
	for (size_t i = 0; i < seccomp_rule_count; i++)
		if (seccomp_rules[i].number == data->nr &&
		    rule_applies(&seccomp_rules[i], choice) &&
		    rule_matches(&seccomp_rules[i], arguments))
			return &seccomp_rules[i];
	return NULL;
}

static bool agrees(const struct seccomp_choice *choice, const struct seccomp_data *data,
                   uint32_t said)
{
	const struct rule *rule = first_rule(choice, data);

	if (!rule)
		return said == SECCOMP_RET_ALLOW ||
		       (choice->watch != WATCH_NONE && said == SECCOMP_RET_USER_NOTIF);
	if (choice->watch >= WATCH_FILES && rule->answer == EPERM)
		return said == SECCOMP_RET_USER_NOTIF;
	return said == (SECCOMP_RET_ERRNO | (uint32_t)rule->answer) ||
	       (choice->watch == WATCH_SOCKETS && said == SECCOMP_RET_USER_NOTIF);
}

/* Around the value of a test, in the low and in the high half. */
static uint64_t variant(uint64_t value, unsigned which)
{
	static const uint64_t high[] = {0, 1ULL << 32, 1ULL << 63, ~0ULL << 32};

	switch (which % 6) {
	case 0:
		return value | high[which / 6];
	case 1:
		return (value + 1) | high[which / 6];
	case 2:
		return (value - 1) | high[which / 6];
	case 3:
		return (value | 0x80000U) | high[which / 6];
	case 4:
		return (value & (value - 1)) | high[which / 6];
	default:
		return ~value;
	}
}

#define VARIANTS 24U

static bool exists(unsigned index)
{
	const struct seccomp_choice choice = seccomp_choice_at(index);

	return seccomp_choice_exists(&choice);
}

#define EACH_CHOICE(i)                                                                             \
	for (unsigned i = 0; i < SECCOMP_CHOICES; i++)                                             \
		if (exists(i))

/* What Landlock does not cover, or what the broker must do: never let through unasked. */
static const int asked_about[] = {
#ifdef FILTERS_FOR_ARM64
        38,  /* renameat */
        34,  /* mkdirat */
        33,  /* mknodat */
        36,  /* symlinkat */
        37,  /* linkat */
        35,  /* unlinkat */
        276, /* renameat2 */
        45,  /* truncate */
        53,  /* fchmodat */
        52,  /* fchmod */
        54,  /* fchownat */
        55,  /* fchown */
        88,  /* utimensat */
        5,   /* setxattr */
        6,   /* lsetxattr */
        7,   /* fsetxattr */
        14,  /* removexattr */
        15,  /* lremovexattr */
        16,  /* fremovexattr */
        200, /* bind */
        437, /* openat2 */
#else
#ifdef SYS_chmod
        SYS_creat,
        SYS_mkdir,
        SYS_mknod,
        SYS_symlink,
        SYS_link,
        SYS_unlink,
        SYS_rmdir,
        SYS_rename,
        SYS_chmod,
        SYS_chown,
        SYS_lchown,
        SYS_utime,
        SYS_utimes,
        SYS_futimesat,
#endif
#ifdef SYS_renameat
        SYS_renameat,
#endif
        SYS_mkdirat,
        SYS_mknodat,
        SYS_symlinkat,
        SYS_linkat,
        SYS_unlinkat,
        SYS_renameat2,
        SYS_truncate,
        SYS_fchmodat,
        SYS_fchmod,
        SYS_fchownat,
        SYS_fchown,
        SYS_utimensat,
        SYS_setxattr,
        SYS_lsetxattr,
        SYS_fsetxattr,
        SYS_removexattr,
        SYS_lremovexattr,
        SYS_fremovexattr,
        SYS_bind,
        SYS_openat2,
#endif
        452, /* fchmodat2 */
        463, /* setxattrat */
        466, /* removexattrat */
        469, /* file_setattr */
};

static void compare_brokered(unsigned index, long *wrong, long *tried)
{
	for (size_t c = 0; c < sizeof(asked_about) / sizeof(asked_about[0]); c++)
		for (unsigned i = 0; i < VARIANTS; i++, *tried += 1) {
			struct seccomp_data data = {.nr = asked_about[c], .arch = NATIVE};

			for (unsigned a = 0; a < 6; a++)
				data.args[a] = i * 0x9e3779b97f4a7c15ULL >> a;
			*wrong += answer(&seccomp_filters[index], &data) == SECCOMP_RET_ALLOW;
		}
}

static void compare_rule(unsigned index, const struct rule *rule, long *wrong, long *tried)
{
	const struct seccomp_choice choice = seccomp_choice_at(index);

	for (unsigned i = 0; i < VARIANTS * VARIANTS; i++) {
		struct seccomp_data data = {.nr = rule->number, .arch = NATIVE};

		for (unsigned a = 0; a < 6; a++)
			data.args[a] = i * 0x9e3779b97f4a7c15ULL >> a;
		data.args[rule->tests[0].argument] = variant(rule->tests[0].value, i % VARIANTS);
		if (rule->tests[1].test != ANY)
			data.args[rule->tests[1].argument] =
			        variant(rule->tests[1].value, i / VARIANTS);
		*wrong += !agrees(&choice, &data, answer(&seccomp_filters[index], &data));
		*tried += 1;
	}
}

int main(void)
{
	long wrong = 0, tried = 0;

	EACH_CHOICE(i)
	for (size_t r = 0; r < seccomp_rule_count; r++)
		compare_rule(i, &seccomp_rules[r], &wrong, &tried);
	agree(wrong, tried, "the filters answer as the rules say");

	wrong = tried = 0;
	EACH_CHOICE(i)
	for (int nr = 0; nr <= LAST_KNOWN; nr++, tried++) {
		const struct seccomp_choice choice = seccomp_choice_at(i);
		const struct seccomp_data data = {.nr = nr, .arch = NATIVE};

		wrong += !agrees(&choice, &data, answer(&seccomp_filters[i], &data));
	}
	agree(wrong, tried, "... also to calls that no rule names");

	wrong = tried = 0;
	EACH_CHOICE(i)
	if (seccomp_choice_at(i).brokered)
		compare_brokered(i, &wrong, &tried);
	agree(wrong, tried, "with the broker nothing that changes files goes on unasked");

	wrong = tried = 0;
	EACH_CHOICE(i)
	for (int nr = LAST_KNOWN + 1; nr < X32_BIT && nr > 0; nr += nr < 5000 ? 1 : nr / 3) {
		const struct seccomp_data data = {.nr = nr, .arch = NATIVE};

		wrong += answer(&seccomp_filters[i], &data) != (SECCOMP_RET_ERRNO | ENOSYS);
		tried++;
	}
	agree(wrong, tried, "calls that are newer than the rules are missing");

	wrong = tried = 0;
	EACH_CHOICE(i)
	for (int nr = 0; nr < 1024; nr++) {
		const struct seccomp_data others[] = {
			{.nr = nr, .arch = AUDIT_ARCH_I386},
			{.nr = nr, .arch = AUDIT_ARCH_ARM},
			{.nr = nr, .arch = AUDIT_ARCH_X86_64 ^ 1U},
			{.nr = nr,
			 .arch = NATIVE == AUDIT_ARCH_X86_64 ? AUDIT_ARCH_AARCH64
			                                     : AUDIT_ARCH_X86_64},
#if NATIVE == AUDIT_ARCH_X86_64
			{.nr = nr | X32_BIT, .arch = NATIVE},
#endif
		};

		for (size_t o = 0; o < sizeof(others) / sizeof(others[0]); o++, tried++)
			wrong +=
			        answer(&seccomp_filters[i], &others[o]) != SECCOMP_RET_KILL_PROCESS;
	}
	agree(wrong, tried, "calls by another convention end the process");

	return finish();
}
