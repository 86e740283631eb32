import type { OwnDevice } from '@astropelago/contract/devices'
import { KeyRound, Pencil, SquareTerminal, Trash2 } from 'lucide-react'

export const deviceActions = [
  { kind: 'edit', label: 'Edit', name: 'Edit', Icon: Pencil },
  { kind: 'tokens', label: 'Tokens', name: 'Tokens of', Icon: KeyRound },
  { kind: 'heartbeat', label: 'Heartbeat', name: 'Heartbeat command for', Icon: SquareTerminal },
  { kind: 'delete', label: 'Delete', name: 'Delete', Icon: Trash2 },
] as const

/** What one does with a device of one's own, each in a dialog. */
export interface DeviceAction {
  readonly kind: (typeof deviceActions)[number]['kind']
  readonly device: OwnDevice
}
