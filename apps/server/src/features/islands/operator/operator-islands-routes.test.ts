import { islandsPerUser } from '@astropelago/contract/limits'
import { listAllIslands } from '@astropelago/contract/operator-islands'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  createTestInvitation,
  joinTestIsland,
  makeTestIsland,
  publishTestIsland,
  viewIsland,
} from '../../../test/api-islands.ts'
import { registerTestDevice } from '../../../test/api-devices.ts'
import { createOperatorApp, shareOperatorApp } from '../../../test/operator-app.ts'

async function setUp(open: () => ReturnType<typeof shareOperatorApp> = shareOperatorApp) {
  const testApp = await open()
  const { operator, signUp } = testApp
  const [host, ada] = [await signUp(), await signUp()]
  const url = '/api/operator/islands'
  return {
    ...testApp,
    host,
    ada,
    list: async (query = '') => {
      const response = await operator.inject({ url: `${url}${query}` })
      return v.parse(listAllIslands.answers[200], response.json())
    },
    handOver: (id: string, to: string | null) =>
      operator.inject({ method: 'POST', url: `${url}/${id}/hand-over`, payload: { host: to } }),
    setHidden: (id: string, reason: string | null) =>
      operator.inject({
        method: reason === null ? 'DELETE' : 'POST',
        url: `/api/operator/hidden/island/${id}`,
        ...(reason !== null && { payload: { reason } }),
      }),
  }
}

describe('the list', () => {
  test('is filtered on request', async () => {
    const { host, list, setHidden } = await setUp()
    const draft = await makeTestIsland(host)
    const listed = await publishTestIsland(host, { access: 'public', isListed: true })
    const unlisted = await publishTestIsland(host, { access: 'public', isListed: false })
    const hidden = await publishTestIsland(host, { access: 'public', isListed: true })
    await setHidden(hidden.id, 'Rude')
    const only = async (kind: string) => {
      const { islands } = await list(`?only=${kind}`)
      return islands.filter((one) => one.host === host.username).map(({ id }) => id)
    }
    expect(await only('drafts')).toEqual([draft.id])
    expect(await only('listed')).toEqual([listed.id])
    expect(await only('unlisted')).toEqual([unlisted.id])
    expect(await only('hidden')).toEqual([hidden.id])
  })

  test('has every island, including drafts, with what operators need to know, newest first', async () => {
    const { host, ada, clock, list } = await setUp(createOperatorApp)
    const draft = await makeTestIsland(host, { name: 'Draft' })
    const island = await publishTestIsland(host, { access: 'members', isListed: true })
    await joinTestIsland(ada, island.id)
    await host.inject({ method: 'POST', url: `/api/islands/${draft.id}/pause`, payload: {} })
    const now = new Date(clock.now()).toISOString()
    const common = {
      host: host.username,
      address: 'https://bar.example/',
      isRelayed: false,
      isHosted: false,
      relayStopped: null,
      createdAt: now,
      hidden: null,
    }
    expect(await list()).toEqual({
      islands: [
        {
          ...common,
          id: island.id,
          slug: island.slug,
          name: 'Harbor Bar',
          access: 'members',
          isListed: true,
          isOpen: true,
          pause: null,
          memberCount: 1,
          publishedAt: now,
        },
        {
          ...common,
          id: draft.id,
          slug: draft.slug,
          name: 'Draft',
          access: 'invited',
          isListed: false,
          isOpen: false,
          pause: { text: '', until: null },
          memberCount: 0,
          publishedAt: null,
        },
      ],
      hasMore: false,
    })
  })

  test('can be searched by slug, name and host, and comes a page at a time', async () => {
    const { host, ada, list } = await setUp(createOperatorApp)
    const first = await makeTestIsland(host, { name: '100% Ölberg_' })
    const second = await makeTestIsland(host)
    const third = await makeTestIsland(ada)
    const ids = async (query: string) => (await list(query)).islands.map(({ id }) => id)
    expect(await ids(`?search=${host.username.toUpperCase()}`)).toEqual([second.id, first.id])
    expect(await ids(`?search=${encodeURIComponent('0% Ö')}`)).toEqual([first.id])
    expect(await ids(`?search=${third.slug.toUpperCase()}`)).toEqual([third.id])
    expect(await ids('?search=%25%25')).toEqual([])
    expect(await list('?limit=2')).toMatchObject({ hasMore: true })
    expect(await ids(`?limit=2&after=${second.id}`)).toEqual([first.id])
    expect(await ids('?after=gone')).toEqual([])
  })
})

describe('hiding', () => {
  test('S57 only its host sees a hidden island, and why, until it is shown again', async () => {
    const { host, ada, operator, clock, list, setHidden } = await setUp()
    const island = await publishTestIsland(host, { access: 'public', isListed: true })
    await joinTestIsland(ada, island.id)
    const report = { kind: 'island', id: island.id, reason: 'illegal' }
    const sent = await ada.inject({ method: 'POST', url: '/api/reports', payload: report })
    expect(sent.statusCode).toBe(204)
    const reports = async () => (await operator.inject({ url: '/api/operator/reports' })).json()
    const { cases, openCount } = await reports()
    const seen = { name: 'Harbor Bar', link: 'https://bar.example/', author: host.username }
    expect(cases).toMatchObject([{ thing: { ...seen, isPublic: true }, reportedAs: seen }])

    const missing = await ada.inject({ url: `/api/islands/${crypto.randomUUID()}/members` })
    expect((await setHidden(island.id, 'It is illegal.')).statusCode).toBe(204)
    expect(await viewIsland(ada, island.slug)).toBeUndefined()
    for (const path of ['members', 'log']) {
      const refused = await ada.inject({ url: `/api/islands/${island.id}/${path}` })
      expect(refused.body).toBe(missing.body)
    }
    const hidden = { at: new Date(clock.now()).toISOString(), reason: 'It is illegal.' }
    expect(await viewIsland(host, island.slug)).toMatchObject({ hidden })
    expect((await list()).islands.find(({ id }) => id === island.id)).toMatchObject({ hidden })
    expect((await reports()).openCount).toBe(openCount - 1)

    expect((await setHidden(island.id, null)).statusCode).toBe(204)
    expect(await viewIsland(ada, island.slug)).toMatchObject({ role: 'member' })
    expect((await setHidden(crypto.randomUUID(), 'Gone')).statusCode).toBe(404)
  })

  test('S54 reporting one’s own island or one that the user may not see is answered like a missing one', async () => {
    const { host, ada, setHidden } = await setUp()
    const secret = await publishTestIsland(host, { access: 'invited', isListed: false })
    const open = await publishTestIsland(host, { access: 'public', isListed: true })
    const gone = await publishTestIsland(host, { access: 'public', isListed: true })
    await setHidden(gone.id, 'Rude')
    const report = (by: typeof ada, id: string) => {
      const payload = { kind: 'island', id, reason: 'spam' }
      return by.inject({ method: 'POST', url: '/api/reports', payload })
    }
    const missing = await report(ada, crypto.randomUUID())
    for (const [by, id] of [
      [ada, secret.id],
      [ada, gone.id],
      [host, open.id],
    ] as const) {
      expect((await report(by, id)).body).toBe(missing.body)
    }
  })
})

describe('handing over', () => {
  test('the new host has the island and its slug, and the old one is a stranger', async () => {
    const { host, ada, handOver } = await setUp()
    const device = await registerTestDevice(host)
    const carrier = { carrier: device.id }
    const island = await publishTestIsland(host, { access: 'invited', isListed: true }, carrier)
    expect(await joinTestIsland(ada, island.id)).toBe('asked')
    const { code } = await createTestInvitation(host, island.id)
    const handed = await handOver(island.id, ada.username.toUpperCase())
    expect(handed.json()).toMatchObject({ id: island.id, host: ada.username, memberCount: 0 })
    expect(await viewIsland(ada, island.slug)).toMatchObject({ role: 'host' })
    expect(await viewIsland(host, island.slug)).toMatchObject({ role: 'guest' })
    const accepted = await host.inject({
      method: 'POST',
      url: '/api/invitations/accept',
      payload: { code },
    })
    expect(accepted.json()).toMatchObject({ code: 'invalid_invitation' })
    const url = `/api/islands/${island.id}`
    expect((await host.inject({ url })).statusCode).toBe(404)
    expect((await ada.inject({ url })).json()).toMatchObject({ carrier: null, requestCount: 0 })
    // From then on the slug belongs to Ada, even after the island is deleted.
    const payload = { slug: island.slug }
    expect((await ada.inject({ method: 'POST', url: `${url}/close`, payload })).statusCode).toBe(
      204,
    )
    const isFree = async (by: typeof ada) =>
      (await by.inject({ url: `/api/me/slugs/${island.slug}` })).json().isFree
    expect([await isFree(host), await isFree(ada)]).toEqual([false, true])
  })

  test('the installation can take an island, and hand it over again', async () => {
    const { host, ada, handOver, list } = await setUp()
    const island = await publishTestIsland(host, { access: 'public', isListed: true })
    expect((await handOver(island.id, null)).json()).toMatchObject({ host: null })
    expect(await viewIsland(ada, island.slug)).toMatchObject({ host: null, role: 'guest' })
    expect((await list()).islands.find(({ id }) => id === island.id)).toMatchObject({ host: null })
    expect((await handOver(island.id, ada.username)).json()).toMatchObject({ host: ada.username })
  })

  test('the limit of islands for an account holds, and the host has to exist', async () => {
    const { host, ada, handOver } = await setUp()
    const { id } = await makeTestIsland(host)
    const unknown = await handOver(id, 'nobody')
    expect(unknown.json()).toMatchObject({
      code: 'invalid_input',
      fields: { host: 'There is no user by that name.' },
    })
    expect((await handOver(crypto.randomUUID(), ada.username)).statusCode).toBe(404)
    for (let made = 0; made < islandsPerUser; made += 1) await makeTestIsland(ada)
    expect((await handOver(id, ada.username)).json()).toMatchObject({ code: 'island_limit' })
  })

  test('S59 the audit log has it, with the new host', async () => {
    const { host, ada, operator, handOver } = await setUp()
    const { id } = await makeTestIsland(host)
    await handOver(id, ada.username)
    await handOver(id, null)
    const { entries } = (await operator.inject({ url: '/api/operator/audit' })).json()
    const subject = `island:${id}`
    const common = { action: 'island.handed-over', subject, outcome: 'done' }
    expect(entries.filter((entry: { subject: string }) => entry.subject === subject)).toMatchObject(
      [
        { ...common, details: { host: null } },
        { ...common, details: { host: ada.username } },
      ],
    )
  })
})
