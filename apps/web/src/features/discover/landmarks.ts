import {
  LibraryBig,
  type LucideIcon,
  Map as MapIcon,
  RadioTower,
  Rocket,
  Satellite,
  TreePalm,
} from 'lucide-react'

export interface Landmark {
  readonly name: string
  readonly icon: LucideIcon
  readonly about: string
  /** Its place on the wide chart; the route in route-line.tsx runs through it. */
  readonly place: string
  readonly mark: 'accent' | 'island' | 'plain'
}

export const landmarks: readonly Landmark[] = [
  {
    name: 'Mothership',
    icon: Rocket,
    about: 'Home port of the network: news, help and the people who keep it flying.',
    place: 'lg:top-[14%] lg:left-[6%]',
    mark: 'accent',
  },
  {
    name: 'Islands',
    icon: TreePalm,
    about: 'Spaces that Navigators host: chats, games, media and apps.',
    place: 'lg:top-[20%] lg:left-[38%]',
    mark: 'island',
  },
  {
    name: 'Satellites',
    icon: Satellite,
    about: 'Devices that carry the islands, and report that they are alive.',
    place: 'lg:top-[10%] lg:left-[69%]',
    mark: 'plain',
  },
  {
    name: 'Charts',
    icon: MapIcon,
    about: 'Routes between islands, drawn by those who have sailed them.',
    place: 'lg:top-[62%] lg:left-[10%]',
    mark: 'plain',
  },
  {
    name: 'Signals',
    icon: RadioTower,
    about: 'What is going on right now: calls, events and open doors.',
    place: 'lg:top-[68%] lg:left-[41%]',
    mark: 'plain',
  },
  {
    name: 'Library',
    icon: LibraryBig,
    about: 'Files, guides and stories that the community keeps for everyone.',
    place: 'lg:top-[60%] lg:left-[72%]',
    mark: 'plain',
  },
]
