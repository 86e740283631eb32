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
import Maximize2 from 'virtual:icon/maximize-2'
import Minus from 'virtual:icon/minus'
import Plus from 'virtual:icon/plus'
import { paths } from '../../../paths.ts'
import { kindWords, islandState, stateWords } from '../../../islands/island-words.ts'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { type ViewControl, ViewControls } from '../../../ui/view-controls.tsx'
import type { ChartIsland, IslandChart } from './chart-islands.ts'
import { ChartLegend } from './chart-legend.tsx'
import { type ChartAction, ChartView } from './chart-view.ts'
import { ChosenIsland } from './chosen-island.tsx'
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

interface ChartPanelProps {
  chart: IslandChart
  islands: readonly ChartIsland[]
}

/** The chart as a picture for pointer and keyboard, with details of the selected island. */
export function ChartPanel({ chart, islands }: ChartPanelProps) {
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
      void navigate(paths.island(chosen.card.slug))
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const element = surface.current
    const listener = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', listener)
    return () => element?.removeEventListener('keydown', listener)
  }, [])

  const zooms: readonly ViewControl<ChartAction>[] = [
    { action: 'zoom-out', name: 'Zoom out', Icon: Minus, isPossible: canZoomOut },
    { action: 'zoom-in', name: 'Zoom in', Icon: Plus, isPossible: canZoomIn },
  ]
  const whole: ViewControl<ChartAction> = {
    action: 'fit',
    name: 'Show the whole chart',
    Icon: Maximize2,
  }
  return (
    <div className="flex flex-col gap-4">
      <div
        data-settled={isSettled}
        className="relative h-[28rem] overflow-hidden rounded-card border border-line bg-ground sm:h-[38rem]"
      >
        <div
          ref={surface}
          role="application"
          aria-roledescription="star chart"
          aria-label="Islands and the routes between them"
          aria-describedby={keysId}
          {...keyboardOperable}
          className="peer absolute inset-0 cursor-grab touch-pan-y rounded-card -outline-offset-3! select-none active:cursor-grabbing"
        >
          <canvas ref={canvas} aria-hidden className="size-full" />
        </div>
        <p
          id={keysId}
          className="pointer-events-none absolute top-3 left-3 max-w-[calc(100%-1.5rem)] rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-xs text-ink opacity-0 transition-opacity peer-focus-visible:opacity-100"
        >
          Arrows go from island to island, Enter opens one. + and − zoom, Home shows all.
        </p>
        <ViewControls
          label="Zoom"
          groups={[zooms, [whole]]}
          onAction={(action) => view.act(action)}
        />
        {chosen !== undefined && (
          <ChosenIsland
            island={chosen}
            islands={islands}
            onChoose={(id) => view.select(id)}
            className="absolute top-3 right-3 hidden w-72 sm:flex"
          />
        )}
      </div>
      {chosen !== undefined && (
        <ChosenIsland
          island={chosen}
          islands={islands}
          onChoose={(id) => view.select(id)}
          className="flex sm:hidden"
        />
      )}
      <ChartLegend />
      <LiveRegion>{chosen === undefined ? '' : spokenIsland(chosen)}</LiveRegion>
    </div>
  )
}

function spokenIsland({ card, neighbours: { length } }: ChartIsland): string {
  const kind = kindWords[card.kind].name
  const state = stateWords[islandState(card)].name
  return `${card.name}, ${kind}, ${state}, ${length} ${length === 1 ? 'route' : 'routes'}. Enter opens it.`
}
