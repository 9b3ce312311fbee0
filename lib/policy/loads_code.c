#include "policy/loads_code.h"

#include <string.h>

/*
 * A star is anything, and never comes first.  Names are compared as the programs do: exactly.
 */
static const struct {
	const char *name;
	const char *why;
} variables[] = {
        {"LD_*", "the dynamic loader: preloaded and audited libraries, search paths"},
        {"DYLD_*", "the same on macOS"},
        {"GCONV_PATH", "modules that iconv() loads"},
        {"LOCPATH", "locale files that the C library maps"},
        {"GLIBC_TUNABLES", "switches of the C library"},
        {"BASH_ENV", "a script that every bash reads first"},
        {"ENV", "a script that every interactive sh reads first"},
        {"BASH_FUNC_*", "functions that replace commands"},
        {"SHELLOPTS", "options of every bash: xtrace runs PS4"},
        {"BASHOPTS", "the same"},
        {"PS4", "is expanded before each traced command"},
        {"PROMPT_COMMAND", "runs before each prompt"},
        {"ZDOTDIR", "where zsh reads its start files"},
        {"FPATH", "where zsh and ksh load functions from"},
        {"PYTHONSTARTUP", "a script that python runs first"},
        {"PYTHONPATH", "modules in place of python's own"},
        {"PYTHONHOME", "another standard library"},
        {"PYTHONINSPECT", "an interpreter that stays"},
        {"PYTHONBREAKPOINT", "a function to call"},
        {"PYTHONUSERBASE", "where python looks for user modules"},
        {"PERL5OPT", "options of every perl, -M among them"},
        {"PERL5LIB", "modules in place of perl's own"},
        {"PERLLIB", "the same"},
        {"PERL5DB", "code of the debugger"},
        {"RUBYOPT", "options of every ruby, -r among them"},
        {"RUBYLIB", "libraries in place of ruby's own"},
        {"BUNDLE_GEMFILE", "code that bundler evaluates"},
        {"NODE_OPTIONS", "options of every node, --require among them"},
        {"NODE_PATH", "modules in place of node's own"},
        {"NODE_REPL_EXTERNAL_MODULE", "a module that node loads"},
        {"JAVA_TOOL_OPTIONS", "options of every JVM, -javaagent among them"},
        {"_JAVA_OPTIONS", "the same"},
        {"JDK_JAVA_OPTIONS", "the same"},
        {"CLASSPATH", "classes in place of others"},
        {"MAVEN_OPTS", "options of the JVM that maven starts"},
        {"GRADLE_OPTS", "options of the JVM that gradle starts"},
        {"LUA_INIT*", "code that lua runs first"},
        {"LUA_PATH*", "modules in place of others"},
        {"LUA_CPATH*", "the same, compiled"},
        {"PHPRC", "another php.ini: auto_prepend_file"},
        {"PHP_INI_SCAN_DIR", "the same"},
        {"R_PROFILE*", "a script that R runs first"},
        {"R_ENVIRON*", "variables that R reads first"},
        {"JULIA_LOAD_PATH", "modules in place of others"},
        {"DOTNET_STARTUP_HOOKS", "an assembly that dotnet runs first"},
        {"CORECLR_PROFILER*", "a library that dotnet loads"},
        {"COR_PROFILER*", "the same"},
        {"ERL_*FLAGS", "options of every erl, -eval among them"},
        {"GIT_SSH_COMMAND", "a command that git runs"},
        {"GIT_SSH", "the same"},
        {"GIT_EXTERNAL_DIFF", "the same"},
        {"GIT_PROXY_COMMAND", "the same"},
        {"GIT_ASKPASS", "the same"},
        {"GIT_EXEC_PATH", "where git finds its own commands"},
        {"GIT_TEMPLATE_DIR", "hooks for new repositories"},
        {"GIT_CONFIG*", "configuration: hooks, pagers, aliases"},
        {"GIT_DIR", "another repository, with its hooks"},
        {"GIT_COMMON_DIR", "the same"},
        {"GIT_ATTR_SOURCE", "attributes: filters"},
        {"SSH_ASKPASS*", "a command that ssh runs"},
        {"SUDO_ASKPASS", "a command that sudo runs"},
        {"LESSOPEN", "a command that less runs on each file"},
        {"LESSCLOSE", "the same"},
        {"RUSTC_WRAPPER", "a program in place of the compiler"},
        {"RUSTC_WORKSPACE_WRAPPER", "the same"},
        {"RUSTC", "the same"},
        {"RUSTDOC", "the same"},
        {"CARGO_BUILD_RUSTC*", "the same"},
        {"CARGO_TARGET_*_RUNNER", "a program that cargo runs in place of another"},
        {"CARGO_TARGET_*_LINKER", "the same"},
        {"GOFLAGS", "options of every go command, -toolexec among them"},
        {"GOENV", "a file of such options"},
        {"MAKEFLAGS", "options of every make, --eval among them"},
        {"MAKEFILES", "makefiles that every make reads first"},
        {"GNUMAKEFLAGS", "as MAKEFLAGS"},
        {"COMPILER_PATH", "where gcc finds its own programs"},
        {"GCC_EXEC_PREFIX", "the same"},
        {"npm_config_script_shell", "a program that npm runs"},
        {"npm_config_node_options", "as NODE_OPTIONS"},
        {"npm_config_git", "a program that npm runs"},
        {"VIMINIT", "commands that vim runs first"},
        {"EXINIT", "the same"},
        {"GDBINIT", "commands that gdb runs first"},
        {"OPENSSL_CONF", "engines that OpenSSL loads"},
        {"OPENSSL_MODULES", "the same"},
        {"OPENSSL_ENGINES", "the same"},
        {"GTK_MODULES", "libraries that GTK loads"},
        {"GTK_PATH", "the same"},
        {"GIO_EXTRA_MODULES", "the same for GIO"},
        {"GIO_MODULE_DIR", "the same"},
        {"QT_PLUGIN_PATH", "the same for Qt"},
        {"TCLLIBPATH", "packages in place of others"},
        {"GUILE_LOAD_PATH", "modules in place of others"},
        {"GUILE_LOAD_COMPILED_PATH", "the same"},
        {"EMACSLOADPATH", "lisp in place of emacs's own"},
};

/* One star, anywhere. */
static bool matches(const char *pattern, const char *name, size_t len)
{
	size_t head = strcspn(pattern, "*");
	const char *tail = pattern + head + (pattern[head] == '*');
	size_t tail_len = strlen(tail);

	if (pattern[head] == '\0')
		return len == head && memcmp(pattern, name, len) == 0;
	return len >= head + tail_len && memcmp(pattern, name, head) == 0 &&
	       memcmp(name + len - tail_len, tail, tail_len) == 0;
}

bool loader_variable(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		/* Every variable of every start is asked about, and nearly all differ here. */
		if (variables[i].name[0] == name[0] && matches(variables[i].name, name, len))
			return true;
	return false;
}
