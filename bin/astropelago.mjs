#!/usr/bin/env node
// Run by `npx astropelago`. Plain JavaScript for old versions of Node; the package brings a new one.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const programs = { 'migrate-storage': 'migrate-storage', admin: 'admin', serve: 'main' }
const [word = 'serve', ...rest] = process.argv.slice(2)
const program = Object.hasOwn(programs, word) ? programs[word] : undefined

if (program === undefined) {
  const other = Object.keys(programs).filter((name) => name !== 'serve')
  process.stderr.write(
    `Usage: astropelago [${['serve', ...other].join(' | ')}]\n` +
      'Without a command it starts the server, which stores its data in ./data (DATA_DIR).\n',
  )
  process.exitCode = 2
} else if (isNewEnough()) {
  // The package's own folder may be a cache that gets emptied.
  process.env.DATA_DIR ||= resolve('data')
  process.argv.splice(2, process.argv.length, ...rest)
  await import(new URL(`dist/apps/server/src/${program}.js`, root).href)
} else {
  const node = ownRuntime()
  if (node === undefined) await import(new URL('scripts/check-node.mjs', root).href)
  else runWith(node)
}

function isNewEnough() {
  const { engines } = readManifest()
  const [major, minor] = engines.node.replace('>=', '').split('.').map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

function ownRuntime() {
  const require = createRequire(import.meta.url)
  for (const name of Object.keys(readManifest().optionalDependencies)) {
    for (const folder of require.resolve.paths(name)) {
      const path = join(folder, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
      if (existsSync(path)) return path
    }
  }
  return undefined
}

function readManifest() {
  return JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
}

/** Passes on signals and the exit code, as if the program had been started directly. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}
