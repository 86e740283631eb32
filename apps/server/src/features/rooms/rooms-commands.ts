import {
  listRoomsAsOperator,
  moderateRoomAsOperator,
  type Moderation,
  readRoomAsOperator,
} from '@astropelago/contract/rooms'
import { command, CommandMistaken, type CallRoute } from '../../admin/command.ts'
import { findBySlug } from '../../admin/find-island.ts'
import { list, printTime } from '../../admin/table.ts'

const slug = { name: 'slug', summary: 'The island’s name in addresses' } as const
const room = { name: 'room', summary: 'The room’s name' } as const
const visitor = { name: 'id', summary: 'The visitor’s id, as “room show” lists it' } as const
const minutes = {
  minutes: { value: 'number', summary: 'For how long; until it is taken back by default' },
} as const

export const roomsCommands = [
  command({
    words: 'room list',
    summary: 'Lists the rooms of an island, the last changed first',
    arguments: [slug],
    run: async ({ input, call }) => {
      const rooms = await call(listRoomsAsOperator, { params: await findIsland(call, input.slug) })
      const text = list(rooms, {
        ROOM: ({ name }) => name,
        'LAST EVENT (UTC)': ({ changedAt }) => printTime(changedAt),
        MESSAGES: ({ messageCount }) => messageCount,
        'PEOPLE NOW': ({ peopleCount }) => peopleCount,
        WRITERS: ({ isReadOnly }) => (isReadOnly ? 'moderators' : 'visitors'),
      })
      return { text, json: rooms }
    },
  }),
  command({
    words: 'room show',
    summary: 'Shows the last messages of a room, and who may not write',
    arguments: [slug, room],
    run: async ({ input, call }) => {
      const params = { ...(await findIsland(call, input.slug)), room: input.room }
      const found = await call(readRoomAsOperator, { params })
      const messages = list(found.messages, {
        NUMBER: ({ n }) => n,
        'TIME (UTC)': ({ at }) => printTime(at),
        VISITOR: ({ from }) => from?.id ?? '',
        NAME: ({ from }) => from?.name ?? 'somebody',
        TEXT: ({ text: said }) => said,
      })
      const silenced = list(found.silenced, {
        VISITOR: ({ id }) => id,
        NAME: ({ name }) => name,
        STATE: ({ kind }) => (kind === 'mute' ? 'muted' : 'blocked'),
        'UNTIL (UTC)': ({ until }) => (until === null ? 'no end' : printTime(until)),
      })
      const text = found.silenced.length === 0 ? messages : `${messages}\n\n${silenced}`
      return { text, json: found }
    },
  }),
  command({
    words: 'room delete',
    summary: 'Deletes a message',
    arguments: [slug, room, { name: 'number', summary: 'The message’s number' }],
    run: async ({ input, call }) => {
      const message = wholeNumber(input.number, 'A message’s number')
      return await moderate(call, input, { kind: 'delete', message }, 'Deleted')
    },
  }),
  command({
    words: 'room erase',
    summary: 'Deletes all messages of a visitor in a room',
    arguments: [slug, room, visitor],
    run: async ({ input, call }) =>
      await moderate(call, input, { kind: 'erase', visitor: input.id }, 'Deleted'),
  }),
  command({
    words: 'room mute',
    summary: 'Lets a visitor only read, in all rooms of the island',
    arguments: [slug, room, visitor],
    options: minutes,
    run: async ({ input, call }) => {
      const action = { kind: 'mute', visitor: input.id, ...timeOf(input.minutes) } as const
      return await moderate(call, input, action, 'Muted')
    },
  }),
  command({
    words: 'room block',
    summary: 'Keeps a visitor out of all rooms of the island',
    arguments: [slug, room, visitor],
    options: minutes,
    run: async ({ input, call }) => {
      const action = { kind: 'block', visitor: input.id, ...timeOf(input.minutes) } as const
      return await moderate(call, input, action, 'Blocked')
    },
  }),
  command({
    words: 'room unmute',
    summary: 'Lets a muted or blocked visitor write again',
    arguments: [slug, room, visitor],
    run: async ({ input, call }) =>
      await moderate(call, input, { kind: 'unmute', visitor: input.id }, 'Takes part again'),
  }),
  command({
    words: 'room close',
    summary: 'Lets only moderators write in a room',
    arguments: [slug, room],
    run: async ({ input, call }) =>
      await moderate(call, input, { kind: 'read-only', isOn: true }, 'Closed'),
  }),
  command({
    words: 'room open',
    summary: 'Lets visitors write in a room again',
    arguments: [slug, room],
    run: async ({ input, call }) =>
      await moderate(call, input, { kind: 'read-only', isOn: false }, 'Open'),
  }),
]

async function moderate(
  call: CallRoute,
  input: { readonly slug: string; readonly room: string },
  body: Moderation,
  done: string,
) {
  const params = { ...(await findIsland(call, input.slug)), room: input.room }
  await call(moderateRoomAsOperator, { params, body })
  return { text: `${done}: ${input.room} of ${input.slug}`, json: body }
}

function timeOf(text: string | undefined): { readonly minutes?: number } {
  return text === undefined ? {} : { minutes: wholeNumber(text, '--minutes') }
}

function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new CommandMistaken(`${what} is a whole number, 1 or more.`)
  }
  return value
}

async function findIsland(call: CallRoute, asked: string): Promise<{ readonly id: string }> {
  const { id } = await findBySlug(call, asked)
  return { id }
}
