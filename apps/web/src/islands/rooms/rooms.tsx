import { useSearchParams } from 'react-router'
import { RoomList } from './room-list.tsx'
import { RoomView } from './room-view.tsx'
import type { RoomsOf } from './rooms-queries.ts'

/** All rooms of an island, or the one in the address. */
export function Rooms({ of }: { of: RoomsOf }) {
  const [parameters] = useSearchParams()
  const room = parameters.get('room')
  return room === null ? <RoomList of={of} /> : <RoomView key={room} of={of} name={room} />
}
