import { listAllDevices } from '@astropelago/contract/operator'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { openOperator, sampleOperatorDevice } from './testing/open-operator.tsx'

const items = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
const search = page.getByRole('searchbox', { name: 'Search devices' })

function answerDevices(count: number) {
  const all = Array.from({ length: count }, (_, at) => ({
    ...sampleOperatorDevice({ id: `id-${at}`, label: `Pi ${at}` }),
    owner: 'eve',
  }))
  return answerApi(listAllDevices, ({ query: { search: wanted = '', after, limit } }) => {
    const found = all.filter(({ label }) => label.includes(wanted))
    const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
    const devices = found.slice(from, from + limit)
    return { status: 200, body: { devices, hasMore: found.length > from + limit } }
  })
}

test('devices load page by page, each with its owner', async () => {
  answerDevices(120)
  await openOperator('/devices')
  await expect.element(items).toHaveLength(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(items).toHaveLength(100)
  const owner = items.first().getByRole('link', { name: 'eve' })
  await expect.element(owner).toHaveAttribute('href', '/mothership/users?user=eve')
})

test('the list can be searched and filtered, and says if it is empty', async () => {
  const asked = answerDevices(3)
  await openOperator('/devices?only=hidden')
  await expect.element(items).toHaveLength(3)
  expect(asked.at(-1)?.query).toMatchObject({ only: 'hidden' })
  await expectAccessible()
  await search.fill('Pi 2')
  await expect.element(items).toHaveLength(1)
  await search.fill('nothing')
  await expect.element(page.getByText('No device has this name')).toBeVisible()
})
