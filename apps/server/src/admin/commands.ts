import { accountsCommands } from '../features/accounts/operator/accounts-commands.ts'
import { alertsCommands } from '../features/alerts/alerts-commands.ts'
import { announcementsCommands } from '../features/announcements/announcements-commands.ts'
import { auditCommands } from '../features/audit/audit-commands.ts'
import { importCommands } from '../features/checks/import/import-commands.ts'
import { locationsCommands } from '../features/checks/locations/locations-commands.ts'
import { devicesCommands } from '../features/devices/operator/devices-commands.ts'
import { islandsCommands } from '../features/islands/operator/islands-commands.ts'
import { neighboursCommands } from '../features/neighbours/neighbours-commands.ts'
import { roomsCommands } from '../features/rooms/rooms-commands.ts'
import { statsCommands } from '../features/stats/stats-commands.ts'
import { mailCommands } from '../mail/mail-commands.ts'
import { reportsCommands } from '../features/reports/reports-commands.ts'
import { backupCommands } from '../storage/backup/backup-commands.ts'
import { version } from '../version.ts'
import { command, type Command } from './command.ts'

export const commands: readonly Command[] = [
  ...accountsCommands,
  ...devicesCommands,
  ...importCommands,
  ...locationsCommands,
  ...islandsCommands,
  ...neighboursCommands,
  ...roomsCommands,
  ...statsCommands,
  ...reportsCommands,
  ...announcementsCommands,
  ...alertsCommands,
  ...mailCommands,
  ...auditCommands,
  ...backupCommands,
  command({
    words: 'version',
    summary: 'Prints the version of this program',
    run: async () => ({ text: version, json: { version } }),
  }),
]
