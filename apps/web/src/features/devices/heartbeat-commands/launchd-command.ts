import { tokenHeartbeat } from '@astropelago/contract/devices'
import { addressNotes } from './address-notes.ts'
import type { CommandGuide, TokenHeartbeat } from './command-guide.ts'
import { firstHeartbeat } from './first-heartbeat.ts'
import { headerFileOption, headerFileNote, headerFilePath, writeHeaderFile } from './header-file.ts'
import { heartbeatCurl } from './heartbeat-curl.ts'
import { serverAddress } from './server-address.ts'
import { shellPaste } from './shell-paste.ts'
import { xmlEscape } from './xml-escape.ts'

const agentDirectory = 'Library/LaunchAgents'

// A shell in between, since a property list knows no home folder. No sleep: the interval counts
// from the moment of loading, which differs from Mac to Mac anyway.
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

/** A launch agent of the signed-in user, every 2 minutes. */
export function launchdCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, token, deviceId } = input
  const address = serverAddress(publicUrl, tokenHeartbeat.path)
  const curl = heartbeatCurl('/usr/bin/curl', headerFileOption(deviceId), address)
  const label = `astropelago.${deviceId}`
  const file = `${agentDirectory}/${label}.plist`
  const text = propertyList(label, curl)
  return {
    steps: [
      {
        title: 'Paste this into Terminal on the Mac',
        text: shellPaste(
          ['curl', 'launchctl'],
          [
            ...writeHeaderFile(deviceId, token),
            `mkdir -p "$HOME/${agentDirectory}"`,
            `cat >"$HOME/${file}" <<'PLIST'`,
            text.trimEnd(),
            'PLIST',
            // Unloading goes on for a moment after bootout has returned, and bootstrap then fails.
            `if launchctl bootout "gui/$(id -u)/${label}" 2>/dev/null; then sleep 2; fi`,
            `launchctl bootstrap "gui/$(id -u)" "$HOME/${file}"`,
            ...firstHeartbeat(curl, 'every 2 minutes'),
          ],
        ),
        language: 'sh',
      },
    ],
    installs: [{ title: `~/${file}`, text, language: 'xml' }],
    removal: {
      title: 'To stop it',
      text: shellPaste(
        ['launchctl'],
        [
          `launchctl bootout "gui/$(id -u)/${label}" || :`,
          `rm -f "$HOME/${file}" "$HOME/${headerFilePath(deviceId)}"`,
        ],
      ),
      language: 'sh',
    },
    notes: [
      headerFileNote(deviceId),
      'It reports while you are logged in and the Mac is awake. For a Mac that nobody logs in to, choose Cron.',
      ...addressNotes(publicUrl),
    ],
  }
}
