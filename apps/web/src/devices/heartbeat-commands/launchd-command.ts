import { addressNotes, type CommandGuide, type TokenHeartbeat } from './command-guide.ts'
import {
  checkHeartbeat,
  headerFileNote,
  headerFileOption,
  headerFilePath,
  heartbeatAddress,
  heartbeatCurl,
  putHeaderFile,
} from './heartbeat-curl.ts'
import { launchAgentGuide } from './launch-agent.ts'

export function launchdCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, deviceId } = input
  const option = headerFileOption(deviceId)
  const curl = heartbeatCurl('/usr/bin/curl', option, heartbeatAddress(publicUrl))
  return launchAgentGuide({
    label: `astropelago.${deviceId}`,
    command: `exec ${curl}`,
    // The interval starts at loading, so devices report at different times without an offset.
    schedule: '  <key>StartInterval</key>\n  <integer>120</integer>',
    check: checkHeartbeat(input),
    install: putHeaderFile(deviceId),
    done: ["echo 'Done: the first heartbeat arrived, more follow every 2 minutes.'"],
    files: [headerFilePath(deviceId)],
    notes: [
      headerFileNote(deviceId),
      'It reports while you are logged in and the Mac is awake. For a Mac that nobody logs in to, choose Cron.',
      ...addressNotes(publicUrl),
    ],
  })
}
