import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { backUp } from '../../storage/backup/back-up.ts'

// A backup reads the whole file again, which must not block the event loop.
const { dataDir, databaseUrl, file } = v.parse(
  v.object({ dataDir: v.string(), databaseUrl: v.optional(v.string()), file: v.string() }),
  workerData,
)
const stopped = new AbortController()
parentPort?.once('message', () => stopped.abort())
const { bytes } = await backUp({ dataDir, databaseUrl, file, signal: stopped.signal })
parentPort?.postMessage(bytes)
// An open port would keep the thread alive.
parentPort?.close()
