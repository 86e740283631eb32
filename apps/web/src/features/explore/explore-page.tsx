import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { LinkButton } from '../../lib/link-button.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { CommunityLounge } from './community-lounge.tsx'
import { Modules } from './modules.tsx'
import { OpenNow } from './open-now.tsx'
import { Places } from './places.tsx'
import { Section } from './section.tsx'

export function ExplorePage({ search, globe }: { search: ReactNode; globe: ReactNode }) {
  usePageTitle(t`Explore`)
  return (
    <div className="flex flex-col gap-8 sm:gap-12">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="text-heading font-semibold">
            <Trans>Explore</Trans>
          </h1>
          <p className="text-muted">
            <Trans>
              Islands are spaces that fellow Navigators host: chats, games, media and apps. Start
              where everybody meets, then find your own way around.
            </Trans>
          </p>
        </div>
        <LinkButton to={paths.connect()} variant="outline" className="max-sm:hidden">
          <Trans>Connect your device</Trans>
        </LinkButton>
      </header>
      {search}
      <CommunityLounge />
      <OpenNow />
      <Section
        id="network-now"
        title={t`The network right now`}
        lead={t`Every public device in its place, as it comes online and goes offline.`}
      >
        {globe}
      </Section>
      <Places />
      <Modules />
    </div>
  )
}
