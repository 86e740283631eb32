import type { IslandCard as Island } from '@astropelago/contract/islands'
import type { ComponentType, ReactNode } from 'react'
import { StateMark } from './island-marks.tsx'
import { IslandPicture } from './island-picture.tsx'
import { islandState } from './island-words.ts'
import { isNoted, PauseLine } from './pause-note.tsx'

interface IslandLineProps {
  island: Pick<Island, 'kind' | 'picture' | 'name' | 'tagline' | 'isOpen' | 'isWatched' | 'pause'>
  /** The router's link, because components in ui/ do not know the router. */
  link: ComponentType<{ to: string; className: string; children: ReactNode }>
  /** The island's page. The whole line links to it. */
  to: string
  /** Replaces the tagline. The host's note about a pause takes precedence over both. */
  about?: ReactNode
  /** Replaces the mark that shows whether the island is open. */
  mark?: ReactNode
}

/** An island in a narrow list: a small picture, its name and whether it is open. */
export function IslandLine(props: IslandLineProps) {
  const { island, link: Link, to, mark } = props
  const { kind, picture, name, tagline, pause } = island
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
          <span className="text-xs">{mark ?? <StateMark state={islandState(island)} />}</span>
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
