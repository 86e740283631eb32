/** Debian's nginx at home: files, ranges, compression, uploads, and git behind it. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { freePort } from '../../apps/server/src/test/listen.ts'
import { makeFolder, startThrowaway } from '../throwaway-process.ts'
import type { RelayedIsland, RelayStand } from './relay-stand.ts'

const run = promisify(execFile)
const mebibyte = 2 ** 20
const page = 'The tide comes in and the tide goes out.\n'.repeat(500)

export interface Nginx {
  readonly url: string
  readonly folder: string
  readonly stop: () => Promise<void>
}

/**
 * Serves `files` from its folder, accepts uploads into it, and serves `git` from it through
 * git-http-backend.
 */
export async function startNginx(): Promise<Nginx> {
  const folder = makeFolder(undefined)
  for (const name of ['files', 'git']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'files/page.txt'), page)
  const [port, gitPort] = [await freePort(), await freePort()]
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(configuration, configurationOf(folder, port, gitPort))
  const backend = await startThrowaway({
    program: '/usr/sbin/fcgiwrap',
    args: ['-s', `tcp:127.0.0.1:${gitPort}`],
    folder: makeFolder(undefined),
    port: gitPort,
    stopSignal: 'SIGTERM',
  })
  try {
    const nginx = await startThrowaway({
      program: '/usr/sbin/nginx',
      args: ['-e', 'stderr', '-p', folder, '-c', configuration],
      folder,
      port,
      stopSignal: 'SIGTERM',
    })
    const stop = async () => {
      await nginx.stop()
      await backend.stop()
    }
    return { url: `http://127.0.0.1:${port}`, folder, stop }
  } catch (error) {
    await backend.stop()
    throw error
  }
}

function configurationOf(folder: string, port: number, gitPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n  ')
  return `daemon off;
pid ${join(folder, 'nginx.pid')};
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  ${temporary}
  access_log off;
  types { text/plain txt; }
  gzip on;
  gzip_types text/plain;
  server {
    listen 127.0.0.1:${port};
    root ${join(folder, 'files')};
    client_max_body_size 0;
    dav_methods PUT DELETE;
    location /git/ {
      rewrite ^/git(/.*)$ $1 break;
      fastcgi_pass 127.0.0.1:${gitPort};
      fastcgi_param SCRIPT_FILENAME /usr/lib/git-core/git-http-backend;
      fastcgi_param GIT_PROJECT_ROOT ${join(folder, 'git')};
      fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param PATH_INFO $uri;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_param HTTP_GIT_PROTOCOL $http_git_protocol;
    }
  }
}
`
}

/** The requests that browsers and players make for files. */
export async function checkFiles(stand: RelayStand, { host }: RelayedIsland): Promise<void> {
  const path = '/page.txt'
  const ask = (headers: Record<string, string>, method = 'GET') =>
    stand.visit(host, { path, method, headers })
  const whole = await ask({})
  assert.deepEqual([whole.status, whole.body.toString()], [200, page])
  const etag = String(whole.headers.etag)

  const range = await ask({ range: 'bytes=100-199' })
  assert.deepEqual([range.status, range.body.toString()], [206, page.slice(100, 200)])
  assert.equal(range.headers['content-range'], `bytes 100-199/${page.length}`)
  const end = await ask({ range: 'bytes=-41', 'if-range': etag })
  assert.deepEqual([end.status, end.body.toString()], [206, page.slice(-41)])
  const two = await ask({ range: 'bytes=0-1,40-41' })
  assert.equal(two.status, 206)
  assert.match(String(two.headers['content-type']), /^multipart\/byteranges; boundary=/)
  assert.equal((await ask({ range: 'bytes=999999-' })).status, 416)

  const head = await ask({}, 'HEAD')
  assert.deepEqual([head.status, head.body.length], [200, 0])
  assert.equal(head.headers['content-length'], String(page.length))
  assert.equal((await ask({ 'if-none-match': etag })).status, 304)

  const packed = await ask({ 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.body).toString(), page)
  assert.ok(packed.body.length < page.length / 10)
  console.log('  nginx: ranges, HEAD, conditions and gzip come through unchanged')
}

/** Downloads and uploads a large file with curl, which waits for 100 Continue first. */
export async function checkLargeFile(
  stand: RelayStand,
  { host }: RelayedIsland,
  { folder }: Nginx,
  sizeMib: number,
): Promise<void> {
  const file = join(folder, 'original')
  const sum = await writeNoise(file, sizeMib)
  const url = `http://${host}/large`
  const upMs = performance.now()
  const curl = ['--silent', '--show-error', '--fail', '--write-out', '%{http_code}', '-T', file]
  const { stdout } = await run('curl', [...curl, '--connect-to', `::127.0.0.1:${stand.port}`, url])
  assert.equal(stdout, '201')
  const upS = (performance.now() - upMs) / 1000
  rmSync(file)
  assert.equal(await sumOf(createReadStream(join(folder, 'files/large'))), sum, 'upload')

  const head = await stand.visit(host, { path: '/large', method: 'HEAD' })
  assert.equal(head.headers['content-length'], String(sizeMib * mebibyte))
  const downMs = performance.now()
  assert.equal(await sumOf(await stand.begin(host, { path: '/large' })), sum, 'download')
  const downS = (performance.now() - downMs) / 1000
  assert.equal((await stand.visit(host, { path: '/large', method: 'DELETE' })).status, 204)
  console.log(
    `  ${sizeMib} MiB with the same checksum: up ${paceOf(sizeMib, upS)}, down ${paceOf(sizeMib, downS)}`,
  )
}

function paceOf(sizeMib: number, seconds: number): string {
  return `${seconds.toFixed(1)} s (${Math.round(sizeMib / seconds)} MiB/s)`
}

/**
 * Writes bytes that can't be compressed.
 * @returns their checksum
 */
async function writeNoise(file: string, sizeMib: number): Promise<string> {
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16))
  const zeros = Buffer.alloc(mebibyte)
  const hash = createHash('sha256')
  function* noise() {
    for (let written = 0; written < sizeMib; written += 1) {
      const bytes = cipher.update(zeros)
      hash.update(bytes)
      yield bytes
    }
  }
  await pipeline(Readable.from(noise()), createWriteStream(file))
  return hash.digest('hex')
}

async function sumOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

/** Clones and pushes over smart HTTP. A push is sent in chunks. */
export async function checkGit({ port }: RelayStand, island: RelayedIsland, { folder }: Nginx) {
  const home = makeFolder(undefined)
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=Guest', '-c', 'user.email=guest@example.org']
    const name = island.host.split(':', 1)[0] ?? ''
    const resolve = `http.curloptResolve=${name}:${port}:127.0.0.1`
    const way = ['-c', resolve, '-c', 'http.postBuffer=65536', '-c', 'protocol.version=2']
    const env = { PATH: process.env['PATH'], HOME: home, GIT_TERMINAL_PROMPT: '0' }
    const { stdout } = await run('git', [...identity, ...way, ...args], { cwd: home, env })
    return stdout.trim()
  }
  try {
    const origin = join(folder, 'git/boat.git')
    rmSync(origin, { recursive: true, force: true })
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin])
    execFileSync('git', ['-C', origin, 'config', 'http.receivepack', 'true'])
    await git('init', '--quiet', '--initial-branch=main', 'first')
    writeFileSync(join(home, 'first/hull'), randomBytes(8 * mebibyte))
    await git('-C', 'first', 'add', '.')
    await git('-C', 'first', 'commit', '--quiet', '-m', 'Lay the keel')
    const url = `http://${island.host}/git/boat.git`
    await git('-C', 'first', 'push', '--quiet', url, 'main')
    await git('clone', '--quiet', url, 'second')
    await git('-C', 'second', 'fsck', '--full')
    assert.equal(
      await git('-C', 'second', 'rev-parse', 'main'),
      await git('-C', 'first', 'rev-parse', 'main'),
    )
    console.log('  git: pushed and cloned over smart HTTP')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
