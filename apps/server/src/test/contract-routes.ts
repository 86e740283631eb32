import * as accounts from '@astropelago/contract/accounts'
import * as alertChannels from '@astropelago/contract/alert-channels'
import * as alertMaintenance from '@astropelago/contract/alert-maintenance'
import * as alerts from '@astropelago/contract/alerts'
import * as allLogs from '@astropelago/contract/all-logs'
import * as announcements from '@astropelago/contract/announcements'
import * as apiKeys from '@astropelago/contract/api-keys'
import * as audit from '@astropelago/contract/audit'
import * as avatars from '@astropelago/contract/avatars'
import * as checkLocations from '@astropelago/contract/check-locations'
import * as checkImport from '@astropelago/contract/check-import'
import * as checkPushes from '@astropelago/contract/check-pushes'
import * as checks from '@astropelago/contract/checks'
import * as deviceSchedules from '@astropelago/contract/device-schedules'
import * as devices from '@astropelago/contract/devices'
import * as devicesCsv from '@astropelago/contract/devices-csv'
import * as email from '@astropelago/contract/email'
import * as embeds from '@astropelago/contract/embeds'
import * as feed from '@astropelago/contract/feed'
import * as guides from '@astropelago/contract/guides'
import * as health from '@astropelago/contract/health'
import * as history from '@astropelago/contract/history'
import * as hostedPages from '@astropelago/contract/hosted-pages'
import * as invites from '@astropelago/contract/invites'
import * as islandDirectory from '@astropelago/contract/island-directory'
import * as islandData from '@astropelago/contract/island-data'
import * as islandDomain from '@astropelago/contract/island-domain'
import * as islandHistory from '@astropelago/contract/island-history'
import * as islandLog from '@astropelago/contract/island-log'
import * as islandMembers from '@astropelago/contract/island-members'
import * as islandRelay from '@astropelago/contract/island-relay'
import * as islands from '@astropelago/contract/islands'
import * as me from '@astropelago/contract/me'
import * as neighbourDirectory from '@astropelago/contract/neighbour-directory'
import * as operator from '@astropelago/contract/operator'
import * as operatorAlerts from '@astropelago/contract/operator-alerts'
import * as neighbours from '@astropelago/contract/neighbours'
import * as operatorIslands from '@astropelago/contract/operator-islands'
import * as operatorNeighbours from '@astropelago/contract/operator-neighbours'
import * as operatorMail from '@astropelago/contract/operator-mail'
import * as operatorRelay from '@astropelago/contract/operator-relay'
import * as ownData from '@astropelago/contract/own-data'
import * as passwords from '@astropelago/contract/passwords'
import * as relayAgent from '@astropelago/contract/relay-agent'
import * as relayPorts from '@astropelago/contract/relay-ports'
import * as reports from '@astropelago/contract/reports'
import * as relay from '@astropelago/contract/relay'
import * as relayAccess from '@astropelago/contract/relay-access'
import type { Route } from '@astropelago/contract/route'
import * as rooms from '@astropelago/contract/rooms'
import * as search from '@astropelago/contract/search'
import * as sessions from '@astropelago/contract/sessions'
import * as spark from '@astropelago/contract/spark'
import * as statusPages from '@astropelago/contract/status-pages'
import * as streams from '@astropelago/contract/streams'

/** Every route of the contract. */
export const contractRoutes: readonly Route[] = [
  accounts,
  alertChannels,
  alertMaintenance,
  alerts,
  allLogs,
  announcements,
  apiKeys,
  audit,
  avatars,
  checkLocations,
  checkImport,
  checkPushes,
  checks,
  deviceSchedules,
  devices,
  devicesCsv,
  email,
  embeds,
  feed,
  guides,
  health,
  history,
  hostedPages,
  invites,
  islandDirectory,
  islandData,
  islandDomain,
  islandHistory,
  islandLog,
  islandMembers,
  islandRelay,
  islands,
  me,
  neighbourDirectory,
  operator,
  operatorAlerts,
  neighbours,
  operatorIslands,
  operatorNeighbours,
  operatorMail,
  operatorRelay,
  ownData,
  passwords,
  relayAgent,
  relayPorts,
  sessions,
  reports,
  relay,
  relayAccess,
  rooms,
  search,
  spark,
  statusPages,
  streams,
].flatMap((module) => Object.values(module).filter(isRoute))

/** A route as people write it and as tables of tests name it. */
export function routeName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** Whether a path is called by scripts for other programs, and refuses them as those do. */
export function refusesAsOthers(path: string): boolean {
  return /^\/(?:ping|api\/push)\//.test(path)
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}
