const retryBaseMs = 1000
const retryCapMs = 30_000

/**
 * How long to wait before the next try: anything up to a bound that doubles with each failure ("full
 * jitter"), so that the readers of a server that was away do not come back all at once.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 *
 * @param failures How many there were in a row before this one.
 */
export function reconnectDelayMs(failures: number, random: () => number): number {
  return random() * Math.min(retryCapMs, retryBaseMs * 2 ** failures)
}
