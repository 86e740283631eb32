/** Reads files of strangers on its own thread: it may take seconds, and more memory than it should. */
import { parentPort } from 'node:worker_threads'
import { CheckImportSource } from '@astropelago/contract/check-import'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportEntriesMax } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { ImportRefused } from './import-refused.ts'
import { readHealthchecks } from './read-healthchecks.ts'
import { readKuma } from './read-kuma.ts'
import { readKumaRows } from './sql-kuma-rows.ts'

const Request = v.object({ from: CheckImportSource, bytes: v.instance(Uint8Array) })

function answerTo(message: unknown) {
  const { from, bytes } = v.parse(Request, message)
  try {
    const entries =
      from === 'kuma'
        ? readKuma(readKumaRows(bytes))
        : readHealthchecks(Buffer.from(bytes).toString())
    // The main thread looks at each of them.
    return entries.length > checkImportEntriesMax
      ? { refusal: checkImportRefusals.tooMuch }
      : { entries }
  } catch (error) {
    const isRefusal = error instanceof ImportRefused
    return { refusal: isRefusal ? error.message : checkImportRefusals.damaged }
  }
}

parentPort?.on('message', (message: unknown) => parentPort?.postMessage(answerTo(message)))
