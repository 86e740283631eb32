import * as v from 'valibot'

/** What a person is told where nothing better is known. */
export const serverErrorSentence = 'Something went wrong. Please try again.'

/** Sentences by field name, for the form that sent them. */
export type FieldErrors = Readonly<Record<string, string>>

/** On /api/auth/* `error` is the code itself, as the sign-in screens expect; elsewhere a sentence. */
export const ErrorBody = v.object({
  error: v.string(),
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
})
export type ErrorBody = v.InferOutput<typeof ErrorBody>
