import type { IslandPause } from '@astropelago/contract/islands'
import { LocalTime } from './local-time.tsx'

/** Whether a host says anything of a pause but that it is one. */
export function isNoted(pause: IslandPause | null): pause is IslandPause {
  return pause !== null && (pause.text !== '' || pause.until !== null)
}

/** What a host says of a pause, and below it when it is over. */
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
          Back at <LocalTime at={until} />
        </span>
      )}
    </>
  )
}

/** The same where the end of it may be cut off: the time comes first. */
export function PauseLine({ pause: { text, until } }: { pause: IslandPause }) {
  return (
    <>
      {until !== null && (
        <>
          Back at <LocalTime at={until} />
        </>
      )}
      {text !== '' && until !== null && ' · '}
      {text !== '' && <bdi>{text}</bdi>}
    </>
  )
}
