import {
  deviceKinds,
  listAllDevices,
  listUserDevices,
  removeDevice,
  type OperatorDevice,
} from '@astropelago/contract/operator'
import { oneOf, routeCommand } from '../../../admin/command.ts'
import { printTime, table } from '../../../admin/table.ts'

export const devicesCommands = [
  routeCommand({
    words: 'devices list',
    summary: 'Lists the devices of all users, the newest first',
    options: {
      search: {
        value: 'text',
        summary: 'Only devices with this text in their label or owner’s username',
      },
      only: { value: 'kind', summary: `Only devices of this kind: ${deviceKinds.join(', ')}` },
      after: { value: 'id', summary: 'Continues the list after the device with this ID' },
      limit: { value: 'count', summary: 'How many devices to list, 100 by default' },
    },
    route: listAllDevices,
    request: ({ search, only, after, limit }) => ({
      query: {
        search,
        after,
        limit,
        ...(only !== undefined && { only: oneOf('only', only, deviceKinds) }),
      },
    }),
    print: ({ devices, hasMore }) => {
      if (devices.length === 0) return 'There are none.'
      const more = hasMore
        ? `\n\nThere are more. To see them, add --after ${devices.at(-1)?.id}`
        : ''
      const lines = table(
        ['LABEL', 'OWNER', 'SEEN BY', 'STATUS', 'LAST SEEN (UTC)', 'MADE (UTC)', 'ID'],
        devices.map((device) => [
          device.label,
          device.owner,
          seenBy(device),
          device.status,
          printTime(device.lastSeenAt),
          printTime(device.createdAt),
          device.id,
        ]),
      )
      return `${lines}${more}`
    },
  }),
  routeCommand({
    words: 'device list',
    summary: 'Lists the devices of a user',
    arguments: [{ name: 'username', summary: 'The owner, in upper or lower case' }],
    route: listUserDevices,
    request: ({ username }) => ({ params: { username } }),
    print: (devices) =>
      devices.length === 0
        ? 'There are none.'
        : table(
            ['LABEL', 'SEEN BY', 'STATUS', 'LAST SEEN (UTC)', 'MADE (UTC)', 'ID'],
            devices.map((device) => [
              device.label,
              seenBy(device),
              device.status,
              printTime(device.lastSeenAt),
              printTime(device.createdAt),
              device.id,
            ]),
          ),
  }),
  routeCommand({
    words: 'device remove',
    summary: 'Deletes any user’s device with its tokens',
    arguments: [{ name: 'id', summary: 'The device’s ID, as in lists and links' }],
    confirm: ({ id }) => ({
      warning: `The device ${id} and its tokens will be deleted for good.`,
      word: id,
    }),
    route: removeDevice,
    request: ({ id }) => ({ params: { id } }),
    print: (_, { id }) => `The device ${id} is deleted.`,
  }),
]

function seenBy({ visibility, hidden }: OperatorDevice): string {
  if (hidden !== null) return 'the owner: it is hidden'
  return visibility === 'public' ? 'everybody' : 'the owner'
}
