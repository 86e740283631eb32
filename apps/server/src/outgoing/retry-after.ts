/** Retries wait no longer than this, whatever the answer asks for. */
const maxMs = 24 * 3_600_000

/**
 * How long an answer asks to be left alone (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3): seconds
 * or a date; undefined if it does not, or in no readable form.
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  // Some services, such as Discord, send fractions of a second.
  const waitMs = /^\d{1,10}(?:\.\d{1,6})?$/.test(text)
    ? Number(text) * 1000
    : /[A-Za-z]/.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(Math.ceil(waitMs), 0), maxMs)
}
