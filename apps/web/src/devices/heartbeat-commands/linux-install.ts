import { shellQuote } from './quote.ts'
import { hereDocument, shellInstall } from './shell-paste.ts'

/** A job that Linux runs by systemd or cron. Shell lines are for `shellInstall`. */
export interface LinuxJob {
  /** Units for the system's or a user's systemd: in both, `%h` is the home folder. */
  readonly units: readonly { readonly name: string; readonly text: string }[]
  /** The unit to enable at boot: `$unit`. */
  readonly unit: string
  /** The line for cron instead; it ends in `# ` and the mark. */
  readonly cronLine: string
  readonly cronMark: string
  /** The job's files and folders, relative to the home folder. */
  readonly files: readonly string[]
  readonly check: readonly string[]
  readonly install: readonly string[]
  /** Checks that systemd runs the job. They can use `$scope` and `manage`. */
  readonly bySystemd: { readonly first?: readonly string[]; readonly last?: readonly string[] }
  /** For a job that cron keeps running instead of starting it regularly. */
  readonly byCron?: {
    readonly install: readonly string[]
    readonly start: readonly string[]
    readonly stop: readonly string[]
    readonly last: readonly string[]
    /** An installed file. If it existed before, a failed install starts the job again. */
    readonly started: string
    /** The command that does `stop`, for the user to type. */
    readonly stopText: string
  }
  /** A line that runs the job in the foreground, if nothing can start it. */
  readonly foreground: string
  /** Printed at the end, for example "this device reports every 2 minutes". */
  readonly doneText: string
  readonly last?: readonly string[]
}

export type LinuxWay = 'any' | 'systemd' | 'cron'

const userUnits = '.config/systemd/user'
const systemUnits = '/etc/systemd/system'

/** Functions for all pastes of a job. They also remove what an earlier paste installed. */
function begin({ units, unit, cronMark, byCron }: LinuxJob): string[] {
  return [
    `unit=${unit}`,
    // After sudo or su, these may be another user's or empty, but cron and systemd use the real ones.
    'user=$(id -u)',
    '[ "$user" != 0 ] || HOME=~root',
    '[ ! -d "/run/user/$user" ] || XDG_RUNTIME_DIR=/run/user/$user',
    'export HOME XDG_RUNTIME_DIR',
    'drop_units() {',
    '  [ -w "$2" ] && [ -e "$2/$unit" ] || return 0',
    '  systemctl "$1" disable --now "$unit" >/dev/null 2>&1 || :',
    `  rm -f ${units.map(({ name }) => `"$2/${name}"`).join(' ')}`,
    '  rmdir -p "$2" 2>/dev/null || :',
    '  systemctl "$1" daemon-reload >/dev/null 2>&1 || :',
    '}',
    ...crontabEditor(cronMark),
    'drop_line() {',
    ...indented(byCron?.stop),
    '  command -v crontab >/dev/null || return 0',
    `  if crontab -l 2>/dev/null | grep -q '# ${cronMark}$'; then edit_crontab ''; fi`,
    '}',
  ]
}

/** Installs the job completely or not at all, in place of what an earlier paste installed. */
export function linuxInstall(job: LinuxJob, way: LinuxWay = 'any'): string {
  const { units, unit, cronLine, bySystemd, byCron } = job
  const unitFiles = units.map(({ name }) => `"$units/${name}"`).join(' ')
  return shellInstall({
    begin: [...begin(job), ...findStarter(job, way)],
    check: job.check,
    install: [
      ...job.install,
      'if [ -n "$scope" ]; then',
      '  manage() {',
      '    systemctl "$scope" "$@" >"$work/why" 2>&1 ||',
      '      fail "systemd did not do this: systemctl $scope $*. It says: $(tail -n 1 "$work/why") Take another of the ways on the page."',
      '  }',
      ...units.flatMap(({ name, text }) => [
        `  put "$units/${name}" <<'UNIT'`,
        text.trimEnd(),
        'UNIT',
      ]),
      // systemd warns about units that only root can read, and they hold no secrets.
      `  chmod 644 ${unitFiles}`,
      '  manage daemon-reload',
      ...indented(bySystemd.first),
      '  manage enable "$unit"',
      // `enable --now` would not restart a unit that is already running.
      '  manage restart "$unit"',
      ...indented(bySystemd.last),
      'else',
      // Not indented, because a here-document ends at the start of a line.
      ...(byCron?.install ?? []),
      `  edit_crontab ${shellQuote(cronLine)}`,
      '  is_in_crontab=yes',
      ...indented(byCron?.stop),
      ...indented(byCron?.start),
      ...indented(byCron?.last),
      'fi',
    ],
    undo: {
      first: [
        '  if [ -n "$is_in_crontab" ]; then',
        String.raw`    printf '%s\n' "$lines" | crontab -`,
        ...indented(indented(byCron?.stop)),
        '  fi',
        `  is_begun=$(case $changed in *"/${unit}"*) echo yes ;; esac)`,
        '  [ -z "$is_begun" ] || is_there "$work/old/$unit" || systemctl "$scope" disable --now "$unit"',
      ],
      last: [
        '  if [ -n "$is_begun" ]; then',
        '    systemctl "$scope" daemon-reload',
        `    systemctl "$scope" reset-failed ${units.map(({ name }) => name).join(' ')}`,
        '    [ ! -e "$units/$unit" ] || systemctl "$scope" restart "$unit"',
        '  fi',
        ...(byCron === undefined
          ? []
          : [
              `  if [ -n "$is_in_crontab" ] && [ -e ${byCron.started} ]; then`,
              ...indented(indented(byCron.start)),
              '  fi',
            ]),
      ],
    },
    done: [
      `[ "$scope" = --system ] || drop_units --system ${systemUnits}`,
      `[ "$scope" = --user ] || drop_units --user ${userUnits}`,
      '[ -z "$scope" ] || (drop_line) 2>/dev/null || :',
      ...sayDone(job),
      // Lingering starts a user's units at boot and keeps them running after logging out. systemd lets
      // most users enable it themselves.
      '[ "$scope" != --user ] || loginctl enable-linger >/dev/null 2>&1 ||',
      '  echo "It ends when you log out. To keep it, run once as root: loginctl enable-linger $(id -un)"',
      ...(job.last ?? []),
    ],
  })
}

function sayDone({ units, unit, cronMark, files, byCron, doneText }: LinuxJob): string[] {
  const ownFiles = files.map((file) => `~/${file}`)
  return [
    'if [ -n "$scope" ]; then',
    '  cat <<DONE',
    `Done: ${doneText}, by systemd, also after a restart.`,
    'Installed:',
    ...units.map(({ name }) => `  $shown/${name}`),
    ...ownFiles.map((file) => `  ${file}`),
    'To remove it:',
    `  systemctl $scope disable --now ${unit}`,
    `  rm -r ${[...units.map(({ name }) => `$shown/${name}`), ...ownFiles].join(' ')}`,
    'DONE',
    'else',
    "  cat <<'DONE'",
    `Done: ${doneText}, by cron, also after a restart.`,
    'Installed:',
    `  the line of your crontab that ends in # ${cronMark}`,
    ...ownFiles.map((file) => `  ${file}`),
    'To remove it:',
    `  crontab -l | grep -v '# ${cronMark}$' | crontab -`,
    ...(byCron === undefined ? [] : [`  ${byCron.stopText}`]),
    `  rm -r ${ownFiles.join(' ')}`,
    'DONE',
    'fi',
  ]
}

/** Sets `$scope` and `$units`, both empty for cron. Without either, it explains and exits. */
function findStarter({ foreground }: LinuxJob, way: LinuxWay): string[] {
  const systemd = [
    // In a chroot, systemctl succeeds at everything but prints nothing.
    'answers() { systemctl "$1" show-environment 2>/dev/null | grep -q =; }',
    'if [ "$user" = 0 ] && answers --system; then',
    `  scope=--system units=${systemUnits} shown=${systemUnits}`,
    'elif answers --user; then',
    `  scope=--user units=${userUnits} shown='~/${userUnits}'`,
    'fi',
  ]
  const none =
    way === 'cron' ? 'cron is missing' : 'there is no cron here, and no systemd that answers you'
  const cron = [
    'if [ -z "$scope" ]; then',
    '  command -v crontab >/dev/null ||',
    `    nothing_starts '${none}. Install cron as root and paste again: apt install cron (Debian and Ubuntu).'`,
    // If the processes of other users are hidden, assume that cron runs.
    "  [ ! -r /proc/1/comm ] || cat /proc/[0-9]*/comm 2>/dev/null | grep -qxE 'crond?|fcron' ||",
    "    nothing_starts 'cron is installed, but it does not run. Start it as root and paste again: service cron start (Debian and Ubuntu), rc-service crond start (Alpine).'",
    'fi',
  ]
  const isSystemd = [
    `[ -n "$scope" ] || nothing_starts 'no systemd answers you here. Sign in as the user itself (by ssh, say), not with sudo or su, or paste the block for Linux.'`,
  ]
  return [
    'scope= units= shown= is_in_crontab=',
    'nothing_starts() {',
    '  echo "Nothing was installed: $1" >&2',
    "  cat >&2 <<'LINE'",
    'Meanwhile this line does it for as long as it runs:',
    foreground,
    'LINE',
    '  exit 1',
    '}',
    ...(way === 'cron' ? [] : systemd),
    ...(way === 'systemd' ? isSystemd : cron),
  ]
}

export function linuxRemoval(job: LinuxJob): string {
  return hereDocument([
    'fail() { echo "Not all was removed: $1" >&2; exit 1; }',
    ...begin(job),
    'cd "$HOME"',
    `drop_units --system ${systemUnits}`,
    `drop_units --user ${userUnits}`,
    'drop_line',
    `rm -rf ${job.files.join(' ')}`,
    'rmdir -p .config/astropelago .local/share/astropelago 2>/dev/null || :',
    "echo 'Removed.'",
  ])
}

function indented(lines: readonly string[] = []): string[] {
  return lines.map((line) => `  ${line}`)
}

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
