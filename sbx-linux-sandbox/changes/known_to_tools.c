#include "changes/known_to_tools.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char hooks[] = "runs when git is used";
static const char shells[] = "runs when a shell starts or comes here";
static const char editors[] = "runs in an editor or a debugger";
static const char agents[] = "agents obey it";
static const char services[] = "runs on a server that builds";
static const char builds[] = "runs in a build, a test or an install";
static const char loads[] = "an interpreter loads it by itself";
static const char starts[] = "the desktop or the system starts it";

/*
 * By the last name, or by the last two: where a tool looks without being told to.  What
 * is only run by who names it, a source file or a library, is not here; what can be
 * executed at all is told by its mode.
 */
static const struct known {
	const char *pattern; /* of fnmatch(); with a slash: of the end of the path */
	const char *why;
} table[] = {
        /* version control, and what checks for it */
        {".gitmodules", hooks},
        {".gitattributes", hooks},
        {".githooks/*", hooks},
        {".husky/*", hooks},
        {".husky/_/*", hooks},
        {".pre-commit-config.yaml", hooks},
        {".pre-commit-hooks.yaml", hooks},
        {"lefthook*.yml", hooks},
        {".lefthook*.yml", hooks},
        {".overcommit.yml", hooks},
        /* shells */
        {".envrc", shells},
        {".env", shells},
        {".env.*", shells},
        {".bashrc", shells},
        {".bash_*", shells},
        {".profile", shells},
        {".zshrc", shells},
        {".zshenv", shells},
        {".zprofile", shells},
        {".zlogin", shells},
        {".inputrc", shells},
        {".autoenv*", shells},
        {".mise.toml", shells},
        {"mise.toml", shells},
        {".tool-versions", shells},
        {".tmux.conf", shells},
        {".screenrc", shells},
        /* editors and debuggers */
        {".vscode/*", editors},
        {".idea/*", editors},
        {".idea/*/*", editors},
        {".zed/*", editors},
        {".fleet/*", editors},
        {".devcontainer/*", editors},
        {".devcontainer.json", editors},
        {"*.code-workspace", editors},
        {".vimrc", editors},
        {"_vimrc", editors},
        {".exrc", editors},
        {".nvimrc", editors},
        {".nvim.lua", editors},
        {".lvimrc", editors},
        {".dir-locals.el", editors},
        {".dir-locals-2.el", editors},
        {".projectile", editors},
        {".gdbinit", editors},
        {".lldbinit", editors},
        /* agents */
        {"AGENTS.md", agents},
        {"AGENTS.override.md", agents},
        {"CLAUDE.md", agents},
        {"CLAUDE.local.md", agents},
        {"GEMINI.md", agents},
        {".cursorrules", agents},
        {".windsurfrules", agents},
        {".mcp.json", agents},
        {"mcp.json", agents},
        {".agents/*", agents},
        {".agents/*/*", agents},
        {".agents/*/*/*", agents},
        {".codex/*", agents},
        {".codex/*/*", agents},
        {".codex/*/*/*", agents},
        {".claude/*", agents},
        {".claude/*/*", agents},
        {".cursor/*", agents},
        {".cursor/*/*", agents},
        {".gemini/*", agents},
        {".aider*", agents},
        /* servers */
        {".github/workflows/*", services},
        {".github/actions/*/*", services},
        {"action.yml", services},
        {"action.yaml", services},
        {".gitlab-ci.yml", services},
        {".circleci/*", services},
        {".travis.yml", services},
        {".drone.yml", services},
        {".woodpecker.yml", services},
        {".cirrus.yml", services},
        {".buildkite/*", services},
        {"Jenkinsfile*", services},
        {"azure-pipelines*.yml", services},
        {"bitbucket-pipelines.yml", services},
        {"appveyor.yml", services},
        /* builds, tests, installs */
        {"[Mm]akefile*", builds},
        {"GNUmakefile*", builds},
        {"*.mk", builds},
        {"CMakeLists.txt", builds},
        {"CMake*Presets.json", builds},
        {"*.cmake", builds},
        {"meson.build", builds},
        {"build.ninja", builds},
        {"BUILD", builds},
        {"BUILD.bazel", builds},
        {"WORKSPACE*", builds},
        {"MODULE.bazel", builds},
        {".bazelrc", builds},
        {"BUCK", builds},
        {"configure", builds},
        {"configure.ac", builds},
        {"SConstruct", builds},
        {"SConscript", builds},
        {"wscript", builds},
        {"[Jj]ustfile", builds},
        {".justfile", builds},
        {"Taskfile*.y*ml", builds},
        {"Rakefile", builds},
        {"*.rake", builds},
        {"Gemfile", builds},
        {"*.gemspec", builds},
        {"Vagrantfile", builds},
        {"Podfile", builds},
        {"Fastfile", builds},
        {"Dangerfile", builds},
        {"Dockerfile*", builds},
        {"Containerfile*", builds},
        {"docker-compose*.y*ml", builds},
        {"compose*.y*ml", builds},
        {"Procfile*", builds},
        {"Tiltfile", builds},
        {"Earthfile", builds},
        {"build.rs", builds},
        {"Cargo.toml", builds},
        {".cargo/config", builds},
        {".cargo/config.toml", builds},
        {"rust-toolchain*", builds},
        {"package.json", builds},
        {".npmrc", builds},
        {".yarnrc*", builds},
        {".yarn/releases/*", builds},
        {".yarn/plugins/*", builds},
        {".pnpmfile.cjs", builds},
        {"bunfig.toml", builds},
        {"binding.gyp", builds},
        {"*.config.[cm]js", builds},
        {"*.config.js", builds},
        {"*.config.ts", builds},
        {"*.config.mts", builds},
        {".*rc.js", builds},
        {".*rc.cjs", builds},
        {"gulpfile*", builds},
        {"Gruntfile*", builds},
        {"setup.py", builds},
        {"setup.cfg", builds},
        {"pyproject.toml", builds},
        {"tox.ini", builds},
        {"noxfile.py", builds},
        {"fabfile.py", builds},
        {"tasks.py", builds},
        {"dodo.py", builds},
        {"conftest.py", builds},
        {"pytest.ini", builds},
        {"build.xml", builds},
        {"pom.xml", builds},
        {".mvn/*", builds},
        {".mvn/*/*", builds},
        {"*.gradle", builds},
        {"*.gradle.kts", builds},
        {"gradle.properties", builds},
        {"gradle-wrapper.*", builds},
        {"build.sbt", builds},
        {"*.csproj", builds},
        {"*.props", builds},
        {"*.targets", builds},
        {"*.vcxproj", builds},
        {"*.nix", builds},
        {"mix.exs", builds},
        {"rebar.config*", builds},
        {"Setup.hs", builds},
        {"*.cabal", builds},
        {"dune", builds},
        {"Package.swift", builds},
        {"project.clj", builds},
        {"composer.json", builds},
        {"Makefile.PL", builds},
        {"Build.PL", builds},
        {"go.work", builds},
        {"build.zig", builds},
        /* interpreters */
        {"sitecustomize.py", loads},
        {"usercustomize.py", loads},
        {"*.pth", loads},
        {".pythonrc*", loads},
        {".irbrc", loads},
        {".pryrc", loads},
        {".Rprofile", loads},
        {".Renviron", loads},
        {".ghci", loads},
        {".sqliterc", loads},
        {".psqlrc", loads},
        {".perltidyrc", loads},
        {"php.ini", loads},
        {".user.ini", loads},
        {".htaccess", loads},
        {"pyvenv.cfg", loads},
        /* desktops and systems */
        {"*.desktop", starts},
        {"*.service", starts},
        {"*.timer", starts},
        {"crontab", starts},
};

/* Most names are of no interest: what decides is seen in their first character. */
static bool may_match(const char *last, const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	char first = slash ? slash[1] : pattern[0];

	return first == '*' || first == '[' || first == *last;
}

/* As many components of the path as the pattern has, from the end. */
static bool matches(const char *path, const char *pattern)
{
	const char *start = path + strlen(path);
	size_t slashes = 1;

	for (const char *s = pattern; *s; s++)
		slashes += *s == '/';
	while (start > path && slashes > 0)
		slashes -= *--start == '/';
	return slashes == 0 && fnmatch(pattern, start + 1, FNM_PATHNAME) == 0;
}

const char *known_to_tools(const char *path)
{
	const char *last = strrchr(path, '/') + 1;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (may_match(last, table[i].pattern) && matches(path, table[i].pattern))
			return table[i].why;
	return NULL;
}
