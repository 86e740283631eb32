import { listAllIslands, type OperatorIsland } from '@astropelago/contract/operator-islands'
import { CommandRefused, type CallRoute } from './command.ts'

const pageLength = '1000'

/** @throws CommandRefused */
export async function findBySlug(call: CallRoute, wanted: string): Promise<OperatorIsland> {
  const search = wanted.trim().toLowerCase()
  for (let after: string | undefined; ;) {
    const query = { search, after, limit: pageLength }
    const { islands, hasMore } = await call(listAllIslands, { query })
    const found = islands.find((island) => island.slug === search)
    if (found !== undefined) return found
    if (!hasMore) throw new CommandRefused(`There is no island with the slug ${wanted}.`)
    after = islands.at(-1)?.id
  }
}
