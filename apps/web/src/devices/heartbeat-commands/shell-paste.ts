const debianPackages: Readonly<Record<string, string>> = { crontab: 'cron', curl: 'curl' }

/**
 * A paste for a terminal. A here-document read by sh works the same in bash, zsh and dash, regardless of
 * aliases and options, and its text is in no process list. Its lines must not read standard input, because
 * that is the text itself.
 */
export function hereDocument(lines: readonly string[]): string {
  return ["sh <<'EOF'", 'set -eu', 'export LC_ALL=C', 'umask 077', ...lines, 'EOF'].join('\n')
}

export function needPrograms(programs: readonly string[]): string[] {
  return programs.map((program) => {
    const found = debianPackages[program]
    const hint =
      found === undefined ? 'Install it' : `Install it (Debian and Ubuntu: apt install ${found})`
    return `command -v ${program} >/dev/null || fail '${program} is missing. ${hint} and paste again.'`
  })
}

/** A paste that changes little. Its lines call `fail 'why'` to give up. */
export function shellPaste(programs: readonly string[], lines: readonly string[]): string {
  return hereDocument([
    'fail() { echo "Nothing was changed: $1" >&2; exit 1; }',
    ...needPrograms(programs),
    ...lines,
  ])
}

interface ShellInstall {
  readonly begin?: readonly string[]
  readonly check: readonly string[]
  /** `put FILE` writes standard input to a file. `keep FILE` precedes any other change of one. */
  readonly install: readonly string[]
  /** Reports what was done. Failures here undo nothing. */
  readonly done: readonly string[]
  /** Run after a failure, before and after the old files are restored. */
  readonly undo: { readonly first: readonly string[]; readonly last: readonly string[] }
}

/**
 * A paste that installs something completely or not at all. Its lines run in the home folder, and file
 * names are relative to it and contain no spaces. To give up, they call `fail 'why, and what to do'`, which
 * restores the previous state. `$work` is a temporary folder.
 */
export function shellInstall({ begin = [], check, install, done, undo }: ShellInstall): string {
  return hereDocument([
    'changed= installed= said=',
    'fail() { said=yes; echo "Nothing was installed: $1" >&2; exit 1; }',
    'is_there() { [ -e "$1" ] || [ -L "$1" ]; }',
    'keep() {',
    '  if is_there "$1"; then cp -pP "$1" "$work/old"; fi &&',
    '    changed="$changed $1"',
    '}',
    // Remove the old file first, or it would keep a less strict mode.
    'put() {',
    '  { mkdir -p "${1%/*}" && keep "$1" && rm -f "$1" && cat >"$1"; } 2>/dev/null ||',
    '    fail "$1 can\'t be written in $HOME. Is the disk full (df -h ~), or does the folder belong to somebody else (ls -ld ~/.config)?"',
    '}',
    'undo() {',
    ...undo.first,
    '  for file in $changed; do',
    '    rm -f "$file"',
    '    old=$work/old/${file##*/}',
    '    if is_there "$old"; then cp -pP "$old" "$file"; else rmdir -p "${file%/*}"; fi',
    '  done',
    ...undo.last,
    '}',
    'end() {',
    '  code=$?',
    '  set +e',
    '  if [ "$code" -ne 0 ] && [ -z "$installed" ]; then',
    '    undo >/dev/null 2>&1',
    '    [ -n "$said" ] || echo \'Nothing was installed: it was stopped, or a program failed as told above. What had begun is undone.\' >&2',
    '  fi',
    '  rm -rf "$work"',
    '}',
    ...begin,
    'cd "$HOME"',
    'work=$(mktemp -d)',
    'trap end EXIT',
    "trap 'exit 1' HUP INT TERM",
    'mkdir "$work/old"',
    ...check,
    ...install,
    'installed=yes',
    ...done,
  ])
}
