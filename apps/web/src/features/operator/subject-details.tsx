import { hideSubject, showSubject } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import Unplug from 'virtual:icon/unplug'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { ActionButton } from './action-button.tsx'
import { AtTime } from './at-time.tsx'
import { kindWords } from './reports/report-words.ts'

export const linkStyles =
  'text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current'

export const listItemStyles =
  'flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line first:pt-0 last:border-0 last:pb-0'

/** A user's name, or `children`, linked to the user's page for operators. */
export function UserLink(props: { username: string; className?: string; children?: string }) {
  const { username, className, children = username } = props
  return (
    <Link
      to={paths.mothership('users', { user: username })}
      className={classNames(linkStyles, className)}
    >
      {children}
    </Link>
  )
}

export function SubjectName({ children }: { children: string }) {
  return <bdi className="font-medium wrap-anywhere text-ink">{children}</bdi>
}

interface Measure {
  readonly at: string
  readonly reason: string
}

export function MeasureLine(props: {
  kind: keyof typeof measures
  measure: Measure | null
  isLarge?: boolean
}) {
  const { kind, measure, isLarge = false } = props
  if (measure === null) return null
  const Icon = kind === 'hidden' ? EyeOff : Unplug
  return (
    <p
      className={classNames('flex items-start gap-2 text-danger', isLarge ? 'text-sm' : 'text-xs')}
    >
      <Icon
        aria-hidden
        className={classNames('mt-0.5 shrink-0', isLarge ? 'size-4' : 'size-3.5')}
      />
      <span className="min-w-0 wrap-anywhere">{measures[kind](measure)}</span>
    </p>
  )
}

const measures = {
  hidden: ({ at, reason }: Measure) => (
    <Trans>
      Hidden since <AtTime at={at} />: {reason}
    </Trans>
  ),
  'relay-stopped': ({ at, reason }: Measure) => (
    <Trans>
      Relay stopped since <AtTime at={at} />: {reason}
    </Trans>
  ),
  'pages-stopped': ({ at, reason }: Measure) => (
    <Trans>
      Pages stopped since <AtTime at={at} />: {reason}
    </Trans>
  ),
} as const

const questions = {
  device: { hide: t`Hide this device?`, show: t`Show this device again?` },
  island: { hide: t`Hide this island?`, show: t`Show this island again?` },
} as const

interface HideOrShowProps {
  readonly kind: keyof typeof questions
  readonly id: string
  readonly name: string
  readonly isHidden: boolean
  /** The consequences of each. */
  readonly hiding: ReactNode
  readonly showing: ReactNode
}

/** Hides something from everybody except its owner, or shows it again. */
export function HideOrShow(props: HideOrShowProps) {
  const { kind, id, name, isHidden, hiding, showing } = props
  if (isHidden) {
    return (
      <ActionButton
        label={t`Show again`}
        name={t`Show ${name} again`}
        size="sm"
        title={questions[kind].show}
        action={t`Show it`}
        act={() => call(showSubject, { params: { kind, id } })}
        done={t`${name} is shown again`}
      >
        {showing}
      </ActionButton>
    )
  }
  return (
    <ActionButton
      label={t`Hide`}
      name={t`Hide ${name}`}
      size="sm"
      title={questions[kind].hide}
      reasonLabel={kindWords[kind].reasonLabel}
      action={t`Hide it`}
      act={(reason) => call(hideSubject, { params: { kind, id }, body: { reason } })}
      done={t`${name} is hidden`}
    >
      {hiding}
    </ActionButton>
  )
}
