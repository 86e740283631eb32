import {
  listRooms,
  moderateRoom,
  type Moderation,
  readRoom,
  type Room,
  type RoomContents,
} from '@astropelago/contract/rooms'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { holdTime } from '../../test/emulation.ts'
import { openPart } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { Rooms } from './rooms.tsx'

const at = '2026-01-02T03:04:05.000Z'
const ada = { id: 'v1', name: 'Ada' }
const button = (name: string) => page.getByRole('button', { name, exact: true })
const messages = page
  .getByRole('list', { name: 'Messages, the newest first' })
  .getByRole('listitem')
const silenced = page.getByRole('list', { name: 'Muted and blocked' }).getByRole('listitem')

function sampleRoom(details: Partial<RoomContents> = {}): RoomContents {
  return {
    name: 'guests',
    changedAt: at,
    messageCount: 2,
    peopleCount: 1,
    isReadOnly: false,
    messages: [
      { n: 1, at, from: ada, isByHost: false, text: 'Hello' },
      { n: 2, at, from: null, isByHost: false, text: 'W'.repeat(4000) },
    ],
    silenced: [],
    ...details,
  }
}

/** A server with one room, to which moderation applies. */
function answerRoom(details: Partial<RoomContents> = {}) {
  const server = { room: sampleRoom(details) }
  const list = (): Room[] => [server.room]
  const done: Moderation[] = []
  answerApi(listRooms, () => ({ status: 200, body: list() }))
  const read = answerApi(readRoom, () => ({ status: 200, body: server.room }))
  answerApi(moderateRoom, ({ body }) => {
    done.push(body)
    server.room = moderated(server.room, body)
    return { status: 204 }
  })
  return { server, done, read }
}

function moderated(room: RoomContents, action: Moderation): RoomContents {
  switch (action.kind) {
    case 'delete':
      return { ...room, messages: room.messages.filter(({ n }) => n !== action.message) }
    case 'erase':
      return { ...room, messages: room.messages.filter(({ from }) => from?.id !== action.visitor) }
    case 'read-only':
      return { ...room, isReadOnly: action.isOn }
    case 'unmute':
      return { ...room, silenced: [] }
    case 'mute':
    case 'block':
  }
  return { ...room, silenced: [{ ...ada, kind: action.kind, until: null }] }
}

const openRooms = async (search = '') =>
  await openPart(<Rooms of={{ islandId: 'one', by: 'host' }} />, {
    user: sampleUser,
    path: `/islands/harbor/settings/rooms${search}`,
  })

describe('the rooms of an island', () => {
  test('show who is there and lead to each room, and back', async () => {
    answerRoom({ isReadOnly: true })
    await openRooms()
    const item = page.getByRole('list', { name: 'Rooms' }).getByRole('listitem')
    await expect
      .element(item)
      .toMatchTextContent(/guests1 person now · 2 messages · last active .* · read-only/)
    await page.getByRole('link', { name: 'guests' }).click()
    await expect.element(page.getByRole('region', { name: 'guests' })).toHaveFocus()
    expect(window.location.search).toBe('?room=guests')
    await page.getByRole('link', { name: 'All rooms' }).click()
    await expect.element(item).toBeVisible()
  })

  test('are none at first', async () => {
    answerApi(listRooms, { status: 200, body: [] })
    await openRooms()
    await expect.element(page.getByText('No rooms yet')).toBeVisible()
    await expectAccessible()
  })

  test('that can’t be loaded can be asked for again', async () => {
    answerApi(listRooms, refused('rate_limited'))
    await openRooms()
    await expect.element(page.getByText('The rooms could not be loaded.')).toBeVisible()
    answerRoom()
    await button('Try again').click()
    await expect.element(page.getByRole('link', { name: 'guests' })).toBeVisible()
  })
})

describe('a room', () => {
  test('shows new messages by itself, the newest first', async () => {
    holdTime()
    const { server } = answerRoom()
    await openRooms('?room=guests')
    await expect.element(messages).toHaveLength(2)
    await expect.element(messages.nth(0)).toMatchTextContent('somebody')
    await expectAccessible()
    const added = { n: 3, at, from: ada, isByHost: false, text: 'And now?' }
    server.room = { ...server.room, messages: [...server.room.messages, added] }
    await vi.advanceTimersByTimeAsync(4000)
    await expect.element(messages.nth(0)).toMatchTextContent('And now?')
  })

  test('loses a message after a question', async () => {
    const { done } = answerRoom()
    await openRooms('?room=guests')
    await button('Delete the message by Ada').click()
    await expect.element(button('Keep it')).toHaveFocus()
    expect(done).toEqual([])
    await button('Delete it').click()
    await expect.element(messages).toHaveLength(1)
    expect(done).toEqual([{ kind: 'delete', message: 1 }])
  })

  test('keeps a blocked author quiet, without their messages, until they are unblocked', async () => {
    const { done } = answerRoom()
    await openRooms('?room=guests')
    await expect.element(button('Mute or block somebody')).not.toBeInTheDocument()
    await button('Mute or block Ada').click()
    const dialog = page.getByRole('dialog', { name: 'Mute or block' })
    await dialog.getByRole('radio', { name: 'Block' }).click()
    await dialog.getByLabelText('For how long').selectOptions('For good')
    await dialog.getByRole('checkbox').click()
    await expectAccessible(dialog)
    await dialog.getByRole('button', { name: 'Block' }).click()
    await expect.element(silenced).toMatchTextContent('Adablocked for good')
    await expect.element(messages).toHaveLength(1)
    // By keyboard, because a toast lies above it.
    await expect.element(button('Mute or block Ada')).not.toBeInTheDocument()
    button('Unblock Ada').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Nobody is muted or blocked.')).toBeVisible()
    expect(done).toEqual([
      { kind: 'block', visitor: 'v1' },
      { kind: 'erase', visitor: 'v1' },
      { kind: 'unmute', visitor: 'v1' },
    ])
  })

  test('mutes for an hour by default, and keeps the messages', async () => {
    const { done } = answerRoom()
    await openRooms('?room=guests')
    await button('Mute or block Ada').click()
    await button('Mute').click()
    await expect.element(silenced).toBeVisible()
    await expect.element(messages).toHaveLength(2)
    expect(done).toEqual([{ kind: 'mute', visitor: 'v1', minutes: 60 }])
  })

  test('is made read-only; a refusal leaves it as it is', async () => {
    const { done } = answerRoom()
    await openRooms('?room=guests')
    const box = page.getByRole('checkbox', { name: 'Read-only' })
    await box.click()
    await expect.element(box).toBeChecked()
    await expect.element(page.getByText(/· read-only/)).toBeVisible()
    expect(done).toEqual([{ kind: 'read-only', isOn: true }])
    answerApi(moderateRoom, refused('rate_limited'))
    await box.click()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expect.element(box).toBeChecked()
  })

  test('that is gone says so', async () => {
    answerApi(readRoom, refused('not_found'))
    await openRooms('?room=old')
    await expect.element(page.getByText('There is no such room.')).toBeVisible()
  })

  test('that can’t be loaded offers to try again', async () => {
    answerApi(readRoom, refused('overloaded'))
    await openRooms('?room=guests')
    await expect.element(button('Try again')).toBeVisible()
  })
})
