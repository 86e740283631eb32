import Anchor from 'virtual:icon/anchor'
import Library from 'virtual:icon/library'
import RadioTower from 'virtual:icon/radio-tower'
import TreePalm from 'virtual:icon/tree-palm'
import { paths } from '../../paths.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'

export interface Module {
  readonly name: string
  readonly icon: IconComponent
  readonly about: string
  /** Modules about islands are violet. */
  readonly isAboutIslands: boolean
  /** The destination for signed-in users. */
  readonly to: string
  /** Whether visitors can go there too. */
  readonly isForEverybody?: boolean
}

export const modules: readonly Module[] = [
  {
    name: 'Harbor Logs',
    icon: Anchor,
    about: 'What happens on islands: openings, signals from hosts, notes from visitors.',
    isAboutIslands: false,
    to: paths.harborLogs(),
  },
  {
    name: 'Signal Relay',
    icon: RadioTower,
    about: 'What island hosts announce: events to come, and what is new.',
    isAboutIslands: false,
    to: paths.discoverCategory('signals'),
  },
  {
    name: 'Orbital Library',
    icon: Library,
    about: 'Short guides, from a first device to an island that lasts.',
    isAboutIslands: false,
    to: paths.library(),
    isForEverybody: true,
  },
  {
    name: 'Island Builder',
    icon: TreePalm,
    about: 'Make an island of your own, step by step.',
    isAboutIslands: true,
    to: paths.newIsland(),
  },
]
