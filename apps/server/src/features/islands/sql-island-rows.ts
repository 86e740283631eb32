import { sql, type InferResult, type RawBuilder, type SqlBool } from 'kysely'
import { disabledUsers, isPerson } from '../../storage/sql-access-rows.ts'
import type { Recording } from '../../storage/change-log.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import type { RowOf } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { Viewer } from './access-policy.ts'
import type {
  CheckedLink,
  FoundIsland,
  IslandPause,
  IslandRecord,
  IslandState,
  LivePages,
  OfInstallation,
  RelayOpening,
  RelayStop,
} from './islands-store.ts'

export function selectIslandCards(db: Database) {
  return db
    .selectFrom('islands')
    .leftJoin('users', 'users.key', 'islands.user_key')
    .leftJoin('devices', 'devices.key', 'islands.carrier_key')
    .leftJoin('relay_openings', 'relay_openings.island_key', 'islands.key')
    .leftJoin('island_visible_since', 'island_visible_since.island_key', 'islands.key')
    .leftJoin('page_deployments as live', (join) =>
      join.onRef('live.island_key', '=', 'islands.key').on('live.is_live', '=', 1),
    )
    .select(['islands.key', 'islands.id', 'islands.user_key', 'islands.slug', 'islands.name'])
    .select(['islands.kind', 'islands.picture', 'islands.tagline', 'islands.address'])
    .select(['islands.access', 'islands.is_listed', 'islands.published_ms', 'islands.hidden_ms'])
    .select(['islands.is_shared', 'devices.is_shared as carrier_is_shared'])
    .select(['islands.paused_ms', 'islands.paused_until_ms', 'islands.pause_text'])
    .select(['users.username as host_username', 'users.name as host_name'])
    .select(['users.disabled_ms as host_disabled_ms', 'users.relay_trusted_ms as host_trusted_ms'])
    .select(['islands.is_relayed', 'islands.relay_stopped_ms', 'islands.relay_stopped_reason'])
    .select(['islands.is_hosted', 'live.key as pages_key', 'live.changed_ms as pages_since_ms'])
    .select('users.relay_stopped_ms as host_stopped_ms')
    .select('users.relay_stopped_reason as host_stopped_reason')
    .select([
      'relay_openings.is_open as relay_is_open',
      'relay_openings.since_ms as relay_since_ms',
    ])
    .select([checkOfIsland('status').as('check_status'), checkOfIsland('since_ms').as('check_ms')])
    .select(['devices.key as carrier_key', 'devices.id as carrier_id'])
    .select(['devices.visibility as carrier_visibility', 'devices.hidden_ms as carrier_hidden_ms'])
    .select(['island_visible_since.members_ms', 'island_visible_since.users_ms'])
    .select('island_visible_since.everybody_ms')
}

/** Of the check that decides whether a link works. If several watch it, one that is down does. */
export function checkOfIsland<Column extends 'status' | 'since_ms'>(
  column: Column,
): RawBuilder<RowOf<'check_states'>[Column] | null> {
  return sql`(
    select ${sql.ref(`check_states.${column}`)}
    from checks join check_states on check_states.check_key = checks.key
    where checks.island_key = islands.key and checks.user_key = islands.user_key
      and check_states.status in ('up', 'down')
      and islands.is_relayed = 0 and islands.is_hosted = 0 and islands.address is not null
    order by check_states.status,
      case check_states.status when 'down' then check_states.since_ms else -check_states.since_ms end
    limit 1)`
}

type CardRow = InferResult<ReturnType<typeof selectIslandCards>>[number]

export function toIslandCard(row: CardRow) {
  const relayStop = relayStopOf(row)
  const isRelayed = row.is_relayed === 1
  const isHosted = row.is_hosted === 1
  const pages = pagesOf(row)
  const isServed = (isRelayed && row.carrier_key !== null) || (isHosted && pages !== null)
  return {
    key: row.key,
    id: row.id,
    hostKey: row.user_key,
    hostName: row.host_name ?? row.host_username,
    hostDisabledMs: row.host_disabled_ms,
    slug: row.slug,
    name: row.name,
    kind: row.kind,
    picture: row.picture,
    tagline: row.tagline,
    access: row.access,
    isListed: row.is_listed === 1,
    isShared: row.is_shared === 1,
    hasAddress: row.address !== null || (isServed && relayStop === null),
    isRelayed,
    isHosted,
    pages,
    relayStop,
    relayOpening: relayOpeningOf(row),
    check: checkOf(row),
    pause: pauseOf(row),
    isHostTrusted: row.host_trusted_ms !== null,
    publishedMs: row.published_ms,
    hiddenMs: row.hidden_ms,
    knownSince: {
      membersMs: row.members_ms,
      usersMs: row.users_ms,
      everybodyMs: row.everybody_ms,
    },
  }
}

function pagesOf({ pages_key: key, pages_since_ms: sinceMs }: CardRow): LivePages | null {
  return key === null || sinceMs === null ? null : { key, sinceMs }
}

/** An operator's order for the island takes precedence over the one for its host. */
function relayStopOf(row: CardRow): RelayStop | null {
  if (row.relay_stopped_ms !== null) {
    return { ofHost: false, atMs: row.relay_stopped_ms, reason: row.relay_stopped_reason ?? '' }
  }
  if (row.host_stopped_ms === null) return null
  return { ofHost: true, atMs: row.host_stopped_ms, reason: row.host_stopped_reason ?? '' }
}

function relayOpeningOf(row: CardRow): RelayOpening | null {
  const { is_relayed, relay_is_open, relay_since_ms } = row
  if (is_relayed === 0 || relay_is_open === null || relay_since_ms === null) return null
  return { isOpen: relay_is_open === 1, sinceMs: relay_since_ms }
}

function checkOf({ check_status: status, check_ms: sinceMs }: CardRow): CheckedLink | null {
  return status === null || sinceMs === null ? null : { isUp: status === 'up', sinceMs }
}

function pauseOf({ paused_ms, paused_until_ms, pause_text }: CardRow): IslandPause | null {
  if (paused_ms === null) return null
  return { fromMs: paused_ms, untilMs: paused_until_ms, text: pause_text }
}

export function isPublicCarrier(
  row: Pick<CardRow, 'carrier_visibility' | 'carrier_hidden_ms'>,
): boolean {
  // Its owner is the island's host. If the host is disabled, nobody sees the island.
  return row.carrier_visibility === 'public' && row.carrier_hidden_ms === null
}

export function selectIslands(db: Database) {
  return selectIslandCards(db)
    .select(['users.avatar as host_avatar', 'devices.label as carrier_label', 'islands.about'])
    .select(['islands.rules_text', 'islands.rules_changed_ms'])
    .select(['islands.created_ms', 'islands.hidden_reason'])
}

type IslandRow = InferResult<ReturnType<typeof selectIslands>>[number]

export function toIsland(row: IslandRow): IslandRecord {
  const { carrier_key: key, carrier_id: id, carrier_label: label } = row
  const hasCarrier = key !== null && id !== null && label !== null
  return {
    ...toIslandCard(row),
    hostUsername: row.host_username,
    hostAvatar: row.host_avatar,
    about: row.about,
    rules: row.rules_text,
    rulesChangedMs: row.rules_changed_ms,
    address: row.address,
    carrier: hasCarrier ? { key, id, label, isPublic: isPublicCarrier(row) } : null,
    createdMs: row.created_ms,
    hiddenReason: row.hidden_reason,
  }
}

/** In one query, even if the viewer may not see an island. */
export function selectFoundIslands(db: Database, viewerKey: number | null) {
  return (
    selectIslands(db)
      // No key is 0.
      .select(viewerColumns(sql`islands.key`, viewerKey ?? 0))
      .select(countOfIsland('island_members').as('member_count'))
  )
}

export function viewerColumns(island: RawBuilder<unknown>, user: unknown) {
  return [
    isPerson('island_members', island, user).as('is_member'),
    isPerson('island_blocks', island, user).as('is_blocked'),
    isPerson('island_requests', island, user).as('has_asked'),
  ] as const
}

type ViewerRow = Readonly<Record<'is_member' | 'is_blocked' | 'has_asked', SqlBool>>

export function toViewer(userKey: number | null, row: ViewerRow): Viewer {
  return {
    userKey,
    isMember: Boolean(row.is_member),
    isBlocked: Boolean(row.is_blocked),
    hasAsked: Boolean(row.has_asked),
  }
}

export function countOfIsland(table: 'island_members' | 'island_requests') {
  return sql<number>`(
    select count(*) from ${sql.table(table)} as counted where counted.island_key = islands.key)`
}

type FoundRow = InferResult<ReturnType<typeof selectFoundIslands>>[number]

export function toFoundIsland(viewerKey: number | null, row: FoundRow): FoundIsland {
  return {
    island: toIsland(row),
    viewer: toViewer(viewerKey, row),
    memberCount: row.member_count,
  }
}

export function newIslandRow(island: Omit<OfInstallation, 'access' | 'isListed'>) {
  const { id, slug, name, kind, picture, tagline, about, address, createdMs } = island
  return { id, slug, name, kind, picture, tagline, about, address, created_ms: createdMs }
}

export const islandState = sql<IslandState>`case
  when islands.hidden_ms is not null
    or islands.user_key in ${disabledUsers} then 'hidden'
  when published_ms is null then 'draft'
  when is_listed = 1 then 'listed'
  else 'unlisted'
end`

/** For changes after which the public may see less of an island. */
export async function updateIslandRow(
  { transaction, record }: Recording,
  key: number,
  columns: Partial<RowOf<'islands'>>,
): Promise<void> {
  await recordWithdrawals({ transaction, record }, 'islands', [key], () =>
    transaction.updateTable('islands').set(columns).where('key', '=', key).execute(),
  )
}
