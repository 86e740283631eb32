import { IslandKind } from '@astropelago/contract/islands'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNavigate } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import ExternalLink from 'virtual:icon/external-link'
import Maximize2 from 'virtual:icon/maximize-2'
import Minus from 'virtual:icon/minus'
import Plus from 'virtual:icon/plus'
import X from 'virtual:icon/x'
import { KindMark, StateMark } from '../../../islands/island-marks.tsx'
import { kindWords, islandState, stateWords } from '../../../islands/island-words.ts'
import { isNoted, PauseNote } from '../../../islands/pause-note.tsx'
import { PeopleHere } from '../../../islands/people-here.tsx'
import { LinkButton } from '../../../lib/link-button.tsx'
import { NeighbourName } from '../../../neighbours/neighbour-name.tsx'
import { elsewhere } from '../../../neighbours/elsewhere.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { ViewControls } from '../../../ui/view-controls.tsx'
import type { ChartHome, ChartIsland, IslandChart } from './chart-islands.ts'
import { type ChartAction, ChartView } from './chart-view.ts'
import type { Heading } from './find-island.ts'

const headings: Readonly<Record<string, Heading>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const actions: Readonly<Record<string, ChartAction>> = {
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  Home: 'fit',
}

/** Elements with `role="application"` need the keyboard focus, which the lint rules don't know. */
const keyboardOperable = { tabIndex: 0 } as const

export function ChartPanel(props: { chart: IslandChart; islands: readonly ChartIsland[] }) {
  const { chart, islands } = props
  const [view] = useState(() => new ChartView())
  const { selectedId, canZoomIn, canZoomOut, isSettled } = useSyncExternalStore(
    view.subscribe,
    view.read,
  )
  const surface = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const keysId = useId()
  const navigate = useNavigate()
  const chosen = islands.find(({ card }) => card.id === selectedId)

  useEffect(() => view.setChart(chart), [view, chart])
  useLayoutEffect(() => {
    if (surface.current === null || canvas.current === null) return undefined
    return view.mount(surface.current, canvas.current)
  }, [view])

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const heading = headings[event.key]
    const action = actions[event.key]
    if (heading !== undefined) view.step(heading)
    else if (action !== undefined) view.act(action)
    else if (event.key === 'Escape' && chosen !== undefined) view.select(undefined)
    else if (event.key === 'Enter' && chosen !== undefined) {
      if (chosen.home === undefined) void navigate(paths.island(chosen.card.slug))
      else window.open(chosen.home.url, '_blank', 'noopener')
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const element = surface.current
    const listener = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', listener)
    return () => element?.removeEventListener('keydown', listener)
  }, [])

  const zooms = [
    { action: 'zoom-out', name: t`Zoom out`, Icon: Minus, isPossible: canZoomOut },
    { action: 'zoom-in', name: t`Zoom in`, Icon: Plus, isPossible: canZoomIn },
  ] as const
  const whole = { action: 'fit', name: t`Show the whole chart`, Icon: Maximize2 } as const
  const details = (className: string) =>
    chosen !== undefined && (
      <ChosenIsland
        island={chosen}
        islands={islands}
        onChoose={(id) => view.select(id)}
        className={className}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <div
        data-settled={isSettled}
        className="relative h-[28rem] overflow-hidden rounded-card border border-line bg-ground sm:h-[38rem]"
      >
        <div
          ref={surface}
          role="application"
          aria-roledescription={t`star chart`}
          aria-label={t`Islands and the routes between them`}
          aria-describedby={keysId}
          {...keyboardOperable}
          className="peer absolute inset-0 cursor-grab touch-pan-y rounded-card -outline-offset-3! select-none active:cursor-grabbing"
        >
          <canvas ref={canvas} aria-hidden className="size-full" />
        </div>
        <p
          id={keysId}
          className="pointer-events-none absolute top-3 start-3 max-w-[calc(100%-1.5rem)] rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-xs text-ink opacity-0 transition-opacity peer-focus-visible:opacity-100"
        >
          <Trans>
            Arrows go from island to island, Enter opens one. + and − zoom, Home shows all.
          </Trans>
        </p>
        <ViewControls
          label={t`Zoom`}
          groups={[zooms, [whole]]}
          onAction={(action) => view.act(action)}
        />
        {details('absolute top-3 end-3 hidden w-72 sm:flex')}
      </div>
      {details('flex sm:hidden')}
      <ChartLegend neighbours={neighboursOf(islands)} />
      <LiveRegion>{chosen === undefined ? '' : spokenIsland(chosen)}</LiveRegion>
    </div>
  )
}

function spokenIsland({ card, neighbours, home }: ChartIsland): string {
  const { name } = card
  const kind = kindWords[card.kind].name
  const state = stateWords[islandState(card)].name
  if (home !== undefined) {
    const neighbour = home.neighbour.name
    return t`${name}, ${kind}, ${state}, of ${neighbour}. Enter opens its page there in a new tab.`
  }
  const routes = plural(neighbours.length, { one: '# route', other: '# routes' })
  return t`${name}, ${kind}, ${state}, ${routes}. Enter opens it.`
}

/** Those whose islands are on the chart. */
function neighboursOf(islands: readonly ChartIsland[]): readonly ChartHome['neighbour'][] {
  const byId = new Map(
    islands.flatMap(({ home }) => (home ? [[home.neighbour.id, home.neighbour] as const] : [])),
  )
  return [...byId.values()]
}

/** The marks are drawn as in draw-chart.ts. */
function ChartLegend({ neighbours }: { neighbours: readonly ChartHome['neighbour'][] }) {
  return (
    <ul
      aria-label={t`Marks of the chart`}
      className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted"
    >
      {IslandKind.options.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 16 16" className="size-4" fill="none">
            <Shape kind={kind} />
          </svg>
          {kindWords[kind].name}
        </li>
      ))}
      <li className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 16 16" className="size-4">
          <circle cx="8" cy="8" r="7.5" className="fill-island/20" />
          <circle cx="8" cy="8" r="4" className="fill-island" />
        </svg>
        <Trans>Open</Trans>
      </li>
      <li className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 16 16" className="size-4" fill="none">
          <circle cx="8" cy="8" r="4" strokeWidth="1.5" className="stroke-muted" />
        </svg>
        <Trans>Closed</Trans>
      </li>
      {neighbours.map((neighbour) => (
        <li key={neighbour.id} className="max-w-64 min-w-0">
          <NeighbourName neighbour={neighbour} className="max-w-full gap-2" />
        </li>
      ))}
    </ul>
  )
}

function Shape({ kind }: { kind: IslandKind }) {
  const look = { strokeWidth: 1.5, className: 'stroke-island' }
  if (kind === 'social') return <circle cx="8" cy="8" r="4.5" {...look} />
  if (kind === 'media') return <path d="m8 2.5 5.5 5.5L8 13.5 2.5 8Z" {...look} />
  return <path d="m8 2.5 5.2 9H2.8Z" {...look} />
}

interface ChosenIslandProps {
  island: ChartIsland
  islands: readonly ChartIsland[]
  onChoose: (id: string | undefined) => void
  className: string
}

function ChosenIsland(props: ChosenIslandProps) {
  const { islands, onChoose, className } = props
  const { card, neighbours, home } = props.island
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
          aria-label={t`Close`}
          className="-mt-1 -me-1.5 px-1.5!"
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
          <p className="text-xs text-muted">
            <Trans>Routes to</Trans>
          </p>
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
      {home === undefined ? (
        <div className="flex items-center justify-between gap-4">
          <LinkButton to={paths.island(card.slug)} variant="outline" size="sm">
            <Trans>Visit</Trans>
            <ArrowRight aria-hidden />
          </LinkButton>
          <PeopleHere islandId={card.id} />
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
          <LinkButton to={home.url} {...elsewhere} variant="outline" size="sm">
            <Trans>Its page there</Trans>
            <ExternalLink aria-hidden />
            <span className="sr-only">
              <Trans>(opens in a new tab)</Trans>
            </span>
          </LinkButton>
          <NeighbourName neighbour={home.neighbour} />
        </div>
      )}
    </article>
  )
}
