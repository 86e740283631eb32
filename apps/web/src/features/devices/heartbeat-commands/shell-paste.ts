/**
 * One paste for a terminal. A here-document read by sh runs alike in bash, zsh and dash, whatever
 * aliases and options the user has, and its text is in no process list. Nothing in it may read
 * standard input, which is the text itself.
 */
export function shellPaste(programs: readonly string[], lines: readonly string[]): string {
  return [
    "sh <<'EOF'",
    'set -eu',
    'export LC_ALL=C',
    'umask 077',
    `for program in ${programs.join(' ')}; do`,
    '  command -v "$program" >/dev/null || { echo "Please install $program first." >&2; exit 1; }',
    'done',
    ...lines,
    'EOF',
  ].join('\n')
}
