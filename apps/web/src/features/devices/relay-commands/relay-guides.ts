import type { CommandGuide } from '../heartbeat-commands/command-guide.ts'
import { launchdAgent } from './launchd-agent.ts'
import type { RelayInstall } from './relay-install.ts'
import { systemdAgent } from './systemd-agent.ts'
import { windowsAgent } from './windows-agent.ts'

export interface RelayGuide extends CommandGuide {
  readonly id: 'systemd' | 'macos' | 'windows'
  /** The name of its tab. */
  readonly name: string
}

/** All ways to have the agent run for good, in the order of their tabs. It runs on: cron can't hold it. */
export function relayGuides(input: RelayInstall): RelayGuide[] {
  return [
    { id: 'systemd', name: 'systemd', ...systemdAgent(input) },
    { id: 'macos', name: 'macOS', ...launchdAgent(input) },
    { id: 'windows', name: 'Windows', ...windowsAgent(input) },
  ]
}
