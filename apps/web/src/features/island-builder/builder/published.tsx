import { LinkButton } from '../../../lib/link-button.tsx'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { paths } from '../../../paths.ts'
import { Card } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { IslandSky } from '../../../islands/island-card.tsx'
import { IslandPicture } from '../../../islands/island-picture.tsx'

export function Published({ island }: { island: OwnIsland }) {
  const { id, slug, kind, picture, access, address, isRelayed, carrier } = island
  const isPrivate = access === 'invited'
  return (
    <Card>
      <IslandSky className="h-56 rounded-control border border-line sm:h-72">
        <IslandPicture picture={picture} kind={kind} className="h-full" />
      </IslandSky>
      <p className="text-sm text-muted wrap-anywhere">
        <WhereItIs island={island} />{' '}
        {isRelayed
          ? island.isOpen
            ? t`It is open. The agent on your device is connected.`
            : t`It opens as soon as it runs on your device.`
          : address === null && t`It stays closed until it has a link.`}
      </p>
      <CodeBlock label={t`Its address`} text={`${window.location.origin}${paths.island(slug)}`} />
      <div className="flex flex-wrap gap-3">
        {isRelayed && (
          <LinkButton to={paths.connectHosting(carrier?.id, id)}>
            <Trans>Run it on your device</Trans>
          </LinkButton>
        )}
        <LinkButton to={paths.island(slug)} variant={isRelayed ? 'outline' : 'default'}>
          <Trans>Go to your island</Trans>
        </LinkButton>
        {isPrivate && (
          <LinkButton to={paths.islandSettings(slug, 'invitations')} variant="outline">
            <Trans>Invite somebody</Trans>
          </LinkButton>
        )}
        <LinkButton to={paths.islandSettings(slug)} variant="ghost">
          <Trans>Settings</Trans>
        </LinkButton>
      </div>
    </Card>
  )
}

function WhereItIs({ island }: { island: OwnIsland }) {
  const { access, isListed } = island
  const name = <bdi className="font-medium text-ink">{island.name}</bdi>
  if (isListed) return <Trans>{name} is in Explore, where everybody can find it.</Trans>
  if (access === 'invited') {
    return <Trans>{name} is only for people that you invite. Nobody else can see it.</Trans>
  }
  return <Trans>{name} is in no list. People who have its address can open it.</Trans>
}
