const retries = 3

/** The pause before the nth retry, from 1: 2, 8 and 24 ms. */
export function retryPauseMs(n: number): number {
  return n * 2 ** n
}

/** Tries, and tries again three times after growing pauses; fails as the last try failed. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n <= retries; n++) {
    try {
      return await attempt()
    } catch {
      // What is wrong is told by the last try, below.
      await new Promise((resolve) => {
        setTimeout(resolve, retryPauseMs(n))
      })
    }
  }
  return attempt()
}
