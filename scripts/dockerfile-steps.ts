/**
 * Runs the steps of deploy/Dockerfile without Docker: each stage in its own folder under systemd-nspawn,
 * with this machine's /usr and network, from the committed files. Then runs the server as
 * compose.sqlite.yaml does.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, resolve } from 'node:path'
import { sendHeartbeatOverHttp } from '../apps/server/src/test/http-client.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { canNestSystems } from './nested-systems.ts'
import { makeDevice, waitUntil } from './proxy-checks.ts'

const repository = resolve(import.meta.dirname, '..')
const shutdownLimitMs = 10_000

interface Instruction {
  readonly name: string
  readonly text: string
}

interface Image {
  readonly folder: string
  readonly env: Record<string, string>
  workdir: string
  user: string
  command: readonly string[]
  healthcheck: readonly string[]
}

if (canNestSystems()) await checkImage()

async function checkImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-image-'))
  try {
    const image = build(folder)
    await checkRun(image)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns the image of the last stage */
function build(folder: string): Image {
  const context = makeContext(join(folder, 'context'))
  const images = new Map<string, Image>()
  let image: Image | undefined
  for (const { name, text } of instructions()) {
    if (name === 'FROM') {
      const [base = '', , stage = 'last'] = text.split(' ')
      image = startStage(join(folder, stage), images.get(base))
      images.set(stage, image)
      continue
    }
    assert.ok(image !== undefined, 'no stage has begun')
    apply(image, { name, text }, { context, images })
  }
  assert.ok(image !== undefined, 'the Dockerfile has no stage')
  return image
}

function instructions(): readonly Instruction[] {
  const source = readFileSync(join(repository, 'deploy/Dockerfile'), 'utf8')
  const lines = source
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = ''] = line.split(' ', 1)
      return { name, text: line.slice(name.length).trim() }
    })
}

/** The files that Docker would send: those committed, except those in the ignore file. */
function makeContext(context: string): string {
  mkdirSync(context)
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: repository, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', context], { input: archive })
  const ignored = readFileSync(join(repository, 'deploy/Dockerfile.dockerignore'), 'utf8')
  const patterns = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (path: string) =>
    patterns.reduce((is, pattern) => {
      const isBack = pattern.startsWith('!')
      return matchesGlob(path, isBack ? pattern.slice(1) : pattern) ? !isBack : is
    }, false)
  for (const path of readdirSync(context, { recursive: true, encoding: 'utf8' })) {
    if (isIgnored(path)) rmSync(join(context, path), { recursive: true, force: true })
  }
  return context
}

function startStage(folder: string, base: Image | undefined): Image {
  if (base !== undefined) {
    execFileSync('cp', ['-a', '--reflink=auto', base.folder, folder])
    return { ...base, folder, env: { ...base.env } }
  }
  // Like the base image: Debian, npm's Node in the path, and a user named node.
  for (const name of ['usr', 'tmp', 'etc', 'root'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n',
  )
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  // The certificates that this machine trusts, which may include its registry's.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'etc/ca-certificates.crt'))
  const env = {
    PATH: '/opt/node:/usr/local/bin:/usr/bin:/bin',
    NODE_EXTRA_CA_CERTS: '/etc/ca-certificates.crt',
  }
  return { folder, env, workdir: '/', user: 'root', command: [], healthcheck: [] }
}

function apply(
  image: Image,
  { name, text }: Instruction,
  { context, images }: { readonly context: string; readonly images: ReadonlyMap<string, Image> },
): void {
  switch (name) {
    case 'WORKDIR':
      image.workdir = text
      mkdirSync(join(image.folder, text), { recursive: true })
      break
    case 'ENV':
      for (const pair of text.split(' ')) {
        const [key = '', value = ''] = pair.split('=')
        image.env[key] = value
      }
      break
    case 'USER':
      image.user = text
      break
    case 'RUN':
      run(image, ['sh', '-c', text])
      break
    case 'COPY':
      copy(image, text, context, images)
      break
    case 'CMD':
      image.command = asWords(text)
      break
    case 'HEALTHCHECK':
      image.healthcheck = asWords(text.replace(/^.*CMD /, ''))
      break
    case 'ARG':
    case 'EXPOSE':
      break
    default:
      throw new Error(`This script does not support ${name}`)
  }
}

function asWords(text: string): readonly string[] {
  const words: unknown = JSON.parse(text)
  assert.ok(Array.isArray(words) && words.every((word) => typeof word === 'string'))
  return words
}

function run(image: Image, command: readonly string[]): void {
  const startMs = performance.now()
  const { status, stdout, stderr } = spawnSync('systemd-nspawn', [...inImage(image), ...command], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`)
  console.log(`  ${Math.round((performance.now() - startMs) / 1000)} s  RUN ${command.at(-1)}`)
}

function inImage({ folder, env, workdir, user }: Image): string[] {
  return [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--console=pipe',
    '--resolv-conf=copy-host',
    '--timezone=off',
    `--directory=${folder}`,
    `--chdir=${workdir}`,
    `--user=${user}`,
    '--bind-ro=/usr',
    `--bind-ro=${dirname(realpathSync(process.execPath))}:/opt/node`,
    ...Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`),
  ]
}

function copy(
  image: Image,
  text: string,
  context: string,
  images: ReadonlyMap<string, Image>,
): void {
  const words = text.split(' ')
  const stage = words[0]?.startsWith('--from=') === true ? words.shift()?.slice(7) : undefined
  const from = stage === undefined ? context : images.get(stage)?.folder
  const target = words.pop()
  assert.ok(from !== undefined && target !== undefined)
  const to = resolve(image.workdir, target)
  for (const word of words) {
    const source = join(from, word)
    const isInto = !statSync(source).isDirectory() && (target.endsWith('/') || words.length > 1)
    const place = join(image.folder, to, isInto || target === './' ? basename(word) : '')
    cpSync(source, place, { recursive: true, verbatimSymlinks: true })
  }
}

/**
 * Runs the server as compose.sqlite.yaml does: as a user without privileges, who can write only to the data
 * folder and /tmp.
 */
async function checkRun(image: Image): Promise<void> {
  const port = await freePort()
  const data = mkdtempSync(join(dirname(image.folder), 'data-'))
  // A new volume takes its owner from the image's folder.
  execFileSync('chown', ['--reference', join(image.folder, 'data'), data])
  image.env['PORT'] = String(port)
  const walls = ['--read-only', '--tmpfs=/tmp', '--no-new-privileges=yes', '--drop-capability=all']
  const rest = [`--bind=${data}:/data`, '--kill-signal=SIGTERM']
  const args = [...inImage(image), ...walls, ...rest, ...image.command]
  const child = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  try {
    await waitUntil(async () => isHealthy(image), 'the health check passes')
    const url = `http://127.0.0.1:${port}`
    assert.match(await (await fetch(url)).text(), /<title>[^<]*Astropelago/)
    assert.equal(await sendHeartbeatOverHttp(url, await makeDevice(url, 'image')), 204)
    assert.ok(readdirSync(data).includes('astropelago.sqlite'))
    checkAdministration(image, [...walls, `--bind=${data}:/data`])
    const size = execFileSync('du', ['-sm', image.folder], { encoding: 'utf8' }).split('\t', 1)[0]
    console.log(`  the image runs: ${size} MB beside its base`)
  } catch (error) {
    console.log(output)
    throw error
  } finally {
    const startMs = performance.now()
    child.kill('SIGTERM')
    const [code]: unknown[] = await ended
    assert.ok(performance.now() - startMs < shutdownLimitMs, 'it did not end in time')
    assert.equal(code, 0, `it ended with ${String(code)}`)
    assert.match(output, /shutting down/)
    console.log('  SIGTERM ended it cleanly')
  }
  assert.ok(!isHealthy(image), 'the health check passes without a server')
}

function isHealthy({ env, healthcheck }: Image): boolean {
  const [program = '', ...args] = healthcheck
  return spawnSync(program, args, { env }).status === 0
}

/** Runs a command beside the server, as `docker compose exec server` does. */
function checkAdministration(image: Image, walls: readonly string[]): void {
  const command = ['npm', 'run', '--silent', 'admin', '--', 'users', 'list']
  const { status, stdout, stderr } = spawnSync(
    'systemd-nspawn',
    // By default the container takes the folder's name, which the server's container has already.
    ['--machine=administration', ...inImage(image), ...walls, ...command],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^image /m)
}
