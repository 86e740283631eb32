import type { User } from '@astropelago/contract/me'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import ArrowRight from 'virtual:icon/arrow-right'
import { LinkButton } from '../../lib/link-button.tsx'
import { useOwnStream } from '../../lib/live-feed/use-streams.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { IslandsPanel } from './islands-panel.tsx'

export function DashboardPage({ news, devices }: { news?: ReactNode; devices?: ReactNode }) {
  usePageTitle(t`Dashboard`)
  const name = greetingName(useUser())
  useOwnStream()
  return (
    <div className="flex flex-col gap-10 sm:gap-14">
      <header className="flex flex-col gap-3">
        <h1 className="text-sm font-medium tracking-normal text-accent">
          <Trans>Dashboard</Trans>
        </h1>
        <p className="font-display text-heading font-semibold tracking-tight">
          <Trans>
            Welcome back, <bdi className="inline-block max-w-full break-words">{name}</bdi>
          </Trans>
        </p>
        {news}
      </header>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <IslandsPanel />
          {devices}
        </div>
        <ActivityPanel />
      </div>
      <section
        aria-labelledby="onward"
        className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t border-line pt-8"
      >
        <div className="flex max-w-xl flex-col gap-1">
          <h2 id="onward" className="text-lg font-semibold">
            <Trans>Ready when you are</Trans>
          </h2>
          <p className="text-sm text-muted">
            <Trans>
              Connecting a device takes four steps. It is online after its first heartbeat. All your
              devices are on your account page.
            </Trans>
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <LinkButton to={paths.connect()}>
            <Trans>Connect a device</Trans>
            <ArrowRight aria-hidden />
          </LinkButton>
          <LinkButton to={paths.account()} variant="outline">
            <Trans>Your devices</Trans>
          </LinkButton>
        </div>
      </section>
    </div>
  )
}

/** The username or, if it is empty, the display name. */
export function greetingName({ username, name }: Pick<User, 'username' | 'name'>): string {
  return username || (name ?? '')
}
