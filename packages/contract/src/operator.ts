import * as v from 'valibot'
import { defineRoute } from './route.ts'

/** How many lines an operator's list has at most, and without being asked for a number. */
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
  createdAt: v.string(),
  isDemo: v.boolean(),
  isOperator: v.boolean(),
  /** Null while the account is on. */
  disabledAt: v.nullable(v.string()),
  deviceCount: v.number(),
  sessionCount: v.number(),
  /** Of the sessions that are left; written down at most once an hour. */
  lastUsedAt: v.nullable(v.string()),
})
export type OperatorUser = v.InferOutput<typeof OperatorUser>

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/operator/users',
  summary: 'Users by username, a page at a time',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    /** In the username or the name. */
    search: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
    /** The username that the page before ended with. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
    limit: Limit,
  }),
  answers: { 200: v.object({ users: v.array(OperatorUser), hasMore: v.boolean() }) },
  errors: ['not_found', 'invalid_input'],
})
