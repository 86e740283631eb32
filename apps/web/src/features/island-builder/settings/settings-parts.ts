import type { IslandSettingsPart } from '../../../paths.ts'

/** In the order in which hosts need them. Irreversible actions come last. */
export const settingsParts = [
  { id: 'details', name: 'Details' },
  { id: 'picture', name: 'Picture and address' },
  { id: 'door', name: 'Door' },
  { id: 'pause', name: 'Pause' },
  { id: 'members', name: 'Members' },
  { id: 'invitations', name: 'Invitations' },
  { id: 'requests', name: 'Requests' },
  { id: 'neighbours', name: 'Neighbours' },
  { id: 'close', name: 'Delete' },
] as const satisfies readonly { id: IslandSettingsPart; name: string }[]

export type SettingsPart = (typeof settingsParts)[number]
