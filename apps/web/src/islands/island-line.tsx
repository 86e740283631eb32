import type { IslandCard as Island } from '@astropelago/contract/islands'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StateMark } from './island-marks.tsx'
import { IslandPicture } from './island-picture.tsx'
import { islandState } from './island-words.ts'
import { isNoted, PauseLine } from './pause-note.tsx'
import { paths } from '../paths.ts'

interface IslandLineProps {
  island: Island
  /** Another page than the island's own. */
  to?: string
  /** Replaces the tagline. The host's note about a pause takes precedence. */
  about?: ReactNode
  /** Replaces the mark of the state. */
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
