import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { isDraft, ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { Rooms } from '../../../islands/rooms/rooms.tsx'
import { useOwnStream } from '../../../lib/live-feed/use-streams.ts'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { AccessForm } from '../access/access-form.tsx'
import { NoOwnIsland } from '../not-yours.tsx'
import { PagesPart } from '../pages/pages-part.tsx'
import { InvitationsCard } from '../people/invitations-card.tsx'
import { BlockedCard, MembersCard } from '../people/members-card.tsx'
import { RequestsCard } from '../people/requests-card.tsx'
import { CloseCard } from './close-card.tsx'
import { DetailsPart } from './details-part.tsx'
import { NeighboursCard } from './neighbours-card.tsx'
import { PauseCard } from './pause-card.tsx'
import { PicturePart } from './picture-part.tsx'
import { RuntimePart } from './runtime-part.tsx'
import { SettingsHeader } from './settings-header.tsx'
import {
  SettingsNavigation,
  type SettingsPart,
  useFollowSlug,
  useSettingsPart,
} from './settings-navigation.tsx'

export function IslandSettingsPage() {
  const { slug = '' } = useParams()
  const query = useQuery(ownIslandsQuery)
  const island = query.data?.find((own) => hasSlug(own, slug.toLowerCase()))
  const part = useSettingsPart()
  const Content = contents[part.id]
  useOwnStream()
  usePageTitle(island === undefined ? t`Island settings` : `${part.name} · ${island.name}`)
  if (island) {
    return (
      <>
        <SettingsHeader island={island} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10">
          <SettingsNavigation island={island} />
          <div className="flex min-w-0 flex-col gap-6">
            <Content key={island.id} island={island} />
          </div>
        </div>
      </>
    )
  }
  return <NoOwnIsland query={query} />
}

function hasSlug({ slug, oldSlugs }: OwnIsland, asked: string): boolean {
  return slug === asked || oldSlugs.some((old) => old.slug === asked)
}

const contents: Readonly<Record<SettingsPart['id'], ComponentType<{ island: OwnIsland }>>> = {
  details: DetailsPart,
  pages: PagesPart,
  rooms: ({ island: { id } }) => <Rooms of={{ islandId: id, by: 'host' }} />,
  runtime: RuntimePart,
  picture: PicturePart,
  door: AccessPart,
  pause: PauseCard,
  members: ({ island: { id } }) => (
    <>
      <MembersCard islandId={id} />
      <BlockedCard islandId={id} />
    </>
  ),
  invitations: ({ island: { id } }) => <InvitationsCard islandId={id} />,
  requests: ({ island: { id } }) => <RequestsCard islandId={id} />,
  neighbours: NeighboursCard,
  close: CloseCard,
}

function AccessPart({ island }: { island: OwnIsland }) {
  const followSlug = useFollowSlug()
  const showToast = useToast()
  return (
    <Card title={t`Door`} description={t`Who sees your island, and who may enter.`}>
      <AccessForm
        key={island.slug}
        island={island}
        onPublished={(published) => {
          showToast({ title: isDraft(island) ? t`Your island is published` : t`Door saved` })
          followSlug(published)
        }}
      />
    </Card>
  )
}
