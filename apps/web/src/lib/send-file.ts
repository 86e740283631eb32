import type { AnswerBody, Route } from '@astropelago/contract/route'
import { parseAnswer } from './call.ts'
import { ConnectionError, jsonOrUndefined, routeUrl } from './fetch-answer.ts'

interface SendOptions {
  readonly params: Readonly<Record<string, string>>
  readonly file: Blob
  readonly signal?: AbortSignal
  /** Called with the bytes that were sent so far. */
  readonly onSent?: (bytes: number) => void
}

/**
 * `call` for a body that takes long to send, without a limit of time. @throws ApiError for a refusal,
 * ConnectionError without an answer, the signal's AbortError
 */
export async function sendFile<const R extends Route>(
  route: R,
  { params, file, signal, onSent }: SendOptions,
): Promise<AnswerBody<R>> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // `fetch` does not tell how much of a body it has sent.
  const request = new XMLHttpRequest()
  request.open(route.method, routeUrl(route, { params }))
  request.setRequestHeader('Content-Type', route.bodyType ?? file.type)
  request.upload.addEventListener('progress', ({ loaded }) => onSent?.(loaded))
  request.addEventListener('load', () => resolve())
  request.addEventListener('error', () => reject(new ConnectionError('No answer came')))
  const abort = () => {
    request.abort()
    reject(signal?.reason)
  }
  signal?.addEventListener('abort', abort)
  try {
    request.send(file)
    await promise
  } finally {
    signal?.removeEventListener('abort', abort)
  }
  const retryAfter = request.getResponseHeader('retry-after')
  return parseAnswer(route, {
    status: request.status,
    headers: new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter }),
    body: jsonOrUndefined(request.responseText),
  })
}
