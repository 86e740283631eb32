import type { RelayedState } from '@astropelago/contract/island-relay'
import type { ReactNode } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CirclePause from 'virtual:icon/circle-pause'
import PlugZap from 'virtual:icon/plug-zap'
import ServerCrash from 'virtual:icon/server-crash'
import { classNames } from '../ui/class-names.ts'
import { LocalTime } from '../ui/local-time.tsx'

type Condition = RelayedState['condition']

const failures = {
  refused: {
    title: 'Connected, but your service refuses',
    text: (where: string) =>
      `The agent is connected, but nothing answers at ${where}. Start your service, or paste the block again with the right port.`,
  },
  timeout: {
    title: 'Connected, but your service answers too slowly',
    text: (where: string) =>
      `The agent is connected, but ${where} did not answer the last request in time. Check whether your service hangs or is too busy.`,
  },
  broken: {
    title: 'Connected, but your service breaks off',
    text: (where: string) =>
      `The agent is connected, but the last answer of ${where} stopped in the middle or was not valid. The log of your service may say why.`,
  },
} as const

const others = {
  off: {
    title: 'This server has no relay',
    text: 'Nobody can enter. The operator of this server can turn the relay on. Until then, give your island a link.',
  },
  stopped: {
    title: 'Stopped by the operator of this server',
    text: 'Nobody can enter through the relay. You find the reason on the island’s page.',
  },
  never: {
    title: 'No agent is connected',
    text: 'Nobody can enter. Your island opens when the agent runs on your device.',
  },
  gone: {
    title: 'The agent is gone',
    text: 'Nobody can enter. Check whether your device is on and has internet. Then the agent connects again by itself.',
  },
  carried: {
    title: 'Visitors come in',
    text: 'The agent is connected, and your service answers.',
  },
} as const

interface Words {
  readonly title: string
  readonly text: string
}

function wordsOf(condition: Condition): Words {
  if (condition.state === 'failing') {
    const { title, text } = failures[condition.why]
    return { title, text: text(condition.service ?? 'the address of your service') }
  }
  if (condition.state === 'gone' && condition.since === null) return others.never
  return others[condition.state]
}

/** A short title for the state of a relayed island. */
export function conditionTitle(condition: Condition): string {
  return wordsOf(condition).title
}

const marks = {
  off: CirclePause,
  stopped: CirclePause,
  gone: PlugZap,
  failing: ServerCrash,
  carried: CircleCheck,
} as const

interface RelayConditionNoteProps {
  condition: Condition
  visits: RelayedState['visits']
  /** Actions for the host. */
  children?: ReactNode
}

/** Describes the state of a relayed island to its host. */
export function RelayConditionNote({ condition, visits, children }: RelayConditionNoteProps) {
  const Mark = marks[condition.state]
  const { title, text } = wordsOf(condition)
  const isWell = condition.state === 'carried'
  const since = 'since' in condition ? condition.since : null
  return (
    <div
      className={classNames(
        'flex min-w-0 items-start gap-3 rounded-control border px-4 py-3 text-sm',
        isWell ? 'border-accent/40 bg-accent-soft' : 'border-danger/40 bg-raised',
      )}
    >
      <Mark
        aria-hidden
        className={classNames('mt-0.5 size-4 shrink-0', isWell ? 'text-accent' : 'text-danger')}
      />
      <div className="flex min-w-0 flex-col items-start gap-1.5">
        <p className="font-medium text-ink">
          {title}
          {since !== null && (
            <span className="font-normal text-muted">
              {' '}
              since <LocalTime at={since} />
            </span>
          )}
        </p>
        <p className="text-muted wrap-anywhere">{text}</p>
        {isWell && (
          <p className="text-muted">
            <span data-numeric>{visits.count.toLocaleString('en')}</span>{' '}
            {visits.count === 1 ? 'request' : 'requests'} of visitors since{' '}
            <LocalTime at={visits.since} />.
          </p>
        )}
        {children}
      </div>
    </div>
  )
}
