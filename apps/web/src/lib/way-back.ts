import * as v from 'valibot'
import { SitePath } from './return-path.ts'
import { storedValue } from './stored-value.ts'

/** After that, whoever signs in has most likely something else in mind. */
const keptMs = 30 * 60_000

const kept = storedValue(
  'astropelago.way-back',
  v.object({ path: SitePath, untilMs: v.number() }),
  () => window.sessionStorage,
)

/** Remembers, in this tab, where somebody was who is about to sign in: closing the dialog does not lose it. */
export function keepWayBack(path: string): void {
  kept.write({ path, untilMs: Date.now() + keptMs })
}

/** Where to go on once signed in; undefined where nothing was kept, or too long ago. */
export function readWayBack(): string | undefined {
  const found = kept.read()
  return found !== undefined && Date.now() < found.untilMs ? found.path : undefined
}

export function forgetWayBack(): void {
  kept.clear()
}
