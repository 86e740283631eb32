/** The Debian and Ubuntu packages of programs that may be missing. */
const debianPackages: Readonly<Record<string, string>> = { crontab: 'cron', curl: 'curl' }

/**
 * A paste for a terminal. A here-document read by sh works the same in bash, zsh and dash, regardless of
 * aliases and options, and its text is in no process list. Its lines must not read standard input, because
 * that is the text itself.
 */
export function hereDocument(lines: readonly string[]): string {
  return ["sh <<'EOF'", 'set -eu', 'export LC_ALL=C', 'umask 077', ...lines, 'EOF'].join('\n')
}

/** Shell lines that call `fail` if a program is missing. */
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
