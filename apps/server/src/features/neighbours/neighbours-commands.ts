import {
  changeInstallationKey,
  changeNeighbour,
  followNeighbour,
  forgetNeighbour,
  hideNeighbourSubject,
  listOperatorNeighbours,
  previewNeighbour,
  showNeighbourSubject,
  type NeighbourState,
  type OperatorNeighbour,
} from '@astropelago/contract/operator-neighbours'
import {
  command,
  CommandRefused,
  oneOf,
  routeCommand,
  type CallRoute,
} from '../../admin/command.ts'
import { fieldList, list, printTime } from '../../admin/table.ts'

const address = { name: 'address', summary: 'Where it is, such as https://sky.example' } as const
const kind = {
  kind: { value: 'kind', summary: 'What it is: island, which is the default, or device' },
} as const
const id = { name: 'id', summary: 'Its id there, the end of its address' } as const

export const neighboursCommands = [
  routeCommand({
    words: 'neighbours list',
    summary: 'Lists the installations that this one follows',
    route: listOperatorNeighbours,
    request: () => ({}),
    print: ({ neighbours }) =>
      list(neighbours, {
        ADDRESS: (one) => one.address,
        NAME: (one) => one.name,
        STATE: (one) => (one.isConnected ? 'connected' : one.state),
        ISLANDS: (one) => one.islandCount,
        DEVICES: (one) => one.deviceCount,
        'CONTACT (UTC)': (one) => printTime(one.contactAt),
        NOTE: (one) => one.note ?? '',
      }),
  }),
  routeCommand({
    words: 'neighbours followers',
    summary: 'Lists the installations that follow this one, and what it shares',
    route: listOperatorNeighbours,
    request: () => ({}),
    print: ({ followers, own }) =>
      [
        fieldList({
          Address: own.address,
          Key: `${own.key} (number ${own.keyNumber})`,
          Shares: `${own.islandCount} islands, ${own.deviceCount} devices`,
        }),
        '',
        list(followers, {
          ADDRESS: (one) => one.address,
          VERIFIED: (one) => (one.isVerified ? 'yes' : 'unknown'),
          CONNECTED: (one) => (one.isConnected ? 'yes' : 'no'),
          'SINCE (UTC)': (one) => printTime(one.firstAt),
          'LAST (UTC)': (one) => printTime(one.lastAt),
        }),
      ].join('\n'),
  }),
  command({
    words: 'neighbours add',
    summary: 'Shows what following it would bring, and with --yes follows it',
    arguments: [address],
    previews: 'Follows it; without it, you only see what it would bring',
    run: async ({ input, call, isConfirmed }) => {
      const preview = await call(previewNeighbour, { body: { address: input.address } })
      const { name, islandCount, deviceCount, examples, key } = preview
      if (isConfirmed !== true) {
        const text = fieldList({
          Name: name,
          Address: preview.address,
          Software: preview.software,
          Key: key,
          'Would bring': `${islandCount} islands, ${deviceCount} devices`,
          ...(examples.length > 0 && { 'Such as': examples.join(', ') }),
        })
        return { text: `${text}\n\nNothing has changed. Add --yes to follow it.`, json: preview }
      }
      const body = { address: preview.address, key }
      const followed = await call(followNeighbour, { body })
      return { text: `${name} is followed.`, json: followed }
    },
  }),
  stateCommand('hold', 'held', 'Shows nothing of a neighbour until it is resumed'),
  command({
    words: 'neighbours resume',
    summary: 'Follows a neighbour again, from the beginning',
    arguments: [address],
    options: {
      key: { value: 'key', summary: 'A new key that its last one did not sign, from its operator' },
    },
    run: async ({ input, call }) => {
      const { id: neighbourId, name } = await find(call, input.address)
      const body = {
        state: 'following',
        ...(input.key !== undefined && { key: input.key }),
      } as const
      const changed = await call(changeNeighbour, { params: { id: neighbourId }, body })
      return { text: `${name} is followed again.`, json: changed }
    },
  }),
  stateCommand(
    'block',
    'blocked',
    'Stops following a neighbour, and does not let it follow this one',
  ),
  command({
    words: 'neighbours forget',
    summary: 'Stops following an installation and deletes all that came from it',
    arguments: [address],
    run: async ({ input, call }) => {
      const neighbour = await find(call, input.address)
      await call(forgetNeighbour, { params: { id: neighbour.id } })
      return { text: `${neighbour.name} is forgotten.`, json: null }
    },
  }),
  command({
    words: 'neighbours hide',
    summary: 'Hides one device or island of a neighbour',
    arguments: [address, id],
    options: kind,
    run: async ({ input, call }) => {
      const neighbour = await find(call, input.address)
      const body = { kind: kindOf(input.kind), id: input.id }
      await call(hideNeighbourSubject, { params: { id: neighbour.id }, body })
      return { text: 'It is hidden.', json: null }
    },
  }),
  command({
    words: 'neighbours show',
    summary: 'Shows a hidden device or island of a neighbour again',
    arguments: [address, id],
    options: kind,
    run: async ({ input, call }) => {
      const neighbour = await find(call, input.address)
      const body = { kind: kindOf(input.kind), id: input.id }
      await call(showNeighbourSubject, { params: { id: neighbour.id }, body })
      return { text: 'It is shown again.', json: null }
    },
  }),
  routeCommand({
    words: 'neighbours new-key',
    summary: 'Replaces this installation’s key; the old one signs the new one',
    route: changeInstallationKey,
    request: () => ({}),
    print: ({ key, keyNumber }) => `The key is now ${key} (number ${keyNumber}).`,
  }),
]

function stateCommand(word: string, state: NeighbourState, summary: string) {
  return command({
    words: `neighbours ${word}`,
    summary,
    arguments: [address],
    run: async ({ input, call }) => {
      const neighbour = await find(call, input.address)
      const changed = await call(changeNeighbour, { params: { id: neighbour.id }, body: { state } })
      return { text: `${neighbour.name} is ${state}.`, json: changed }
    },
  })
}

async function find(call: CallRoute, typed: string): Promise<OperatorNeighbour> {
  const { neighbours } = await call(listOperatorNeighbours, {})
  const wanted = typed.replace(/\/+$/, '')
  const found = neighbours.find((one) => [one.address, new URL(one.address).host].includes(wanted))
  if (found === undefined) throw new CommandRefused(`No neighbour is at ${typed}.`)
  return found
}

function kindOf(typed = 'island'): 'device' | 'island' {
  return oneOf('kind', typed, ['device', 'island']) ?? 'island'
}
