/** Deploys the output of a static site generator with curl, reads all of it back, and brings it back. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createApiKey } from '@astropelago/contract/api-keys'
import { deployPages, getPages, setLivePages } from '@astropelago/contract/hosted-pages'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import type { Route } from '@astropelago/contract/route'
import { strFromU8, zipSync } from 'fflate'
import * as v from 'valibot'
import { signInOverHttp } from '../../apps/server/src/test/http-client.ts'
import { startServer } from '../../e2e/harness/start-server.ts'

const files = 500
const folder = mkdtempSync(join(tmpdir(), 'astropelago-site-'))
const server = await startServer({ settings: {} })
try {
  await run()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const site = generate('First')
  console.log(`  the generator made ${site.size} files`)
  assert.equal(site.size, files)
  const host = await signInOverHttp(server.url, 'host')
  const call = async (route: Route, body?: object, id = '') => {
    const answer = await host.call(route.method, route.path.replace(':id', id), body)
    assert.ok(answer.ok, `${route.path}: ${answer.status}`)
    return await answer.json()
  }
  const made = await call(createIsland, { name: 'Site', kind: 'media', isHosted: true })
  const { id } = v.parse(createIsland.answers[201], made)
  const published = await call(publishIsland, { access: 'public', isListed: false }, id)
  const { slug } = v.parse(publishIsland.answers[200], published)
  const keyed = await call(createApiKey, {
    name: 'Site',
    scopes: ['pages:write'],
    expiresInDays: 1,
  })
  const { key } = v.parse(createApiKey.answers[201], keyed)

  const first = await deployByCurl(site, { id, key })
  const { hostname, port } = new URL(server.url)
  const read = (path: string, headers = {}) =>
    new Promise<{ status: number; type: string; body: Buffer }>((resolve, reject) => {
      const asked = {
        host: hostname,
        port,
        path,
        headers: { host: `${slug}.localhost:${port}`, ...headers },
      }
      get(asked, (answer) => {
        const { statusCode = 0, headers: got } = answer
        const type = got['content-type'] ?? ''
        buffer(answer).then((body) => resolve({ status: statusCode, type, body }), reject)
      }).on('error', reject)
    })
  for (const [path, bytes] of site) {
    const address = `/${encodeURI(path).replace(/index\.html$/, '')}`
    const { status, type, body } = await read(address)
    assert.deepEqual([address, status, body.equals(bytes)], [address, 200, true])
    const expected = {
      html: 'text/html; charset=utf-8',
      css: 'text/css; charset=utf-8',
      xml: 'text/xml',
    }
    const [, extension = ''] = /\.(\w+)$/.exec(path) ?? []
    assert.ok(type.startsWith(Object(expected)[extension] ?? ''), `${path} is ${type}`)
  }
  const [, page = Buffer.of()] = [...site][0] ?? []
  const [path = ''] = [...site.keys()]
  const part = await read(`/${encodeURI(path)}`, { range: 'bytes=3-9' })
  assert.deepEqual([part.status, part.body], [206, page.subarray(3, 10)])
  console.log(`  curl deployed them, and each of them came back with its bytes and its type`)

  const changed = generate('Second')
  const second = await deployByCurl(changed, { id, key })
  const home = async () => strFromU8((await read('/')).body)
  assert.match(await home(), /Second/)
  await call(setLivePages, { deployment: first }, id)
  assert.match(await home(), /First/)
  const { deployments } = v.parse(getPages.answers[200], await call(getPages, undefined, id))
  assert.deepEqual(
    deployments.map((one) => [one.id, one.isLive]),
    [
      [second, false],
      [first, true],
    ],
  )
  console.log('  a second deployment replaced it, and the first was brought back')
}

/** A blog with so many posts that its output has 500 files. */
function generate(title: string): Map<string, Buffer> {
  const [source, output] = [join(folder, title), join(folder, `${title}-site`)]
  mkdirSync(join(source, 'posts'), { recursive: true })
  writeFileSync(join(source, 'index.md'), `# ${title}\n`)
  writeFileSync(join(source, 'style.css'), 'body { color: navy }\n')
  for (let number = 3; number <= files; number += 1) {
    const post = `# Post ${number}\n\n${'A line of words. '.repeat(number)}\n`
    writeFileSync(join(source, 'posts', `entry-${number}.md`), post)
  }
  const config = join(source, 'eleventy.config.js')
  writeFileSync(config, "export default (site) => site.addPassthroughCopy('style.css')\n")
  const cli = join(import.meta.dirname, 'node_modules/@11ty/eleventy/cmd.cjs')
  const made = spawnSync(process.execPath, [cli, '--input=.', `--output=${output}`, '--quiet'], {
    cwd: source,
    encoding: 'utf8',
  })
  assert.equal(made.status, 0, made.stderr)
  const paths = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(output, join(parentPath, name)))
  return new Map(paths.map((path) => [path, readFileSync(join(output, path))]))
}

async function deployByCurl(
  site: ReadonlyMap<string, Buffer>,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<string> {
  const zip = join(folder, 'site.zip')
  writeFileSync(zip, zipSync(Object.fromEntries(site)))
  const headers = [`Authorization: Bearer ${key}`, 'Content-Type: application/zip']
  const { stdout } = await promisify(execFile)(
    'curl',
    ['--silent', '--show-error', '--fail-with-body', '-T', zip].concat(
      headers.flatMap((header) => ['-H', header]),
      server.url + deployPages.path.replace(':id', id),
    ),
  )
  const { deployment } = v.parse(deployPages.answers[201], JSON.parse(stdout))
  assert.equal(deployment.fileCount, files)
  return deployment.id
}
