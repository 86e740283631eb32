import { Anchor, Library, type LucideIcon, RadioTower, TreePalm } from 'lucide-react'
import { paths } from '../../paths.ts'

export interface Module {
  readonly name: string
  readonly icon: LucideIcon
  readonly about: string
  /** Violet marks what is about islands. */
  readonly isAboutIslands: boolean
  /** Where who is signed in gets to. */
  readonly to: string
}

export const modules: readonly Module[] = [
  {
    name: 'Harbor Logs',
    icon: Anchor,
    about: 'Who came by, who set sail: the journal of each harbor.',
    isAboutIslands: false,
    to: paths.discoverCategory('islands'),
  },
  {
    name: 'Signal Relay',
    icon: RadioTower,
    about: 'Pass messages on from one island to the next.',
    isAboutIslands: false,
    to: paths.discoverCategory('signals'),
  },
  {
    name: 'Orbital Library',
    icon: Library,
    about: 'Files, books and media that Navigators share.',
    isAboutIslands: false,
    to: paths.discoverCategory('library'),
  },
  {
    name: 'Island Builder',
    icon: TreePalm,
    about: 'Lay out an island of your own, piece by piece.',
    isAboutIslands: true,
    to: paths.newIsland(),
  },
]
