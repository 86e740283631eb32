import { searchText } from '../../lib/search-text.ts'
import { paths } from '../../paths.ts'

interface Screen {
  readonly name: string
  readonly path: string
  /** Other names for the screen, and what users look for there. */
  readonly words: string
}

const screens: readonly Screen[] = [
  { name: 'Home', path: paths.landing(), words: 'start how it works safety faq' },
  { name: 'Explore', path: paths.explore(), words: 'open now community lounge modules' },
  { name: 'Dashboard', path: paths.dashboard(), words: 'recent activity your islands requests' },
  { name: 'Make an island', path: paths.newIsland(), words: 'builder host new publish' },
  { name: 'Connect', path: paths.connect(), words: 'add a device token heartbeat setup' },
  { name: 'Discover', path: paths.discover(), words: 'search directory categories' },
  { name: 'Observatory', path: paths.observatory(), words: 'globe map satellites status' },
  { name: 'Harbor Logs', path: paths.harborLogs(), words: 'notes signals openings who joined' },
  { name: 'Library', path: paths.library(), words: 'guides help how to' },
  { name: 'Account', path: paths.account(), words: 'settings profile password my devices' },
]

/** Screens with words that start with what was typed. None for an empty text. */
export function findScreens(typed: string): readonly Screen[] {
  const asked = searchText(typed).split(/\s+/).filter(Boolean)
  if (asked.length === 0) return []
  return screens.filter(({ name, words }) => {
    const all = searchText(`${name} ${words}`).split(' ')
    return asked.every((word) => all.some((one) => one.startsWith(word)))
  })
}
