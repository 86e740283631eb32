import { crontabEditor } from './crontab-edit.ts'
import { shellInstall } from './shell-install.ts'
import { hereDocument } from './shell-paste.ts'
import { shellQuote } from './shell-quote.ts'

/** Something that Linux does by itself, by systemd or by cron. Shell lines are those of a `shellInstall`. */
export interface LinuxJob {
  /** For systemd of the system or of a user: `%h` is the home folder of either. */
  readonly units: readonly { readonly name: string; readonly text: string }[]
  /** The one that starts with the machine: `$unit`. */
  readonly unit: string
  /** What cron has instead; it ends in `# ` and the mark. */
  readonly cronLine: string
  readonly cronMark: string
  /** Files and folders that are its own, from the home folder. */
  readonly files: readonly string[]
  readonly check: readonly string[]
  /** Puts the files that it needs by whatever it is started. */
  readonly install: readonly string[]
  /** Shows that systemd runs it, before or after `$unit` is started; they have `$scope` and `manage`. */
  readonly bySystemd: { readonly first?: readonly string[]; readonly last?: readonly string[] }
  /** For what cron does not start each time, but keeps running. */
  readonly byCron?: {
    /** Puts the files that it needs for cron alone. */
    readonly install: readonly string[]
    /** Starts it now. */
    readonly start: readonly string[]
    /** Stops what `start` or cron has started, where anything runs. */
    readonly stop: readonly string[]
    /** Shows that it runs. */
    readonly last: readonly string[]
    /** One of the installed files: where it was there before, it is started again when the rest fails. */
    readonly started: string
    /** `stop` as a person types it. */
    readonly stopText: string
  }
  /** One line that does it in the foreground, where nothing can start it. */
  readonly foreground: string
  /** Said at the end: "this device reports every 2 minutes". */
  readonly doneText: string
  /** After that. */
  readonly last?: readonly string[]
}

/** What may start it: the best that is there, or what somebody chose. */
export type LinuxWay = 'any' | 'systemd' | 'cron'

const userUnits = '.config/systemd/user'
const systemUnits = '/etc/systemd/system'

/** What every paste of a job stands on, and how it takes away what another way has left. */
function begin({ units, unit, cronMark, byCron }: LinuxJob): string[] {
  return [
    `unit=${unit}`,
    // What sudo and su leave in these is another user's, or nothing, while cron and systemd go by the real ones.
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

/**
 * One paste for any Linux: it finds what starts programs there (systemd of the system for root, a user's own, cron),
 * and installs the job whole or not at all. Pasted again it replaces what the last one installed, also where
 * something else starts it by now.
 */
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
      // systemd complains of units that only root can read; nothing in them is secret.
      `  chmod 644 ${unitFiles}`,
      '  manage daemon-reload',
      ...indented(bySystemd.first),
      '  manage enable "$unit"',
      // `enable --now` would leave one that runs as it was.
      '  manage restart "$unit"',
      ...indented(bySystemd.last),
      'else',
      // A here-document has its end at the beginning of a line.
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
      // Lingering starts a user's units at boot and keeps them; systemd lets most users turn it on for themselves.
      '[ "$scope" != --user ] || loginctl enable-linger >/dev/null 2>&1 ||',
      '  echo "It ends when you log out. To keep it, run once as root: loginctl enable-linger $(id -un)"',
      ...(job.last ?? []),
    ],
  })
}

/** Says what was installed, and how to take it away without the page. */
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

/** Finds `$scope` and `$units`, both empty with cron; it ends with words where there is neither. */
function findStarter({ foreground }: LinuxJob, way: LinuxWay): string[] {
  const systemd = [
    // In a chroot systemctl says yes to everything, and nothing else.
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
    // Where other users' processes are hidden it is taken to run.
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

/** Undoes what any `linuxInstall` of the job has done. */
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
