import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../../http/negotiation.ts'

/** An answer as it goes over the wire, the same for all who ask. */
export interface PreparedAnswer {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  /** When what it tells of last changed, where that is known. */
  readonly modifiedMs: number | undefined
  /** Beside its type: those of an answer without a body, too. */
  readonly headers: Readonly<Record<string, string>>
}

/** For whatever page shows it: to be asked for each time, and not sent again where it did not change. */
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

/** Of whoever names an ETag no time counts (RFC 9110, 13.1.3). */
function isUnchanged({ headers }: FastifyRequest, { etag, modifiedMs }: PreparedAnswer): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag)
  const sinceMs = Date.parse(headers['if-modified-since'] ?? '')
  return modifiedMs !== undefined && Math.floor(modifiedMs / 1000) * 1000 <= sinceMs
}
