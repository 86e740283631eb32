/**
 * Makes the package with `npm pack` and runs its server with npx in empty folders, without anything else
 * installed.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { sendHeartbeatOverHttp, signInOverHttp } from '../apps/server/src/test/http-client.ts'
import { launchServer } from '../apps/server/src/test/launch-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'astropelago-package-'))
try {
  const file = pack()
  checkContents(file)
  await checkRun('the present Node', file, dirname(process.execPath))
  // Debian's or NodeSource's. If it is too old, the package's own Node takes over.
  if (existsSync('/usr/bin/node')) await checkRun('the system’s Node', file, '/usr/bin')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @returns the path of the package's file */
function pack(): string {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: 'inherit' })
  const [name] = readdirSync(folder)
  assert.ok(name !== undefined, 'npm pack made no package')
  return join(folder, name)
}

/** Checks that the package has what it needs, and no sources, tests, data or secrets. */
function checkContents(file: string): void {
  const listing = execFileSync('tar', ['-tzf', file], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const names = listing.split('\n').map((name) => name.replace(/^package\//, ''))
  const own = names.filter(
    (name) => !name.startsWith('node_modules/') || name.startsWith('node_modules/@astropelago/'),
  )
  for (const name of [
    'LICENSE',
    'README.md',
    'bin/astropelago.mjs',
    'dist/apps/server/src/main.js',
    'dist/packages/agent/src/agent.mjs',
  ]) {
    assert.ok(own.includes(name), `the package has no ${name}`)
  }
  const strays = own.filter((name) => /\.tsx?$|\.test\.|\.env|\.sqlite|\.log$/.test(name))
  assert.deepEqual(strays, [])
  console.log(`  the package has ${own.length} files of ours, ${names.length} in all`)
}

async function checkRun(whose: string, file: string, nodeFolder: string): Promise<void> {
  const home = mkdtempSync(join(folder, 'home-'))
  const empty = join(home, 'empty')
  mkdirSync(empty)
  const version = execFileSync(join(nodeFolder, 'node'), ['--version'], { encoding: 'utf8' }).trim()
  const env = {
    ...outsideOfNpm(),
    PATH: [nodeFolder, '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    PORT: '0',
  }
  const server = await launchServer({
    env,
    command: ['npx', '--yes', `file:${file}`],
    folder: empty,
    isGroup: true,
  })
  try {
    const page = await (await fetch(server.url)).text()
    assert.match(page, /<title>[^<]*Astropelago/)
    const agent = await (await fetch(`${server.url}/agent.mjs`)).text()
    assert.match(agent, /^#!.*node\n/)
    const user = await signInOverHttp(server.url, 'packed')
    const token = await user.createToken(await user.registerDevice())
    assert.equal(await sendHeartbeatOverHttp(server.url, token), 204)
    assert.deepEqual(readdirSync(empty), ['data'])
    assert.ok(existsSync(join(empty, 'data/astropelago.sqlite')))
  } finally {
    await server.stop()
  }
  // As a global install does, where npx does not put the package's own runtime first in the path.
  const [bin = ''] = globSync('.npm/_npx/*/node_modules/astropelago/bin/*', { cwd: home })
  const again = await launchServer({
    env,
    command: [join(nodeFolder, 'node'), join(home, bin)],
    folder: empty,
  })
  again.kill('SIGTERM')
  await again.exited
  console.log(
    `  npx with ${whose} (${version}): ready after ${Math.round(server.startMs / 1000)} s`,
  )
}

/** The environment of a plain shell, without npm's variables, which name the folder it runs scripts in. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env)
  return Object.fromEntries(
    entries.filter(
      ([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|.*proxy|cafile)$/i.test(name),
    ),
  )
}
