import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { relayPath } from '@astropelago/contract/relay-access'
import type { RequestedHost } from './read-host.ts'

const folder = `${relayPath}proof/`
const noncePattern = /^[\da-f]{32}$/

/** @param nonce 32 hexadecimal digits, made for one request */
export function proofPath(nonce: string): string {
  return folder + nonce
}

/** What this installation answers at that path. Not secret, but no other server would give it by chance. */
export function outsideProof(publicUrl: string, slug: string, nonce: string): string {
  return createHash('sha256').update(`${publicUrl} ${slug} ${nonce}`).digest('hex')
}

/**
 * Answers the server's own check of an island's address. Every name below the relay's domain has this path,
 * so it reveals nothing about islands.
 * @returns whether it answered
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
