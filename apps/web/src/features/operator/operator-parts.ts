import { paths } from '../../paths.ts'

/** The parts of the operators' screen, in the order of their links. */
export const operatorParts = [
  { id: 'overview', name: 'Overview', path: paths.mothership() },
  { id: 'users', name: 'Users', path: paths.mothership('users') },
  { id: 'devices', name: 'Devices', path: paths.mothership('devices') },
  { id: 'islands', name: 'Islands', path: paths.mothership('islands') },
  { id: 'reports', name: 'Reports', path: paths.mothership('reports') },
  { id: 'announcements', name: 'Announcements', path: paths.mothership('announcements') },
  { id: 'invites', name: 'Invites', path: paths.mothership('invites') },
  { id: 'audit', name: 'Audit log', path: paths.mothership('audit') },
] as const

export type OperatorPartId = (typeof operatorParts)[number]['id']
