import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../median.ts'

const pageBytes = 4096
const writes = 200

/** The median time to overwrite and sync a page on this disk. */
export function fdatasyncMs(folder: string): number {
  const file = openSync(join(folder, 'fdatasync'), 'w')
  const page = Buffer.alloc(pageBytes)
  const times: number[] = []
  for (let count = 0; count < writes; count += 1) {
    const startedMs = performance.now()
    writeSync(file, page, 0, pageBytes, 0)
    fdatasyncSync(file)
    times.push(performance.now() - startedMs)
  }
  closeSync(file)
  return median(times)
}
