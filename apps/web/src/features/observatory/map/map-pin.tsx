import { classNames } from '../../../ui/class-names.ts'
import { mapTextLook } from './map-text-look.ts'
import type { WorldPoint } from './mercator.ts'

/** What lies on the map beside the nodes. */
export interface MapPinProps {
  readonly point: WorldPoint
  readonly kind: 'you' | 'selected' | 'place'
  readonly text: string
}

/** The visitor's own place, a ring around the selected node, or a name on the land. */
export function MapPin({ kind, text }: MapPinProps) {
  return (
    <div
      data-placed
      data-pin={kind}
      className="absolute -translate-x-1/2 -translate-y-1/2"
      aria-hidden={kind === 'selected' || undefined}
    >
      {kind === 'selected' && <div className="size-7 rounded-full border-2 border-accent" />}
      {kind === 'place' && (
        <span className={classNames(mapTextLook, 'tracking-wide text-muted! uppercase')}>
          {text}
        </span>
      )}
      {kind === 'you' && (
        <div className="flex flex-col items-center">
          <span className={mapTextLook}>{text}</span>
          <svg aria-hidden viewBox="0 0 12 12" className="size-3.5 text-ink" fill="none">
            <path
              d="M6 .8 7.3 4.7 11.2 6 7.3 7.3 6 11.2 4.7 7.3.8 6l3.9-1.3Z"
              fill="currentColor"
            />
          </svg>
          {/* As tall as the text above, so that the star lies on the place. */}
          <span aria-hidden className="h-[1.125rem]" />
        </div>
      )}
    </div>
  )
}
