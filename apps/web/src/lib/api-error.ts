import { ErrorBody, type FieldErrors, serverErrorSentence } from '@astropelago/contract/error-body'
import * as v from 'valibot'
import { translateServerSentence } from '../language/server-sentence.ts'

interface Refusal {
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly fields: FieldErrors
  readonly error: string | undefined
  readonly retryAfterS?: number | undefined
}

/**
 * Branch on `code`. `sentence` and `fields` are in the page's language. On /api/auth/* `sentence` is the
 * code: errorSentence has the text.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly fields: FieldErrors
  /** The answer's `error` field; undefined if the body is not one of ours. */
  readonly error: string | undefined
  /** How long to wait before the next try; undefined if the server did not say. */
  readonly retryAfterS: number | undefined

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(`${refusal.status} ${refusal.code}`, options)
    this.status = refusal.status
    this.code = refusal.code
    this.sentence = translateServerSentence(refusal.sentence)
    this.fields = Object.fromEntries(
      Object.entries(refusal.fields).map(([name, text]) => [name, translateServerSentence(text)]),
    )
    this.error = refusal.error
    this.retryAfterS = refusal.retryAfterS
  }
}

const ErrorAlone = v.object({ error: v.pipe(v.string(), v.nonEmpty()) })
const codePattern = /^[a-z]+(?:_[a-z]+)*$/

interface AnswerFacts extends ErrorOptions {
  /** The header Retry-After. */
  readonly retryAfter?: string | null
}

/** A foreign body, such as a proxy's page, becomes `server_error`. */
export function apiErrorFrom(status: number, body: unknown, facts: AnswerFacts = {}): ApiError {
  const { retryAfter, ...options } = facts
  const retryAfterS = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  const parsed = v.safeParse(ErrorBody, body)
  if (parsed.success) {
    const { code, error, fields = {} } = parsed.output
    return new ApiError({ status, code, sentence: error, fields, error, retryAfterS })
  }
  const alone = v.safeParse(ErrorAlone, body)
  if (alone.success) {
    const { error } = alone.output
    const code = codePattern.test(error) ? error : 'no_code'
    return new ApiError({ status, code, sentence: error, fields: {}, error, retryAfterS })
  }
  const [code, sentence] = ['server_error', serverErrorSentence]
  const refusal = { status, code, sentence, fields: {}, error: undefined, retryAfterS }
  return new ApiError(refusal, options)
}
