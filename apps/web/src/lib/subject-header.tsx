import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import EyeOff from 'virtual:icon/eye-off'
import { duration } from '../ui/history-words.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { LocalTime } from '../ui/local-time.tsx'
import { useNow } from './use-now.ts'
import { usePageTitle } from './use-page-title.ts'

interface SubjectHeaderProps {
  name: string
  mark: ReactNode
  state: string
  isDown?: boolean
  since: ReactNode
  /** What screen readers announce when the state changes. */
  announcement: string
  /** The buttons. */
  actions: ReactNode
  /** What else is to know, line by line. */
  children: ReactNode
}

/** The top of a page about a device or a check. */
export function SubjectHeader(props: SubjectHeaderProps) {
  const { name, mark, state, isDown = false, since, announcement, actions, children } = props
  usePageTitle(name)
  return (
    <header className="flex min-w-0 flex-col gap-5">
      <div className="flex min-w-0 flex-col gap-3">
        <h1 dir="auto" className="text-heading font-semibold wrap-anywhere">
          {name}
        </h1>
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-muted">
          <span
            className={`inline-flex items-baseline gap-2.5 font-display text-title font-semibold ${isDown ? 'text-danger' : 'text-ink'}`}
          >
            {mark}
            {state}
          </span>
          {since}
        </p>
        {children}
      </div>
      {actions}
      <LiveRegion>{announcement}</LiveRegion>
    </header>
  )
}

export const clockMs = 5000

export function Since({ at }: { at: string }) {
  const nowMs = useNow(clockMs)
  const time = duration(Math.max(0, nowMs - Date.parse(at)) / 1000)
  return (
    <span data-numeric>
      <Trans>
        for {time}, since <LocalTime at={at} />
      </Trans>
    </span>
  )
}

export function Remark({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-xl items-start gap-2 text-sm text-muted [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

/** For the owner. */
export function HiddenRemark({ reason }: { reason: string }) {
  return (
    <Remark icon={<EyeOff aria-hidden />}>
      <Trans>
        Hidden from everybody else by the operator of this server:{' '}
        <q className="whitespace-pre-line wrap-anywhere text-ink quotes-none">{reason}</q>
      </Trans>
    </Remark>
  )
}
