import { DomainError } from '../../domain-error.ts'

interface HashQueueOptions {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/**
 * Runs a job in its turn.
 * @throws DomainError `overloaded` if too many jobs wait, or this one waits too long
 */
export type HashQueue = <Result>(job: () => Promise<Result>) => Promise<Result>

interface Waiter {
  readonly start: () => void
}

/** Password hashes are expensive by design, so a few run at once and the next ones wait briefly. */
export function createHashQueue({ maxAtOnce, maxWaiting, maxWaitMs }: HashQueueOptions): HashQueue {
  /** In order of arrival. */
  const waiters = new Set<Waiter>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      if (waiters.size >= maxWaiting) {
        reject(new DomainError('overloaded', { retryAfterS: 1 }))
        return
      }
      const timer = setTimeout(() => {
        waiters.delete(waiter)
        reject(new DomainError('overloaded', { retryAfterS: 1 }))
      }, maxWaitMs)
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      waiters.add(waiter)
    })

  /** Hands the slot of a finished job to the first waiter. */
  const handOver = () => {
    const [next] = waiters
    if (next === undefined) {
      running -= 1
      return
    }
    waiters.delete(next)
    next.start()
  }

  return async (job) => {
    if (running < maxAtOnce) running += 1
    else await turn()
    try {
      return await job()
    } finally {
      handOver()
    }
  }
}
