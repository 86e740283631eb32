import { listAllDevices } from '@astropelago/contract/operator'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { registerTestDevice } from '../../../test/api-devices.ts'
import { createOperatorApp } from '../../../test/operator-app.ts'

async function setUp() {
  const testApp = await createOperatorApp()
  const { operator, signUp } = testApp
  const [ada, eve] = [await signUp('Ada'), await signUp('eve')]
  const url = '/api/operator/devices'
  const list = async (query = '') => {
    const answer = await operator.inject({ url: `${url}${query}` })
    const { devices, hasMore } = v.parse(listAllDevices.answers[200], answer.json())
    return { devices, hasMore, labels: devices.map(({ label }) => label) }
  }
  return { ...testApp, ada, eve, url, list }
}

test('S57 operators see all users’ devices without their places, newest first, page by page', async () => {
  const { ada, eve, url, list, clock } = await setUp()
  const rook = await registerTestDevice(ada, { label: 'Rook' })
  await registerTestDevice(eve, { label: 'Attic', visibility: 'private' })
  await registerTestDevice(ada, { label: 'Shed' })
  const first = await list('?limit=2')
  expect(first).toMatchObject({ labels: ['Shed', 'Attic'], hasMore: true })
  const second = await list(`?limit=2&after=${first.devices.at(-1)?.id}`)
  expect(second).toMatchObject({ labels: ['Rook'], hasMore: false })
  expect(second.devices).toEqual([
    {
      id: rook.id,
      label: 'Rook',
      owner: 'Ada',
      visibility: 'public',
      status: 'unknown',
      link: null,
      createdAt: new Date(clock.now()).toISOString(),
      lastSeenAt: null,
      hidden: null,
    },
  ])
  expect((await ada.inject({ url })).statusCode).toBe(404)
})

test('the list can be searched by label and owner, and filtered by kind', async () => {
  const { ada, eve, operator, list } = await setUp()
  await registerTestDevice(ada, { label: '100% Rook' })
  await registerTestDevice(eve, { label: 'Attic', visibility: 'private' })
  const { id } = await registerTestDevice(eve, { label: 'Shed' })
  const hide = { url: `/api/operator/hidden/device/${id}`, payload: { reason: 'Rude' } }
  await operator.inject({ method: 'POST', ...hide })
  expect((await list('?search=0%25%20r')).labels).toEqual(['100% Rook'])
  expect((await list('?search=EVE')).labels).toEqual(['Shed', 'Attic'])
  expect((await list('?search=_')).labels).toEqual([])
  expect((await list('?only=public')).labels).toEqual(['100% Rook'])
  expect((await list('?only=private')).labels).toEqual(['Attic'])
  expect((await list('?only=hidden&search=eve')).labels).toEqual(['Shed'])
  await operator.inject({ method: 'POST', url: '/api/operator/users/ada/disable' })
  expect((await list('?only=public')).labels).toEqual([])
})
