import { parseArgs } from 'node:util'
import { CommandMistaken } from './admin/command.ts'
import { CopyRefused } from './storage/copy/copy-end.ts'
import { CopyDiffers, copyStorage, type CopyResult } from './storage/copy/copy-storage.ts'
import { ProgressLine } from './storage/copy/progress-line.ts'

const usage = `Moves everything from a SQLite file to a PostgreSQL database, or back. Servers on both are
stopped meanwhile; what is moved from stays as it is.

  npm run migrate-storage -- --from data/astropelago.sqlite --to postgres://user:password@host:5432/database
  npm run migrate-storage -- --from postgres://user:password@host:5432/database --to data/astropelago.sqlite

Cut off, it goes on when it is run again. docs/operations.md tells more.
`

// The files that it makes contain password hashes, so only their owner may read them.
process.umask(0o077)
process.exitCode = await run()

/** @returns the exit code: 0 done; 1 refused or failed; 2 a mistake in the command */
async function run(): Promise<0 | 1 | 2> {
  const command = readCommand()
  if (command === 'help') {
    process.stdout.write(usage)
    return 0
  }
  if (command === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const progress = new ProgressLine(process.stdout)
  const stop = new AbortController()
  // A second signal ends the process at once, as by default.
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  try {
    const result = await copyStorage({
      ...command,
      report: (step) => progress.show(step),
      signal: stop.signal,
    })
    progress.clear()
    process.stdout.write(describe(result))
    return 0
  } catch (error) {
    progress.clear()
    if (error instanceof CommandMistaken) {
      process.stderr.write(`${error.message}\n`)
      return 2
    }
    process.stderr.write(`${describeFailure(error, stop.signal)}\n`)
    return 1
  }
}

function readCommand(): { readonly from: string; readonly to: string } | 'help' | undefined {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ options: { from: text, to: text, help: { type: 'boolean' } } })
    if (values.help === true) return 'help'
    const { from = '', to = '' } = values
    return from === '' || to === '' ? undefined : { from, to }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`)
    return undefined
  }
}

function describe({ isResumed, tables }: CopyResult): string {
  const counts = tables.map(({ rows }) => rows.toLocaleString('en'))
  const countWidth = Math.max(...counts.map((count) => count.length))
  const labelWidth = Math.max(...tables.map(({ label }) => label.length))
  const lines = tables.map(
    ({ label, checksum }, at) =>
      `  ${label.padEnd(labelWidth)}  ${(counts[at] ?? '').padStart(countWidth)}  ${checksum.slice(0, 16)}`,
  )
  const how = isResumed ? 'It went on from where it was cut off.\n' : ''
  const end = 'Everything is there: read again from both sides, counts and checksums are the same.'
  return `${how}${lines.join('\n')}\n${end}\n`
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  const again = 'Run the same command again: it goes on from where it was'
  if (signal.aborted) return `Stopped. ${again}.`
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  if (error instanceof CopyRefused || error instanceof CopyDiffers) return error.message
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `It failed: ${error.message}${cause}. ${again}.`
}
