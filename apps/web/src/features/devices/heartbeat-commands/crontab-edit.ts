import { shellQuote } from './shell-quote.ts'

/** A crontab line; the comment at its end marks it as ours. To cron a bare % is a line break. */
export function crontabLine(schedule: string, command: string, mark: string): string {
  return `${schedule} ${command.replaceAll('%', String.raw`\%`)} # ${mark}`
}

/**
 * Shell lines that put `line` in the place of the one with the same mark (letters, digits, blanks
 * and hyphens), or only remove that one; all others stay. A crontab that can't be read is left
 * alone: to take it for an empty one would wipe it out.
 */
export function editCrontab(mark: string, line?: string): string[] {
  return [
    'if ! lines=$(crontab -l 2>/dev/null); then',
    '  reason=$(crontab -l 2>&1) || :',
    '  case $reason in',
    "    *'no crontab'* | *'No such file'*) lines= ;;",
    '    *) echo "Your crontab could not be read and was left alone: $reason" >&2; exit 1 ;;',
    '  esac',
    'fi',
    String.raw`kept=$(printf '%s\n' "$lines" | sed '/# ${mark}$/d')`,
    '{',
    String.raw`  [ -z "$kept" ] || printf '%s\n' "$kept"`,
    ...(line === undefined ? [] : [String.raw`  printf '%s\n' ${shellQuote(line)}`]),
    '} | crontab -',
  ]
}
