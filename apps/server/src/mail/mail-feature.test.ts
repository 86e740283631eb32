import { createServer } from 'node:net'
import { testMail } from '@astropelago/contract/operator-mail'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MailConfig } from '../config.ts'
import { freePort, listen } from '../test/listen.ts'
import { createOperatorApp } from '../test/operator-app.ts'
import { openSmtpInbox } from '../test/smtp-inbox.ts'
import { mailProblem } from './mail-problem.ts'
import { mailCommands } from './mail-commands.ts'

const address = 'ada@example.org'
const user = { name: 'sky', password: 'a secret' }
const signIn = { user: user.name, password: user.password }

async function tryMail(mail: MailConfig | undefined) {
  const testApp = await createOperatorApp({ config: { mail } })
  const url = testMail.path
  const answer = await testApp.operator.inject({ method: 'POST', url, payload: { address } })
  const sent = v.parse(testMail.answers[200], answer.json())
  expect(sent.note).not.toContain(user.password)
  return { ...testApp, ...sent }
}

test('S57 S59 only an operator can send a test mail, and the audit log says who did', async () => {
  const inbox = await openSmtpInbox()
  const { isSent, note, operator, signUp } = await tryMail(inbox.config)
  expect([isSent, note]).toEqual([
    true,
    expect.stringMatching(
      /^127\.0\.0\.1 took the mail and said: 250 .*\nNow look into the mailbox/,
    ),
  ])
  expect(inbox.mails).toMatchObject([{ to: [address] }])
  expect(inbox.mails[0]?.text).toContain('http://localhost:3000 arrive here')
  const eve = await signUp('eve')
  const request = { method: 'POST', url: testMail.path, payload: { address } } as const
  expect((await eve.inject(request)).statusCode).toBe(404)
  expect((await operator.inject({ ...request, payload: { address: 'ada' } })).json()).toMatchObject(
    {
      code: 'invalid_input',
    },
  )
  const audit = await operator.inject({ url: '/api/operator/audit?action=mail.' })
  expect(audit.body).not.toContain(address)
  expect(audit.json()).toMatchObject({
    entries: [{ actor: 'operator:Captain', action: 'mail.tested', outcome: 'done' }],
  })
  expect(inbox.mails).toHaveLength(1)
})

async function noteOf(mail: MailConfig | undefined): Promise<string> {
  const { isSent, note } = await tryMail(mail)
  expect(isSent).toBe(false)
  return note
}

describe('the answer says why a mail was not sent', () => {
  test('no mail server in the settings', async () => {
    expect(await noteOf(undefined)).toBe(
      'This server sends no e-mail: SMTP_URL and MAIL_FROM are not set.',
    )
  })

  test('an unknown host', async () => {
    const { config } = await openSmtpInbox()
    expect(await noteOf({ ...config, host: 'mail.invalid' })).toMatch(
      /^There is no host mail\.invalid:/,
    )
  })

  test('a port where nothing answers', async () => {
    const { config } = await openSmtpInbox()
    const port = await freePort()
    expect(await noteOf({ ...config, port })).toMatch(
      new RegExp(`^Nothing answers at 127.0.0.1:${port}:`),
    )
  })

  test('a server that is not a mail server', async () => {
    const { config } = await openSmtpInbox()
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const port = Number(new URL(await listen(server)).port)
    onTestFinished(() => void server.close())
    expect(await noteOf({ ...config, port })).toMatch(
      /is not a mail server that works here\. It said: HTTP/,
    )
  })

  test('TLS from the first byte where the server has none', async () => {
    const { config } = await openSmtpInbox()
    expect(await noteOf({ ...config, isSecure: true })).toMatch(
      /does not begin with TLS: .* smtp:\/\//,
    )
  })

  test('a certificate that nobody trusts, at the start and later', async () => {
    for (const tls of ['start', 'later'] as const) {
      const { config } = await openSmtpInbox({ tls, user })
      const mail = { ...config, isSecure: tls === 'start', auth: signIn }
      // With a host that is this machine’s by its name TLS is not begun later.
      const found = tls === 'start' ? mail : { ...mail, host: '0.0.0.0' }
      expect(await noteOf(found)).toMatch(/^The certificate of \S+ can’t be trusted: self-signed/)
    }
  })

  test('a sign-in that is refused, and one that is missing', async () => {
    const { config } = await openSmtpInbox({ user })
    const wrong = { user: user.name, password: 'another secret' }
    expect(await noteOf({ ...config, auth: wrong })).toMatch(
      /^127\.0\.0\.1 refuses the sign-in: .* It said: 535 Invalid username/,
    )
    expect(await noteOf(config)).toMatch(/takes mails only from users who sign in: .* It said: 530/)
  })

  test('a sender and an address that are refused', async () => {
    const inbox = await openSmtpInbox()
    inbox.refuse({ code: 553, message: 'Not yours', of: 'sender' })
    expect(await noteOf(inbox.config)).toMatch(
      /refuses sky@example\.org as the sender: check MAIL_FROM\. It said: 553/,
    )
    inbox.refuse({ code: 550, message: '<%s> is unknown here' })
    expect(await noteOf(inbox.config)).toContain(
      `refuses the address ${address}. It said: 550 <${address}>`,
    )
  })
})

test.each([
  [{ code: 'ETIMEDOUT', message: 'Connection timeout' }, true, 'Many providers block the ports'],
  [{ code: 'ETIMEDOUT', message: 'Greeting never received' }, false, 'begin with smtps://'],
  [{ code: 'ETIMEDOUT', message: 'Greeting never received' }, true, 'belong to another program'],
  [{ code: 'ETLS', message: 'No STARTTLS', response: '500 no' }, false, 'does not offer TLS'],
  [{ code: 'EMESSAGE', message: 'No', response: '554 spam' }, true, 'itself. It said: 554 spam'],
  [
    { code: 'ESOCKET', message: 'connect EHOSTUNREACH 10.0.0.1:25' },
    true,
    'This machine can’t reach',
  ],
  [{ code: 'ECONNECTION', message: 'Connection closed unexpectedly' }, true, ': Connection closed'],
])('the answer also explains rare and slow failures: %j', (error, isSecure, words) => {
  const mail = { host: 'mail.example', port: 465, from: { name: '', address }, isSecure }
  expect(mailProblem(Object.assign(new Error(error.message), error), mail, address)).toContain(
    words,
  )
})

test('the command says what to mend when the mail is refused', async () => {
  const [command] = mailCommands
  const note = 'There is no host.'
  const answerWith = (isSent: boolean) => ({
    input: { address },
    // The answer of the one route that it calls.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    call: (async () => ({ isSent, note })) as never,
  })
  await expect(command?.run(answerWith(false))).rejects.toThrow(note)
  expect(await command?.run(answerWith(true))).toMatchObject({ text: note })
})
