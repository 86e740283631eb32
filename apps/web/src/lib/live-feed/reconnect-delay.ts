const retryBaseMs = 1000
const retryCapMs = 30_000

/**
 * The delay before the next try: random, up to a bound that doubles with each failure ("full jitter"). This
 * keeps the clients of a server that was down from returning all at once.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param failures failures in a row before this one
 */
export function reconnectDelayMs(failures: number, random: () => number): number {
  return random() * Math.min(retryCapMs, retryBaseMs * 2 ** failures)
}
