import { DomainError } from '../../domain-error.ts'

export type HashQueue = ReturnType<typeof createHashQueue>

/** Password hashes are expensive by design, so a few run at once and the next ones wait briefly. */
export function createHashQueue({
  maxAtOnce,
  maxWaiting,
  maxWaitMs,
}: {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}) {
  /** Starts of the jobs that wait, in order of arrival. */
  const waiting = new Set<() => void>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new DomainError('overloaded', { retryAfterS: 1 }))
      if (waiting.size >= maxWaiting) {
        refuse()
        return
      }
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        refuse()
      }, maxWaitMs)
      waiting.add(start)
    })

  /** Runs a job in its turn. @throws DomainError `overloaded` if too many jobs wait, or this one too long */
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running < maxAtOnce) running += 1
    else await turn()
    try {
      return await job()
    } finally {
      // The first waiting job takes over the place of this one.
      const [next] = waiting
      if (next === undefined) running -= 1
      else {
        waiting.delete(next)
        next()
      }
    }
  }
}
