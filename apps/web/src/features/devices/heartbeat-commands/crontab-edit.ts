/** A crontab line; the comment at its end marks it as ours. To cron a bare % is a line break. */
export function crontabLine(schedule: string, command: string, mark: string): string {
  return `${schedule} ${command.replaceAll('%', String.raw`\%`)} # ${mark}`
}

/**
 * A shell function that puts its argument in the place of the line with this mark (letters, digits,
 * blanks and hyphens), or with '' only removes that one; all others stay, and `$lines` holds what was
 * there. A crontab that can't be read is left alone: to take it for an empty one would wipe it out.
 */
export function crontabEditor(mark: string): string[] {
  return [
    'edit_crontab() {',
    '  if ! lines=$(crontab -l 2>/dev/null); then',
    '    reason=$(crontab -l 2>&1) || :',
    '    case $reason in',
    "      *'no crontab'* | *'No such file'*) lines= ;;",
    '      *) fail "your crontab can\'t be read and was left alone: $reason" ;;',
    '    esac',
    '  fi',
    String.raw`  kept=$(printf '%s\n' "$lines" | sed '/# ${mark}$/d')`,
    '  reason=$({',
    String.raw`    [ -z "$kept" ] || printf '%s\n' "$kept"`,
    String.raw`    [ -z "$1" ] || printf '%s\n' "$1"`,
    '  } | crontab - 2>&1) || fail "your crontab can\'t be written and is as it was: $reason"',
    '}',
  ]
}
