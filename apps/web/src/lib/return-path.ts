import * as v from 'valibot'

/** A path of this site: `//host` would leave it. */
export const SitePath = v.pipe(v.string(), v.regex(/^\/(?![/\\])/))
const ReturnState = v.object({ returnTo: SitePath })

interface Place {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/**
 * What a history entry remembers of where somebody was going when a sign-in came between.
 * @param before what the place's own entry remembers: somebody who was going elsewhere was led there
 */
export function returnState(
  { pathname, search, hash }: Place,
  before?: unknown,
): v.InferInput<typeof ReturnState> {
  return { returnTo: returnPath(before) ?? `${pathname}${search}${hash}` }
}

/** The place remembered in a history entry's state, if there is one on this site. */
export function returnPath(state: unknown): string | undefined {
  const parsed = v.safeParse(ReturnState, state)
  return parsed.success ? parsed.output.returnTo : undefined
}
