import * as v from 'valibot'
import { SitePath } from './return-path.ts'
import { storedValue } from './stored-value.ts'

/** After this time the visitor has most likely moved on to something else. */
const keptMs = 30 * 60_000

const kept = storedValue(
  'astropelago.way-back',
  v.object({ path: SitePath, untilMs: v.number() }),
  () => window.sessionStorage,
)

/** Where the visitor was before the sign-in. Closing the dialog does not lose it. */
export function keepWayBack(path: string): void {
  kept.write({ path, untilMs: Date.now() + keptMs })
}

/** Undefined if nothing was stored or it is too old. */
export function readWayBack(): string | undefined {
  const found = kept.read()
  return found !== undefined && Date.now() < found.untilMs ? found.path : undefined
}

export function forgetWayBack(): void {
  kept.clear()
}
