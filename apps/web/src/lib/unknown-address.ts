import * as v from 'valibot'

const UnknownState = v.object({ unknown: v.string() })

/** What a history entry remembers of an address that led nowhere, for the page that one is led to instead. */
export function unknownState(path: string): v.InferInput<typeof UnknownState> {
  return { unknown: path }
}

/** The address that led nowhere, if one did. */
export function unknownAddress(state: unknown): string | undefined {
  const parsed = v.safeParse(UnknownState, state)
  return parsed.success ? parsed.output.unknown : undefined
}
