/** Debian's and Ubuntu's packages of programs that may be missing there. */
const debianPackages: Readonly<Record<string, string>> = { crontab: 'cron', curl: 'curl' }

/**
 * One paste for a terminal. A here-document read by sh runs alike in bash, zsh and dash, whatever
 * aliases and options the user has, and its text is in no process list. Nothing in it may read
 * standard input, which is the text itself.
 */
export function hereDocument(lines: readonly string[]): string {
  return ["sh <<'EOF'", 'set -eu', 'export LC_ALL=C', 'umask 077', ...lines, 'EOF'].join('\n')
}

/** Shell lines that end a paste by its `fail` where a program is missing. */
export function needPrograms(programs: readonly string[]): string[] {
  return programs.map((program) => {
    const found = debianPackages[program]
    const hint =
      found === undefined ? 'Install it' : `Install it (Debian and Ubuntu: apt install ${found})`
    return `command -v ${program} >/dev/null || fail '${program} is missing. ${hint} and paste again.'`
  })
}

/** A paste that changes little: its lines say `fail 'why'` where they can't go on. */
export function shellPaste(programs: readonly string[], lines: readonly string[]): string {
  return hereDocument([
    'fail() { echo "Nothing was changed: $1" >&2; exit 1; }',
    ...needPrograms(programs),
    ...lines,
  ])
}
