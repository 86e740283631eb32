import { locationParts } from './harness/location-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { test as base, expect } from './harness/test.ts'
import { startUpdateReceiver, type UpdateReceiver } from './harness/update-receiver.ts'

const test = base.extend<object, { receiver: UpdateReceiver }>({
  receiver: [
    // It needs no other fixture, but Playwright reads their names from a pattern here.
    async ({ seed: _seed }, provide) => {
      const receiver = await startUpdateReceiver()
      await provide(receiver)
      await receiver.stop()
    },
    { scope: 'worker' },
  ],

  buildSettings: [
    async ({ receiver }, provide) => {
      await provide({ VITE_DEVICE_UPDATE_URL: receiver.url })
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ page, user: _user, receiver }) => {
  receiver.reset()
  await locationParts(page).open()
})

test('a save tells the service that the build names: id, label, place, online, and no cookie', async ({
  page,
  receiver,
}) => {
  const panel = locationParts(page)
  const { host } = new URL(receiver.url)
  await expect(panel.form).toContainText(`sent to ${host} with each save`)
  await panel.enter('Harbour Pi', '54.3', '10.1')
  await panel.save.click()
  await expect(panel.message).toHaveText('Saved')
  await expect(panel.form).toContainText(`${host} knows this location.`)
  const { 'id.v1': id } = await panel.stored()
  expect(receiver.received.map(({ body }) => body)).toEqual([
    { id, label: 'Harbour Pi', lat: 54.3, lon: 10.1, status: 'online' },
  ])
  expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(receiver.received[0]?.headers).not.toHaveProperty('cookie')

  await panel.clear.click()
  await expect(panel.form).not.toContainText('knows this location')
  expect(receiver.received).toHaveLength(1)
})

test('a refusal is shown beside what was saved, and tried again when the visitor says so', async ({
  page,
  receiver,
  problems,
}) => {
  problems.expectFailure(503)
  const panel = locationParts(page)
  receiver.answerWith(503)
  await panel.enter('Harbour Pi', '54.3', '10.1')
  await panel.save.click()
  await expect(panel.message).toHaveText('Saved')
  await expect(panel.form).toContainText('was not told: it answered 503.')
  await expect(panel.toggle).toContainText('Harbour Pi')
  await expectAccessible(page)
  expect(receiver.received).toHaveLength(1)

  receiver.answerWith(200)
  await panel.form.getByRole('button', { name: 'Retry' }).click()
  await expect(panel.form).toContainText('knows this location.')
  expect(receiver.received.map(({ body }) => body)).toEqual([
    receiver.received[0]?.body,
    receiver.received[0]?.body,
  ])
})

test('a connection that fails is shown, and the next save tells the newer place', async ({
  page,
  receiver,
  problems,
}) => {
  problems.expectFailure('dropped')
  const panel = locationParts(page)
  receiver.answerWith('nothing')
  await panel.enter('Harbour Pi', '54.3', '10.1')
  await panel.save.click()
  await expect(panel.form).toContainText('was not told: the connection failed.')
  receiver.answerWith(204)
  await panel.lat.fill('55')
  await panel.save.click()
  await expect(panel.form).toContainText('knows this location.')
  await expect(panel.form).not.toContainText('was not told')
  expect(receiver.received.at(-1)?.body).toMatchObject({ lat: 55 })
})
