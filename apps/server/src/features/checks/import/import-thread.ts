import { CheckImportEntry, type CheckImportSource } from '@astropelago/contract/check-import'
import * as v from 'valibot'
import { DomainError } from '../../../domain-error.ts'
import { WorkThread } from '../../../work-thread.ts'

const timeLimitMs = 20_000
/** Each one that waits holds a file of up to 20 MB in memory. */
const waitingMax = 4

const Answer = v.union([
  v.object({ entries: v.array(CheckImportEntry) }),
  v.object({ refusal: v.string() }),
])

/** Reads uploaded files, one at a time. */
export class ImportThread extends WorkThread {
  constructor() {
    super({
      file: new URL('./import-worker.ts', import.meta.url),
      name: 'check import',
      waitingMax,
      rest: 1,
      timeLimitMs,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
  }

  /** @throws DomainError `invalid_import`, `overloaded` */
  async read(from: CheckImportSource, bytes: Uint8Array): Promise<CheckImportEntry[]> {
    const answer = v.parse(Answer, await this.ask({ from, bytes }))
    if ('entries' in answer) return answer.entries
    throw new DomainError('invalid_import', { fields: { file: answer.refusal } })
  }
}
