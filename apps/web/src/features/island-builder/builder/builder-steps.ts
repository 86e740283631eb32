import { useSearchParams } from 'react-router'

/** From a name to an island that others can visit. */
export const builderSteps = [
  { id: 'details', name: 'Details' },
  { id: 'picture', name: 'Picture' },
  { id: 'publish', name: 'Publish' },
] as const

export type BuilderStep = (typeof builderSteps)[number]['id']

interface BuilderPlace {
  /** The id of the draft, once it exists. */
  readonly islandId: string | undefined
  readonly step: BuilderStep
}

/** The draft and the step in the address. */
export function useBuilderPlace(): BuilderPlace {
  const [parameters] = useSearchParams()
  const islandId = parameters.get('island') ?? undefined
  const asked = parameters.get('step')
  const step = builderSteps.find(({ id }) => id === asked)?.id ?? 'details'
  // Without a draft, there is nothing to publish.
  return { islandId, step: islandId === undefined ? 'details' : step }
}

/** What the address already says about a new island, depending on where the user came from. */
export interface KnownBefore {
  /** The id of the device that will carry it. */
  readonly device: string | undefined
  readonly name: string | undefined
}

export function useKnownBefore(): KnownBefore {
  const [parameters] = useSearchParams()
  return {
    device: parameters.get('device') ?? undefined,
    name: parameters.get('name') ?? undefined,
  }
}
