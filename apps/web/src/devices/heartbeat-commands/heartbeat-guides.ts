import { t } from '@lingui/core/macro'
import { everyText } from '../schedule-words.ts'
import { cadenceOf } from './cadence.ts'
import {
  addressNotes,
  type CommandGuide,
  type GuidesBySystem,
  sh,
  type TokenHeartbeat,
  tokenFileNote,
} from './command-guide.ts'
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
import { launchAgentGuide } from './launch-agent.ts'
import { linuxGuide } from './linux-guide.ts'
import { heartbeatJob } from './linux-heartbeat.ts'
import type { LinuxWay } from './linux-install.ts'
import { powershellQuote } from './quote.ts'
import {
  administratorPaste,
  powershell,
  secretNote,
  setFolder,
  taskDefinition,
  writeSecretAndTask,
} from './windows-task.ts'

export function heartbeatGuides(input: TokenHeartbeat): GuidesBySystem {
  return {
    systems: [
      { system: 'linux', name: 'Linux', ...linuxHeartbeat(input) },
      { system: 'macos', name: 'macOS', ...launchdCommand(input) },
      { system: 'windows', name: 'Windows', ...windowsTaskCommand(input) },
    ],
    others: [
      { name: 'Cron', ...linuxHeartbeat(input, 'cron') },
      { name: 'systemd', ...linuxHeartbeat(input, 'systemd') },
      { name: t`In the foreground`, ...foregroundGuide(input) },
    ],
  }
}

const wayNotes: Readonly<Record<LinuxWay, string>> = {
  any: t`It finds what starts programs on this device: systemd, or else cron. Any user may paste it; it needs no root.`,
  systemd: t`As root the timer belongs to the machine, else to your user, and goes on when you log out. Sign in as that user (by ssh, say), not with sudo or su.`,
  cron: t`For any Unix. The rest of your crontab stays as it is.`,
}

export function linuxHeartbeat(input: TokenHeartbeat, way: LinuxWay = 'any'): CommandGuide {
  const { publicUrl, deviceId } = input
  return linuxGuide({
    job: heartbeatJob(input),
    way,
    notes: [
      wayNotes[way],
      tokenFileNote(headerFilePath(deviceId)),
      t`It sends one heartbeat before it installs anything, and undoes what it began where something fails. Pasting it again replaces what is there.`,
      ...(way !== 'systemd' && input.schedule?.kind === 'cron'
        ? [t`Cron reads the times in the time zone of the device.`]
        : []),
      ...(way === 'cron'
        ? []
        : [
            t`See how systemd gets on: journalctl --user -u astropelago-${deviceId}, as root without --user`,
          ]),
      ...addressNotes(publicUrl),
    ],
  })
}

function foregroundGuide(input: TokenHeartbeat): CommandGuide {
  const often = everyText(cadenceOf(input.schedule).seconds)
  return {
    steps: [sh(t`Paste this line, and leave the terminal open`, foregroundHeartbeat(input))],
    installs: [],
    removal: undefined,
    notes: [
      t`It installs nothing and reports ${often} until you press Ctrl+C.`,
      ...addressNotes(input.publicUrl),
    ],
  }
}

export function launchdCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, deviceId, schedule } = input
  const { seconds, moreFollow } = cadenceOf(schedule)
  const option = headerFileOption(deviceId)
  const curl = heartbeatCurl('/usr/bin/curl', option, heartbeatAddress(publicUrl))
  return launchAgentGuide({
    label: `astropelago.${deviceId}`,
    command: `exec ${curl}`,
    // The interval starts at loading, so devices report at different times without an offset.
    schedule: `  <key>StartInterval</key>\n  <integer>${seconds}</integer>`,
    check: checkHeartbeat(input),
    install: putHeaderFile(deviceId),
    done: [`echo 'Done: the first heartbeat arrived, more follow ${moreFollow}.'`],
    files: [headerFilePath(deviceId)],
    notes: [
      tokenFileNote(headerFilePath(deviceId)),
      t`It reports while you are logged in and the Mac is awake. For a Mac that nobody logs in to, choose Cron.`,
      ...addressNotes(publicUrl),
    ],
  })
}

export function windowsTaskCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, token, deviceId, offsetSeconds, schedule } = input
  const { seconds, moreFollow } = cadenceOf(schedule)
  const address = heartbeatAddress(publicUrl)
  const options = `${heartbeatCurlOptions} -o NUL -X POST`
  const file = `${deviceId}.header`
  const task = taskDefinition({
    delay: 'PT30S',
    interval: `PT${seconds / 60}M`,
    // Each device has its own offset.
    start: new Date(Date.UTC(2020, 0, 1, 0, 0, offsetSeconds)).toISOString().slice(0, 19),
    timeLimit: 'PT90S',
    program: '%SystemRoot%\\System32\\curl.exe',
    programArguments: `${options} -H "@${file}" "${address}"`,
  })
  const taskName = powershellQuote(`Astropelago ${deviceId}`)
  return {
    steps: [
      administratorPaste(`$sid = $user.User.Value
${setFolder}
$file = Join-Path $folder ${powershellQuote(file)}
New-Item -ItemType Directory -Force -Path $folder | Out-Null
${writeSecretAndTask(powershellQuote(`Authorization: Bearer ${token}`), task)}
$task = $task.Replace('USER_SID', $sid).Replace('FOLDER', [Security.SecurityElement]::Escape($folder))
Register-ScheduledTask -Force -TaskName ${taskName} -Xml $task | Out-Null
curl.exe ${options} -H "@$file" ${powershellQuote(address)}
if ($LASTEXITCODE -ne 0) { throw 'Installed, but the first heartbeat did not arrive: see above.' }
'Done: the first heartbeat arrived, more follow ${moreFollow}.'`),
    ],
    installs: [{ title: t`The scheduled task`, text: task, language: 'xml' }],
    removal: powershell(
      t`To stop it`,
      `Unregister-ScheduledTask -Confirm:$false -TaskName ${taskName}
${setFolder}
Remove-Item -LiteralPath (Join-Path $folder ${powershellQuote(file)})`,
    ),
    notes: [
      secretNote(file),
      t`It needs an administrator because the task also reports while nobody is signed in.`,
      t`It uses the curl.exe that comes with Windows 10 (1803) and later.`,
      ...addressNotes(publicUrl),
    ],
  }
}
