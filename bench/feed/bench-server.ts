import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSettingsFile } from '../../packages/contract/src/build-settings.ts'
import { prerenderedPages } from '../../packages/contract/src/pages.ts'

const mainFile = resolve(import.meta.dirname, '../../apps/server/src/main.ts')

export interface BenchServer {
  readonly port: number
  /** From the start of the process to its readiness. */
  readonly startMs: number
  /** What the process has taken of the processors so far. */
  readonly cpuMs: () => number
  readonly residentKb: () => number
  readonly stop: () => Promise<void>
}

/** The real server on a database of the bench's own, without limits for this machine. */
export async function startBenchServer(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, 'data'),
      WEB_DIR: makeWebDir(folder),
      PORT: '0',
      LIMIT_EXEMPT: '127.0.0.1',
      ...env,
    },
  })
  const { pid } = child
  let log = ''
  while (!log.includes('is ready')) {
    const [chunk]: unknown[] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => {
        throw new Error(`The server ended: ${log}`)
      }),
    ])
    log += String(chunk)
  }
  child.stdout.resume()
  const port = Number(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1])
  return {
    port,
    startMs: performance.now() - startedMs,
    // In ticks of 10 ms: fields 14 and 15 of proc(5), counted after the name in parentheses.
    cpuMs: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    residentKb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The least that the server takes for a build of the web app. */
function makeWebDir(folder: string): string {
  const webDir = join(folder, 'web')
  mkdirSync(join(webDir, 'pages'), { recursive: true })
  const settings = { hasMapsKey: false, deviceUpdateOrigin: null }
  writeFileSync(join(webDir, buildSettingsFile), JSON.stringify(settings))
  writeFileSync(join(webDir, 'index.html'), '<!doctype html>')
  for (const name of Object.values(prerenderedPages)) {
    writeFileSync(join(webDir, 'pages', name), '<!doctype html>')
  }
  return webDir
}
