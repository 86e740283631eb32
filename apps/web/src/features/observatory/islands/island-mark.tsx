import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import type { IslandState } from '../../../islands/island-words.ts'
import { elsewhere } from '../../../neighbours/elsewhere.ts'
import type { CarriedIsland } from './carried-islands.ts'

/** A mountain over water in the islands' colour: filled if the island is open, otherwise an outline. */
export function IslandShape({ isOpen, className }: { isOpen: boolean; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={classNames('shrink-0', className)} fill="none">
      <path
        d="M8 2 13.5 10.5h-11Z"
        strokeWidth="1.5"
        strokeLinejoin="round"
        className={classNames('stroke-island', isOpen ? 'fill-island' : 'fill-ground')}
      />
      <path d="M1.5 13.5h13" strokeWidth="1.5" strokeLinecap="round" className="stroke-island" />
    </svg>
  )
}

const stateNames: Readonly<Record<IslandState, string>> = {
  open: t`open`,
  unwatched: t`open, not watched`,
  paused: t`paused`,
  closed: t`closed`,
  unbuilt: t`not there yet`,
}

export function IslandMention({ island }: { island: CarriedIsland }) {
  const { name, isOpen } = island
  const state = stateNames[island.state]
  return (
    <span className="flex h-4 min-w-0 items-center gap-2">
      <IslandShape isOpen={isOpen} className="size-3.5" />
      <span className="min-w-0 truncate">
        <Trans>
          Island <bdi className="font-medium text-ink">{name}</bdi>, {state}
        </Trans>
      </span>
    </span>
  )
}

interface IslandLinkProps {
  readonly island: CarriedIsland
  readonly className?: string
  readonly tabIndex?: number
}

export function IslandLink({ island, className, tabIndex }: IslandLinkProps) {
  const { name, href, isOpen, isElsewhere } = island
  const state = stateNames[island.state]
  const text = isElsewhere
    ? t`Island ${name}, ${state} (opens in a new tab)`
    : t`Island ${name}, ${state}`
  return (
    <Link
      to={href}
      {...(isElsewhere && elsewhere)}
      title={text}
      aria-label={text}
      tabIndex={tabIndex}
      className={classNames(
        'inline-flex max-w-full min-w-0 items-center gap-1.5 text-island underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current',
        className,
      )}
    >
      <IslandShape isOpen={isOpen} className="size-3.5" />
      <bdi className="truncate">{name}</bdi>
    </Link>
  )
}
