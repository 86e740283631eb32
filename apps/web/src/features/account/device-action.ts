import type { OwnDevice } from '@astropelago/contract/devices'
import { KeyRound, Pencil, SquareTerminal, Trash2 } from 'lucide-react'

export const deviceActions = [
  { kind: 'edit', name: 'Edit', Icon: Pencil },
  { kind: 'tokens', name: 'Tokens of', Icon: KeyRound },
  { kind: 'heartbeat', name: 'Heartbeat command for', Icon: SquareTerminal },
  { kind: 'delete', name: 'Delete', Icon: Trash2 },
] as const

/** What one does with a device of one's own, each in a dialog. */
export interface DeviceAction {
  readonly kind: (typeof deviceActions)[number]['kind']
  readonly device: OwnDevice
}
