import type { Announcement } from '@astropelago/contract/announcements'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import LifeBuoy from 'virtual:icon/life-buoy'
import ShieldCheck from 'virtual:icon/shield-check'
import Telescope from 'virtual:icon/telescope'
import { LinkButton } from '../../lib/link-button.tsx'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { textLinkStyles } from '../../ui/button-styles.ts'
import { Card } from '../../ui/card.tsx'
import type { IconComponent } from '../../ui/create-icon.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AnnouncementMark, useAnnouncements } from './announcement-line.tsx'

export function Mothership() {
  const { isOperator } = useUser()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <News />
      <Help />
      {isOperator && (
        <LinkButton to={paths.mothership()} variant="outline" className="justify-self-start">
          <Trans>Run the network</Trans>
        </LinkButton>
      )}
    </div>
  )
}

function News() {
  const query = useAnnouncements()
  const announcements = query.data ?? []
  return (
    <Card title={t`From the Mothership`} description={t`News from the people who run this server.`}>
      <LoadedList
        of={t`The announcements`}
        query={query}
        isEmpty={announcements.length === 0}
        skeleton={
          <div className="flex flex-col gap-4">
            <Skeleton className="h-5 w-1/2 rounded-mark" />
            <Skeleton className="h-12 w-full rounded-mark" />
          </div>
        }
        empty={
          <p className="text-sm text-muted">
            <Trans>No news right now. Here you read what changes for everybody.</Trans>
          </p>
        }
      >
        <AnnouncementList announcements={announcements} />
      </LoadedList>
    </Card>
  )
}

interface HelpLine {
  readonly icon: IconComponent
  readonly text: string
  readonly to: string
  readonly link: string
}

const helpLines: readonly HelpLine[] = [
  {
    icon: LifeBuoy,
    text: t`Something does not work?`,
    to: paths.guide('stays-closed'),
    link: t`When your island stays closed`,
  },
  {
    icon: Telescope,
    text: t`New here?`,
    to: paths.guide('first-device'),
    link: t`Your first device`,
  },
  {
    icon: ShieldCheck,
    text: t`About to host?`,
    to: paths.guide('safety'),
    link: t`Safety for hosts`,
  },
]

function Help() {
  return (
    <Card title={t`Help`}>
      <ul className="flex flex-col gap-4">
        {helpLines.map(({ icon: Icon, text, to, link }) => (
          <li key={to} className="flex gap-3 text-sm text-muted">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={1.75} />
            <span>
              {text}
              <br />
              <Link to={to} className={textLinkStyles}>
                {link}
              </Link>
            </span>
          </li>
        ))}
      </ul>
      <p className="border-t border-line pt-4 text-sm text-muted">
        <Trans>
          Islands, notes and devices of others have a Report button: the people who run this server
          read what you send.
        </Trans>
      </p>
    </Card>
  )
}

function AnnouncementList({ announcements }: { announcements: readonly Announcement[] }) {
  return (
    <ul className="flex flex-col">
      {announcements.map(({ id, level, title, text, startsAt }) => (
        <li
          key={id}
          className="flex min-w-0 flex-col gap-1.5 border-b border-line py-5 first:pt-0 last:border-0 last:pb-0"
        >
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
            <AnnouncementMark level={level} />
            <LocalTime at={startsAt} form="day" />
          </p>
          <h3 dir="auto" className="text-base font-semibold wrap-anywhere">
            {title}
          </h3>
          {text !== '' && (
            <p
              dir="auto"
              className="max-w-3xl text-sm whitespace-pre-line wrap-anywhere text-muted"
            >
              <LinkedText>{text}</LinkedText>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

const linkStyles = `inline-flex min-h-6 items-center text-sm ${textLinkStyles}`

export function MothershipLinks({ announcements }: { announcements: readonly Announcement[] }) {
  const { isOperator } = useUser()
  const { length } = announcements
  return (
    <>
      {length > 0 && (
        <Link to={paths.discoverCategory('mothership')} className={linkStyles}>
          {plural(length, { one: '# announcement', other: '# announcements' })}
        </Link>
      )}
      {isOperator && (
        <Link to={paths.mothership()} className={linkStyles}>
          <Trans>Run the network</Trans>
        </Link>
      )}
    </>
  )
}
