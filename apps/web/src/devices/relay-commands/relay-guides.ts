import { t } from '@lingui/core/macro'
import {
  addressNotes,
  type CommandGuide,
  type GuidesBySystem,
  sh,
} from '../heartbeat-commands/command-guide.ts'
import { launchAgentGuide } from '../heartbeat-commands/launch-agent.ts'
import { linuxGuide } from '../heartbeat-commands/linux-guide.ts'
import { dockerAgentGuide, foregroundAgentGuide } from './agent-by-hand.ts'
import {
  agentFiles,
  allAgentFiles,
  checkAgent,
  putAgent,
  sayIfVisitorsCome,
} from './agent-files.ts'
import { agentNotes } from './agent-notes.ts'
import { agentJob, runFile, runScript } from './linux-agent.ts'
import { agentOptions, type RelayInstall, shellQuoting } from './relay-install.ts'
import { windowsAgent } from './windows-agent.ts'

export function relayGuides(input: RelayInstall): GuidesBySystem {
  return {
    systems: [
      { system: 'linux', name: 'Linux', ...linuxAgent(input) },
      { system: 'macos', name: 'macOS', ...launchdAgent(input) },
      { system: 'windows', name: 'Windows', ...windowsAgent(input) },
    ],
    others: [
      { name: t`In the foreground`, ...foregroundAgentGuide(input) },
      { name: 'Docker', ...dockerAgentGuide(input) },
    ],
  }
}

export function linuxAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId } = input
  const { folder } = agentFiles(islandId)
  return linuxGuide({
    job: agentJob(input),
    files: [sh(`~/${runFile(islandId)}`, runScript(input))],
    notes: [
      ...agentNotes(islandId),
      t`It finds what starts programs on this device: systemd, or else cron. It undoes what it began where something fails. As root the agent belongs to the machine and runs as root; another user needs no root.`,
      t`See how it gets on: journalctl --user -u astropelago-agent-${islandId}, as root without --user; with cron tail ~/${folder}/log`,
      ...addressNotes(publicUrl),
    ],
  })
}

export function launchdAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId } = input
  const { program, node, token } = agentFiles(islandId)
  const label = `astropelago.agent.${islandId}`
  const log = `Library/Logs/astropelago-agent-${islandId}.log`
  const options = agentOptions(input, `"$HOME/${token}"`, shellQuoting)
  return launchAgentGuide({
    label,
    // The agent exits with 2 if retrying is useless. launchd sees that as success, so that it does not
    // restart the agent.
    command: `"$HOME/${node}" "$HOME/${program}" ${options} >"$HOME/${log}" 2>&1 || [ $? -eq 2 ]`,
    schedule: `  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>`,
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
    files: [log, ...allAgentFiles(islandId)],
    notes: [
      ...agentNotes(islandId),
      t`It runs while you are logged in and the Mac is awake.`,
      t`See how it goes: tail ~/${log}`,
      ...addressNotes(publicUrl),
    ],
  })
}
