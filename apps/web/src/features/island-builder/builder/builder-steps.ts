import { useSearchParams } from 'react-router'

/** From a name to an island that others can visit. */
export const builderSteps = [
  { id: 'details', name: 'Details' },
  { id: 'picture', name: 'Picture' },
  { id: 'publish', name: 'Publish' },
] as const

export type BuilderStep = (typeof builderSteps)[number]['id']

interface BuilderPlace {
  /** The id of a draft that was begun. */
  readonly islandId: string | undefined
  readonly step: BuilderStep
}

/** Which island the address names, and how far its making is. */
export function useBuilderPlace(): BuilderPlace {
  const [parameters] = useSearchParams()
  const islandId = parameters.get('island') ?? undefined
  const asked = parameters.get('step')
  const step = builderSteps.find(({ id }) => id === asked)?.id ?? 'details'
  // Before there is a draft, nothing can be published.
  return { islandId, step: islandId === undefined ? 'details' : step }
}

/** What is known of a new island before anything is asked, from where somebody came. */
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
