/*
 * When does a rule of the system call filter apply, and to which arguments?
 *
 * The kernel judges by the compiled form.  The observer judges by the table
 * itself the calls that the kernel hands to it, and refuses the same ones.
 */
#ifndef SBX_LINUX_SANDBOX_FILTER_FILTER_RULE_H
#define SBX_LINUX_SANDBOX_FILTER_FILTER_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the command may do with sockets. */
enum net {
	NET_OFF,      /* no internet socket can be made */
	NET_OFF_TOLD, /* made, but never connected or bound: so the address is known */
	NET_LOOPBACK,
	NET_ON,
};

/* What the observer is asked about. */
enum watch {
	WATCH_NONE,
	WATCH_SOCKETS, /* connecting, which it does itself */
	WATCH_FILES,   /* also changes of files, and what the filter refuses */
	WATCH_READS,   /* also opening for reading */
};

struct seccomp_choice {
	enum net net;
	enum watch watch;
	bool nested;    /* user namespaces, and mounts in them, are allowed */
	bool root;      /* the caller has uid 0 */
	bool alone;     /* no mounts and no namespaces: Landlock and this filter */
	bool no_writes; /* alone, and nothing is writable */
	bool brokered;  /* alone, and the observer does what Landlock must deny */
	bool debugged;  /* processes of the sandbox may trace each other */
};

/* When a rule is part of the filter. */
enum when {
	ALWAYS,
	UNLESS_NESTED,   /* not when user namespaces are allowed inside */
	UNLESS_DEBUGGED, /* not when processes inside may trace each other */
	OFF,
	OFF_UNTOLD,
	OFF_UNWATCHED,
	INTERNET,           /* internet sockets can be made */
	INTERNET_UNWATCHED, /* and nobody watches what unix sockets connect to */
	ON_WATCHED,         /* those of the host's network, and somebody decides where to */
	ROOT_ONLY,          /* the caller is root */
	ALONE,              /* no namespace of processes, no mounts */
	NO_WRITES,          /* and nothing is writable */
	BROKERED,           /* the broker makes the calls on files */
};

enum test {
	ANY = 0,
	BITS,    /* argument & value == value */
	LOW_IS,  /* the low 32 bits are value: the kernel ignores the others */
	TYPE_IS, /* argument & 0xf == value: the type of a socket */
	IS,      /* all 64 bits */
	IS_NOT,
	BELOW,
	ABOVE,
};

struct rule {
	const char *name;
	int number;
	enum when when;
	int answer; /* errno */
	struct {
		unsigned argument;
		enum test test;
		unsigned long value;
	} tests[2];
};

bool rule_applies(const struct rule *rule, const struct seccomp_choice *choice);

/* Without a sandbox only root could: for others the call fails by itself. */
bool rule_is_for_root(const struct rule *rule);

/* All of its tests hold for these arguments. */
bool rule_matches(const struct rule *rule, const uint64_t *arguments);

#endif
