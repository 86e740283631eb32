import * as v from 'valibot'

const UnknownState = v.object({ unknown: v.string() })

/** Tells the next page which unknown address the visitor came from. */
export function unknownState(path: string): v.InferInput<typeof UnknownState> {
  return { unknown: path }
}

export function unknownAddress(state: unknown): string | undefined {
  const parsed = v.safeParse(UnknownState, state)
  return parsed.success ? parsed.output.unknown : undefined
}
