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
      /** Whether the mail server took the mail. */
      isSent: v.boolean(),
      /** What the mail server said, or what to mend, in words. */
      note: v.string(),
    }),
  },
  errors: ['not_found', 'invalid_input'],
})
