import { onTestFinished, vi } from 'vitest'
import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMotion(wanted: 'reduce' | 'no-preference'): Promise<void>
  }
}

/** For the running test the visitor has not asked for reduced motion, as in all others. */
export async function allowMotion(): Promise<void> {
  await commands.emulateMotion('no-preference')
  onTestFinished(() => commands.emulateMotion('reduce'))
}

/**
 * For the running test timers and dates go on as ever, but `vi.advanceTimersByTimeAsync` moves them
 * ahead. Call it before the page is drawn.
 */
export function holdTime(): void {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...toFake] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
