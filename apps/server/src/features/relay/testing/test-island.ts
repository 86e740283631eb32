import { randomUUID } from 'node:crypto'
import type { ServedIsland } from '../served-islands.ts'

/** A public island that is open, and carried by device 1. */
export const testIsland: ServedIsland = {
  key: 1,
  id: randomUUID(),
  slug: 'harbor',
  name: 'Harbor',
  hostKey: 1,
  hostName: 'ada',
  carrierKey: 1,
  isRelayed: true,
  isHosted: false,
  pages: null,
  mayAnybodyEnter: true,
  mayAnybodyKnow: true,
  isShown: true,
  isInDirectory: true,
  isStopped: false,
  isHostTrusted: true,
  hasRules: false,
  domain: null,
  pause: null,
  opening: { isOpen: true, sinceMs: null, pause: null, isWatched: true },
}
