import {
  deviceKinds,
  listAllDevices,
  listUserDevices,
  removeDevice,
  type OperatorDevice,
} from '@astropelago/contract/operator'
import { oneOf, pageOptions, routeCommand } from '../../../admin/command.ts'
import { list, printTime } from '../../../admin/table.ts'

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
      ...pageOptions,
    },
    route: listAllDevices,
    request: ({ search, only, after, limit }) => ({
      query: { search, after, limit, only: oneOf('only', only, deviceKinds) },
    }),
    print: ({ devices, hasMore }) =>
      list(
        devices,
        { LABEL: label, OWNER: ({ owner }) => owner, ...columns },
        hasMore && `--after ${devices.at(-1)?.id}`,
      ),
  }),
  routeCommand({
    words: 'device list',
    summary: 'Lists the devices of a user',
    arguments: [{ name: 'username', summary: 'The owner, in upper or lower case' }],
    route: listUserDevices,
    request: ({ username }) => ({ params: { username } }),
    print: (devices) => list(devices, { LABEL: label, ...columns }),
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

const label = (device: OperatorDevice) => device.label
const columns = {
  'SEEN BY': seenBy,
  STATUS: ({ status }: OperatorDevice) => status,
  'LAST SEEN (UTC)': ({ lastSeenAt }: OperatorDevice) => printTime(lastSeenAt),
  'MADE (UTC)': ({ createdAt }: OperatorDevice) => printTime(createdAt),
  ID: ({ id }: OperatorDevice) => id,
}

function seenBy({ visibility, hidden }: OperatorDevice): string {
  if (hidden !== null) return 'the owner: it is hidden'
  return visibility === 'public' ? 'everybody' : 'the owner'
}
