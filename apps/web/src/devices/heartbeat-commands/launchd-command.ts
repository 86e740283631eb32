import { tokenHeartbeat } from '@astropelago/contract/devices'
import { addressNotes, type CommandGuide, type TokenHeartbeat } from './command-guide.ts'
import {
  checkHeartbeat,
  headerFileNote,
  headerFileOption,
  headerFilePath,
  heartbeatCurl,
  putHeaderFile,
  serverAddress,
} from './heartbeat-curl.ts'
import { installLaunchAgent, launchAgentFile, removeLaunchAgent } from './launch-agent.ts'
import { xmlEscape } from './quote.ts'

// A shell is needed in between, because a property list can't refer to the home folder. It does not
// sleep: the interval starts at loading, so devices report at different times anyway.
function propertyList(label: string, curl: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xmlEscape(label)}</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-c</string>
    <string>${xmlEscape(`exec ${curl}`)}</string>
  </array>
  <key>StartInterval</key>
  <integer>120</integer>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`
}

export function launchdCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, deviceId } = input
  const address = serverAddress(publicUrl, tokenHeartbeat.path)
  const curl = heartbeatCurl('/usr/bin/curl', headerFileOption(deviceId), address)
  const label = `astropelago.${deviceId}`
  const file = launchAgentFile(label)
  const text = propertyList(label, curl)
  return {
    steps: [
      {
        title: 'Paste this into Terminal on the Mac',
        text: installLaunchAgent({
          label,
          propertyList: text,
          check: checkHeartbeat(input),
          install: putHeaderFile(deviceId),
          done: ["echo 'Done: the first heartbeat arrived, more follow every 2 minutes.'"],
        }),
        language: 'sh',
      },
    ],
    installs: [{ title: `~/${file}`, text, language: 'xml' }],
    removal: {
      title: 'To stop it',
      text: removeLaunchAgent(label, [headerFilePath(deviceId)]),
      language: 'sh',
    },
    notes: [
      headerFileNote(deviceId),
      'It reports while you are logged in and the Mac is awake. For a Mac that nobody logs in to, choose Cron.',
      ...addressNotes(publicUrl),
    ],
  }
}
