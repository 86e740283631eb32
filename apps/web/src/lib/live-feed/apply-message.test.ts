import type { OwnMessage } from '@astropelago/contract/streams'
import { sampleReport } from '../../test/samples.ts'
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { queryKeys } from '../query-keys.ts'
import { applyMessage } from './apply-message.ts'

const { device, island, islandLog, islandRequests, relayedState } = queryKeys
/** Queries of several screens: of two devices, of two islands, of lists, and one that no message is about. */
const all: Readonly<Record<string, QueryKey>> = {
  'own devices': queryKeys.ownDevices,
  'device 1': [...device('d1'), 'details'],
  'device 2': [...device('d2'), 'details'],
  'own islands': queryKeys.ownIslands,
  'joined islands': queryKeys.joinedIslands,
  view: [...queryKeys.islandViews, 'harbor'],
  log: islandLog('i1'),
  'other log': islandLog('i2'),
  members: [...island('i1'), 'members'],
  requests: islandRequests('i1'),
  relay: relayedState('i1'),
  'listed islands': [...queryKeys.listedIslands, 'chart'],
  logs: [...queryKeys.logs, 'note'],
  activity: queryKeys.activity,
  sessions: ['sessions'],
}
const id = 'i1'
const since = '2026-01-01T00:00:00.000Z'
const report = sampleReport()

function clientWithAll(): QueryClient {
  const client = new QueryClient()
  for (const queryKey of Object.values(all)) client.setQueryData(queryKey, [])
  return client
}

test.each<[OwnMessage, readonly string[]]>([
  [
    { type: 'device', payload: { id: 'd1', status: 'online' } },
    ['own devices', 'device 1', 'activity'],
  ],
  [{ type: 'device-report', payload: { id: 'd1', report } }, ['own devices', 'device 1']],
  [{ type: 'devices' }, ['own devices', 'device 1', 'device 2', 'activity']],
  [{ type: 'island-open', payload: { id, isOpen: true, since } }, ['own islands', 'relay', 'logs']],
  [{ type: 'island-log', payload: { id } }, ['own islands', 'log', 'logs', 'activity']],
  [{ type: 'island-requests', payload: { id } }, ['own islands', 'requests']],
  [
    { type: 'island-members', payload: { id } },
    [
      'own islands',
      'joined islands',
      'view',
      'log',
      'members',
      'requests',
      'relay',
      'logs',
      'activity',
    ],
  ],
  [{ type: 'islands' }, ['own islands', 'joined islands', 'logs', 'activity']],
  [{ type: 'reports' }, []],
  [{ type: 'reload' }, Object.keys(all).filter((name) => name !== 'sessions')],
])('%j makes stale what it may have changed, and nothing else', async (message, expected) => {
  const client = clientWithAll()
  await applyMessage(client, message)
  const stale = Object.entries(all).filter(([, key]) => client.getQueryState(key)?.isInvalidated)
  expect(stale.map(([name]) => name)).toEqual(expected)
})

test('an island that opens is shown as open at once, in lists and on its page', async () => {
  const client = clientWithAll()
  const closed = { id, isOpen: false, since: null }
  const other = { id: 'i2', isOpen: false, since: null }
  const view = [...queryKeys.islandViews, 'harbor']
  client.setQueryData(queryKeys.ownIslands, [closed, other])
  client.setQueryData(view, closed)
  await applyMessage(client, { type: 'island-open', payload: { id, isOpen: true, since } })
  expect(client.getQueryData(queryKeys.ownIslands)).toEqual([{ id, isOpen: true, since }, other])
  expect(client.getQueryData(view)).toEqual({ id, isOpen: true, since })
})

test('a view that was being fetched when its island opened is fetched again', async () => {
  const client = new QueryClient()
  const answers = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
  let asked = 0
  const observer = new QueryObserver(client, {
    queryKey: [...queryKeys.islandViews, 'harbor'],
    queryFn: () => answers[asked++]?.promise,
    retry: false,
  })
  const stop = observer.subscribe(() => undefined)
  onTestFinished(stop)
  answers[1]?.resolve({ id, isOpen: true, since })
  await applyMessage(client, { type: 'island-open', payload: { id, isOpen: true, since } })
  answers[0]?.resolve({ id, isOpen: false, since: null })
  await expect.poll(() => observer.getCurrentResult().data).toEqual({ id, isOpen: true, since })
  expect(asked).toBe(2)
})
