import { onTestFinished, vi } from 'vitest'
import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMotion(wanted: 'reduce' | 'no-preference'): Promise<void>
  }
}

/** Lets things move for the running test. By default visitors prefer reduced motion. */
export async function allowMotion(): Promise<void> {
  await commands.emulateMotion('no-preference')
  onTestFinished(() => commands.emulateMotion('reduce'))
}

/**
 * For the running test, `vi.advanceTimersByTimeAsync` moves timers and dates ahead. They also continue in
 * real time. Call it before the page renders.
 */
export function holdTime(): void {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...toFake] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
