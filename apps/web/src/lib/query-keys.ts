/** Live messages refresh these. A key stands for all that begin with it. */
export const queryKeys = {
  devices: ['devices'],
  ownDevices: ['devices', 'own'],
  device: (id: string) => ['devices', id],
  checks: ['checks'],
  ownLocations: ['check-locations'],
  ownChecks: ['checks', 'own'],
  check: (id: string) => ['checks', id],
  islands: ['islands'],
  ownIslands: ['islands', 'own'],
  joinedIslands: ['islands', 'joined'],
  /** Islands as their viewer may see them, followed by a slug. */
  islandViews: ['islands', 'view'],
  /** All that is known of an island besides its view. */
  island: (id: string) => ['islands', id],
  islandLog: (id: string) => ['islands', id, 'log'],
  islandRequests: (id: string) => ['islands', id, 'requests'],
  relayedState: (id: string) => ['islands', id, 'relayed-state'],
  listedIslands: ['islands', 'listed'],
  logs: ['islands', 'listed', 'logs'],
  activity: ['activity'],
  neighbours: ['neighbours'],
  neighbourIslands: ['neighbour-islands'],
} as const
