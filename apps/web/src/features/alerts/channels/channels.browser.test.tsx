import {
  type AlertChannel,
  confirmChannel,
  createChannel,
  deleteChannel,
  listChannels,
  renewChannelSecret,
  sendChannelCode,
  testChannel,
  updateChannel,
} from '@astropelago/contract/alert-channels'
import { errors } from '@astropelago/contract/errors'
import { alertChannelsPerUser } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { AlertsPart } from '../alerts-part.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { answerChannels, sampleChannel } from '../testing/sample-channel.ts'
import { channelKinds, kindForms, kindLabels } from './channel-kinds.ts'

const card = page.getByRole('region', { name: 'Channels' })
const items = card.getByRole('list', { name: 'Channels' }).getByRole('listitem')
const add = card.getByRole('button', { name: 'Add a channel' })
const submit = card.getByRole('button', { name: 'Add the channel' })
const alert = card.getByRole('alert')

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function openAlerts(channels: AlertChannel[] = [], canSendMail = true) {
  answerChannels(channels, canSendMail)
  await openPart(<ChannelsCard />, { user: sampleUser })
  await expect.element(card.getByRole('button').first()).toBeVisible()
}

async function choose(kind: string) {
  await add.click()
  await card.getByRole('radio', { name: kind }).click()
}

describe('channels', () => {
  test('each shows its state', async () => {
    await openAlerts([
      sampleChannel(),
      sampleChannel({
        kind: 'webhook',
        name: 'Cellar',
        lastAnswer: { at: minutesAgo(3), isOk: true, note: '204' },
      }),
      sampleChannel({
        name: 'Once',
        lastAnswer: { at: minutesAgo(3), isOk: false, note: '503 Service Unavailable' },
        failingSince: minutesAgo(3),
      }),
      sampleChannel({
        name: 'Long',
        state: 'failing',
        lastAnswer: { at: minutesAgo(3), isOk: false, note: 'No such name' },
        failingSince: minutesAgo(120),
      }),
      sampleChannel({ kind: 'discord', name: 'Gone', state: 'ended' }),
      sampleChannel({ kind: 'email', name: 'Mail', state: 'unconfirmed' }),
    ])
    for (const [index, text] of [
      /^Phone ?ntfy · ntfy.sh\/my-… ?Nothing has been sent there yet/,
      /Last message arrived 3 minutes ago/,
      /3 minutes ago ?, did not arrive: 503 Service Unavailable/,
      /Nothing has arrived since .*: No such name/,
      /The service says that this address no longer exists. Delete the channel and add it again./,
      /We sent a code there/,
    ].entries()) {
      await expect.element(items.nth(index)).toMatchTextContent(text)
    }
    // The last two get no alerts, so they have no test either.
    for (const name of ['Test Gone', 'Test Mail']) {
      expect(card.getByRole('button', { name }).length).toBe(0)
    }
    await expectAccessible()
  })

  test('a test shows the request and the response, and reloads the list', async () => {
    const channel = sampleChannel()
    await openAlerts([channel])
    const lastAnswer = { at: minutesAgo(0), isOk: false, note: '403' }
    answerChannels([{ ...channel, lastAnswer }])
    answerApi(testChannel, {
      status: 200,
      body: { isOk: false, sent: 'POST https://ntfy.sh/', answer: '403 forbidden', tookMs: 1234 },
    })
    // Screen readers announce only text added to an existing region.
    const said = items.getByRole('status').first()
    await expect.element(said).toBeEmptyDOMElement()
    const region = said.element()
    await items.getByRole('button', { name: 'Test Phone' }).click()
    await expect.element(said).toHaveTextContent('Not sent, after 1.2 s.')
    expect(said.element()).toBe(region)
    await expect
      .element(items.getByRole('figure').nth(0))
      .toMatchTextContent(/What was sent.*POST https:\/\/ntfy.sh\//)
    await expect
      .element(items.getByRole('figure').nth(1))
      .toMatchTextContent(/What came back.*403 forbidden/)
    await expect.element(items).toMatchTextContent(/The last message, .*, did not arrive: 403/)
    await expectAccessible()
    answerApi(testChannel, refused('rate_limited'))
    await items.getByRole('button', { name: 'Test Phone' }).click()
    await expect.element(alert).toHaveTextContent(errors.rate_limited.sentence)
  })

  test('one is renamed in place', async () => {
    const channel = sampleChannel()
    await openAlerts([channel])
    answerApi(updateChannel, refused('invalid_input', { name: 'A name is shorter.' }))
    await items.getByRole('button', { name: 'Rename Phone' }).click()
    const name = items.getByLabelText('Name')
    await expect.element(name).toHaveFocus()
    await name.fill('My phone')
    await items.getByRole('button', { name: 'Save name' }).click()
    await expect.element(alert).toHaveTextContent('A name is shorter.')
    const asked = answerApi(updateChannel, ({ body }) => ({
      status: 200,
      body: { ...channel, name: body.name ?? '' },
    }))
    await items.getByRole('button', { name: 'Save name' }).click()
    await expect.element(items.getByRole('heading', { name: 'My phone' })).toBeVisible()
    await expect.element(name).not.toBeInTheDocument()
    await expect.element(items.getByRole('button', { name: 'Rename My phone' })).toHaveFocus()
    expect(asked).toMatchObject([{ params: { id: channel.id }, body: { name: 'My phone' } }])
  })

  test('changing a target asks for all values again', async () => {
    const channel = sampleChannel()
    await openAlerts([channel])
    const topic = items.getByLabelText('Address of the topic')
    const lead = items.getByRole('button', { name: 'Use this address' })
    await items.getByRole('button', { name: 'Change where Phone sends' }).click()
    await expect.element(topic).toHaveFocus()
    await lead.click()
    await expect.element(alert).toHaveTextContent('Enter it.')
    answerApi(updateChannel, refused('inside_address'))
    await topic.fill('https://ntfy.example/other')
    await lead.click()
    await expect.element(alert).toHaveTextContent(errors.inside_address.sentence)
    const target = 'ntfy.example/oth…'
    const asked = answerApi(updateChannel, { status: 200, body: { ...channel, target } })
    await lead.click()
    await expect.element(items).toMatchTextContent(/ntfy.example\/oth…/)
    await expect.element(topic).not.toBeInTheDocument()
    await expect
      .element(items.getByRole('button', { name: 'Change where Phone sends' }))
      .toHaveFocus()
    expect(asked).toMatchObject([
      {
        params: { id: channel.id },
        body: { settings: { kind: 'ntfy', topic: 'https://ntfy.example/other' } },
      },
    ])
    expect(asked[0]?.body).not.toHaveProperty('name')
  })

  test('one is deleted after confirmation', async () => {
    await openAlerts([sampleChannel({ name: 'Cellar' }), sampleChannel()])
    answerApi(deleteChannel, { status: 204 })
    await items.getByRole('button', { name: 'Delete Cellar' }).click()
    await items.getByRole('button', { name: 'Delete channel' }).click()
    await expect.element(items.getByRole('button', { name: 'Test Phone' })).toHaveFocus()
    answerApi(deleteChannel, 'dropped')
    await items.getByRole('button', { name: 'Delete Phone' }).click()
    await expect.element(items.getByRole('button', { name: 'Keep it' })).toHaveFocus()
    await items.getByRole('button', { name: 'Delete channel' }).click()
    await expect.element(alert).toMatchTextContent(/^The connection failed/)
    answerApi(deleteChannel, { status: 204 })
    await items.getByRole('button', { name: 'Delete channel' }).click()
    await expect.element(card.getByText('You get no alerts yet')).toBeVisible()
    await expect.element(card.getByRole('heading', { name: 'Channels' })).toHaveFocus()
  })

  test('a full list has no button to add one', async () => {
    await openAlerts(Array.from({ length: alertChannelsPerUser }, () => sampleChannel()))
    await expect.element(card).toMatchTextContent(/Delete one to add another/)
    expect(add.length).toBe(0)
  })

  test('a demo account has none and sends no request', async () => {
    await openPart(<AlertsPart />, { user: { ...sampleUser, isDemo: true } })
    await expect.element(card).toMatchTextContent(errors.demo_account.sentence)
    expect(add.length).toBe(0)
  })

  test('a failed load is reported', async () => {
    answerApi(listChannels, refused('server_error'))
    await openPart(<ChannelsCard />, { user: sampleUser })
    const again = card.getByRole('button', { name: 'Try again' })
    await expect.element(again).toBeVisible()
    answerChannels([sampleChannel()])
    await again.click()
    await expect.element(items).toMatchTextContent(/Phone/)
  })
})

describe('a new channel', () => {
  test('each kind has a form that fits the contract and explains its values', async () => {
    await openAlerts()
    await add.click()
    await expect.element(card.getByRole('radio', { name: 'This browser' })).toHaveFocus()
    for (const kind of channelKinds) {
      await card.getByRole('radio', { name: kindLabels[kind].name }).click()
      if (kind === 'push') continue
      const { where, fields } = kindForms[kind]
      await expect.element(card.getByText(where)).toBeVisible()
      // An empty form asks for every required value.
      await submit.click()
      await expect.poll(() => alert.length).toBe(fields.filter((field) => !field.isOptional).length)
      await expect.element(card.getByLabelText(fields[0]?.label ?? '').first()).toHaveFocus()
    }
    await expectAccessible()
  })

  test('the input is sent by the contract, and the new channel is listed', async () => {
    await openAlerts()
    const asked = answerApi(createChannel, ({ body }) => ({
      status: 201,
      body: { ...sampleChannel({ name: body.name }), secret: null },
    }))
    await choose('ntfy')
    await card.getByLabelText('Address of the topic').fill('https://ntfy.sh/my-alerts-x7k2p9')
    await card.getByLabelText('Name').fill('Pocket')
    await submit.click()
    await expect.element(items.getByRole('heading', { name: 'Pocket' })).toHaveFocus()
    expect(asked).toMatchObject([
      {
        body: {
          name: 'Pocket',
          settings: { kind: 'ntfy', topic: 'https://ntfy.sh/my-alerts-x7k2p9', token: null },
        },
      },
    ])
    await expect.element(submit).not.toBeInTheDocument()
  })

  test('an invalid or internal address has an error at its field', async () => {
    await openAlerts()
    await choose('Gotify')
    const server = card.getByLabelText('Server')
    await server.fill('gotify')
    await card.getByLabelText('Token of the application').fill('abc')
    await submit.click()
    await expect.element(alert).toMatchTextContent(/^A server’s address is such as/)
    await expect.element(server).toHaveFocus()
    answerApi(createChannel, refused('inside_address'))
    await server.fill('https://gotify.example')
    await submit.click()
    await expect.element(alert).toHaveTextContent(errors.inside_address.sentence)
    await expect.element(server).toHaveFocus()
    answerApi(createChannel, refused('channel_limit'))
    await submit.click()
    await expect.element(alert).toHaveTextContent(errors.channel_limit.sentence)
  })

  test('a webhook’s secret is shown once, and once more when renewed', async () => {
    await openAlerts()
    answerApi(createChannel, {
      status: 201,
      body: { ...sampleChannel({ kind: 'webhook', name: 'Cellar' }), secret: 'whsec_first' },
    })
    await choose('Webhook')
    await card.getByLabelText('Address').fill('https://example.org/alerts')
    await submit.click()
    await expect.element(items.getByRole('figure')).toMatchTextContent(/whsec_first/)
    answerApi(renewChannelSecret, { status: 200, body: { secret: 'whsec_second' } })
    await items.getByRole('button', { name: 'New secret for Cellar' }).click()
    await items.getByRole('button', { name: 'Make a new secret' }).click()
    await expect.element(items.getByRole('figure')).toMatchTextContent(/whsec_second/)
    // Another press would invalidate the secret on the screen.
    await expect
      .element(items.getByRole('button', { name: 'Make a new secret' }))
      .not.toBeInTheDocument()
    await expect.element(items.getByRole('heading', { name: 'Cellar' })).toHaveFocus()
  })

  test('an e-mail address is confirmed by the code sent there', async () => {
    const channel = sampleChannel({
      kind: 'email',
      name: 'Mail',
      target: 'ada@example.org',
      state: 'unconfirmed',
    })
    await openAlerts()
    answerApi(createChannel, { status: 201, body: { ...channel, secret: null } })
    await choose('E-mail')
    await card.getByLabelText('Address').fill('ada@example.org')
    await submit.click()
    const code = items.getByLabelText('Code from the mail')
    const confirm = items.getByRole('button', { name: 'Confirm', exact: true })
    await code.fill('12345')
    await confirm.click()
    await expect.element(alert).toMatchTextContent(/^A code has five groups/)
    const another = answerApi(sendChannelCode, { status: 204 })
    await items.getByRole('button', { name: 'Send another code' }).click()
    await expect.poll(() => another).toMatchObject([{ params: { id: channel.id } }])
    answerApi(confirmChannel, refused('invalid_code'))
    await code.fill('01234-56789-abcde-fghjk-mnpqr')
    await confirm.click()
    await expect.element(alert).toHaveTextContent(errors.invalid_code.sentence)
    await expect.element(code).toHaveFocus()
    await expectAccessible()
    const asked = answerApi(confirmChannel, { status: 200, body: { address: 'ada@example.org' } })
    answerChannels([{ ...channel, state: 'ready' }])
    await confirm.click()
    await expect.element(code).not.toBeInTheDocument()
    await expect.element(items.getByRole('button', { name: 'Test Mail' })).toBeVisible()
    await expect.element(items.getByRole('heading', { name: 'Mail' })).toHaveFocus()
    expect(asked).toMatchObject([{ body: { code: '0123456789ABCDEFGHJKMNPQR' } }])
  })

  test('a server without mail offers no e-mail', async () => {
    await openAlerts([], false)
    await add.click()
    await expect.element(card.getByRole('radio', { name: 'E-mail' })).toBeDisabled()
    await expect.element(card.getByText('This server sends no e-mail')).toBeVisible()
  })

  test('cancelling returns the focus', async () => {
    await openAlerts()
    await choose('Slack')
    await card.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(add).toHaveFocus()
  })
})
