import type { IslandCard } from '@astropelago/contract/islands'
import { expect, onTestFinished } from 'vitest'
import { carriedIslands } from '../carried-islands.ts'

/** Shows these islands at their carriers until the test ends. */
export async function carryIslands(...islands: readonly IslandCard[]): Promise<void> {
  const fetchList = async () => ({ islands, position: undefined })
  onTestFinished(carriedIslands.follow({ feed: undefined, fetchList }))
  await expect.poll(() => carriedIslands.deviceIds().length).toBe(islands.length)
}
