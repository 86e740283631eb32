import { command, CommandRefused, type Output } from '../../admin/command.ts'
import { table } from '../../admin/table.ts'
import { readConfig } from '../../config.ts'
import { CopyRefused, type WatchedWork } from '../copy/copy-end.ts'
import { ProgressLine, type Progress } from '../copy/progress-line.ts'
import { CopyDiffers } from '../copy/copy-storage.ts'
import { backUp } from './back-up.ts'
import { checkStorage, type TableCount } from './check-storage.ts'
import { restore } from './restore.ts'

/** They work on the storage itself, whether a server runs or not. For a route they would take too long. */
export const backupCommands = [
  command({
    words: 'backup',
    summary: 'Writes everything into one file, while the server runs',
    arguments: [
      {
        name: 'file',
        summary: 'The file to make. It is SQLite’s, whichever database the server has',
      },
    ],
    run: ({ input: { file } }) =>
      watched(async (work, elapsedS) => {
        const { bytes, tables, unrecorded } = await backUp({ ...readConfig(), file, ...work })
        const seconds = elapsedS()
        const why =
          unrecorded === undefined ? '' : `\nThe audit log has no entry for it: ${unrecorded}.`
        return {
          text: `${printCounts(tables)}\n\n${file}: ${printSize(bytes)} in ${seconds} s, read again and sound.${why}`,
          json: { file, bytes, seconds, tables },
        }
      }),
  }),
  command({
    words: 'restore',
    summary: 'Puts a backup into the place of the server’s data, while no server runs',
    arguments: [{ name: 'file', summary: 'A file that the command backup made' }],
    options: {
      force: { summary: 'Also where people have signed up: what is there makes room for it' },
      'end-sessions': { summary: 'Signs everybody out' },
    },
    run: ({ input }) =>
      watched(async (work, elapsedS) => {
        const { file } = input
        const { tables, replaced } = await restore({
          ...readConfig(),
          file,
          isForced: input.force === true,
          endsSessions: input['end-sessions'] === true,
          ...work,
        })
        const seconds = elapsedS()
        const aside = replaced === undefined ? '' : `\nWhat was there before is in ${replaced}.`
        return {
          text: `${printCounts(tables)}\n\n${file} is restored, in ${seconds} s. Start the server.${aside}`,
          json: { file, seconds, tables, replaced: replaced ?? null },
        }
      }),
  }),
  command({
    words: 'check',
    summary: 'Reads everything and says whether it is sound, while the server runs',
    options: { file: { value: 'path', summary: 'A backup, and not what the server has' } },
    run: ({ input: { file } }) =>
      watched(async (work, elapsedS) => {
        const { name, bytes, tables, hasChecksum } = await checkStorage({
          ...readConfig(),
          file,
          ...work,
        })
        const seconds = elapsedS()
        const size = bytes === undefined ? '' : `, ${printSize(bytes)}`
        const unsure =
          hasChecksum === false
            ? '\nIt has no checksum, as backups of older versions: bytes that changed since show only where SQLite notices.'
            : ''
        return {
          text: `${printCounts(tables)}\n\n${name} is sound${size}. All of it was read, in ${seconds} s.${unsure}`,
          json: { name, bytes: bytes ?? null, hasChecksum: hasChecksum ?? null, seconds, tables },
        }
      }),
  }),
]

async function watched(
  work: (watch: WatchedWork, elapsedS: () => number) => Promise<Output>,
): Promise<Output> {
  // The files contain password hashes, so only the server's own user may read them.
  process.umask(0o077)
  // An unattended run prints only its failures.
  const startedMs = performance.now()
  const elapsedS = () => Math.max(0.1, Math.round((performance.now() - startedMs) / 100) / 10)
  const progress = process.stderr.isTTY ? new ProgressLine(process.stderr) : undefined
  const stop = new AbortController()
  // A second signal ends the process at once, as by default.
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  try {
    const report = (step: Progress) => progress?.show(step)
    return await work({ report, signal: stop.signal }, elapsedS)
  } catch (error) {
    if (stop.signal.aborted) throw new CommandRefused('Stopped.', { cause: error })
    const isPlain = error instanceof CopyRefused || error instanceof CopyDiffers
    throw isPlain ? new CommandRefused(error.message, { cause: error }) : error
  } finally {
    progress?.clear()
  }
}

function printCounts(tables: readonly TableCount[]): string {
  return table(
    ['WHAT', 'ROWS'],
    tables.map(({ label, rows }) => [label, rows.toLocaleString('en')]),
  )
}

function printSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
