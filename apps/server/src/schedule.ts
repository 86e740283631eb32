export interface Scheduled {
  /** Ends the repetition; resolves when a run under way has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Runs a task again and again, `intervalMs` after each end of it, never twice at once. A failure is
 * reported and the next run comes all the same.
 */
export function repeat(
  intervalMs: number,
  task: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Scheduled {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  const run = async () => {
    try {
      await task()
    } catch (error) {
      onFailure(error)
    }
    arm()
  }
  const arm = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, intervalMs)
    timer.unref()
  }
  arm()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
