import type { IslandKind } from '@astropelago/contract/islands'
import Clapperboard from 'virtual:icon/clapperboard'
import FlaskConical from 'virtual:icon/flask-conical'
import MessagesSquare from 'virtual:icon/messages-square'
import type { IconComponent } from '../ui/create-icon.tsx'
import { StatusMark } from '../ui/status-badge.tsx'
import { type IslandState, kindWords, stateWords } from './island-words.ts'

const kindIcons: Readonly<Record<IslandKind, IconComponent>> = {
  social: MessagesSquare,
  media: Clapperboard,
  lab: FlaskConical,
}

export function KindMark({ kind }: { kind: IslandKind }) {
  const Icon = kindIcons[kind]
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap text-muted">
      <Icon aria-hidden className="size-4 shrink-0 text-island" strokeWidth={1.75} />
      {kindWords[kind].name}
    </span>
  )
}

/** Colour alone is not enough, so the mark has a shape and a word. */
export function StateMark({ state }: { state: IslandState }) {
  return (
    <span
      title={stateWords[state].about}
      className="inline-flex items-center gap-2 text-sm whitespace-nowrap text-ink"
    >
      <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0" fill="none">
        <Mark state={state} />
      </svg>
      {stateWords[state].name}
    </span>
  )
}

function Mark({ state }: { state: IslandState }) {
  if (state === 'open') return <StatusMark status="online" />
  if (state === 'unwatched') {
    return <path d="M6 1.5 10.5 6 6 10.5 1.5 6Z" strokeWidth="1.5" className="stroke-online" />
  }
  if (state === 'paused') {
    return (
      <path d="M4 2v8M8 2v8" strokeWidth="2" strokeLinecap="round" className="stroke-offline" />
    )
  }
  if (state === 'closed') return <StatusMark status="offline" />
  return (
    <circle
      cx="6"
      cy="6"
      r="4"
      strokeWidth="1.5"
      strokeDasharray="2 2"
      className="stroke-unknown"
    />
  )
}
