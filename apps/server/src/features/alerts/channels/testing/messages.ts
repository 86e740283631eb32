import type { AlertMessage } from '../channel.ts'

const atMs = Date.parse('2030-01-31T12:00:00Z')

/** Text that could be read as markup, a mention or a command. */
export const hostile =
  '@everyone @here <@123> <!channel> **b** _i_ ~~s~~ `c` ||x|| [x](https://evil.example) > q # h\\ & <b>'

export function alertMessage(changes: Partial<AlertMessage> = {}): AlertMessage {
  return {
    kind: 'offline',
    title: 'Attic Pi is offline',
    lines: ['Since 31 January, 12:00 UTC.', 'Last seen 5 minutes before.'],
    url: 'https://sky.example/devices/d1',
    atMs,
    items: [
      {
        of: 'device',
        id: 'd1',
        name: 'Attic Pi',
        status: 'offline',
        sinceMs: atMs,
        url: 'https://sky.example/devices/d1',
      },
    ],
    ...changes,
  }
}
