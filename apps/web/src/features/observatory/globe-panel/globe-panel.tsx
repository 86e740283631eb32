import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowLeft from 'virtual:icon/arrow-left'
import ArrowRight from 'virtual:icon/arrow-right'
import ArrowUp from 'virtual:icon/arrow-up'
import Earth from 'virtual:icon/earth'
import Minus from 'virtual:icon/minus'
import Orbit from 'virtual:icon/orbit'
import Plus from 'virtual:icon/plus'
import RotateCcw from 'virtual:icon/rotate-ccw'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { useOnDemand } from '../../../ui/use-on-demand.ts'
import { type NodeStore, useNodeVersion } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import { type ViewControl, ViewControls } from '../../../ui/view-controls.tsx'
import type { GlobeAction } from './globe-keyboard.ts'
import type { SavedCamera } from './globe-controller.ts'
import { createPanelGlobe } from './panel-globe.ts'

const turns: readonly ViewControl<GlobeAction>[] = [
  { action: 'turn-west', name: t`Turn west`, Icon: ArrowLeft },
  { action: 'turn-north', name: t`Turn north`, Icon: ArrowUp },
  { action: 'turn-south', name: t`Turn south`, Icon: ArrowDown },
  { action: 'turn-east', name: t`Turn east`, Icon: ArrowRight },
]

const fetchDetails = async () => (await import('./globe-details.tsx')).GlobeDetails

interface GlobePanelProps {
  readonly store: NodeStore
  readonly selection: Selection
  readonly opening: SavedCamera
  readonly onRest: (left: SavedCamera) => void
}

/** The globe and everything around it. React renders the controls; the globe draws on its own canvas. */
export function GlobePanel({ store, selection, opening, onRest }: GlobePanelProps) {
  const [globe] = useState(() => createPanelGlobe({ opening, onRest }))
  const shown = useSyncExternalStore(globe.state.subscribe, globe.state.read)
  const { drawing, view, canZoomIn, canZoomOut, region, choice, spoken } = shown
  const panel = useRef<HTMLDivElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const you = useSavedLocation()
  const [details, loadDetails] = useOnDemand(fetchDetails)

  useLayoutEffect(() => {
    const [inPanel, onSurface, inLayer] = [panel.current, surface.current, layer.current]
    if (!inPanel || !onSurface || !inLayer) return undefined
    return globe.mount({ panel: inPanel, surface: onSurface, layer: inLayer, store, selection })
  }, [globe, store, selection])

  useEffect(() => {
    globe.setYou(you && { name: t`You: ${you.label}`, latDeg: you.lat, lonDeg: you.lon })
  }, [globe, you])

  useEffect(() => globe.reopen(opening), [globe, opening])

  // Loaded after the globe, so that it does not wait, and before the first press needs them.
  useEffect(() => {
    void loadDetails()
  }, [loadDetails])

  const isEarth = view === 'earth'
  const isDetailMissing = details.step === 'failed' && (region ?? choice) !== undefined
  const around = details.step === 'ready' && (
    <details.Component shown={shown} store={store} selection={selection} globe={globe} />
  )
  if (drawing === 'impossible') return around
  return (
    <div ref={panel} className="relative flex flex-col gap-3">
      <div className="relative box-content h-[460px] overflow-hidden rounded-control border border-line bg-ground">
        <GlobeSurface ref={surface} view={view} />
        <div
          ref={layer}
          aria-hidden
          data-carded={shown.card && ''}
          className="pointer-events-none absolute inset-0"
        />
        <ViewButton view={view} onToggle={() => globe.setView(isEarth ? 'sky' : 'earth')} />
        {isEarth && (
          <ViewControls
            label={t`Turn and zoom`}
            groups={[
              turns,
              [
                { action: 'zoom-out', name: t`Zoom out`, Icon: Minus, isPossible: canZoomOut },
                { action: 'zoom-in', name: t`Zoom in`, Icon: Plus, isPossible: canZoomIn },
              ],
              [{ action: 'reset', name: t`Reset the view`, Icon: RotateCcw }],
            ]}
            onAction={globe.act}
          />
        )}
        <GlobeCaption store={store} view={view} />
      </div>
      {around}
      {isDetailMissing && (
        <ErrorLine onRetry={() => void loadDetails()}>
          <Trans>The details could not be loaded.</Trans>
        </ErrorLine>
      )}
      <LiveRegion>{spoken}</LiveRegion>
    </div>
  )
}

/** Lint rules do not know that role "application" takes the keyboard focus. */
const keyboardOperable = { tabIndex: 0 } as const

/**
 * Only inside role "application" do screen readers pass the arrow keys to the page. A vertical swipe with
 * one finger still scrolls the page (pan-y).
 */
function GlobeSurface({ ref, view }: { ref: Ref<HTMLDivElement>; view: 'sky' | 'earth' }) {
  const keysId = useId()
  return (
    <>
      <div
        ref={ref}
        role="application"
        aria-roledescription={t`globe`}
        aria-label={view === 'earth' ? t`Earth with the devices on it` : t`Earth seen from the sky`}
        aria-describedby={keysId}
        {...keyboardOperable}
        className="peer absolute inset-0 cursor-default touch-pan-y rounded-control -outline-offset-3! select-none active:cursor-grabbing data-[under=link]:cursor-pointer data-[under=node]:cursor-pointer data-[under=planet]:cursor-grab data-[under=planet]:active:cursor-grabbing"
      />
      <p
        id={keysId}
        className="pointer-events-none absolute inset-x-3 bottom-14 w-fit rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-xs text-ink opacity-0 transition-opacity peer-focus-visible:opacity-100"
      >
        {view === 'earth'
          ? t`Arrows turn, + and − zoom, Home resets. N and P go from device to device, Enter opens. Esc leaves to the sky.`
          : t`Enter goes down to the Earth.`}
      </p>
    </>
  )
}

/** Switches to the other view. It is one button for both, so that it keeps the focus. */
function ViewButton({ view, onToggle }: { view: 'sky' | 'earth'; onToggle: () => void }) {
  const isEarth = view === 'earth'
  return (
    <div className="pointer-events-none absolute top-3 start-3 flex items-center gap-3">
      <Button variant="outline" size="sm" onClick={onToggle} className="pointer-events-auto">
        {isEarth ? <Orbit aria-hidden /> : <Earth aria-hidden />}
        {isEarth ? t`Sky view` : t`Earth view`}
      </Button>
      {isEarth && (
        <span className="text-xs text-muted">
          <Trans>
            or press{' '}
            <kbd className="rounded-mark border border-line-strong px-1.5 py-0.5 font-sans">
              Esc
            </kbd>
          </Trans>
        </span>
      )}
    </div>
  )
}

const zoomKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : t`Ctrl`

function GlobeCaption({ store, view }: { store: NodeStore; view: 'sky' | 'earth' }) {
  const version = useNodeVersion(store)
  const isEmpty = version > 0 && store.columns.count === 0
  return (
    <p className="pointer-events-none absolute inset-x-3 bottom-3 pb-11 text-end text-xs text-muted sm:pb-0">
      {version === 0 && t`Looking for devices…`}
      {isEmpty && t`No device to show.`}
      {version > 0 && !isEmpty && (
        <span className="hidden pointer-fine:sm:inline">
          {view === 'earth'
            ? t`Drag to turn, ${zoomKey} + wheel to zoom`
            : t`Click the planet to go down`}
        </span>
      )}
    </p>
  )
}
