import * as v from 'valibot'
import { storedValue } from '../../../lib/stored-value.ts'

/** Islands whose browser states are remembered; past that the oldest is asked about anew. */
const keptMax = 100

/** The last state of each island, the newest island last. */
const kept = storedValue(
  'astropelago.browser-states',
  v.array(v.object({ slug: v.string(), state: v.string() })),
)

/**
 * Whether somebody here has gone in with that state before. Any page can open this one with the state of another
 * browser, whose ticket would then let that browser in.
 */
export function wasPressed(slug: string, state: string): boolean {
  return kept.read()?.some((one) => one.slug === slug && one.state === state) === true
}

export function rememberPress(slug: string, state: string): void {
  const others = (kept.read() ?? []).filter((one) => one.slug !== slug)
  kept.write([...others, { slug, state }].slice(-keptMax))
}
