import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../../http/negotiation.ts'

/** An answer as it goes over the wire, the same for all who ask. */
export interface PreparedAnswer {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  /** Beside its type: those of an answer without a body, too. */
  readonly headers: Readonly<Record<string, string>>
}

/** For whatever page shows it: to be asked for each time, and not sent again where it did not change. */
export function prepareAnswer(text: string, type: string): PreparedAnswer {
  const body = Buffer.from(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, type, etag, headers: { ...forAnyPage, etag } }
}

const forAnyPage = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, etag, headers }: PreparedAnswer,
): { readonly status: 304 } | undefined {
  reply.headers(headers)
  if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304 }
  reply.type(type).send(body)
  return undefined
}
