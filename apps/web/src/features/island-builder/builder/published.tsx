import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../../lib/link-button.tsx'
import { EnterLink } from '../../../islands/enter-link.tsx'
import { isDraft } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { IslandSky } from '../../../islands/island-card.tsx'
import { IslandPicture } from '../../../islands/island-picture.tsx'

export function Published({ island }: { island: OwnIsland }) {
  const { id, slug, name, kind, picture, access, isRelayed, isHosted, carrier } = island
  const { relayAddress } = island
  const isPrivate = access === 'invited'
  const isForDemo = isDraft(island)
  const page = `${window.location.origin}${paths.island(slug)}`
  const hasEntrance = isHosted && relayAddress !== null
  return (
    <Card>
      <IslandSky className="h-56 rounded-control border border-line sm:h-72">
        <IslandPicture picture={picture} kind={kind} className="h-full" />
      </IslandSky>
      <p className="text-sm text-muted wrap-anywhere">
        {isForDemo ? <ForDemo name={name} /> : <WhereItIs island={island} />} {stateText(island)}
      </p>
      {!isForDemo && <CodeBlock label={t`Its address`} text={page} />}
      <div className="flex flex-wrap gap-3">
        {isRelayed && (
          <LinkButton to={paths.connectHosting(carrier?.id, id)}>
            <Trans>Run it on your device</Trans>
          </LinkButton>
        )}
        {hasEntrance && (
          <EnterLink href={relayAddress} size="default">
            {isForDemo ? t`Open it` : t`Enter`}
          </EnterLink>
        )}
        {isHosted && !isForDemo && <ShareButton name={name} address={page} />}
        {isHosted && (
          <LinkButton to={paths.islandSettings(slug, 'pages')} variant="outline">
            <Trans>Change the pages</Trans>
          </LinkButton>
        )}
        <LinkButton
          to={paths.island(slug)}
          variant={isRelayed || hasEntrance ? 'outline' : 'default'}
        >
          <Trans>Go to your island</Trans>
        </LinkButton>
        {isPrivate && !isForDemo && (
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

function ForDemo({ name }: { name: string }) {
  return (
    <Trans>
      <bdi className="font-medium text-ink">{name}</bdi> is there. Only you can open it, and it is
      gone 24 hours after your demo began. Register to publish an island.
    </Trans>
  )
}

function stateText({ isRelayed, isHosted, isOpen, address, relayAddress }: OwnIsland) {
  if (isRelayed) {
    return isOpen
      ? t`It is open. The agent on your device is connected.`
      : t`It opens as soon as it runs on your device.`
  }
  if (isHosted) {
    return isOpen && relayAddress !== null
      ? t`Its pages are at ${relayAddress}`
      : t`It stays closed until it has pages.`
  }
  return address === null && t`It stays closed until it has a link.`
}

/** Only where the device can share, such as on phones. */
function ShareButton({ name, address }: { name: string; address: string }) {
  // Older browsers have no such function.
  if (!('share' in navigator)) return null
  const share = async () => {
    try {
      await navigator.share({ title: name, url: address })
    } catch {
      // The user changed their mind, and the address is there to copy.
    }
  }
  return (
    <Button variant="outline" onClick={() => void share()}>
      <Trans>Share…</Trans>
    </Button>
  )
}
