import {
  listNeighbours,
  type Neighbour,
  type NeighbourIsland,
} from '@astropelago/contract/neighbours'
import { answerApi } from './answer-api.ts'

export function sampleNeighbour(details: Partial<Neighbour> = {}): Neighbour {
  return {
    id: 'reef',
    name: 'Reef Sky',
    address: 'https://reef.example',
    colour: 1,
    islandCount: 2,
    deviceCount: 3,
    ...details,
  }
}

export function sampleNeighbourIsland(details: Partial<NeighbourIsland> = {}): NeighbourIsland {
  const { slug = 'coral-cinema' } = details
  return {
    id: `reef:${slug}`,
    neighbour: 'reef',
    slug,
    name: 'Coral Cinema',
    kind: 'media',
    picture: 7,
    tagline: 'Films under water',
    access: 'public',
    isOpen: true,
    deviceId: null,
    url: `https://reef.example/islands/${slug}`,
    ...details,
  }
}

/** This installation follows these others. */
export function answerNeighbours(...neighbours: readonly Neighbour[]) {
  return answerApi(listNeighbours, { status: 200, body: { neighbours: [...neighbours] } })
}
