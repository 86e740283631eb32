import type { IslandView } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import EyeOff from 'virtual:icon/eye-off'
import PencilRuler from 'virtual:icon/pencil-ruler'
import Unplug from 'virtual:icon/unplug'
import { KindMark } from '../../islands/island-marks.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { PeopleHere } from '../../islands/people-here.tsx'
import { RelayedStatus } from '../../islands/relayed-status.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { NameLink } from '../../lib/name-link.tsx'
import type { Session } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { entranceOf } from './entrance.ts'
import { Entry } from './entry.tsx'
import { Membership } from './membership.tsx'

/** Shared with the skeleton. */
export const headerGrid =
  'grid items-center gap-x-10 gap-y-6 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]'

interface IslandHeaderProps {
  island: IslandView
  session: Session
  follow: ReactNode
}

export function IslandHeader({ island, session, follow }: IslandHeaderProps) {
  const { id, slug, name, kind, picture, tagline, role, deviceId } = island
  const isDemo = session.state === 'signed-in' && session.user.isDemo
  const hosted = <Hosted island={island} />
  return (
    <section aria-label={name} className={headerGrid}>
      <IslandPicture
        picture={picture}
        kind={kind}
        className="mx-auto w-full max-w-72 md:max-w-md"
      />
      <div className="flex min-w-0 flex-col items-start gap-4">
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <KindMark kind={kind} />
          <PeopleHere islandId={id} />
        </p>
        <div className="flex w-full min-w-0 flex-col gap-2">
          <h1 dir="auto" className="text-heading font-semibold wrap-anywhere">
            {name}
          </h1>
          {tagline !== '' && (
            <p dir="auto" className="text-base wrap-anywhere text-muted">
              {tagline}
            </p>
          )}
        </div>
        <p className="max-w-full text-sm wrap-anywhere text-muted">
          {island.isHosted ? (
            <Trans>{hosted}, on this server</Trans>
          ) : deviceId === null ? (
            hosted
          ) : (
            <Trans>
              {hosted}, runs on <NameLink to={paths.device(deviceId)}>a device</NameLink>
            </Trans>
          )}
        </p>
        {role === 'host' && <HostNotices island={island} isDemo={isDemo} />}
        <Entry island={island} entrance={entranceOf(island, session.state)} />
        {role === 'host' && island.isHosted && (
          <LinkButton to={paths.islandSettings(slug, 'pages')} variant="outline" size="sm">
            <PencilRuler aria-hidden />
            <Trans>Change the pages</Trans>
          </LinkButton>
        )}
        {role === 'host' && island.isRelayed && (
          <RelayedStatus key={island.address} islandId={island.id} address={island.address}>
            <LinkButton to={paths.connectHosting(undefined, island.id)} variant="link">
              <Trans>Show the block to paste</Trans>
            </LinkButton>
          </RelayedStatus>
        )}
        <Membership island={island} session={session.state} />
        {follow}
      </div>
    </section>
  )
}

function Hosted({ island: { host, hostAvatar, role } }: { island: IslandView }) {
  if (host === null) return t`Hosted by the operator of this server`
  const props = { username: host, image: hostAvatar }
  return role === 'host' ? (
    <Trans>
      Hosted by <Host {...props}>you</Host>
    </Trans>
  ) : (
    <Trans>
      Hosted by <Host {...props}>{host}</Host>
    </Trans>
  )
}

function Host(props: { username: string; image: string | null; children: string }) {
  const { username, image, children } = props
  return (
    <>
      {/* Not the default planet: it is drawn from the username, which the display name hides. */}
      {image !== null && (
        <span className="me-1.5 inline-block align-text-bottom">
          <Avatar username={username} image={image} hue={null} size="small" />
        </span>
      )}
      <bdi className="font-medium text-ink">{children}</bdi>
    </>
  )
}

function HostNotices({ island, isDemo }: { island: IslandView; isDemo: boolean }) {
  const { id, hidden, isHosted, relayStopped, publishedAt } = island
  return (
    <>
      {hidden !== null && (
        <Notice icon={<EyeOff aria-hidden />}>
          <Trans>The operator of this server hid this island. Only you can see and enter it.</Trans>{' '}
          <TheySay reason={hidden.reason} />
        </Notice>
      )}
      {relayStopped !== null && (
        <Notice icon={<Unplug aria-hidden />}>
          {isHosted
            ? t`The operator of this server took the pages of this island down. Nobody can enter.`
            : relayStopped.ofHost
              ? t`The operator of this server stopped the relay for your islands. Nobody can enter.`
              : t`The operator of this server stopped the relay for this island. Nobody can enter.`}{' '}
          <TheySay reason={relayStopped.reason} />
        </Notice>
      )}
      {publishedAt === null && (
        <Notice icon={<PencilRuler aria-hidden />}>
          <Trans>This is a draft. Only you can see it.</Trans>{' '}
          {isDemo ? (
            <Trans>It is gone 24 hours after your demo began.</Trans>
          ) : (
            <LinkButton to={paths.newIsland(id)} variant="link">
              <Trans>Publish it</Trans>
            </LinkButton>
          )}
        </Notice>
      )}
    </>
  )
}

function TheySay({ reason }: { reason: string }) {
  return (
    <Trans>
      They say: <span className="wrap-anywhere">“{reason}”</span>
    </Trans>
  )
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex w-full items-start gap-3 rounded-control border border-line-strong bg-raised px-4 py-3 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-island">
      {icon}
      <p className="min-w-0">{children}</p>
    </div>
  )
}
