import {
  type Announcement,
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  updateAnnouncement,
} from '@astropelago/contract/announcements'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openOperator } from '../testing/open-operator.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const field = (name: string) => dialog.getByLabelText(name)
const region = page.getByRole('region', { name: 'Announcements' })

function sampleAnnouncement(details: Partial<Announcement> = {}): Announcement {
  return {
    id: crypto.randomUUID(),
    level: 'news',
    title: 'A new harbour',
    text: 'Come and see.',
    startsAt: '2026-01-02T03:04:05.000Z',
    endsAt: null,
    ...details,
  }
}

async function open(...announcements: readonly Announcement[]) {
  answerApi(listAllAnnouncements, { status: 200, body: [...announcements] })
  await openOperator('/announcements')
  await expect.element(button('Announce something')).toBeVisible()
}

test('each announcement shows its state; an empty list explains announcements', async () => {
  await open(
    sampleAnnouncement({ title: 'Later', startsAt: '2999-01-01T00:00:00.000Z' }),
    sampleAnnouncement({ level: 'warning' }),
    sampleAnnouncement({ title: 'Past', endsAt: '2026-01-03T00:00:00.000Z' }),
  )
  const items = region.getByRole('listitem')
  await expect.element(items.nth(0)).toMatchTextContent('To come')
  await expect.element(items.nth(1)).toMatchTextContent('Shown now')
  await expect.element(items.nth(1).getByLabelText('Warning:')).toBeVisible()
  await expect.element(items.nth(2)).toMatchTextContent('Over')
  await expectAccessible()
})

test('an announcement without times starts at once and has no end', async () => {
  await open()
  await expect.element(region).toMatchTextContent('Nothing is announced')
  const asked = answerApi(createAnnouncement, { status: 201, body: sampleAnnouncement() })
  await button('Announce something').click()
  await button('Announce it').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Give it a title.')
  await field('Title').fill('Storm')
  await dialog.getByRole('checkbox', { name: 'It is a warning' }).click()
  await expectAccessible(dialog)
  await button('Announce it').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(asked.map(({ body }) => body)).toEqual([
    { level: 'warning', title: 'Storm', text: '', endsAt: null },
  ])
})

test('the end must come after the start, and a refusal is shown', async () => {
  await open()
  answerApi(createAnnouncement, refused('server_full'))
  await button('Announce something').click()
  await field('Title').fill('Storm')
  await dialog.getByLabelText(/^End/).fill('2001-01-01T00:00')
  await button('Announce it').click()
  await expect.element(dialog).toMatchTextContent('It has to end after it starts.')
  await dialog.getByLabelText(/^End/).fill('2999-01-01T00:00')
  await button('Announce it').click()
  await expect.element(dialog).toMatchTextContent('There are 20 announcements already')
})

test('editing leaves unchanged values as they were', async () => {
  const announcement = sampleAnnouncement()
  await open(announcement)
  const asked = answerApi(updateAnnouncement, { status: 200, body: announcement })
  await button('Edit A new harbour').click()
  await expect.element(field('Title')).toHaveValue('A new harbour')
  await field('Title').fill('An old harbour')
  await button('Save').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(asked).toMatchObject([
    {
      params: { id: announcement.id },
      body: { level: 'news', title: 'An old harbour', text: 'Come and see.' },
    },
  ])
})

test('taking an announcement back asks for confirmation', async () => {
  const announcement = sampleAnnouncement()
  await open(announcement)
  const asked = answerApi(deleteAnnouncement, { status: 204 })
  await button('Take back A new harbour').click()
  await expect.element(dialog).toMatchTextContent('disappears for everybody at once')
  await button('Cancel').click()
  expect(asked).toEqual([])
  await button('Take back A new harbour').click()
  await button('Take it back').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(asked).toMatchObject([{ params: { id: announcement.id } }])
})
