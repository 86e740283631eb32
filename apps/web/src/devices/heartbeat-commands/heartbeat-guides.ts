import type { GuidesBySystem, TokenHeartbeat } from './command-guide.ts'
import { launchdCommand } from './launchd-command.ts'
import { foregroundGuide, linuxHeartbeat } from './linux-heartbeat.ts'
import { windowsTaskCommand } from './windows-task-command.ts'

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
      { name: 'In the foreground', ...foregroundGuide(input) },
    ],
  }
}
