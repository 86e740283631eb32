import type { LogEntry } from '@astropelago/contract/island-log'
import DoorClosed from 'virtual:icon/door-closed'
import DoorOpen from 'virtual:icon/door-open'
import MessageSquare from 'virtual:icon/message-square'
import RadioTower from 'virtual:icon/radio-tower'
import UserRoundPlus from 'virtual:icon/user-round-plus'
import type { IconComponent } from '../ui/create-icon.tsx'

export const logEntryIcons: Readonly<Record<LogEntry['kind'], IconComponent>> = {
  opened: DoorOpen,
  closed: DoorClosed,
  joined: UserRoundPlus,
  signal: RadioTower,
  note: MessageSquare,
}
