/**
 * Runs the server, which restarts on every change, and Vite's development server in front of it. With
 * --sample it uses a throwaway database with something on every screen, and deletes it at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../apps/server/src/test/listen.ts'

const lookForParentMs = 500

const children: ChildProcess[] = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
// Killing npm by its process id also ends the shell between, but sends no signal to this process.
const parent = process.ppid
const look = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(look)
  end()
}, lookForParentMs).unref()

const env = process.argv.includes('--sample') ? await sampleEnvironment() : {}
start(['--watch', 'apps/server/src/main.ts'])
start([fileURLToPath(new URL('bin/vite.js', import.meta.resolve('vite/package.json'))), 'apps/web'])

function start(args: readonly string[]): void {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  child.on('exit', (code) => {
    process.exitCode = code ?? 0
    end()
  })
  children.push(child)
}

/** Ends the children. This process ends after them. */
function end(): void {
  for (const child of children) child.kill()
  if (children.length === 0) process.exit(1)
}

async function sampleEnvironment(): Promise<Readonly<Record<string, string>>> {
  const { fillSample, samplePassword, sampleSettings, sampleUsername } =
    await import('./sample/fill-sample.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'astropelago-sample-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  console.log('Filling a throwaway database: 40 islands, 300 devices …')
  await fillSample(dataDir)
  console.log(`Sign in as ${sampleUsername}, with the password: ${samplePassword}`)
  return {
    ...sampleSettings,
    DATA_DIR: dataDir,
    // A free port, because a server with real data may run on the usual one, and Vite would lead to it.
    PORT: process.env['PORT'] || String(await freePort()),
    // The passwords are public, so listen only on loopback.
    HOST: '127.0.0.1',
    // Unset everything that leads out of the throwaway database. An empty setting counts as unset.
    DATABASE_URL: '',
    PUBLIC_URL: '',
    SMTP_URL: '',
    LLM_BASE_URL: '',
  }
}
