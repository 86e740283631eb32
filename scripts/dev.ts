/**
 * The server, restarted on every change, and Vite's development server in front of it. With --sample on a
 * throwaway database that has something on every screen; it is gone when this ends.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const env = process.argv.includes('--sample') ? await sampleEnvironment() : {}

const commands = [
  { name: 'node', args: ['--watch', 'apps/server/src/main.ts'] },
  { name: 'npm', args: ['run', '--silent', 'dev', '-w', 'apps/web'] },
]

const children = commands.map(({ name, args }) =>
  spawn(name, args, { stdio: 'inherit', env: { ...process.env, ...env } }),
)
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 0
  })
}

async function sampleEnvironment(): Promise<Readonly<Record<string, string>>> {
  const { fillSample, samplePassword, sampleSettings, sampleUsername } =
    await import('./sample/fill-sample.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'astropelago-sample-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  // Ended by its children, which get the same signal.
  process.on('SIGINT', () => undefined)
  console.log('Filling a throwaway database: 40 islands, 300 devices …')
  await fillSample(dataDir)
  console.log(`Sign in as ${sampleUsername}, with the password: ${samplePassword}`)
  return { ...sampleSettings, DATA_DIR: dataDir, DATABASE_URL: '' }
}
