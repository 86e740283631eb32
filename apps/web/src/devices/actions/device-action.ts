import type { OwnDevice } from '@astropelago/contract/devices'
import KeyRound from 'virtual:icon/key-round'
import Pencil from 'virtual:icon/pencil'
import SquareTerminal from 'virtual:icon/square-terminal'
import Trash from 'virtual:icon/trash'

export const deviceActions = [
  { kind: 'edit', label: 'Edit', name: 'Edit', Icon: Pencil },
  { kind: 'tokens', label: 'Tokens', name: 'Tokens of', Icon: KeyRound },
  { kind: 'heartbeat', label: 'Heartbeat', name: 'Heartbeat command for', Icon: SquareTerminal },
  { kind: 'delete', label: 'Delete', name: 'Delete', Icon: Trash },
] as const

/** What owners do with a device, each in a dialog. */
export interface DeviceAction {
  readonly kind: (typeof deviceActions)[number]['kind']
  readonly device: OwnDevice
}
