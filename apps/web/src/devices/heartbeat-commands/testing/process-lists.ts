import { readdirSync, readFileSync } from 'node:fs'

/** The command lines of all running processes, as `ps` shows them to everybody. Linux only. */
export function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        // The process has ended since.
        return ''
      }
    })
}
