import { embedPaths } from '@astropelago/contract/embeds'
import type { IslandView } from '@astropelago/contract/islands'
import { EmbedCard } from '../../lib/embeds/embed-card.tsx'
import { NoEmbeds } from '../../lib/embeds/no-embeds.tsx'
import { paths } from '../../paths.ts'

/** The embeds of an island, if everybody may know about it. */
export function IslandEmbeds({ island }: { island: IslandView }) {
  const { slug, name, access, isListed, hidden, isOpen, since, role } = island
  if (hidden !== null || (access !== 'public' && !isListed)) {
    return (
      role === 'host' && (
        <NoEmbeds>
          {hidden === null
            ? 'Not everybody may see this island, so it has no badge and no feed. You get both when you let people find it in Explore or open it to everybody.'
            : 'While it is hidden, nobody can see its badge or its feed.'}
        </NoEmbeds>
      )
    )
  }
  return (
    <EmbedCard
      of={{
        name,
        page: paths.island(slug),
        statusBadge: embedPaths.islandStatusBadge(slug),
        uptimeBadge: embedPaths.islandUptimeBadge(slug),
        feed: embedPaths.islandFeed(slug),
      }}
      state={`${name} ${isOpen} ${since}`}
    />
  )
}
