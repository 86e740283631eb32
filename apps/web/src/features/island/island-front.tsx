import { embedPaths } from '@astropelago/contract/embeds'
import {
  type IslandCard as Island,
  type IslandView,
  rulesAnchor,
} from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback, useDeferredValue, useState } from 'react'
import { IslandLine } from '../../islands/island-card.tsx'
import { RulesText } from '../../islands/joining-rules.tsx'
import { EmbedCard, NoEmbeds } from '../../lib/embed-card.tsx'
import { useSession } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { LiveRegion } from '../../ui/live-region.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { IslandHeader } from './island-header.tsx'
import { IslandLog } from './island-log.tsx'
import { IslandPast } from './island-past.tsx'
import type { Reporting } from './log-line.tsx'
import { Members } from './members.tsx'

interface IslandFrontProps {
  island: IslandView
  report: Reporting
  alertsOf: (island: IslandView) => ReactNode
  arcsOf?: (id: string) => ReactNode
  /** Draws the whole page at once, so that the router can scroll to where it was left. */
  isAtOnce: boolean
  /** The last refetch, if it failed. The page keeps showing the earlier data. */
  failure: Pick<UseQueryResult, 'isFetching' | 'refetch'> | undefined
}

export function IslandFront(props: IslandFrontProps) {
  const { island, report, alertsOf, arcsOf, isAtOnce, failure } = props
  const { id, slug, name, about, rules, role, mayEnter, hidden, publishedAt } = island
  usePageTitle(name)
  const session = useSession()
  // There are no alerts about an island that nobody else may know about.
  const isShown = publishedAt !== null && hidden === null
  // Also while the session is loading: content that appears later would move what is below it.
  const alerts = session.state !== 'signed-out' && isShown ? alertsOf(island) : undefined
  // The header comes first, because drawing everything at once is a long task.
  const isWhole = useDeferredValue(true, isAtOnce)
  const canReport = session.state === 'signed-in' && role !== 'host'
  return (
    <div data-awaited={isWhole ? undefined : ''} className="flex flex-col gap-8 sm:gap-10">
      <IslandHeader
        island={island}
        session={session}
        follow={role === 'host' ? undefined : alerts}
      />
      <LiveRegion>{useStateAnnouncement(island)}</LiveRegion>
      {failure && (
        <ErrorLine query={failure}>
          <Trans>This could not be updated, so it may be out of date.</Trans>
        </ErrorLine>
      )}
      {isWhole && (
        <div className="grid items-start gap-4 lg:grid-cols-[7fr_5fr]">
          <div className="flex min-w-0 flex-col gap-4">
            {about !== '' && (
              <Card title={t`About`}>
                <RulesText>{about}</RulesText>
              </Card>
            )}
            {rules !== '' && <Rules island={island} />}
            {publishedAt !== null && <IslandPast island={island} />}
            {mayEnter ? (
              <IslandLog island={island} session={session} report={report} />
            ) : (
              <p className="rounded-card border border-dashed border-line-strong px-6 py-10 text-center text-sm text-muted">
                <Trans>Only people who may enter can read the log.</Trans>
              </p>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Members island={island} />
            <Neighbours islands={island.neighbours} />
            {publishedAt !== null && <IslandEmbeds island={island} />}
            {arcsOf?.(id)}
          </div>
        </div>
      )}
      {isWhole && role === 'host' && alerts}
      {isWhole && canReport && (
        <div className="border-t border-line pt-4">
          <Button
            variant="ghost"
            size="sm"
            onClick={() => report({ kind: 'island', id, name: name || slug })}
          >
            <Trans>Report this island</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

/** The page before a first visit links here. */
function Rules({ island: { rules, rulesChangedAt } }: { island: IslandView }) {
  // The router looks for the anchor before this card is rendered.
  const scrollThere = useCallback((card: HTMLElement | null) => {
    if (window.location.hash === `#${rulesAnchor}` && window.scrollY === 0) card?.scrollIntoView()
  }, [])
  return (
    <Card
      ref={scrollThere}
      id={rulesAnchor}
      title={t`Rules of this island`}
      description={
        rulesChangedAt === null ? undefined : (
          <Trans>
            The rules changed on <LocalTime at={rulesChangedAt} form="day" />.
          </Trans>
        )
      }
      className="scroll-mt-24"
    >
      <RulesText>{rules}</RulesText>
    </Card>
  )
}

function IslandEmbeds({ island }: { island: IslandView }) {
  const { slug, name, access, isListed, hidden, isOpen, since, role } = island
  if (hidden !== null || (access !== 'public' && !isListed)) {
    return (
      role === 'host' && (
        <NoEmbeds>
          {hidden === null
            ? t`Not everybody may see this island, so it has no badge and no feed. You get both when you let people find it in Explore or open it to everybody.`
            : t`While it is hidden, nobody can see its badge or its feed.`}
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

/** Empty if the viewer can see no neighbour. */
function Neighbours({ islands }: { islands: readonly Island[] }) {
  if (islands.length === 0) return null
  return (
    <Card title={t`Neighbours`} description={t`Islands that its host recommends.`}>
      <ul className="-mx-3 -mb-3 flex flex-col">
        {islands.map((island) => (
          <li key={island.id}>
            <IslandLine island={island} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** A text for screen readers after a change; `''` before. */
function useStateAnnouncement(island: IslandView): string {
  const [announced, setAnnounced] = useState({ island, text: '' })
  if (announced.island === island) return announced.text
  const text = changeText(announced.island, island) ?? announced.text
  // Set during rendering, because it depends on the previous render.
  setAnnounced({ island, text })
  return text
}

function changeText(before: IslandView, now: IslandView): string | undefined {
  const { name } = now
  if (before.mayEnter && !now.mayEnter) return t`You can no longer enter ${name}.`
  if (!before.mayEnter && now.mayEnter) return t`You can enter ${name} now.`
  if (before.pause === null && now.pause !== null) return t`${name} is paused now.`
  if (before.isOpen !== now.isOpen) {
    return now.isOpen ? t`${name} is open now.` : t`${name} is closed now.`
  }
  return undefined
}
