import { listUserDevices, removeDevice } from '@astropelago/contract/operator'
import { routeCommand } from '../../../admin/command.ts'
import { printTime, table } from '../../../admin/table.ts'

export const devicesCommands = [
  routeCommand({
    words: 'device list',
    summary: 'Lists the devices of a user',
    arguments: [{ name: 'username', summary: 'Whose, in whatever case' }],
    route: listUserDevices,
    request: ({ username }) => ({ params: { username } }),
    print: (devices) =>
      devices.length === 0
        ? 'There are none.'
        : table(
            ['LABEL', 'SEEN BY', 'STATUS', 'LAST SEEN (UTC)', 'MADE (UTC)', 'ID'],
            devices.map(({ id, label, visibility, status, lastSeenAt, createdAt, hidden }) => [
              label,
              hidden !== null
                ? 'the owner: it is hidden'
                : visibility === 'public'
                  ? 'everybody'
                  : 'the owner',
              status,
              printTime(lastSeenAt),
              printTime(createdAt),
              id,
            ]),
          ),
  }),
  routeCommand({
    words: 'device remove',
    summary: 'Deletes a device with its tokens, whoever’s it is',
    arguments: [{ name: 'id', summary: 'Of the device, as lists and links have it' }],
    confirm: ({ id }) => ({
      warning: `The device ${id} and its tokens will be deleted for good.`,
      word: id,
    }),
    route: removeDevice,
    request: ({ id }) => ({ params: { id } }),
    print: (_, { id }) => `The device ${id} is deleted.`,
  }),
]
