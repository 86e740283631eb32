import * as v from 'valibot'
import { defineRoute } from './route.ts'

export const getOwnData = defineRoute({
  method: 'GET',
  path: '/api/me/data',
  summary: 'What the account contains: the data in an export, which deleting the account deletes',
  tag: 'Accounts',
  access: 'user',
  answers: {
    200: v.array(
      v.object({
        /** Stable, such as `devices`. */
        kind: v.string(),
        count: v.number(),
        /** For people, such as "3 devices with their tokens". */
        text: v.string(),
      }),
    ),
  },
  errors: ['signed_out'],
})

export const exportOwnData = defineRoute({
  method: 'GET',
  path: '/api/me/export',
  summary: 'All data of the account as a JSON file, without secrets',
  tag: 'Accounts',
  access: 'user',
  /** Besides `account`, each feature adds its own part. */
  answers: { 200: v.looseObject({ exportedAt: v.string(), account: v.looseObject({}) }) },
  errors: ['signed_out', 'demo_account', 'rate_limited'],
})

export const deleteMe = defineRoute({
  method: 'POST',
  path: '/api/me/delete',
  summary: 'Delete the account with everything in it, at once and for good',
  tag: 'Accounts',
  access: 'user',
  body: v.strictObject({ password: v.string() }),
  answers: { 204: null },
  errors: [
    'signed_out',
    'demo_account',
    'invalid_input',
    'wrong_password',
    'rate_limited',
    'overloaded',
  ],
})
