import { hostsCommands } from '../features/accounts/operator/hosts-commands.ts'
import { invitesCommands } from '../features/accounts/operator/invites-commands.ts'
import { usersCommands } from '../features/accounts/operator/users-commands.ts'
import { alertsCommands } from '../features/alerts/alerts-commands.ts'
import { announcementsCommands } from '../features/announcements/announcements-commands.ts'
import { auditCommands } from '../features/audit/audit-commands.ts'
import { devicesCommands } from '../features/devices/operator/devices-commands.ts'
import { islandsCommands } from '../features/islands/operator/islands-commands.ts'
import { statsCommands } from '../features/stats/stats-commands.ts'
import { mailCommands } from '../mail/mail-commands.ts'
import { reportsCommands } from '../features/reports/reports-commands.ts'
import { backupCommands } from '../storage/backup/backup-commands.ts'
import type { Command } from './command.ts'
import { versionCommand } from './version-command.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...usersCommands,
  ...hostsCommands,
  ...invitesCommands,
  ...devicesCommands,
  ...islandsCommands,
  ...statsCommands,
  ...reportsCommands,
  ...announcementsCommands,
  ...alertsCommands,
  ...mailCommands,
  ...auditCommands,
  ...backupCommands,
  versionCommand,
]
