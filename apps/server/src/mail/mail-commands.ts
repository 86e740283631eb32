import { testMail } from '@astropelago/contract/operator-mail'
import { command, CommandRefused } from '../admin/command.ts'

export const mailCommands = [
  command({
    words: 'mail test',
    summary: 'Sends one test mail, and says what to mend if that fails',
    arguments: [{ name: 'address', summary: 'The recipient, such as you@example.org' }],
    run: async ({ input: { address }, call }) => {
      const sent = await call(testMail, { body: { address } })
      if (!sent.isSent) throw new CommandRefused(sent.note)
      return { text: sent.note, json: sent }
    },
  }),
]
