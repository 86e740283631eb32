import { ErrorBody, type FieldErrors, serverErrorSentence } from '@astropelago/contract/error-body'
import * as v from 'valibot'

interface Refusal {
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly fields: FieldErrors
  readonly error: string | undefined
}

/**
 * The server answered, and refused. Branch on `code`; show `sentence`, and `fields` at their fields. On
 * /api/auth/* the sentence is the code: what a person reads of it stands in the contract's `errors`,
 * which are not in the first page's code.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly fields: FieldErrors
  /** The answer's own `error` field; undefined where the body was not one of ours. */
  readonly error: string | undefined

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(`${refusal.status} ${refusal.code}`, options)
    this.status = refusal.status
    this.code = refusal.code
    this.sentence = refusal.sentence
    this.fields = refusal.fields
    this.error = refusal.error
  }
}

/** No answer came, or it broke off: whether the request took effect is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly sentence = 'The connection failed. Check it and try again.'
}

const ErrorAlone = v.object({ error: v.pipe(v.string(), v.nonEmpty()) })
const codePattern = /^[a-z]+(?:_[a-z]+)*$/

/**
 * Reads a refusal's body. Of one without a code the `error` is what a person reads, and the code where it looks like
 * one; what is not ours at all (a proxy's page, say) becomes `server_error`.
 */
export function apiErrorFrom(status: number, body: unknown): ApiError {
  const parsed = v.safeParse(ErrorBody, body)
  if (parsed.success) {
    const { code, error, fields = {} } = parsed.output
    return new ApiError({ status, code, sentence: error, fields, error })
  }
  const alone = v.safeParse(ErrorAlone, body)
  if (alone.success) {
    const { error } = alone.output
    const code = codePattern.test(error) ? error : 'no_code'
    return new ApiError({ status, code, sentence: error, fields: {}, error })
  }
  const [code, sentence] = ['server_error', serverErrorSentence]
  return new ApiError({ status, code, sentence, fields: {}, error: undefined })
}
