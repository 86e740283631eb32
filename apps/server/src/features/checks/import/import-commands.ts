import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  importUserChecks,
  type CheckImportEntry,
  type CheckImportReport,
} from '@astropelago/contract/check-import'
import { checkImportFileMaxBytes, checkImportMaxBytes } from '@astropelago/contract/limits'
import { command, CommandMistaken, CommandRefused } from '../../../admin/command.ts'
import { count, table } from '../../../admin/table.ts'
import { ImportRefused } from './import-refused.ts'
import { readHealthchecks } from './read-healthchecks.ts'
import { readKuma } from './read-kuma.ts'
import { readKumaRows } from './sql-kuma-rows.ts'

export const importCommands = [
  importCommand({
    from: 'kuma',
    summary: 'Imports the monitors of Uptime Kuma for a user',
    file: 'Its database, kuma.db. Stop Uptime Kuma before you copy it',
    maxBytes: checkImportFileMaxBytes,
    read: async (file) => {
      const log = `${file}-wal`
      if (existsSync(log) && statSync(log).size > 0) {
        throw new CommandRefused(
          `Changes that are not in ${file} yet are in ${log}. Stop Uptime Kuma first, which writes them there.`,
        )
      }
      return readKuma(readKumaRows(file))
    },
  }),
  importCommand({
    from: 'healthchecks',
    summary: 'Imports the checks of Healthchecks for a user',
    file: 'What its GET /api/v3/checks/ answers',
    maxBytes: checkImportMaxBytes,
    read: async (file) => readHealthchecks(await readFile(file, 'utf8')),
  }),
]

function importCommand({
  from,
  summary,
  file: fileSummary,
  maxBytes,
  read,
}: {
  readonly from: string
  readonly summary: string
  readonly file: string
  readonly maxBytes: number
  readonly read: (file: string) => Promise<CheckImportEntry[]>
}) {
  return command({
    words: `import ${from}`,
    summary,
    arguments: [{ name: 'file', summary: fileSummary }],
    options: { user: { value: 'username', summary: 'Whose checks they become' } },
    previews: 'Imports them; without it, you only see what would become of each',
    run: async ({ input: { file, user }, call, isConfirmed = false }) => {
      if (user === undefined) throw new CommandMistaken(`“import ${from}” needs --user <username>.`)
      const size = statSync(file, { throwIfNoEntry: false })?.size
      if (size === undefined) throw new CommandRefused(`There is no file ${file}.`)
      if (size > maxBytes) {
        throw new CommandRefused(`${file} is larger than ${maxBytes / 1024 / 1024} MB.`)
      }
      const entries = await readRefused(read(file))
      const report = await call(importUserChecks, {
        params: { username: user },
        query: { dryRun: isConfirmed ? 'false' : 'true' },
        body: { entries },
      })
      return { text: print(report, user), json: report }
    },
  })
}

async function readRefused(reading: Promise<CheckImportEntry[]>): Promise<CheckImportEntry[]> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof ImportRefused ? new CommandRefused(error.message) : error
  }
}

const actions = { create: 'new', update: 'changed', unchanged: 'as it is', leave: 'left out' }

function print(report: CheckImportReport, user: string): string {
  const { lines, isDryRun, created, updated, unchanged, left, newChecks, room } = report
  const rows = lines.map((line) => [
    line.name,
    line.kind,
    [actions[line.action], line.becomes, line.isPaused && 'paused'].filter(Boolean).join(', '),
    line.notes.join(' '),
  ])
  const summary = `${created} new, ${updated} changed, ${unchanged} as they are, ${left} left out.`
  const outcome =
    newChecks > room
      ? `Nothing can be imported: there are ${count(newChecks, 'new check')}, and ${user} has room for ${room}.`
      : isDryRun
        ? `Nothing has been changed yet. Add --yes to import this for ${user}.`
        : `Imported for ${user}.`
  return `${table(['NAME', 'KIND', 'BECOMES', 'WHY'], rows)}\n\n${summary} ${outcome}`
}
