import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../../http/negotiation.ts'

/** An answer as it is sent, the same for everybody. */
export interface PreparedAnswer {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  /** When the subject last changed, if that is known. */
  readonly modifiedMs: number | undefined
  /** All except the type. Answers without a body have them too. */
  readonly headers: Readonly<Record<string, string>>
}

/** Any page may embed it. Clients ask each time, and get it again only if it changed. */
export const forAnyPage = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function prepareAnswer(text: string, type: string, modifiedMs?: number): PreparedAnswer {
  const body = Buffer.from(text)
  const etag = etagOf(body)
  const modified = modifiedMs !== undefined && {
    'last-modified': new Date(modifiedMs).toUTCString(),
  }
  return { body, type, etag, modifiedMs, headers: { ...forAnyPage, etag, ...modified } }
}

export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PreparedAnswer,
): { readonly status: 304 } | undefined {
  reply.headers(answer.headers)
  if (isUnchanged(request, answer)) return { status: 304 }
  reply.type(answer.type).send(answer.body)
  return undefined
}

/** If the client sends an ETag, its time is ignored (RFC 9110, 13.1.3). */
function isUnchanged({ headers }: FastifyRequest, { etag, modifiedMs }: PreparedAnswer): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag)
  const sinceMs = Date.parse(headers['if-modified-since'] ?? '')
  return modifiedMs !== undefined && Math.floor(modifiedMs / 1000) * 1000 <= sinceMs
}
