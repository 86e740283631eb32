import { addressNotes, type CommandGuide, sh, type TokenHeartbeat } from './command-guide.ts'
import {
  checkHeartbeat,
  foregroundHeartbeat,
  headerFileNote,
  headerFileOption,
  headerFilePath,
  heartbeatAddress,
  heartbeatCurl,
  heartbeatCurlOptions,
  putHeaderFile,
} from './heartbeat-curl.ts'
import { crontabLine, linuxGuide, type LinuxJob, type LinuxWay } from './linux-install.ts'
import { systemdQuote } from './quote.ts'

// The time limit is longer than curl's four tries. Without it, a run that hangs would block the timer
// for good.
function serviceUnit({ publicUrl, deviceId }: TokenHeartbeat): string {
  const address = systemdQuote(heartbeatAddress(publicUrl))
  const header = `@%h/${headerFilePath(deviceId)}`
  return `[Unit]
Description=Astropelago heartbeat

[Service]
Type=oneshot
ExecStart=/usr/bin/curl ${heartbeatCurlOptions} -o /dev/null -X POST -H ${header} ${address}
TimeoutStartSec=90
`
}

// The interval starts with each run, even a failed one, and does not depend on the wall clock, which
// jumps on boards without a battery. systemd's default accuracy of 1 min would stretch 2 min to 3, and a
// window of 5 min would not tolerate a lost heartbeat.
const timerUnit = `[Unit]
Description=Astropelago heartbeat every 2 minutes

[Timer]
OnBootSec=30s
OnUnitActiveSec=2min
AccuracySec=1s
RandomizedDelaySec=10s

[Install]
WantedBy=timers.target
`

function jobOf(input: TokenHeartbeat): LinuxJob {
  const { publicUrl, deviceId, offsetSeconds } = input
  const name = `astropelago-${deviceId}`
  const address = heartbeatAddress(publicUrl)
  const curl = heartbeatCurl('curl', headerFileOption(deviceId), address)
  const cronMark = `astropelago ${deviceId}`
  return {
    units: [
      { name: `${name}.service`, text: serviceUnit(input) },
      { name: `${name}.timer`, text: timerUnit },
    ],
    unit: `${name}.timer`,
    // The sleep is a fixed number, because cron's shell may lack $RANDOM, and cron cuts lines at a %.
    cronLine: crontabLine('*/2 * * * *', `sleep ${offsetSeconds}; ${curl}`, cronMark),
    cronMark,
    files: [headerFilePath(deviceId)],
    check: checkHeartbeat(input),
    install: putHeaderFile(deviceId),
    bySystemd: { first: [`manage start ${name}.service`] },
    foreground: foregroundHeartbeat(input),
    doneText: 'this device reports every 2 minutes',
  }
}

const wayNotes: Readonly<Record<LinuxWay, string>> = {
  any: 'It finds what starts programs on this device: systemd, or else cron. Any user may paste it; it needs no root.',
  systemd:
    'As root the timer belongs to the machine, else to your user, and goes on when you log out. Sign in as that user (by ssh, say), not with sudo or su.',
  cron: 'For any Unix. The rest of your crontab stays as it is.',
}

export function linuxHeartbeat(input: TokenHeartbeat, way: LinuxWay = 'any'): CommandGuide {
  const { publicUrl, deviceId } = input
  return linuxGuide({
    job: jobOf(input),
    way,
    notes: [
      wayNotes[way],
      headerFileNote(deviceId),
      'It sends one heartbeat before it installs anything, and undoes what it began where something fails. Pasting it again replaces what is there.',
      ...(way === 'cron'
        ? []
        : [
            `See how systemd gets on: journalctl --user -u astropelago-${deviceId}, as root without --user`,
          ]),
      ...addressNotes(publicUrl),
    ],
  })
}

export function foregroundGuide(input: TokenHeartbeat): CommandGuide {
  return {
    steps: [sh('Paste this line, and leave the terminal open', foregroundHeartbeat(input))],
    installs: [],
    removal: undefined,
    notes: [
      'It installs nothing and reports every 2 minutes until you press Ctrl+C.',
      ...addressNotes(input.publicUrl),
    ],
  }
}
