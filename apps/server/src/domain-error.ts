import type { FieldErrors } from '@astropelago/contract/error-body'
import type { ErrorCode } from '@astropelago/contract/errors'

interface DomainErrorOptions {
  readonly fields?: FieldErrors
  readonly retryAfterS?: number
  readonly cause?: unknown
}

/**
 * A refusal with a code of the contract. It knows nothing about HTTP; the error handler maps codes to
 * statuses.
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, { fields, retryAfterS, cause }: DomainErrorOptions = {}) {
    super(code, { cause })
    this.name = 'DomainError'
    this.code = code
    this.fields = fields
    this.retryAfterS = retryAfterS
  }
}
