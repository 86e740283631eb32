import { type Cadence, cadenceOf } from './cadence.ts'
import type { TokenHeartbeat } from './command-guide.ts'
import {
  checkHeartbeat,
  foregroundHeartbeat,
  headerFileOption,
  headerFilePath,
  heartbeatAddress,
  heartbeatCurl,
  heartbeatCurlOptions,
  putHeaderFile,
} from './heartbeat-curl.ts'
import { crontabLine, type LinuxJob } from './linux-install.ts'
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
const timerUnit = ({ words, timer }: Cadence) => `[Unit]
Description=Astropelago heartbeat ${words}

[Timer]
${timer.join('\n')}
AccuracySec=1s
RandomizedDelaySec=10s

[Install]
WantedBy=timers.target
`

export function heartbeatJob(input: TokenHeartbeat): LinuxJob {
  const { publicUrl, deviceId, offsetSeconds } = input
  const cadence = cadenceOf(input.schedule)
  const delayS = Math.min(offsetSeconds, Math.floor(cadence.maxDelayS))
  const name = `astropelago-${deviceId}`
  const address = heartbeatAddress(publicUrl)
  const curl = heartbeatCurl('curl', headerFileOption(deviceId), address)
  const cronMark = `astropelago ${deviceId}`
  return {
    units: [
      { name: `${name}.service`, text: serviceUnit(input) },
      { name: `${name}.timer`, text: timerUnit(cadence) },
    ],
    unit: `${name}.timer`,
    // The sleep is a fixed number, because cron's shell may lack $RANDOM, and cron cuts lines at a %.
    cronLine: crontabLine(cadence.cron, `sleep ${delayS}; ${curl}`, cronMark),
    cronMark,
    files: [headerFilePath(deviceId)],
    check: checkHeartbeat(input),
    install: putHeaderFile(deviceId),
    bySystemd: { first: [`manage start ${name}.service`] },
    foreground: foregroundHeartbeat(input),
    doneText: `this device reports ${cadence.words}`,
  }
}
