import * as v from 'valibot'
import { SitePath } from './return-path.ts'
import { storedValue } from './stored-value.ts'

/** After this time the visitor has most likely moved on to something else. */
const validMs = 30 * 60_000

const stored = storedValue(
  'astropelago.way-back',
  v.object({ path: SitePath, untilMs: v.number() }),
  () => window.sessionStorage,
)

/** Where the visitor was before the sign-in. Closing the dialog does not lose it. */
export function keepWayBack(path: string): void {
  stored.write({ path, untilMs: Date.now() + validMs })
}

/** Undefined if nothing was stored or it is too old. */
export function readWayBack(): string | undefined {
  const found = stored.read()
  return found !== undefined && Date.now() < found.untilMs ? found.path : undefined
}

export function forgetWayBack(): void {
  stored.clear()
}
