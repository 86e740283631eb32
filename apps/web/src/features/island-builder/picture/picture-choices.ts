import { seedOf } from '@astropelago/island-picture/seeded-random'

/** How many others are offered at once. */
const atOnce = 5

/** Pictures that an island could have; each turn offers other ones, and the same whenever it is asked for. */
export function pictureChoices(islandId: string, turn: number): readonly number[] {
  return Array.from({ length: atOnce }, (_, at) => seedOf(`${islandId} ${turn * atOnce + at}`))
}
