import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { hideSubject, type ReportKind, showSubject } from '@astropelago/contract/reports'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import Unplug from 'virtual:icon/unplug'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { ActionButton } from './action-button.tsx'
import { AtTime } from './at-time.tsx'

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
  kind: 'hidden' | 'relay-stopped'
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
      <span className="min-w-0 wrap-anywhere">
        <Trans>
          {kind === 'hidden' ? t`Hidden` : t`Relay stopped`} since <AtTime at={measure.at} />:{' '}
          {measure.reason}
        </Trans>
      </span>
    </p>
  )
}

interface HideOrShowProps {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
  readonly isHidden: boolean
  /** The reader of the reason, such as 'its owner'. */
  readonly reader: string
  /** The consequences of each, after the name. */
  readonly hiding: ReactNode
  readonly showing: ReactNode
}

/** Hides something from everybody except its owner, or shows it again. */
export function HideOrShow(props: HideOrShowProps) {
  const { kind, id, name, isHidden, reader, hiding, showing } = props
  if (isHidden) {
    return (
      <ActionButton
        label={t`Show again`}
        name={t`Show ${name} again`}
        size="sm"
        title={t`Show this ${kind} again?`}
        action={t`Show it`}
        act={() => call(showSubject, { params: { kind, id } })}
        done={t`${name} is shown again`}
      >
        <SubjectName>{name}</SubjectName> {showing}
      </ActionButton>
    )
  }
  return (
    <ActionButton
      label={t`Hide`}
      name={t`Hide ${name}`}
      size="sm"
      title={t`Hide this ${kind}?`}
      reader={reader}
      action={t`Hide it`}
      act={(reason) => call(hideSubject, { params: { kind, id }, body: { reason } })}
      done={t`${name} is hidden`}
    >
      <SubjectName>{name}</SubjectName> {hiding}
    </ActionButton>
  )
}
