import {
  type CheckDay,
  type CheckHistory,
  createCheck,
  deleteCheck,
  getCheck,
  getCheckHistory,
  getOwnCheck,
  listOwnChecks,
  type OwnCheck,
  updateCheck,
} from '@astropelago/contract/checks'
import { listOwnDevices } from '@astropelago/contract/devices'
import { uptimeWindows } from '@astropelago/contract/history'
import { listOwnIslands } from '@astropelago/contract/islands'
import { answerApi, isAnswered, refused, respondTo } from '../../../test/answer-api.ts'

const minuteMs = 60_000
const nowMs = Date.now()
export const ago = (minutes: number) => new Date(nowMs - minutes * minuteMs).toISOString()

export const website = {
  kind: 'http',
  url: 'https://harbour.example/health',
  statuses: '200-299',
  text: null,
  followsRedirects: true,
  periodS: 60,
  timeoutS: 10,
} as const satisfies OwnCheck['target']

export const backup: OwnCheck['target'] = { kind: 'push', periodS: 86_400, graceS: 3600 }

export function sampleCheck(details: Partial<OwnCheck> = {}): OwnCheck {
  return {
    id: crypto.randomUUID(),
    name: 'Harbour',
    target: website,
    visibility: 'private',
    isPaused: false,
    island: null,
    device: null,
    status: 'up',
    since: ago(90),
    checkedAt: ago(1),
    note: null,
    tookMs: 84,
    createdAt: '2026-01-02T03:04:05.000Z',
    hidden: null,
    ...details,
  }
}

function sampleCheckDay(daysAgo: number, details: Partial<CheckDay> = {}): CheckDay {
  return {
    day: ago(daysAgo * 1440).slice(0, 10),
    upS: 86_400,
    downS: 0,
    unobservedS: 0,
    flips: 0,
    status: 'up',
    p50Ms: 90,
    p95Ms: 180,
    ...details,
  }
}

export function sampleCheckHistory(details: Partial<CheckHistory> = {}): CheckHistory {
  return {
    status: 'up',
    since: ago(60),
    windows: uptimeWindows.map((window) => ({ window, uptime: 0.995, observed: 0.5 })),
    days: [sampleCheckDay(2), sampleCheckDay(1, { downS: 43_200, upS: 43_200, flips: 2 })],
    spans: [
      { from: ago(1440), to: ago(120), status: 'up' },
      { from: ago(120), to: ago(60), status: 'down' },
      { from: ago(60), to: ago(0), status: 'up' },
    ],
    samples: Array.from({ length: 1440 }, (_, index) => ({
      at: ago(1440 - index),
      tookMs: index >= 1320 && index < 1380 ? null : 80 + ((index * 7) % 40),
    })),
    events: [
      { at: ago(60), kind: 'up', note: null },
      { at: ago(120), kind: 'down', note: 'It answered with 502.' },
    ],
    next: null,
    ...details,
  }
}

export const noHistory: CheckHistory = sampleCheckHistory({
  windows: [],
  days: [],
  spans: [],
  samples: [],
  events: [],
})

/** Answers calls about the user's checks like the server, including changes. */
export function answerOwnChecks(...checks: OwnCheck[]) {
  const find = (id: string) => checks.find((check) => check.id === id)
  const listed = answerApi(listOwnChecks, () => ({ status: 200, body: checks }))
  answerApi(getOwnCheck, ({ params }) => {
    const check = find(params.id)
    return check === undefined ? refused('not_found') : { status: 200, body: check }
  })
  const made = answerApi(createCheck, ({ body }) => {
    const waiting = { status: 'unobserved', since: null, checkedAt: null, tookMs: null } as const
    const check = sampleCheck({ ...body, ...waiting })
    checks.push(check)
    const pushUrl = body.target.kind === 'push' ? 'https://sky.example/ping/s3cret' : null
    return { status: 201, body: { ...check, pushUrl } }
  })
  const changed = answerApi(updateCheck, ({ params, body }) => {
    const check = find(params.id)
    return check === undefined
      ? refused('not_found')
      : { status: 200, body: Object.assign(check, body) }
  })
  const deleted = answerApi(deleteCheck, ({ params }) => {
    checks.splice(0, checks.length, ...checks.filter(({ id }) => id !== params.id))
    return { status: 204 }
  })
  answerApi(getCheck, refused('not_found'))
  answerCheckHistory(sampleCheckHistory())
  if (!isAnswered(listOwnDevices)) answerApi(listOwnDevices, { status: 200, body: [] })
  if (!isAnswered(listOwnIslands)) answerApi(listOwnIslands, { status: 200, body: [] })
  return { checks, listed, made, changed, deleted }
}

export function answerCheckHistory(history: CheckHistory) {
  answerApi(getCheckHistory, { status: 200, body: history })
  const badge = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>'
  respondTo('GET', '/badges/checks/:id/status.svg', async () => new Response(badge))
}
