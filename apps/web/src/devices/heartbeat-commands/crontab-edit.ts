/** A crontab line. The comment at its end identifies it. Cron reads an unescaped % as a line break. */
export function crontabLine(schedule: string, command: string, mark: string): string {
  return `${schedule} ${command.replaceAll('%', String.raw`\%`)} # ${mark}`
}

/**
 * A shell function that replaces the line with this mark (letters, digits, spaces and hyphens) by its
 * argument, or only removes it if the argument is ''. Other lines stay. `$lines` holds the previous
 * crontab. A crontab that can't be read is left alone, because treating it as empty would erase it.
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
