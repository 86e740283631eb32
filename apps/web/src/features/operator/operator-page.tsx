import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { usePagePart } from '../../lib/router/page-parts.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Announcements } from './announcements/announcements.tsx'
import { Audit } from './audit/audit.tsx'
import { Devices } from './devices/devices.tsx'
import { Invites } from './invites/invites.tsx'
import { Islands } from './islands/islands.tsx'
import { type OperatorPartId, operatorParts } from './operator-parts.ts'
import { Overview } from './overview/overview.tsx'
import { Reports } from './reports/reports.tsx'
import { Users } from './users/users.tsx'

const partScreens: Readonly<Record<OperatorPartId, ComponentType>> = {
  overview: Overview,
  users: Users,
  devices: Devices,
  islands: Islands,
  reports: Reports,
  announcements: Announcements,
  invites: Invites,
  audit: Audit,
}

/** What operators see of the installation, with the same actions as the command line. */
export function OperatorPage() {
  const { id, name } = usePagePart(operatorParts) ?? operatorParts[0]
  usePageTitle(id === 'overview' ? 'Mothership' : `${name} · Mothership`)
  const PartScreen = partScreens[id]
  return (
    <div className="flex min-w-0 flex-col gap-6 sm:gap-8">
      <PageHeader
        title="Mothership"
        lead="You run this server. What you do here takes effect at once, and is written down in the audit log."
      />
      <nav aria-label="Mothership" className="min-w-0">
        <ul className="grid grid-cols-3 border-line-strong sm:flex sm:gap-1 sm:border-b">
          {operatorParts.map((one) => (
            <li key={one.id}>
              <Link
                to={one.path}
                aria-current={one.id === id ? 'page' : undefined}
                className="flex h-11 items-center justify-center border-b-2 border-line px-2 text-sm font-medium text-muted no-underline -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink sm:-mb-px sm:h-10 sm:border-transparent sm:px-3"
              >
                {one.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PartScreen />
    </div>
  )
}
