import {
  Compass,
  Gauge,
  House,
  type LucideIcon,
  Plug,
  Search,
  Telescope,
  UserRound,
} from 'lucide-react'
import { paths } from '../../paths.ts'

export interface MenuEntry {
  readonly name: string
  readonly path: string
  readonly icon: LucideIcon
}

/** For everyone. */
export const publicEntries: readonly MenuEntry[] = [
  { name: 'Home', path: paths.landing(), icon: House },
  { name: 'Explore', path: paths.explore(), icon: Compass },
]

/** For those who are signed in; others are asked to sign in. */
export const guardedEntries: readonly MenuEntry[] = [
  { name: 'Dashboard', path: paths.dashboard(), icon: Gauge },
  { name: 'Connect', path: paths.connect(), icon: Plug },
  { name: 'Discover', path: paths.discover(), icon: Search },
  { name: 'Observatory', path: paths.observatory(), icon: Telescope },
  { name: 'Account', path: paths.account(), icon: UserRound },
]
