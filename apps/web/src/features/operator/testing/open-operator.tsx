import type { getStats, OperatorDevice, OperatorUser } from '@astropelago/contract/operator'
import type { OperatorAlerts } from '@astropelago/contract/operator-alerts'
import type { ReportCase } from '@astropelago/contract/reports'
import type { AnswerBody } from '@astropelago/contract/route'
import { UserContext } from '../../../lib/use-user.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { OperatorPage } from '../operator-page.tsx'

const at = '2026-01-02T03:04:05.000Z'
const operator = { ...sampleUser, username: 'Captain', isOperator: true }

/** Opens the operators' screen as the user Captain. `part` is appended to the screen's path. */
export async function openOperator(part = ''): Promise<void> {
  await openPart(
    <UserContext value={operator}>
      <OperatorPage />
    </UserContext>,
    { path: `/mothership${part}`, user: operator },
  )
}

type ServerFacts = AnswerBody<typeof getStats>['server']

/** A healthy server without e-mail. */
export function sampleServer(details: Partial<ServerFacts> = {}): ServerFacts {
  return {
    version: '1.2.3',
    databaseBytes: 12_345_678,
    makesBackups: true,
    lastBackupAt: '2026-03-04T05:06:00.000Z',
    health: {
      storage: { kind: 'sqlite', answeredInMs: 2, waiting: 0, failures: 0 },
      mail: { isOn: false, lastSentAt: null, failure: null },
      cluster: { size: 1, leads: true, behindMs: 0 },
    },
    ...details,
  }
}

export function sampleAlerts(details: Partial<OperatorAlerts> = {}): OperatorAlerts {
  return { pausedAt: null, waiting: 0, oldestAt: null, channels: [], ...details }
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
