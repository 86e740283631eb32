import { MapPinOff } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { keySettingName } from './map-settings.ts'

interface OpenMapOfferProps {
  readonly isShown: boolean
  readonly onChoose: (isWanted: boolean) => void
}

/** Why the maps service draws no map, and the built-in one instead. */
export function OpenMapOffer({ isShown, onChoose }: OpenMapOfferProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-line bg-raised/60 px-4 py-3">
      <p className="flex min-w-0 items-start gap-3 text-sm text-muted">
        <MapPinOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">
          <code className="font-mono text-[0.8125rem] break-words text-ink">{keySettingName}</code>{' '}
          is not set, so the maps service draws no map here.
        </span>
      </p>
      <Button variant="outline" size="sm" onClick={() => onChoose(!isShown)}>
        {isShown ? 'Hide the open map' : 'Use the open map'}
      </Button>
    </div>
  )
}
