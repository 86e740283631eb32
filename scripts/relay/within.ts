/** Fails an action that takes too long, instead of waiting for ever, so that its caller can clean up. */
export async function within<T>(limitMs: number, what: string, action: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs)
  try {
    return await Promise.race([action, promise])
  } finally {
    clearTimeout(timer)
  }
}
