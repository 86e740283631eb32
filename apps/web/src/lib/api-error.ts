import { ErrorBody, errors, type ErrorCode, type FieldErrors } from '@astropelago/contract/errors'
import * as v from 'valibot'

interface Refusal {
  readonly status: number
  readonly code: string
  readonly sentence: string
  readonly fields: FieldErrors
  readonly error: string | undefined
}

/** The server answered, and refused. Branch on `code`; show `sentence`, and `fields` at their fields. */
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

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** Reads a refusal's body; what is not ours (a proxy's page, say) becomes `server_error`. */
export function apiErrorFrom(status: number, body: unknown): ApiError {
  const parsed = v.safeParse(ErrorBody, body)
  if (!parsed.success) {
    const { sentence } = errors.server_error
    return new ApiError({ status, code: 'server_error', sentence, fields: {}, error: undefined })
  }
  const { code, error, fields = {} } = parsed.output
  // On /api/auth/* the error field is the code itself, which is nothing to show to a person.
  const sentence = error === code && isErrorCode(code) ? errors[code].sentence : error
  return new ApiError({ status, code, sentence, fields, error })
}
