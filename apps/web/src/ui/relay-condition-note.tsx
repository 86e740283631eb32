import type { RelayedState } from '@astropelago/contract/island-relay'
import type { ReactNode } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CirclePause from 'virtual:icon/circle-pause'
import PlugZap from 'virtual:icon/plug-zap'
import ServerCrash from 'virtual:icon/server-crash'
import { classNames } from './class-names.ts'
import { LocalTime } from './local-time.tsx'

type Condition = RelayedState['condition']

const failures = {
  refused: {
    title: 'Connected, but your service refuses',
    text: (where: string) =>
      `The agent is there, and nobody listens at ${where}. Start your service, or paste the block again with the port that it has.`,
  },
  timeout: {
    title: 'Connected, but your service answers too slowly',
    text: (where: string) =>
      `The agent is there, and the last request to ${where} got no answer in time. See whether your service hangs, or has too much to do.`,
  },
  broken: {
    title: 'Connected, but your service breaks off',
    text: (where: string) =>
      `The agent is there, and the last answer of ${where} stopped in the middle or was none. The log of your service may say why.`,
  },
} as const

const others = {
  off: {
    title: 'This server has no relay',
    text: 'So nobody can enter. Whoever runs it can turn a relay on; until then, give your island a link.',
  },
  stopped: {
    title: 'Stopped by whoever runs this server',
    text: 'The relay carries nobody to this island. Their reason stands on the island’s page.',
  },
  never: {
    title: 'No agent is connected',
    text: 'Visitors read that your island is closed until the agent runs on your device.',
  },
  gone: {
    title: 'The agent is gone',
    text: 'Visitors read that your island is closed. See whether your device is on and reaches the internet: the agent comes back by itself.',
  },
  carried: {
    title: 'Visitors come in',
    text: 'The agent is connected, and what it serves answers.',
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

/** What is said first of how an island stands. */
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
  /** What can be done about it. */
  children?: ReactNode
}

/** How an island stands that the relay carries, in words for its host. */
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
