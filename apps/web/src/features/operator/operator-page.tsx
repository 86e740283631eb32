import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { usePagePart } from '../../lib/router/page-parts.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Announcements } from './announcements/announcements.tsx'
import { Audit } from './audit.tsx'
import { Devices } from './devices.tsx'
import { Invites } from './invites.tsx'
import { Islands } from './islands.tsx'
import { Neighbours } from './neighbours/neighbours.tsx'
import { Overview } from './overview/overview.tsx'
import { PagesReviews } from './pages-reviews.tsx'
import { Reports } from './reports/reports.tsx'
import { Users } from './users/users.tsx'

const parts = [
  { id: 'overview', name: t`Overview`, Screen: Overview },
  { id: 'users', name: t`Users`, Screen: Users },
  { id: 'devices', name: t`Devices`, Screen: Devices },
  { id: 'islands', name: t`Islands`, Screen: Islands },
  { id: 'pages', name: t`Pages`, Screen: PagesReviews },
  { id: 'reports', name: t`Reports`, Screen: Reports },
  { id: 'announcements', name: t`Announcements`, Screen: Announcements },
  { id: 'neighbours', name: t`Neighbours`, Screen: Neighbours },
  { id: 'invites', name: t`Invites`, Screen: Invites },
  { id: 'audit', name: t`Audit log`, Screen: Audit },
] as const

/** The installation for its operators, with the same actions as on the command line. */
export function OperatorPage() {
  const { id: current, name, Screen } = usePagePart(parts) ?? parts[0]
  usePageTitle(current === 'overview' ? t`Mothership` : t`${name} · Mothership`)
  return (
    <div className="flex min-w-0 flex-col gap-6 sm:gap-8">
      <PageHeader
        title={t`Mothership`}
        lead={t`You run this server. What you do here takes effect at once, and is written down in the audit log.`}
      />
      <nav aria-label={t`Mothership`} className="min-w-0">
        <ul className="grid grid-cols-3 border-line-strong sm:flex sm:gap-1 sm:border-b">
          {parts.map((part) => (
            <li key={part.id}>
              <Link
                to={part.id === 'overview' ? paths.mothership() : paths.mothership(part.id)}
                aria-current={part.id === current ? 'page' : undefined}
                className="flex h-11 items-center justify-center border-b-2 border-line px-2 text-sm font-medium text-muted no-underline -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink sm:-mb-px sm:h-10 sm:border-transparent sm:px-3"
              >
                {part.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Screen />
    </div>
  )
}
