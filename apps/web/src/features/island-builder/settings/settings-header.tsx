import { LinkButton } from '../../../lib/link-button.tsx'
import type { OwnIsland } from '@astropelago/contract/islands'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import ArrowLeft from 'virtual:icon/arrow-left'
import PencilRuler from 'virtual:icon/pencil-ruler'
import ShieldAlert from 'virtual:icon/shield-alert'
import { IslandSky } from '../../../islands/island-card.tsx'
import { KindMark, StateMark } from '../../../islands/island-marks.tsx'
import { IslandPicture } from '../../../islands/island-picture.tsx'
import { accessWords, islandState } from '../../../islands/island-words.ts'
import { isDraft } from '../../../islands/own-islands-query.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { LocalTime } from '../../../ui/local-time.tsx'

export function SettingsHeader({ island }: { island: OwnIsland }) {
  const { slug, name, kind, picture, access } = island
  const { isDemo } = useUser()
  return (
    <header className="flex flex-col gap-5">
      <Link
        to={paths.island(slug)}
        className="inline-flex items-center gap-2 self-start text-sm text-muted no-underline hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        <Trans>To its page</Trans>
      </Link>
      <div className="flex min-w-0 items-center gap-4 sm:gap-5">
        <IslandSky className="size-16 shrink-0 rounded-card border border-line sm:size-20">
          <IslandPicture picture={picture} kind={kind} className="h-full" />
        </IslandSky>
        <div className="flex min-w-0 flex-col gap-1.5">
          <h1 className="text-heading font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
          </h1>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            <KindMark kind={kind} />
            {isDraft(island) ? (
              <span>
                <Trans>Draft</Trans>
              </span>
            ) : (
              <>
                <StateMark state={islandState(island)} />
                <span>{accessWords[access].name}</span>
              </>
            )}
          </p>
        </div>
      </div>
      {isDraft(island) && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm">
          <p className="flex min-w-0 items-center gap-3">
            <PencilRuler aria-hidden className="size-4 shrink-0 text-island" />
            <Trans>This is a draft. Only you can see it.</Trans>
          </p>
          {isDemo ? (
            <p>
              <Trans>It is gone 24 hours after your demo began.</Trans>
            </p>
          ) : (
            <LinkButton to={paths.newIsland(island.id, 'publish')} variant="default" size="sm">
              <Trans>Publish…</Trans>
            </LinkButton>
          )}
        </div>
      )}
      {island.hidden && (
        <OperatorNotice reason={island.hidden.reason}>
          <Trans>
            The operator of this server hid this island on{' '}
            <LocalTime at={island.hidden.at} form="long" />. Only you can see and enter it.
          </Trans>
        </OperatorNotice>
      )}
      {island.relayStopped && (
        <OperatorNotice reason={island.relayStopped.reason}>
          {island.isHosted ? (
            <Trans>
              The operator of this server took the pages of this island down on{' '}
              <LocalTime at={island.relayStopped.at} form="long" />. Nobody can enter.
            </Trans>
          ) : island.relayStopped.ofHost ? (
            <Trans>
              The operator of this server stopped the relay for your islands on{' '}
              <LocalTime at={island.relayStopped.at} form="long" />. Nobody can enter.
            </Trans>
          ) : (
            <Trans>
              The operator of this server stopped the relay for this island on{' '}
              <LocalTime at={island.relayStopped.at} form="long" />. Nobody can enter.
            </Trans>
          )}
        </OperatorNotice>
      )}
    </header>
  )
}

function OperatorNotice({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-control border border-danger/40 bg-danger-soft px-4 py-3 text-sm">
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <p className="min-w-0 wrap-anywhere">
        {children}
        {reason !== '' && (
          <>
            {' '}
            <Trans>
              They say: “<bdi>{reason}</bdi>”
            </Trans>
          </>
        )}
      </p>
    </div>
  )
}
