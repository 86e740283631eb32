import * as v from 'valibot'

/** A path on this site. `//host` would lead to another one. */
export const SitePath = v.pipe(v.string(), v.regex(/^\/(?![/\\])/))
const ReturnState = v.object({ returnTo: SitePath })

interface Place {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/** @param before the state of the current history entry, whose own return path wins */
export function returnState(
  { pathname, search, hash }: Place,
  before?: unknown,
): v.InferInput<typeof ReturnState> {
  return { returnTo: returnPath(before) ?? `${pathname}${search}${hash}` }
}

/** Undefined unless the path is on this site. */
export function returnPath(state: unknown): string | undefined {
  const parsed = v.safeParse(ReturnState, state)
  return parsed.success ? parsed.output.returnTo : undefined
}
