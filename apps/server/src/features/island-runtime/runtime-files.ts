import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { agreedPath, runtimeScriptPath } from '@astropelago/contract/island-runtime'
import { acceptsEncoding, etagOf, matchesEtag } from '../../http/negotiation.ts'
import { plainHeaders } from '../../http/short-answers.ts'

interface Script {
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly etag: string
}

/** The scripts of `spark` on islands, and the page that ends a visitor’s consent. @param webDir of the build */
export async function readRuntimeFiles(webDir: string | undefined) {
  const [island, preview, agreed] = await Promise.all(
    ['island.js', 'preview.js', 'agreed.js'].map((name) => readScript(webDir, name)),
  )
  const agreedScript = agreed?.plain.toString() ?? ''
  const agreedHash = createHash('sha256').update(agreedScript).digest('base64')
  const agreedPage = Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You can close this window</title>
<p>You can close this window, and go on in the other one.</p>
<script>${agreedScript}</script>
</html>
`)

  return {
    /** Every name below the relay’s domain has them, so they reveal nothing. @returns whether it answered */
    answers: (response: ServerResponse, path: string, isPreview: boolean): boolean => {
      const [pathname] = path.split('?', 1)
      const { method } = response.req
      if (method !== 'GET' && method !== 'HEAD') return false
      if (pathname === runtimeScriptPath) {
        const script = isPreview ? preview : island
        if (script === undefined) return false
        send(response, script)
        return true
      }
      if (pathname !== agreedPath) return false
      response
        .writeHead(200, {
          ...plainHeaders,
          'content-type': 'text/html; charset=utf-8',
          'content-length': agreedPage.length,
          'content-security-policy': `default-src 'none'; script-src 'sha256-${agreedHash}'; frame-ancestors 'none'; base-uri 'none'`,
        })
        .end(agreedPage)
      return true
    },
  }
}

async function readScript(webDir: string | undefined, name: string): Promise<Script | undefined> {
  if (webDir === undefined) return undefined
  const path = join(webDir, '_spark', name)
  const plain = await readFile(path).catch(() => undefined)
  if (plain === undefined) return undefined
  return {
    plain,
    gzip: await readFile(`${path}.gz`).catch(() => undefined),
    etag: etagOf(plain),
  }
}

function send(response: ServerResponse, script: Script): void {
  const { headers } = response.req
  const shared = {
    ...plainHeaders,
    etag: script.etag,
    vary: 'accept-encoding',
    'cache-control': 'no-cache',
  }
  if (matchesEtag(headers['if-none-match'], script.etag)) {
    response.writeHead(304, shared).end()
    return
  }
  const isGzip = script.gzip !== undefined && acceptsEncoding(headers['accept-encoding'], 'gzip')
  const body = isGzip && script.gzip !== undefined ? script.gzip : script.plain
  response
    .writeHead(200, {
      ...shared,
      ...(isGzip && { 'content-encoding': 'gzip' }),
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': body.length,
    })
    .end(body)
}
