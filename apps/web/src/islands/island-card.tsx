import type { IslandCard as Island } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import DoorClosed from 'virtual:icon/door-closed'
import DoorOpen from 'virtual:icon/door-open'
import Users from 'virtual:icon/users'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import type { IconComponent } from '../ui/create-icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { KindMark, StateMark } from './island-marks.tsx'
import { IslandPicture } from './island-picture.tsx'
import { accessWords, islandState } from './island-words.ts'
import { isNoted, PauseLine } from './pause-note.tsx'
import { PeopleHere } from './people-here.tsx'

const accessIcons: Readonly<Record<Island['access'], IconComponent>> = {
  public: DoorOpen,
  members: Users,
  invited: DoorClosed,
}

interface IslandCardProps {
  island: Island
  link?: ComponentType<{ to: string; className: string; children: ReactNode }>
}

export const cardGrid = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'
const frame = 'relative flex min-w-0 flex-col overflow-hidden rounded-card border border-line'

export function IslandCard({ island, link: Title = Link }: IslandCardProps) {
  const { id, slug, kind, picture, name, tagline, host, access, pause } = island
  const state = islandState(island)
  const DoorIcon = accessIcons[access]
  return (
    <article
      aria-label={name}
      className={classNames(
        frame,
        'group h-full bg-panel/85 transition-colors focus-within:border-edge hover:border-edge',
      )}
    >
      <IslandSky className="h-44">
        <IslandPicture
          picture={picture}
          kind={kind}
          className={classNames(
            'h-full transition-[scale,opacity] duration-300 motion-safe:group-hover:scale-105',
            state !== 'open' && state !== 'unwatched' && 'opacity-50',
          )}
        />
      </IslandSky>
      <PeopleHere
        islandId={id}
        className="absolute start-3 top-3 rounded-full bg-ground/85 px-2.5 py-0.5"
      />
      <div className="flex flex-1 flex-col gap-2 p-5">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <KindMark kind={kind} />
          <StateMark state={state} />
        </div>
        {isNoted(pause) && (
          <p className="line-clamp-3 text-sm break-words text-ink">
            <PauseLine pause={pause} />
          </p>
        )}
        <h3 dir="auto" className="text-lg font-semibold break-words">
          <Title
            to={paths.island(slug)}
            className="text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
          </Title>
        </h3>
        {tagline !== '' && (
          <p dir="auto" className="line-clamp-2 text-sm break-words text-muted">
            {tagline}
          </p>
        )}
        <p className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pt-2 text-sm text-muted">
          <span className="min-w-0 truncate">
            {host === null ? t`Hosted by the operator of this server` : t`Hosted by ${host}`}
          </span>
          <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
            <DoorIcon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            {accessWords[access].name}
          </span>
        </p>
      </div>
    </article>
  )
}

/** The background behind an island's picture. */
export function IslandSky({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'flex items-center justify-center overflow-hidden bg-ground bg-radial from-island/20 from-0% to-transparent to-70%',
        className,
      )}
    >
      {children}
    </div>
  )
}

export function IslandCardSkeleton() {
  return (
    <div aria-hidden className={classNames(frame, 'h-full bg-panel/85')}>
      <Skeleton className="h-44 w-full" />
      <div className="flex flex-col gap-3 p-5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="mt-2 h-4 w-1/2" />
      </div>
    </div>
  )
}

interface IslandCardsProps {
  islands: readonly Island[]
  /** The last item of the list. */
  children?: ReactNode
}

export function IslandCards({ islands, children }: IslandCardsProps) {
  return (
    <ul className={cardGrid}>
      {islands.map((island) => (
        <li key={island.id} className="min-w-0">
          <IslandCard island={island} />
        </li>
      ))}
      {Boolean(children) && <li className="grid min-w-0">{children}</li>}
    </ul>
  )
}

interface IslandLineProps {
  island: Island
  to?: string
  /** Replaces the tagline. The host's note about a pause takes precedence. */
  about?: ReactNode
  mark?: ReactNode
}

export function IslandLine({ island, to = paths.island(island.slug), ...props }: IslandLineProps) {
  const { kind, picture, name, tagline, pause } = island
  const { mark = <StateMark state={islandState(island)} /> } = props
  const about = isNoted(pause) ? <PauseLine pause={pause} /> : (props.about ?? tagline)
  return (
    <div className="group relative flex min-w-0 items-center gap-4 rounded-control px-3 py-2.5 transition-colors hover:bg-hover">
      <IslandPicture picture={picture} kind={kind} className="w-14 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4">
          <span dir="auto" className="max-w-full min-w-0 truncate text-sm font-medium">
            <Link
              to={to}
              className="text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {name}
            </Link>
          </span>
          <span className="text-xs">{mark}</span>
        </div>
        {about !== '' && (
          <span dir="auto" className="truncate text-xs text-muted">
            {about}
          </span>
        )}
      </div>
    </div>
  )
}
