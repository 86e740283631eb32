import * as v from 'valibot'
import { EmailAddress } from './email.ts'
import { defineRoute } from './route.ts'

export const testMail = defineRoute({
  method: 'POST',
  path: '/api/operator/mail/test',
  summary: 'Send one test mail to an address',
  tag: 'Operators',
  access: 'operator',
  body: v.strictObject({ address: EmailAddress }),
  answers: {
    200: v.object({
      /** Whether the mail server accepted the mail. */
      isSent: v.boolean(),
      /** The mail server's answer, or what to fix. */
      note: v.string(),
    }),
  },
  errors: ['not_found', 'invalid_input'],
})
