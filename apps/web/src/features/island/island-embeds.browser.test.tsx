import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sampleView } from '../../test/sample-island.ts'
import { sampleUser as user } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const embeds = page.getByRole('region', { name: 'Show it elsewhere' })
const closed = { access: 'invited', isListed: false } as const

test('an island that everybody may know of can be shown elsewhere, by whoever comes by', async () => {
  await openIsland(sampleView())
  const address = `${window.location.origin}/badges/islands/harbor-light/status.svg`
  await expect.element(embeds).toMatchTextContent(`<img src="${address}"`)
  await expect.element(embeds.getByRole('img', { name: 'Status of Harbor Light' })).toBeVisible()
})

test('of one that is listed too, whatever its door', async () => {
  await openIsland(sampleView({ access: 'members', isListed: true }))
  await expect.element(embeds.getByRole('combobox')).toBeVisible()
})

test('of no other one: its host reads why, and nobody else reads of it', async () => {
  await openIsland(sampleView({ ...closed, role: 'host' }), { user })
  await expect.element(embeds).toMatchTextContent('Not everybody may see this island')
  await expect.element(embeds.getByRole('combobox')).not.toBeInTheDocument()
})

test('members of a closed one are not led to tell others of it', async () => {
  await openIsland(sampleView({ ...closed, role: 'member' }), { user })
  await expect.element(parts.log).toBeVisible()
  await expect.element(embeds).not.toBeInTheDocument()
})

test('nor is there a badge of one that is hidden', async () => {
  const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'Too loud.' }
  await openIsland(sampleView({ role: 'host', hidden }), { user })
  await expect.element(embeds).toMatchTextContent('While it is hidden')
})
