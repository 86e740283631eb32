import type { IslandPause } from '@astropelago/contract/islands'
import { Trans } from '@lingui/react/macro'
import { LocalTime } from '../ui/local-time.tsx'

/** Whether the host gave a reason or an end for the pause. */
export function isNoted(pause: IslandPause | null): pause is IslandPause {
  return pause !== null && (pause.text !== '' || pause.until !== null)
}

export function PauseNote({ pause: { text, until } }: { pause: IslandPause }) {
  return (
    <>
      {text !== '' && (
        <span dir="auto" className="block wrap-anywhere">
          {text}
        </span>
      )}
      {until !== null && (
        <span className="block">
          <Trans>
            Back at <LocalTime at={until} />
          </Trans>
        </span>
      )}
    </>
  )
}

/** On one line that may be cut off, so the time comes first. */
export function PauseLine({ pause: { text, until } }: { pause: IslandPause }) {
  return (
    <>
      {until !== null && (
        <Trans>
          Back at <LocalTime at={until} />
        </Trans>
      )}
      {text !== '' && until !== null && ' · '}
      {text !== '' && <bdi>{text}</bdi>}
    </>
  )
}
