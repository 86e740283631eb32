import type { Reportable, ReportableSubject } from '../../reportable.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Rooms } from './rooms.ts'
import { textOf } from './rooms-routes.ts'
import type { RoomsStore } from './rooms-store.ts'

const nameMaxLength = 80

/** Messages, named by the id of their room and their number: `<room>-<n>`. */
export function reportableMessages({
  store,
  rooms,
  islands,
}: {
  readonly store: Pick<RoomsStore, 'findMessage'>
  readonly rooms: Pick<Rooms, 'moderate'>
  readonly islands: Pick<IslandsFeature, 'readRights' | 'served'>
}): Reportable {
  const find = async (id: string) => {
    const [, roomId = '', n = ''] = /^([\w-]+)-(\d{1,9})$/.exec(id) ?? []
    return roomId === '' ? undefined : await store.findMessage(roomId, Number(n))
  }
  type Found = NonNullable<Awaited<ReturnType<typeof find>>>
  const subjectOf = ({ value, author, room }: Found): ReportableSubject => {
    const characters = Array.from(textOf(JSON.parse(value)).replaceAll(/\s+/g, ' '))
    const isCut = characters.length > nameMaxLength
    return {
      name: isCut ? `${characters.slice(0, nameMaxLength - 1).join('')}…` : characters.join(''),
      link: null,
      author: author?.username ?? '',
      isPublic: islands.served.find(room.islandKey)?.mayAnybodyEnter === true,
      hidden: null,
    }
  }
  return {
    find: async (userKey, id) => {
      const found = await find(id)
      if (found === undefined || found.author?.userKey === userKey) return undefined
      const rightsOf = await islands.readRights(found.room.islandKey, [userKey])
      return rightsOf(userKey).mayEnter ? subjectOf(found) : undefined
    },
    read: async (ids) => {
      const subjects = new Map<string, ReportableSubject>()
      for (const id of ids) {
        const found = await find(id)
        if (found !== undefined) subjects.set(id, subjectOf(found))
      }
      return subjects
    },
    /** Deletes it for good. */
    setHidden: async (id, hidden) => {
      const found = await find(id)
      if (found === undefined || hidden === null) return false
      const { islandKey, name } = found.room
      const message = Number(id.slice(id.lastIndexOf('-') + 1))
      await rooms.moderate(islandKey, name, { kind: 'delete', message })
      return true
    },
  }
}
