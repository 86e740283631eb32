export type { Visitor } from './live-room.ts'
export type { Rooms } from './rooms.ts'
export type { Writer } from './rooms-store.ts'
