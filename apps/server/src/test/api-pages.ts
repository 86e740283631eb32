import { deployPages, type Deployment } from '@astropelago/contract/hosted-pages'
import type { AccessPolicy, OwnIsland } from '@astropelago/contract/islands'
import { strToU8, zipSync, type ZipOptions } from 'fflate'
import * as v from 'valibot'
import { makeTestIsland, publishTestIsland } from './api-islands.ts'
import type { TestBrowser } from './create-test-app.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

export function zipFiles(files: Files, options: ZipOptions = {}): Buffer {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ])
  return Buffer.from(zipSync(Object.fromEntries(entries), options))
}

export function sendZip(
  { inject }: Pick<TestBrowser, 'inject'>,
  islandId: string,
  zip: Buffer,
  headers: Readonly<Record<string, string>> = {},
) {
  return inject({
    method: 'PUT',
    url: deployPages.path.replace(':id', islandId),
    headers: { 'content-type': 'application/zip', ...headers },
    payload: zip,
  })
}

export async function deploy(
  browser: Pick<TestBrowser, 'inject'>,
  islandId: string,
  files: Files = { 'index.html': '<h1>Hello</h1>' },
): Promise<Deployment> {
  const response = await sendZip(browser, islandId, zipFiles(files))
  if (response.statusCode !== 201) throw new Error(`Not deployed: ${response.body}`)
  return v.parse(deployPages.answers[201], response.json()).deployment
}

/** An island whose visitors come to these pages; by default everybody. */
export async function publishTestPages(
  host: TestBrowser,
  files?: Files,
  to: { readonly access?: AccessPolicy; readonly isListed?: boolean } = {},
): Promise<OwnIsland> {
  const details = { address: null, isHosted: true }
  const island = await publishTestIsland(
    host,
    { access: 'public', isListed: false, ...to },
    details,
  )
  await deploy(host, island.id, files)
  return island
}

export async function makeHostedDraft(host: TestBrowser): Promise<OwnIsland> {
  return await makeTestIsland(host, { address: null, isHosted: true })
}
