import { addressNotes, type CommandGuide } from '../heartbeat-commands/command-guide.ts'
import {
  installLaunchAgent,
  launchAgentFile,
  removeLaunchAgent,
} from '../heartbeat-commands/launch-agent.ts'
import { xmlEscape } from '../heartbeat-commands/quote.ts'
import {
  agentFiles,
  agentNotes,
  allAgentFiles,
  checkAgent,
  putAgent,
  sayIfVisitorsCome,
} from './agent-files.ts'
import { agentOptions, type RelayInstall, shellQuoting } from './relay-install.ts'

// A shell is needed in between, because a property list can't refer to the home folder. The agent exits
// with 2 if retrying is useless. The command reports that to launchd as success, so that it does not
// restart the agent.
function propertyList(label: string, command: string): string {
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
    <string>${xmlEscape(command)}</string>
  </array>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`
}

export function launchdAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId } = input
  const { program, node, token } = agentFiles(islandId)
  const label = `astropelago.agent.${islandId}`
  const file = launchAgentFile(label)
  const log = `Library/Logs/astropelago-agent-${islandId}.log`
  const options = agentOptions(input, `"$HOME/${token}"`, shellQuoting)
  const text = propertyList(
    label,
    `"$HOME/${node}" "$HOME/${program}" ${options} >"$HOME/${log}" 2>&1 || [ $? -eq 2 ]`,
  )
  return {
    steps: [
      {
        title: 'Paste this into Terminal on the Mac',
        text: installLaunchAgent({
          label,
          propertyList: text,
          check: checkAgent(input),
          install: [...putAgent(islandId), 'mkdir -p Library/Logs'],
          done: [
            'sleep 1',
            `if ! launchctl print "gui/$(id -u)/${label}" | grep -q 'state = running'; then`,
            `  echo 'The agent is installed, but it does not run. See why: tail ~/${log}' >&2`,
            '  exit 1',
            'fi',
            "echo 'Done: the agent runs.'",
            ...sayIfVisitorsCome,
          ],
        }),
        language: 'sh',
      },
    ],
    installs: [{ title: `~/${file}`, text, language: 'xml' }],
    removal: {
      title: 'To stop it',
      text: removeLaunchAgent(label, [log, ...allAgentFiles(islandId)]),
      language: 'sh',
    },
    notes: [
      ...agentNotes(input),
      'It runs while you are logged in and the Mac is awake.',
      `See how it goes: tail ~/${log}`,
      ...addressNotes(publicUrl),
    ],
  }
}
