import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { KindMark, StateMark } from '../../../islands/island-marks.tsx'
import { islandState } from '../../../islands/island-words.ts'
import { isNoted, PauseNote } from '../../../islands/pause-note.tsx'
import type { ChartIsland } from './chart-islands.ts'

const linkLook =
  'wrap-anywhere text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current'

/** The chart as text: each island with its routes. */
export function ChartList({ islands }: { islands: readonly ChartIsland[] }) {
  return (
    <ul className="flex flex-col gap-px overflow-hidden rounded-card border border-line bg-line">
      {islands.map(({ card, neighbours }) => (
        <li
          key={card.id}
          className="flex flex-col gap-x-6 gap-y-2 bg-panel p-4 sm:flex-row sm:items-start sm:px-5"
        >
          <div className="flex min-w-0 flex-col gap-1 sm:w-72 sm:shrink-0">
            <Link
              to={paths.island(card.slug)}
              dir="auto"
              className="self-start font-medium wrap-anywhere text-ink no-underline hover:underline"
            >
              {card.name}
            </Link>
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              <KindMark kind={card.kind} />
              <StateMark state={islandState(card)} />
            </span>
            {isNoted(card.pause) && (
              <span className="text-sm wrap-anywhere">
                <PauseNote pause={card.pause} />
              </span>
            )}
          </div>
          <Routes ends={neighbours.flatMap((at) => islands[at]?.card ?? [])} />
        </li>
      ))}
    </ul>
  )
}

function Routes({ ends }: { ends: readonly ChartIsland['card'][] }) {
  if (ends.length === 0) return <p className="text-sm text-muted">No routes yet.</p>
  return (
    <p className="min-w-0 text-sm text-muted">
      Routes to{' '}
      {ends.map(({ id, slug, name }, at) => (
        <span key={id}>
          {at > 0 && (at === ends.length - 1 ? ' and ' : ', ')}
          <Link to={paths.island(slug)} className={linkLook}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      .
    </p>
  )
}
