import LibraryBig from 'virtual:icon/library-big'
import MapIcon from 'virtual:icon/map'
import RadioTower from 'virtual:icon/radio-tower'
import Rocket from 'virtual:icon/rocket'
import Satellite from 'virtual:icon/satellite'
import TreePalm from 'virtual:icon/tree-palm'
import type { DiscoverCategory } from '../../paths.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'

export interface Category {
  /** Used in the address. */
  readonly id: DiscoverCategory
  readonly name: string
  readonly icon: IconComponent
  readonly about: string
  /** CSS classes for its position on the wide chart. The route in route-line.tsx runs through it. */
  readonly place: string
  readonly mark: 'accent' | 'island' | 'plain'
}

export const categories: readonly Category[] = [
  {
    id: 'mothership',
    name: 'Mothership',
    icon: Rocket,
    about: 'News from the people who run this server, and where to find help.',
    place: 'lg:top-[14%] lg:left-[6%]',
    mark: 'accent',
  },
  {
    id: 'islands',
    name: 'Islands',
    icon: TreePalm,
    about: 'Spaces that Navigators host: chats, games, media and apps.',
    place: 'lg:top-[20%] lg:left-[38%]',
    mark: 'island',
  },
  {
    id: 'satellites',
    name: 'Satellites',
    icon: Satellite,
    about: 'The devices that islands run on, and whether they are online.',
    place: 'lg:top-[10%] lg:left-[69%]',
    mark: 'plain',
  },
  {
    id: 'charts',
    name: 'Charts',
    icon: MapIcon,
    about: 'The routes between islands, as their hosts drew them.',
    place: 'lg:top-[62%] lg:left-[10%]',
    mark: 'plain',
  },
  {
    id: 'signals',
    name: 'Signals',
    icon: RadioTower,
    about: 'What island hosts announce: events to come, and what is new.',
    place: 'lg:top-[68%] lg:left-[41%]',
    mark: 'plain',
  },
  {
    id: 'library',
    name: 'Library',
    icon: LibraryBig,
    about: 'Short guides, from a first device to an island that lasts.',
    place: 'lg:top-[60%] lg:left-[72%]',
    mark: 'plain',
  },
]
