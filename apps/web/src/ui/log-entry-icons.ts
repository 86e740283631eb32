import type { LogEntry } from '@astropelago/contract/island-log'
import {
  DoorClosed,
  DoorOpen,
  type LucideIcon,
  MessageSquare,
  RadioTower,
  UserRoundPlus,
} from 'lucide-react'

export const logEntryIcons: Readonly<Record<LogEntry['kind'], LucideIcon>> = {
  opened: DoorOpen,
  closed: DoorClosed,
  joined: UserRoundPlus,
  signal: RadioTower,
  note: MessageSquare,
}
