import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { backUp } from '../../storage/backup/back-up.ts'

/** A backup reads the whole of a file again: on a thread of its own nobody waits for that. */
const { dataDir, databaseUrl, file } = v.parse(
  v.object({ dataDir: v.string(), databaseUrl: v.optional(v.string()), file: v.string() }),
  workerData,
)
const stopped = new AbortController()
parentPort?.once('message', () => stopped.abort())
const { bytes } = await backUp({ dataDir, databaseUrl, file, signal: stopped.signal })
parentPort?.postMessage(bytes)
// The port would keep the thread.
parentPort?.close()
