import type { OperatorDevice, OperatorUser } from '@astropelago/contract/operator'
import type { ReportCase } from '@astropelago/contract/reports'
import { UserContext } from '../../../lib/use-user.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { OperatorPage } from '../operator-page.tsx'

const at = '2026-01-02T03:04:05.000Z'
const operator = { ...sampleUser, username: 'Captain', isOperator: true }

/** The operators' screen, with Captain at it; `part` is what follows the screen's path. */
export async function openOperator(part = ''): Promise<void> {
  await openPart(
    <UserContext value={operator}>
      <OperatorPage />
    </UserContext>,
    { path: `/mothership${part}`, user: operator },
  )
}

export function sampleOperatorUser(details: Partial<OperatorUser> = {}): OperatorUser {
  return {
    username: 'eve',
    name: null,
    avatar: null,
    createdAt: at,
    isDemo: false,
    isOperator: false,
    disabledAt: null,
    relayStopped: null,
    trustedAt: null,
    deviceCount: 2,
    sessionCount: 1,
    lastUsedAt: at,
    ...details,
  }
}

export function sampleOperatorDevice(details: Partial<OperatorDevice> = {}): OperatorDevice {
  return {
    id: crypto.randomUUID(),
    label: 'Rook',
    visibility: 'public',
    status: 'online',
    link: null,
    createdAt: at,
    lastSeenAt: at,
    hidden: null,
    ...details,
  }
}

export function sampleCase(details: Partial<ReportCase> = {}): ReportCase {
  const seen = { name: 'Rook', link: null, author: 'eve' }
  return {
    id: crypto.randomUUID(),
    subject: { kind: 'device', id: 'device-1' },
    thing: { ...seen, isPublic: true, hidden: null },
    reportedAs: seen,
    count: 1,
    reports: [{ reason: 'privacy', text: 'My sister lives there.', reporter: 'ada', at }],
    settled: null,
    ...details,
  }
}
