import type { IslandCard } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import TreePalm from 'virtual:icon/tree-palm'
import { useLiveListedIslands } from '../../islands/follow-listed-islands.ts'
import { IslandSky } from '../../islands/island-card.tsx'
import { StateMark } from '../../islands/island-marks.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { islandState } from '../../islands/island-words.ts'
import { loungeQuery } from '../../islands/lounge-query.ts'
import { PeopleHere } from '../../islands/people-here.tsx'
import { isNoted, PauseLine } from '../../islands/pause-note.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The Community Lounge; without it, the first guide, which takes the same space. */
export function LoungeFirst() {
  const { data, isPending } = useQuery(loungeQuery)
  useLiveListedIslands()
  const lounge = data?.islands[0]
  if (isPending) return <LoungeSkeleton />
  return lounge === undefined ? <FirstGuide /> : <Lounge island={lounge} />
}

function Lounge({ island }: { island: IslandCard }) {
  const { id, slug, name, kind, picture, tagline, pause } = island
  const state = islandState(island)
  const canEnter = state === 'open' || state === 'unwatched'
  return (
    <Card
      label={name}
      to={paths.island(slug)}
      picture={<IslandPicture picture={picture} kind={kind} className="h-full" />}
      mark={
        <span className="flex flex-wrap gap-x-4">
          <StateMark state={state} />
          <PeopleHere islandId={id} />
        </span>
      }
      about={isNoted(pause) ? <PauseLine pause={pause} /> : tagline}
      action={
        canEnter ? (
          // The server leads to the lounge's own pages, which are not part of the app.
          <LinkButton to={paths.tavern()} reloadDocument aria-describedby={titleId}>
            <Trans>Enter</Trans>
            <ArrowRight aria-hidden />
          </LinkButton>
        ) : (
          <LinkButton to={paths.island(slug)} variant="outline" aria-describedby={titleId}>
            <Trans context="button">Open</Trans>
          </LinkButton>
        )
      }
    />
  )
}

function FirstGuide() {
  const to = paths.guide('first-island')
  return (
    <Card
      label={t`Your first island in a minute`}
      to={to}
      picture={<TreePalm aria-hidden strokeWidth={1.25} className="size-10 text-island" />}
      about={t`A place of your own, with nothing but a browser.`}
      action={
        <LinkButton to={to} variant="outline" aria-describedby={titleId}>
          <Trans>Read the guide</Trans>
        </LinkButton>
      }
    />
  )
}

const titleId = 'first-on-discover'
const frame =
  'grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-4 rounded-card border border-line bg-panel p-4 shadow-raised sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:gap-x-6'
const pictureFrame = 'h-24 w-24 rounded-control sm:w-40'
/** As tall with every text. */
const textFrame = 'flex h-32 min-w-0 flex-col justify-center gap-1 sm:h-24'
const actionFrame = 'grid max-sm:col-span-2 sm:me-2'

interface CardProps {
  label: string
  to: string
  picture: ReactNode
  mark?: ReactNode
  about: ReactNode
  action: ReactNode
}

function Card({ label, to, picture, mark, about, action }: CardProps) {
  return (
    <section aria-labelledby={titleId} className={frame}>
      <IslandSky className={pictureFrame}>{picture}</IslandSky>
      <div className={textFrame}>
        <p
          id={titleId}
          dir="auto"
          className="line-clamp-2 text-lg font-semibold wrap-anywhere sm:line-clamp-1"
        >
          <Link
            to={to}
            className="text-ink no-underline decoration-2 underline-offset-4 hover:underline"
          >
            {label}
          </Link>
        </p>
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted empty:hidden">
          {about}
        </p>
        {mark}
      </div>
      <div className={actionFrame}>{action}</div>
    </section>
  )
}

function LoungeSkeleton() {
  return (
    <div className={frame}>
      <Skeleton className={pictureFrame} />
      <div className={textFrame}>
        <Skeleton className="h-6 w-48 max-w-full rounded-mark" />
        <Skeleton className="h-4 w-64 max-w-full rounded-mark" />
      </div>
      <div className={actionFrame}>
        <Skeleton className="h-10 rounded-control sm:w-24" />
      </div>
    </div>
  )
}
