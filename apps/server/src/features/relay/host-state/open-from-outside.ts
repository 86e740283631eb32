import { createHash, randomBytes } from 'node:crypto'
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { OutsideResult } from '@astropelago/contract/island-relay'
import { relayPath } from '@astropelago/contract/relay-access'
import { sendLine } from '../../../http/short-answers.ts'
import type { RequestedHost } from '../visitors/read-host.ts'

const answerMs = 10_000
const proofBytes = 64
const proofFolder = `${relayPath}proof/`
const noncePattern = /^[\da-f]{32}$/

export type AddressResult = Exclude<OutsideResult, 'no-agent' | 'refused' | 'timeout' | 'broken'>

/** As a visitor would, through any proxy, at an address below the relay's domain. Follows no redirects. */
export async function openFromOutside(options: {
  readonly address: string
  readonly publicUrl: string
  readonly slug: string
  readonly timeoutMs?: number
}): Promise<AddressResult> {
  const { address, publicUrl, slug, timeoutMs = answerMs } = options
  const nonce = randomBytes(16).toString('hex')
  const url = new URL(proofFolder + nonce, address)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await get(url, signal)
    const isOurs =
      answer.statusCode === 200 &&
      (await readProof(answer)) === outsideProof(publicUrl, slug, nonce)
    return isOurs ? 'opened' : 'another-server'
  } catch (error) {
    return signal.aborted ? 'no-answer' : failureOf(error)
  }
}

function get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(url, {
      agent: false,
      signal,
      headers: { 'user-agent': 'Astropelago-Relay-Check' },
      // Browsers resolve these names themselves (RFC 6761), but not every system does.
      ...(url.hostname.endsWith('.localhost') && { lookup: lookUpLoopback }),
    })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
}

async function readProof(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer) {
    text += String(chunk)
    if (text.length > proofBytes) break
  }
  return text
}

export function failureOf(error: unknown): AddressResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(code)) return 'no-name'
  // OpenSSL's codes for certificates it does not trust and for peers that do not speak TLS.
  if (/CERT|^ERR_(?:TLS|SSL)_|^UNABLE_TO_|^EPROTO$/.test(code)) return 'certificate'
  if (code.startsWith('HPE_')) return 'another-server'
  return 'unreachable'
}

const lookUpLoopback: LookupFunction = (_, { all }, found) => {
  if (all === true) {
    found(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  } else found(null, '127.0.0.1', 4)
}

/** What this installation answers at that path. Not secret, but no other server would give it by chance. */
export function outsideProof(publicUrl: string, slug: string, nonce: string): string {
  return createHash('sha256').update(`${publicUrl} ${slug} ${nonce}`).digest('hex')
}

/** Every name below the relay's domain has this path, so it reveals nothing. @returns whether it answered */
export function answersProof(
  response: ServerResponse,
  host: RequestedHost,
  publicUrl: string,
): boolean {
  if (host.kind !== 'island' || response.req.method !== 'GET') return false
  if (!host.path.startsWith(proofFolder)) return false
  const nonce = host.path.slice(proofFolder.length)
  if (!noncePattern.test(nonce)) return false
  sendLine(response, { status: 200, text: outsideProof(publicUrl, host.slug, nonce) })
  return true
}
