import type { IslandView } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { EnterLink, outside } from '../../islands/enter-link.tsx'
import { StateMark } from '../../islands/island-marks.tsx'
import { islandPortQuery } from '../../islands/island-queries.ts'
import { islandState } from '../../islands/island-words.ts'
import { JoiningRules } from '../../islands/joining-rules.tsx'
import { isNoted, PauseNote } from '../../islands/pause-note.tsx'
import { PortAddress, PortBlockedNote } from '../../islands/port-address.tsx'
import { failureText } from '../../lib/failure-text.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { paths } from '../../paths.ts'
import { buttonStyles, textLinkStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import type { Entrance } from './entrance.ts'
import { AskToJoin, useLeave } from './membership.tsx'

interface EntryProps {
  island: IslandView
  entrance: Entrance
}

export function Entry({ island, entrance }: EntryProps) {
  return (
    <div className="flex w-full min-w-0 flex-col items-start gap-3 rounded-control border border-line bg-panel/85 p-4 sm:p-5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
        <StateMark state={islandState(island)} />
        {island.since !== null && (
          <span>
            <Trans>
              since <LocalTime at={island.since} />
            </Trans>
          </span>
        )}
      </p>
      {isNoted(island.pause) && (
        <p className="max-w-full">
          <PauseNote pause={island.pause} />
        </p>
      )}
      <WayIn island={island} entrance={entrance} />
      {island.isRelayed && island.mayEnter && <Port island={island} />}
      {(island.isRelayed || island.isHosted) && canBeAsked(island) && (
        <LinkButton to={paths.islandName(island.slug)} variant="link" size="sm">
          <Trans>Choose whether it learns your name</Trans>
        </LinkButton>
      )}
    </div>
  )
}

function canBeAsked({ address, mayEnter, role }: IslandView): boolean {
  return address !== null && mayEnter && role !== 'visitor'
}

function WayIn({ island, entrance }: EntryProps): ReactNode {
  switch (entrance.kind) {
    case 'open':
      return (
        <>
          <EnterLink href={entrance.href} />
          <Says>
            {!entrance.isWatched && t`Nobody checks whether it is open, so just try it.`}{' '}
            <Trans>
              It opens <HostName href={entrance.href} /> in a new tab.
            </Trans>
          </Says>
        </>
      )
    case 'closed':
      return (
        <Says>
          <Trans>
            The device that it runs on can’t be reached. This page tells you when it is open again.
            You can also{' '}
            <a href={entrance.href} {...outside} className={textLinkStyles}>
              try <HostName href={entrance.href} /> anyway
            </a>
            .
          </Trans>
        </Says>
      )
    case 'paused':
      return (
        <>
          {entrance.href === undefined ? (
            <Says>
              {island.role === 'host'
                ? t`It is paused, and has no link yet.`
                : t`Its host lets nobody in for now. This page tells you when it is open again.`}
            </Says>
          ) : (
            <>
              <EnterLink href={entrance.href} />
              <Says>
                {island.role === 'host'
                  ? t`While it is paused, visitors can’t enter. You can.`
                  : t`It is paused. You run this server, so you can still enter.`}
              </Says>
            </>
          )}
          {island.role === 'host' && (
            <LinkButton to={paths.islandSettings(island.slug, 'pause')} variant="outline" size="sm">
              <Trans>Continue or change the pause</Trans>
            </LinkButton>
          )}
        </>
      )
    case 'nowhere':
      return <Nowhere island={island} />
    case 'signed-out':
      return (
        <>
          <Says>
            {island.access === 'members'
              ? t`Everybody who is signed in may enter.`
              : t`Its host decides who may enter. Sign in if you were let in, or to ask.`}
          </Says>
          <SignInLink className={buttonStyles()}>
            {island.access === 'members' ? t`Sign in to enter` : t`Sign in`}
          </SignInLink>
        </>
      )
    case 'may-ask':
      return (
        <>
          <Says>
            <Trans>Only people that its host lets in may enter.</Trans>
          </Says>
          <JoiningRules rules={island.rules} />
          <AskToJoin island={island} />
        </>
      )
    case 'asked':
      return <Asked island={island} />
    case 'barred':
  }
  return (
    <Says>
      <Trans>This island is not open to you.</Trans>
    </Says>
  )
}

function Nowhere({ island }: { island: IslandView }) {
  const { slug, role, isRelayed, isHosted, relayStopped } = island
  if (role !== 'host') {
    return (
      <Says>
        {isHosted ? t`It has no pages for now.` : t`Its host has not given it an address yet.`}
      </Says>
    )
  }
  // The notice above it says all.
  if (relayStopped !== null) return null
  return (
    <>
      <Says>
        {isHosted
          ? t`It has no pages yet, so nobody can enter.`
          : isRelayed
            ? t`This server no longer has a relay, so nobody can enter.`
            : t`It has no link yet, so nobody can enter.`}
      </Says>
      <LinkButton
        to={paths.islandSettings(slug, isHosted ? 'pages' : 'details')}
        variant="outline"
        size="sm"
      >
        {isHosted ? t`Add its pages` : t`Set its link`}
      </LinkButton>
    </>
  )
}

function Asked({ island }: { island: IslandView }) {
  const leaving = useLeave(island)
  return (
    <>
      <Says>
        <Trans>
          You asked to be let in. As soon as its host says yes, you can enter from this page.
        </Trans>
      </Says>
      <Button variant="outline" size="sm" busy={leaving.isPending} onClick={() => leaving.mutate()}>
        <Trans>Take it back</Trans>
      </Button>
      <FormError>{failureText(leaving.error)}</FormError>
    </>
  )
}

/** The host name as browsers write it, in Punycode, so that lookalike letters show. */
function HostName({ href }: { href: string }) {
  return (
    <bdi dir="ltr" className="font-mono wrap-anywhere text-ink">
      {new URL(href).host}
    </bdi>
  )
}

function Says({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted">{children}</p>
}

/** Empty if the island has no port. */
function Port({ island: { id, role } }: { island: Pick<IslandView, 'id' | 'role'> }) {
  const labelId = useId()
  const query = useQuery(islandPortQuery(id))
  const port = query.data
  if (port === undefined) {
    return query.isError ? (
      <ErrorLine query={query}>
        <Trans>The address for games could not be loaded.</Trans>
      </ErrorLine>
    ) : null
  }
  const { address, letIn, own } = port
  const network = letIn?.network
  if (address === null) return null
  return (
    <section
      aria-labelledby={labelId}
      className="flex w-full min-w-0 flex-col gap-2 border-t border-line pt-3"
    >
      <h2 id={labelId} className="text-sm font-medium">
        <Trans>For games and other programs</Trans>
      </h2>
      <PortAddress address={address} />
      {letIn !== null && (
        <p className="text-sm text-muted">
          <Trans>
            You can connect from your network,{' '}
            <bdi dir="ltr" className="font-mono wrap-anywhere">
              {network}
            </bdi>
            , until <LocalTime at={letIn.until} />. After that, or on another network, open this
            page again first.
          </Trans>
        </p>
      )}
      {role === 'host' && own !== null && !own.isListening && <PortBlockedNote />}
    </section>
  )
}
