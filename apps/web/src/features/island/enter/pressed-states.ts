import * as v from 'valibot'
import { storedValue } from '../../../lib/stored-value.ts'

/** How many islands' browser states to remember. Beyond that, the oldest island asks again. */
const keptMax = 100

/** The last state of each island, most recent island last. */
const kept = storedValue(
  'astropelago.browser-states',
  v.array(v.object({ slug: v.string(), state: v.string() })),
)

/**
 * Whether a user of this browser has entered with that state before. Any site can open this page with
 * another browser's state, and the ticket would then let that other browser in.
 */
export function wasPressed(slug: string, state: string): boolean {
  return kept.read()?.some((one) => one.slug === slug && one.state === state) === true
}

export function rememberPress(slug: string, state: string): void {
  const others = (kept.read() ?? []).filter((one) => one.slug !== slug)
  kept.write([...others, { slug, state }].slice(-keptMax))
}
