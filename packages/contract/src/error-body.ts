import * as v from 'valibot'

/** Shown when there is no better message. */
export const serverErrorSentence = 'Something went wrong. Please try again.'

/** Sentences by field name, for the form that sent the fields. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * On /api/auth/*, `error` is the code itself, as the sign-in screens expect. Elsewhere it is a sentence.
 */
export const ErrorBody = v.object({
  error: v.string(),
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
})
export type ErrorBody = v.InferOutput<typeof ErrorBody>
