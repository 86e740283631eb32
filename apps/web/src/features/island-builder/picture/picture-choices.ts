import { seedOf } from '@astropelago/island-picture/seeded-random'

const atOnce = 5

/**
 * Pictures that an island could have. Each turn offers different ones, but always the same for the same
 * turn.
 */
export function pictureChoices(islandId: string, turn: number): readonly number[] {
  return Array.from({ length: atOnce }, (_, at) => seedOf(`${islandId} ${turn * atOnce + at}`))
}
