/** What `spark` rejects with. Pages branch on the code. */
export interface SparkError extends Error {
  readonly code: string
}

export function sparkError(code: string, message: string): SparkError {
  return Object.assign(new Error(message), { code })
}

/** @throws SparkError if the value can't be JSON, or is too long as one */
export function jsonOf(value: unknown, maxBytes: number, what = 'A value'): string {
  const json = stringify(value)
  if (json === undefined) throw sparkError('invalid_input', `${what} has to be JSON.`)
  if (new TextEncoder().encode(json).length > maxBytes) {
    throw sparkError('too_large', `${what} has at most ${maxBytes} bytes.`)
  }
  return json
}

/** Undefined for what can't be JSON, such as functions, loops and large integers. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
