import type { GuidesBySystem } from '../heartbeat-commands/command-guide.ts'
import { dockerAgentGuide, foregroundAgentGuide } from './agent-by-hand.ts'
import { launchdAgent } from './launchd-agent.ts'
import { linuxAgent } from './linux-agent.ts'
import type { RelayInstall } from './relay-install.ts'
import { windowsAgent } from './windows-agent.ts'

export function relayGuides(input: RelayInstall): GuidesBySystem {
  return {
    systems: [
      { system: 'linux', name: 'Linux', ...linuxAgent(input) },
      { system: 'macos', name: 'macOS', ...launchdAgent(input) },
      { system: 'windows', name: 'Windows', ...windowsAgent(input) },
    ],
    others: [
      { name: 'In the foreground', ...foregroundAgentGuide(input) },
      { name: 'Docker', ...dockerAgentGuide(input) },
    ],
  }
}
