import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import X from 'virtual:icon/x'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { classNames } from '../../../ui/class-names.ts'
import { KindMark, StateMark } from '../../../islands/island-marks.tsx'
import { islandState } from '../../../islands/island-words.ts'
import { isNoted, PauseNote } from '../../../islands/pause-note.tsx'
import type { ChartIsland } from './chart-islands.ts'

interface ChosenIslandProps {
  island: ChartIsland
  islands: readonly ChartIsland[]
  /** Selects another island, or none. */
  onChoose: (id: string | undefined) => void
  className: string
}

/** Details of the island selected on the chart, and its routes. */
export function ChosenIsland({
  island: { card, neighbours },
  islands,
  onChoose,
  className,
}: ChosenIslandProps) {
  const ends = neighbours.flatMap((at) => islands[at]?.card ?? [])
  return (
    <article
      aria-label={card.name}
      className={classNames(
        'max-h-[calc(100%-1.5rem)] flex-col gap-3 overflow-y-auto rounded-card border border-line-strong bg-panel/95 p-4',
        className,
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <h3 dir="auto" className="min-w-0 text-base font-semibold wrap-anywhere">
          {card.name}
        </h3>
        <Button
          variant="ghost"
          size="sm"
          aria-label="Close"
          className="-mt-1 -mr-1.5 px-1.5!"
          onClick={() => onChoose(undefined)}
        >
          <X aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <KindMark kind={card.kind} />
        <StateMark state={islandState(card)} />
      </div>
      {isNoted(card.pause) && (
        <p className="text-sm wrap-anywhere">
          <PauseNote pause={card.pause} />
        </p>
      )}
      {card.tagline !== '' && (
        <p dir="auto" className="text-sm wrap-anywhere text-muted">
          {card.tagline}
        </p>
      )}
      {ends.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <p className="text-xs text-muted">Routes to</p>
          <ul className="flex flex-wrap gap-1.5">
            {ends.map(({ id, name }) => (
              <li key={id} className="max-w-full">
                <button
                  type="button"
                  dir="auto"
                  onClick={() => onChoose(id)}
                  className="min-h-6 max-w-full truncate rounded-mark border border-edge px-2 text-xs text-ink transition-colors hover:border-muted hover:bg-hover"
                >
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Link
        to={paths.island(card.slug)}
        className={classNames(buttonStyles({ variant: 'outline', size: 'sm' }), 'self-start')}
      >
        Visit
        <ArrowRight aria-hidden />
      </Link>
    </article>
  )
}
