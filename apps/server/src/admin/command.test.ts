import { createAnnouncement } from '@astropelago/contract/announcements'
import { expect, test } from 'vitest'
import { CommandMistaken, CommandRefused, FieldsRefused, oneOf, routeCommand } from './command.ts'

const announce = routeCommand({
  words: 'announce',
  summary: 'Announces something to everybody',
  arguments: [{ name: 'title', summary: 'What' }],
  options: { until: { value: 'time', summary: 'When it is over' } },
  route: createAnnouncement,
  request: ({ title, until }) => ({
    body: { title, text: '', level: 'news' as const, endsAt: until ?? null },
  }),
  print: () => 'Told.',
})
const input = { title: 'News', until: 'soon' }
/** A call that the server refuses. */
const refuse = (refusal: Error) => ({
  input,
  call: async () => {
    throw refusal
  },
})

test('a refused field is named as it was typed, and is a mistake in the command', async () => {
  const fields = { endsAt: 'This is no time.', title: 'Too short.', level: 'Unknown.' }
  const refused = announce.run(refuse(new FieldsRefused('It can’t be told.', fields)))
  await expect(refused).rejects.toThrow(CommandMistaken)
  await expect(refused).rejects.toThrow(
    'It can’t be told.\n--until: This is no time.\ntitle: Too short.\nlevel: Unknown.',
  )
})

test('any other refusal is passed on', async () => {
  const refusal = new CommandRefused('There is none.')
  await expect(announce.run(refuse(refusal))).rejects.toBe(refusal)
})

test('an option with fixed values refuses others and names the valid ones', () => {
  const kinds = ['public', 'hidden'] as const
  expect(oneOf('only', 'hidden', kinds)).toBe('hidden')
  const readMistaken = () => oneOf('only', 'hiden', kinds)
  expect(readMistaken).toThrow(CommandMistaken)
  expect(readMistaken).toThrow('--only: there is no “hiden”. There are: public, hidden')
})
