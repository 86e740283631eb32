import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { relayPath } from '@astropelago/contract/relay-doors'
import type { RequestedHost } from './read-host.ts'

const folder = `${relayPath}proof/`
const noncePattern = /^[\da-f]{32}$/

/** @param nonce 32 hexadecimal digits, made for one request */
export function proofPath(nonce: string): string {
  return folder + nonce
}

/**
 * What this server, or another one of the same installation, says at that path of an island's host: no
 * secret, but nothing that somebody else says by chance.
 */
export function outsideProof(publicUrl: string, slug: string, nonce: string): string {
  return createHash('sha256').update(`${publicUrl} ${slug} ${nonce}`).digest('hex')
}

/**
 * Answers the request by which the server opens an island's address as a visitor would, and says so. Each
 * name below the relay's domain has this path, so that it tells of none whether there is an island.
 */
export function answersProof(
  { method }: IncomingMessage,
  response: ServerResponse,
  host: RequestedHost,
  publicUrl: string,
): boolean {
  if (host.kind !== 'island' || method !== 'GET' || !host.path.startsWith(folder)) return false
  const nonce = host.path.slice(folder.length)
  if (!noncePattern.test(nonce)) return false
  const proof = outsideProof(publicUrl, host.slug, nonce)
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': proof.length,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  response.end(proof)
  return true
}
