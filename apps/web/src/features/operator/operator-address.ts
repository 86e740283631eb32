import { paths } from '../../paths.ts'

/** The parts of the operators' screen, in the order of their links. */
export const operatorParts = [
  { part: 'overview', name: 'Overview' },
  { part: 'users', name: 'Users' },
  { part: 'devices', name: 'Devices' },
  { part: 'islands', name: 'Islands' },
  { part: 'reports', name: 'Reports' },
  { part: 'announcements', name: 'Announcements' },
  { part: 'invites', name: 'Invites' },
  { part: 'audit', name: 'Audit log' },
] as const

export type OperatorPart = (typeof operatorParts)[number]['part']

/** The address of a part with its parameters. */
export function operatorAddress(
  part: OperatorPart,
  asked: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams(part === 'overview' ? asked : { part, ...asked })
  const search = parameters.toString()
  return search === '' ? paths.mothership() : `${paths.mothership()}?${search}`
}

/** The part in an address, or Overview if the address has no valid part. */
export function partOfAddress(parameters: URLSearchParams) {
  const [overview] = operatorParts
  return operatorParts.find(({ part }) => part === parameters.get('part')) ?? overview
}
