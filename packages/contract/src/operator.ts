import * as v from 'valibot'
import { Status } from './devices.ts'
import { defineRoute } from './route.ts'

/** The largest and the default number of lines in an operator's list. */
export const operatorListMax = 1000
export const operatorListLength = 100

export const Limit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, 'This is a whole number.'),
    v.transform(Number),
    v.minValue(1, 'This is at least 1.'),
    v.maxValue(operatorListMax, `This is at most ${operatorListMax}.`),
  ),
  String(operatorListLength),
)

/** A user as operators see one. */
export const OperatorUser = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  /** The path of the picture; null if there is none. */
  avatar: v.nullable(v.string()),
  createdAt: v.string(),
  isDemo: v.boolean(),
  isOperator: v.boolean(),
  /** Null if the account is not disabled. */
  disabledAt: v.nullable(v.string()),
  /** Since when and why the relay carries nobody to the user's islands; null if it does. */
  relayStopped: v.nullable(v.object({ at: v.string(), reason: v.string() })),
  /** Since when an operator trusts the user as a host; null if none does. */
  trustedAt: v.nullable(v.string()),
  deviceCount: v.number(),
  sessionCount: v.number(),
  /** For current sessions, updated at most once an hour. */
  lastUsedAt: v.nullable(v.string()),
})
export type OperatorUser = v.InferOutput<typeof OperatorUser>

export const Text64 = v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))

export const userSorts = ['username', 'newest', 'last-seen'] as const
export type UserSort = (typeof userSorts)[number]

/** Filters: users with a special trait. */
export const userKinds = [
  'operators',
  'disabled',
  'demo',
  'trusted',
  'relay-stopped',
  'without-devices',
] as const
export type UserKind = (typeof userKinds)[number]

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/operator/users',
  summary: 'Users, a page at a time: by username, newest first, or last seen first',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    /** Part of the username or the name. */
    search: v.optional(Text64),
    only: v.optional(v.picklist(userKinds, `This is one of: ${userKinds.join(', ')}.`)),
    sort: v.optional(v.picklist(userSorts, `This is one of: ${userSorts.join(', ')}.`), 'username'),
    /** The `next` of the previous page. */
    after: v.optional(Text64),
    limit: Limit,
  }),
  answers: {
    200: v.object({
      users: v.array(OperatorUser),
      hasMore: v.boolean(),
      /** Where the next page begins; null if there is none. In the order by username, it is a username. */
      next: v.nullable(v.string()),
    }),
  },
  errors: ['not_found', 'invalid_input'],
})

export const Username = v.strictObject({ username: v.pipe(v.string(), v.maxLength(64)) })

export const getUser = defineRoute({
  method: 'GET',
  path: '/api/operator/users/:username',
  summary: 'One user by username, ignoring case',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/operator/users',
  summary: 'Make an account without a password; OPERATORS may name it',
  tag: 'Operators',
  access: 'operator',
  body: v.strictObject({ username: v.string() }),
  answers: { 201: OperatorUser },
  errors: ['not_found', 'invalid_input', 'invalid_username', 'username_taken', 'server_full'],
})

export const disableUser = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/disable',
  summary: 'Disable an account: its sessions end, and its devices can neither report nor be seen',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})

export const enableUser = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/enable',
  summary: 'Enable an account again, with its devices as they were',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})

export const deleteUser = defineRoute({
  method: 'DELETE',
  path: '/api/operator/users/:username',
  summary: 'Delete an account with everything in it',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: v.object({ deviceCount: v.number() }) },
  errors: ['not_found'],
})

export const endUserSessions = defineRoute({
  method: 'DELETE',
  path: '/api/operator/users/:username/sessions',
  summary: 'Sign a user out everywhere',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: v.object({ ended: v.number() }) },
  errors: ['not_found'],
})

/** A device as operators see it. Its location is left out, because its owner may keep it secret. */
export const OperatorDevice = v.object({
  id: v.string(),
  label: v.string(),
  visibility: v.picklist(['public', 'private']),
  status: Status,
  link: v.nullable(v.string()),
  createdAt: v.string(),
  lastSeenAt: v.nullable(v.string()),
  /** Since when and why it is hidden from everybody but its owner; null if visible. */
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
})
export type OperatorDevice = v.InferOutput<typeof OperatorDevice>

export const listUserDevices = defineRoute({
  method: 'GET',
  path: '/api/operator/users/:username/devices',
  summary: 'The devices of a user, oldest first',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: v.array(OperatorDevice) },
  errors: ['not_found'],
})

/** A device in the list of all users' devices. */
export const ListedDevice = v.object({ ...OperatorDevice.entries, owner: v.string() })
export type ListedDevice = v.InferOutput<typeof ListedDevice>

export const deviceKinds = ['public', 'private', 'hidden'] as const
export type DeviceKind = (typeof deviceKinds)[number]

export const listAllDevices = defineRoute({
  method: 'GET',
  path: '/api/operator/devices',
  summary: 'The devices of all users, newest first, a page at a time',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    /** Part of its label, or of its owner's username. */
    search: v.optional(Text64),
    /** `public`: those that everybody sees. */
    only: v.optional(v.picklist(deviceKinds, `This is one of: ${deviceKinds.join(', ')}.`)),
    /** The id of the last device on the previous page. */
    after: v.optional(Text64),
    limit: Limit,
  }),
  answers: { 200: v.object({ devices: v.array(ListedDevice), hasMore: v.boolean() }) },
  errors: ['not_found', 'invalid_input'],
})

export const removeDevice = defineRoute({
  method: 'DELETE',
  path: '/api/operator/devices/:id',
  summary: 'Delete any user’s device with its tokens',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 204: null },
  errors: ['not_found'],
})

/** A count of something, with a name for scripts and a label for people. */
export const Figure = v.object({ name: v.string(), label: v.string(), value: v.number() })
export type Figure = v.InferOutput<typeof Figure>

/** The health of this server. If there are several, each reports its own. Times are ISO 8601 in UTC. */
export const ServerHealth = v.object({
  storage: v.object({
    kind: v.picklist(['sqlite', 'postgres']),
    answeredInMs: v.number(),
    /** Calls that wait for their turn. */
    waiting: v.number(),
    /** Calls that failed since the start because the storage was unavailable, full or locked. */
    failures: v.number(),
  }),
  mail: v.object({
    /** Whether a mail server is set up. */
    isOn: v.boolean(),
    /** Since the start. */
    lastSentAt: v.nullable(v.string()),
    /** The last failed try, unless the receiver's address was the reason. */
    failure: v.nullable(v.object({ at: v.string(), reason: v.string() })),
  }),
  cluster: v.object({
    /** Servers that share the storage. */
    size: v.number(),
    /** Whether this one judges devices and sends alerts. */
    leads: v.boolean(),
    /** How old its knowledge of the others is. */
    behindMs: v.number(),
  }),
})
export type ServerHealth = v.InferOutput<typeof ServerHealth>

export const getStats = defineRoute({
  method: 'GET',
  path: '/api/operator/stats',
  summary: 'Counts of everything, and the server’s health',
  tag: 'Operators',
  access: 'operator',
  answers: {
    200: v.object({
      figures: v.array(Figure),
      server: v.object({
        version: v.string(),
        databaseBytes: v.number(),
        /** Whether it makes daily backups by itself. */
        makesBackups: v.boolean(),
        /** The last of those; null before the first. */
        lastBackupAt: v.nullable(v.string()),
        health: ServerHealth,
      }),
    }),
  },
  errors: ['not_found'],
})
