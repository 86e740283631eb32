import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sampleView } from '../../test/sample-island.ts'
import { sampleUser as user } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const embeds = page.getByRole('region', { name: 'Show it elsewhere' })
const closed = { access: 'invited', isListed: false } as const

test('everybody can embed a public island', async () => {
  await openIsland(sampleView())
  const address = `${window.location.origin}/badges/islands/harbor-light/status.svg`
  await expect.element(embeds).toMatchTextContent(`<img src="${address}"`)
  await expect.element(embeds.getByRole('img', { name: 'Status of Harbor Light' })).toBeVisible()
})

test('a listed island can be embedded under any access policy', async () => {
  await openIsland(sampleView({ access: 'members', isListed: true }))
  await expect.element(embeds.getByRole('combobox')).toBeVisible()
})

test('other islands can’t be embedded; only the host reads why', async () => {
  await openIsland(sampleView({ ...closed, role: 'host' }), { user })
  await expect.element(embeds).toMatchTextContent('Not everybody may see this island')
  await expect.element(embeds.getByRole('combobox')).not.toBeInTheDocument()
})

test('members of an invited island see no embeds', async () => {
  await openIsland(sampleView({ ...closed, role: 'member' }), { user })
  await expect.element(parts.log).toBeVisible()
  await expect.element(embeds).not.toBeInTheDocument()
})

test('a hidden island has no badge', async () => {
  const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'Too loud.' }
  await openIsland(sampleView({ role: 'host', hidden }), { user })
  await expect.element(embeds).toMatchTextContent('While it is hidden')
})
