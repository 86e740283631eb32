import type { CommandGuide, TokenHeartbeat } from './command-guide.ts'
import { cronCommand } from './cron-command.ts'
import { launchdCommand } from './launchd-command.ts'
import { systemdCommand } from './systemd-command.ts'
import { windowsTaskCommand } from './windows-task-command.ts'

export interface HeartbeatGuide extends CommandGuide {
  readonly id: 'cron' | 'systemd' | 'macos' | 'windows'
  /** The name of its tab. */
  readonly name: string
}

/** All lasting ways to report by token, in the order of their tabs. */
export function heartbeatGuides(input: TokenHeartbeat): HeartbeatGuide[] {
  return [
    { id: 'cron', name: 'Cron', ...cronCommand(input) },
    { id: 'systemd', name: 'systemd', ...systemdCommand(input) },
    { id: 'macos', name: 'macOS', ...launchdCommand(input) },
    { id: 'windows', name: 'Windows', ...windowsTaskCommand(input) },
  ]
}
