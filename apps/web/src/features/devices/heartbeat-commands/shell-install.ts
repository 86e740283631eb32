import { hereDocument } from './shell-paste.ts'

export interface ShellInstall {
  /** What the other lines stand on, such as functions and variables. */
  readonly begin?: readonly string[]
  /** Looks whether it will work, before anything is changed. */
  readonly check: readonly string[]
  /** Puts it there: files by `put FILE`, which reads them; `keep FILE` before anything else is done to one. */
  readonly install: readonly string[]
  /** Says what was done. Nothing is undone any more. */
  readonly done: readonly string[]
  /** Run when it failed halfway, before and after the files are again as they were. */
  readonly undo: { readonly first: readonly string[]; readonly last: readonly string[] }
}

/**
 * A paste that installs something whole or not at all. Its lines run in the home folder and name files from
 * there, without blanks; they say `fail 'why, and what to do'` where they can't go on, and everything is then as it
 * was before. `$work` is a folder for files on the way.
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
    // Removed first: an older file would keep a wider mode.
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
