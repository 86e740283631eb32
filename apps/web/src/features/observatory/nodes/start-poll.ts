type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

export type Poll = ReturnType<typeof startPoll>

interface PollOptions {
  /** From the end of one load to the start of the next. */
  readonly everyMs: number
  /** Resolves when the load has ended, whether or not it succeeded. */
  readonly load: () => Promise<void>
  readonly page?: Page
}

/** Loads at once and then repeatedly. A hidden tab does not load, and catches up when it is shown. */
export function startPoll({ everyMs, load, page = document }: PollOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLoading = false
  let isStopped = false
  let isDue = false
  let isPaused = false

  const run = async () => {
    clearTimeout(timer)
    if (isLoading || isStopped) return
    isDue = false
    isLoading = true
    await load()
    isLoading = false
    if (isStopped) return
    timer = setTimeout(() => {
      isDue = true
      runIfDue()
    }, everyMs)
  }
  const runIfDue = () => {
    if (isDue && !isPaused && !page.hidden) void run()
  }

  page.addEventListener('visibilitychange', runIfDue)
  void run()

  return {
    /** Loads at once, unless a load is already running. */
    now: () => void run(),
    /** While paused, nothing loads by itself. A load that comes due runs when the pause ends. */
    setPaused(paused: boolean) {
      isPaused = paused
      runIfDue()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      page.removeEventListener('visibilitychange', runIfDue)
    },
  }
}
